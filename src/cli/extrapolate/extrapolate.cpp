// reprise extrapolate: from traces on few ranks to the trace on many.
#include <fmt/core.h>

#include <algorithm>

#include "analyze/compare/compare.hpp"
#include "cli/command.hpp"
#include "cli/extrapolate/extrapolate_options.hpp"
#include "cli/extrapolate/extrapolate_report.hpp"
#include "cli/extrapolate/made_trace.hpp"
#include "cli/extrapolate/reach_report.hpp"
#include "cli/extrapolate/scalable.hpp"
#include "cli/extrapolate/time_report.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/progress.hpp"
#include "cli/say.hpp"
#include "extrapolate/values/instantiate.hpp"

namespace reprise::cli {
namespace {

using extrapolate::Exactness;
using extrapolate::Inferred;
using extrapolate::ProblemParameter;
using extrapolate::Request;
using extrapolate::TimeModel;
using nlohmann::ordered_json;
using trace::Trace;

struct ExtrapolateOptions : LawOptions {
  std::int64_t ranks = 0;
  std::string grid;
  std::vector<std::string> wanted;
  std::string output;
  bool check = false, report = false, json = false, force = false;
};

// Where --at says nothing, a parameter that all inputs have in common is wanted as it is.
void complete(std::vector<ProblemParameter>& parameters) {
  for (ProblemParameter& p : parameters) {
    if (p.wanted != 0) continue;
    const auto [least, most] = std::ranges::minmax(p.values);
    if (least != most) {
      throw CommandError{
          fmt::format("the {} of the new trace is missing; add --at {}=N", p.name, p.name), 2};
    }
    p.wanted = least;
  }
}

Request request_of(const ExtrapolateOptions& o) {
  return Request{o.ranks,
                 parse_grid(o.grid, o.ranks),
                 time_model_of(o.time_model),
                 declared_parameters(o.parameters, o.wanted, o.inputs.size()),
                 o.approximate ? Exactness::approximate : Exactness::required,
                 read_patterns(o.patterns)};
}

// A scalable trace has its laws already.
void run_scalable(const ExtrapolateOptions& o, const Trace& trace) {
  const std::vector<std::pair<std::string, bool>> of_fit = {
      {"--param", !o.parameters.empty()},
      {"--pattern", !o.patterns.empty()},
      {"--approximate", o.approximate},
      {"--check", o.check},
      {"--time-model", o.time_model == "paper"}};
  for (const auto& [option, given] : of_fit) {
    if (!given) continue;
    throw CommandError{fmt::format("{} has no effect on a scalable trace (its laws are already "
                                   "known); leave it out, or give it to `reprise fit`",
                                   option),
                       2};
  }
  const scalable::Wanted wanted{o.ranks, parse_grid(o.grid, o.ranks), parse_wanted(o.wanted),
                                o.time_model != "none"};
  extrapolate_scalable(trace, {o.inputs.front(), wanted, o.output, o.report, o.json});
}

void check_usage(const ExtrapolateOptions& o) {
  if (o.inputs.size() < (o.check ? 3U : 2U)) {
    throw CommandError{o.check ? "--check takes three traces or more (one is left out, and a law "
                                 "needs two); record the program on other numbers of ranks"
                               : "one trace is not enough to find laws (a law needs two or "
                                 "more); record the program on other numbers of ranks",
                       2};
  }
  if (o.ranks < 1 && !o.check && !o.report) {
    throw CommandError{"the number of ranks is missing; add --ranks N", 2};
  }
  if (o.ranks < 1 && !o.grid.empty()) {
    throw CommandError{
        "--grid is the grid of the ranks extrapolated to (none are given); add --ranks N", 2};
  }
  if (o.ranks > 0 && static_cast<std::uint64_t>(o.ranks) > trace::kMaxStreams) {
    throw CommandError{fmt::format("--ranks {} is more than a trace can have ({}); choose fewer",
                                   o.ranks, trace::kMaxStreams),
                       2};
  }
}

Inferred infer(const std::vector<Trace>& traces, const std::vector<std::string>& names,
               const Request& request) {
  const Elapsed elapsed("finding laws");
  return take(extrapolate::infer_program(traces, names, request));
}

void refuse_unless_whole(const Inferred& inferred, const std::vector<Trace>& inputs,
                         const Request& request, bool json) {
  if (inferred.refused.empty()) return;
  if (json) {
    say_json(ordered_json{{"refused", refusals_json(inferred.refused)}});
  }
  std::string text = refusals_text(inferred.refused, inputs) + "\n" +
                     grids_text(inferred.program.grids, request.ranks);
  text.pop_back();
  const bool has_choice = inferred.program.grids.rules.size() > 1 && request.grid.empty();
  if (has_choice) text += "\nif the ranks form one of these grids, name it with --grid";
  throw CommandError{text};
}

// The trace of a program at a number of ranks, if it does not contradict itself.
Trace instantiate(const Inferred& inferred, const std::vector<Trace>& traces,
                  const Request& request, bool json) {
  const Elapsed elapsed("making the trace");
  return verified(take(extrapolate::instantiate(inferred.program, traces, request)),
                  extrapolate::excuses_of(traces), json);
}

// Predicts the largest of the traces from the others.
void check(std::vector<Trace> traces, std::vector<std::string> names, Request request, bool json) {
  const auto largest = std::ranges::max_element(traces, {}, &Trace::ranks);
  for (ProblemParameter& p : request.parameters) {
    const auto left_out = p.values.begin() + (largest - traces.begin());
    p.wanted = *left_out;
    p.values.erase(left_out);
  }
  names.erase(names.begin() + (largest - traces.begin()));
  const Trace recorded = std::move(*largest);
  traces.erase(largest);
  request.ranks = static_cast<std::int64_t>(recorded.ranks);
  request.grid = {};
  const Inferred inferred = infer(traces, names, request);
  refuse_unless_whole(inferred, traces, request, json);
  const Trace predicted = instantiate(inferred, traces, request, json);
  const auto sites = check_sites(predicted, recorded);
  analyze::Ignored ignored;
  for (const char* word : {"polls", "matches"}) ignored.add(word);
  const bool same = analyze::compare(predicted, recorded, ignored).equal();
  const bool has_times = !predicted.times.empty() && !recorded.times.empty();
  if (json) {
    ordered_json out = check_json(sites, recorded.ranks, same);
    if (has_times) out["times"] = check_json(check_times(predicted, recorded));
    say_json(out);
  } else {
    say("{}", check_text(sites, recorded.ranks, same));
    if (has_times) say("\n{}", check_text(check_times(predicted, recorded)));
  }
  if (!same) throw CommandError{"", 1};
}

// `ranks`: where times are wanted.
void report(const Inferred& inferred, const std::vector<Trace>& traces, std::int64_t ranks,
            bool json) {
  const auto times = extrapolate::report_times(inferred.program, traces, ranks);
  const std::string& why_none = inferred.program.times.why_none;
  if (json) {
    ordered_json out = laws_json(inferred.program, traces);
    out["reach"] = reach_json(inferred.program, traces, ranks);
    out["times"] = times_json(times, ranks, why_none);
    say_json(out);
  } else {
    say("{}{}\n{}", laws_text(inferred.program, traces),
        thresholds_text(inferred.program, traces, ranks), times_text(times, ranks, why_none));
  }
}

// Without a wanted number, a report is about the largest that is there.
Request largest_of(const std::vector<Trace>& traces, Request request) {
  const auto largest = std::ranges::max_element(traces, {}, &Trace::ranks);
  request.ranks = static_cast<std::int64_t>(largest->ranks);
  for (ProblemParameter& p : request.parameters) {
    if (p.wanted == 0) p.wanted = p.values[static_cast<std::size_t>(largest - traces.begin())];
  }
  return request;
}

void run(const ExtrapolateOptions& o) {
  std::vector<Trace> traces;
  if (o.inputs.size() == 1) {
    traces.push_back(
        open_trace(o.inputs.front(), analyze::Use::states, trace::Accept::scalable_too));
    if (scalable::is_scalable(traces.front())) {
      check_output(o.output, o.force);
      return run_scalable(o, traces.front());
    }
  }
  check_usage(o);
  Request request = request_of(o);
  check_output(o.output, o.force);
  traces = open_traces(o.inputs);
  SharedCores cores;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    warn_of_unfinished(traces[i], o.inputs[i]);
    cores.add(traces[i], o.inputs[i]);
  }
  if (o.time_model != "none") cores.warn();
  if (o.check) return check(std::move(traces), o.inputs, request, o.json);
  if (o.ranks > 0) complete(request.parameters);
  const Inferred inferred =
      infer(traces, o.inputs, o.ranks > 0 ? request : largest_of(traces, request));
  if (o.report)
    report(inferred, traces, o.ranks > 0 ? o.ranks : largest_of(traces, request).ranks, o.json);
  refuse_unless_whole(inferred, traces, request, o.json && !o.report);
  if (o.ranks < 1) return;
  const std::string program = std::ranges::max_element(traces, {}, &Trace::ranks)->program;
  Trace trace = instantiate(inferred, traces, request, o.json && !o.report);
  write_made(std::move(trace), program, inferred.program, traces, o.output);
}

}  // namespace

void add_extrapolate(CLI::App& app) {
  auto o = std::make_shared<ExtrapolateOptions>();
  CLI::App* sub =
      app.add_subcommand("extrapolate", "Make the trace of a large run from traces of small runs");
  sub->add_option("-n,--ranks", o->ranks, "The number of ranks of the new trace")
      ->check(CLI::PositiveNumber);
  sub->add_option("--grid", o->grid,
                  "The grid that the ranks form, such as 32x16; the last dimension is the one in "
                  "which neighbors are one rank apart");
  add_law_options(*sub, *o);
  sub->add_option("--at", o->wanted,
                  "The value of a problem size in the new trace, such as n=1024");
  sub->add_option("-o,--output", o->output, "The trace to write (default: extrapolated.reprise)");
  sub->add_flag("--check", o->check,
                "Leave the largest trace out, predict it from the others, and compare");
  sub->add_flag("--report", o->report, "Print the law of each parameter and of each time");
  sub->add_flag("--json", o->json, "Print reports in JSON");
  sub->add_flag("--force", o->force, "Overwrite an existing output");
  sub->footer(
      "Every parameter of every call has to follow a law that explains all traces exactly; "
      "parameters that do not are\nnamed. Use three or more traces with grids of different "
      "shapes.\n\nExample: reprise extrapolate t6.reprise t8.reprise t12.reprise t20.reprise "
      "--ranks 1024 -o "
      "t1024.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
