// reprise extrapolate: from traces on few ranks to the trace on many.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <regex>

#include "analyze/compare.hpp"
#include "cli/command.hpp"
#include "cli/extrapolate_report.hpp"
#include "cli/outputs.hpp"
#include "cli/time_report.hpp"
#include "cli/write.hpp"
#include "extrapolate/instantiate.hpp"
#include "extrapolate/verify.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

using extrapolate::Exactness;
using extrapolate::Inferred;
using extrapolate::ProblemParameter;
using extrapolate::Request;
using extrapolate::TimeModel;
using nlohmann::ordered_json;
using trace::Trace;

struct ExtrapolateOptions {
  std::vector<std::string> inputs;
  std::int64_t ranks = 0;
  std::string grid;
  std::string time_model = "curves";
  std::vector<std::string> parameters, wanted;
  std::string output;
  bool approximate = false;
  bool check = false, report = false, json = false, force = false;
};

// "4x3" as programs write it, the dimension that varies fastest last; d0 comes first here.
std::vector<std::int64_t> parse_grid(const std::string& text) {
  std::vector<std::int64_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    const bool goes_on = next != end && *next == 'x' && next + 1 != end;
    if (error != std::errc() || extent < 1 || (next != end && !goes_on)) {
      throw CommandError{
          fmt::format("--grid {} is no grid (it takes numbers with x between); say 4x8", text), 2};
    }
    out.push_back(extent);
    at = goes_on ? next + 1 : end;
  }
  std::ranges::reverse(out);
  return out;
}

// What an option says behind "name=", and the name.
std::pair<std::string, std::string> parse_setting(const std::string& option,
                                                  const std::string& text) {
  static const std::regex kSetting("([A-Za-z_][A-Za-z_0-9]*)=(.+)");
  // What expressions have names for already.
  static const std::regex kTaken("ranks?|proc_null|index|length|min|max|xor|[xdti][0-9]");
  std::smatch parts;
  if (!std::regex_match(text, parts, kSetting)) {
    throw CommandError{
        fmt::format("{} {} is not understood (it takes a name, = and whole numbers); "
                    "say {} n={}",
                    option, text, option, option == "--at" ? "512" : "64,128,256"),
        2};
  }
  if (std::regex_match(parts[1].str(), kTaken)) {
    throw CommandError{fmt::format("{} {} cannot be (laws have that name for something else); "
                                   "choose another name",
                                   option, parts[1].str()),
                       2};
  }
  return {parts[1], parts[2]};
}

std::vector<std::int64_t> parse_numbers(const std::string& option, const std::string& text) {
  std::vector<std::int64_t> out;
  for (const char *at = text.data(), *end = at + text.size(); at != end;) {
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    const bool goes_on = next != end && *next == ',' && next + 1 != end;
    if (error != std::errc() || number < 1 || (next != end && !goes_on)) {
      throw CommandError{fmt::format("{} {} is not understood (it takes whole numbers from 1 on, "
                                     "with commas between); say 64,128,256",
                                     option, text),
                         2};
    }
    out.push_back(number);
    at = goes_on ? next + 1 : end;
  }
  return out;
}

// The declared parameters, with a value for each input, and what --at wants them to be.
std::vector<ProblemParameter> parameters_of(const ExtrapolateOptions& o) {
  std::vector<ProblemParameter> out;
  for (const std::string& text : o.parameters) {
    const auto [name, numbers] = parse_setting("--param", text);
    ProblemParameter p{name, parse_numbers("--param", numbers), 0};
    if (p.values.size() != o.inputs.size()) {
      throw CommandError{fmt::format("--param {} has {} values and there are {} traces (each needs "
                                     "one, in their order); give as many",
                                     text, p.values.size(), o.inputs.size()),
                         2};
    }
    if (std::ranges::any_of(out, [&](const auto& q) { return q.name == p.name; })) {
      throw CommandError{fmt::format("--param {} is given twice; leave one out", p.name), 2};
    }
    out.push_back(std::move(p));
  }
  for (const std::string& text : o.wanted) {
    const auto [name, number] = parse_setting("--at", text);
    const auto p = std::ranges::find(out, name, &ProblemParameter::name);
    const std::vector<std::int64_t> value = parse_numbers("--at", number);
    if (p == out.end() || value.size() != 1) {
      throw CommandError{fmt::format("--at {} says nothing (it takes one value of a parameter that "
                                     "--param declares); declare it for each trace",
                                     text),
                         2};
    }
    p->wanted = value.front();
  }
  return out;
}

// Where --at says nothing, a parameter that all inputs have in common is wanted as it is.
void complete(std::vector<ProblemParameter>& parameters) {
  for (ProblemParameter& p : parameters) {
    if (p.wanted != 0) continue;
    const auto [least, most] = std::ranges::minmax(p.values);
    if (least != most) {
      throw CommandError{fmt::format("which {} the new trace is to have is not said; add --at {}=N",
                                     p.name, p.name),
                         2};
    }
    p.wanted = least;
  }
}

TimeModel time_model_of(const std::string& name) {
  if (name == "paper") return TimeModel::paper;
  return name == "none" ? TimeModel::none : TimeModel::curves;
}

Request request_of(const ExtrapolateOptions& o) {
  Request out{o.ranks, parse_grid(o.grid), time_model_of(o.time_model), parameters_of(o),
              o.approximate ? Exactness::approximate : Exactness::required};
  std::int64_t product = 1;
  for (const std::int64_t d : out.grid) product *= d;
  if (!out.grid.empty() && product != o.ranks) {
    throw CommandError{fmt::format("--grid {} has {} places and not {} (one for each rank); give "
                                   "another, or other --ranks",
                                   o.grid, product, o.ranks),
                       2};
  }
  return out;
}

void check_usage(const ExtrapolateOptions& o) {
  if (o.inputs.size() < (o.check ? 3U : 2U)) {
    throw CommandError{o.check ? "--check takes three traces or more (one is left out, and a law "
                                 "needs two); record more"
                               : "one trace says nothing about other numbers of ranks (a law needs "
                                 "two or more); record the program on more",
                       2};
  }
  if (o.ranks < 1 && !o.check && !o.report) {
    throw CommandError{"how many ranks are wanted is not said; add --ranks N", 2};
  }
  if (o.ranks > 0 && static_cast<std::uint64_t>(o.ranks) > trace::kMaxStreams) {
    throw CommandError{fmt::format("--ranks {} is more than a trace can have ({}); choose fewer",
                                   o.ranks, trace::kMaxStreams),
                       2};
  }
}

Inferred infer(const std::vector<Trace>& traces, const std::vector<std::string>& names,
               const Request& request) {
  return take(extrapolate::infer_program(traces, names, request));
}

void refuse_unless_whole(const Inferred& inferred, bool json) {
  if (inferred.refused.empty()) return;
  if (json) {
    fmt::print("{}\n", ordered_json{{"refused", refusals_json(inferred.refused)}}.dump(2));
  }
  throw CommandError{refusals_text(inferred.refused)};
}

// The trace of a program at a number of ranks, if it does not contradict itself.
Trace instantiate(const Inferred& inferred, const std::vector<Trace>& traces,
                  const Request& request, bool json) {
  Trace made = take(extrapolate::instantiate(inferred.program, traces, request));
  const extrapolate::Verdict verdict = extrapolate::verify(made, traces);
  for (const std::string& what : verdict.left_out) fmt::print(stderr, "not verified: {}\n", what);
  if (verdict.contradictions.empty()) return made;
  if (json) {
    const auto contradictions = contradictions_json(verdict.contradictions);
    fmt::print("{}\n", ordered_json{{"contradictions", contradictions}}.dump(2));
  }
  throw CommandError{contradictions_text(verdict.contradictions)};
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
  refuse_unless_whole(inferred, json);
  const Trace predicted = instantiate(inferred, traces, request, json);
  const auto sites = check_sites(predicted, recorded);
  analyze::Ignored ignored;
  for (const char* word : {"polls", "matches"}) ignored.add(word);
  const bool same = analyze::compare(predicted, recorded, ignored).equal();
  const bool has_times = !predicted.times.empty() && !recorded.times.empty();
  if (json) {
    ordered_json out = check_json(sites, recorded.ranks, same);
    if (has_times) out["times"] = check_json(check_times(predicted, recorded));
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}", check_text(sites, recorded.ranks, same));
    if (has_times) fmt::print("\n{}", check_text(check_times(predicted, recorded)));
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
    out["times"] = times_json(times, ranks, why_none);
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}\n{}", laws_text(inferred.program, traces), times_text(times, ranks, why_none));
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

// What the trace is of: it was never run, the largest of the inputs was.
std::string described(const std::vector<Trace>& traces) {
  std::vector<std::uint64_t> ranks;
  for (const Trace& t : traces) ranks.push_back(t.ranks);
  std::ranges::sort(ranks);
  const std::string& largest = std::ranges::max_element(traces, {}, &Trace::ranks)->program;
  const std::string from = fmt::format("extrapolated from {} ranks", fmt::join(ranks, ", "));
  return largest.empty() ? from : fmt::format("{}; on {}: {}", from, ranks.back(), largest);
}

void run(const ExtrapolateOptions& o) {
  check_usage(o);
  Request request = request_of(o);
  std::error_code error;
  if (!o.output.empty()) {
    if (std::filesystem::exists(o.output, error) && !o.force) {
      throw CommandError{fmt::format(
          "{} exists (nothing is overwritten unasked); add --force, or choose another -o",
          o.output)};
    }
    check_writable(o.output);
  }
  std::vector<Trace> traces;
  for (const std::string& file : o.inputs) traces.push_back(take(trace::read_trace(file)));
  if (o.check) return check(std::move(traces), o.inputs, request, o.json);
  if (o.ranks > 0) complete(request.parameters);
  const Inferred inferred =
      infer(traces, o.inputs, o.ranks > 0 ? request : largest_of(traces, request));
  if (o.report)
    report(inferred, traces, o.ranks > 0 ? o.ranks : largest_of(traces, request).ranks, o.json);
  refuse_unless_whole(inferred, o.json && !o.report);
  if (o.ranks < 1) return;
  const std::string program = described(traces);
  Trace trace = instantiate(inferred, traces, request, o.json && !o.report);
  for (const std::string& place : drawn_places(inferred.program, traces)) {
    fmt::print(stderr, "reprise: {} are drawn from a distribution, and not exact\n", place);
  }
  if (const std::string& why = inferred.program.times.why_none; !why.empty()) {
    fmt::print(stderr, "reprise: the new trace has no times ({}); record all inputs alike\n", why);
  }
  write_output(std::move(trace), program, o.output.empty() ? "extrapolated.reprise" : o.output);
}

}  // namespace

void add_extrapolate(CLI::App& app) {
  auto o = std::make_shared<ExtrapolateOptions>();
  CLI::App* sub = app.add_subcommand(
      "extrapolate", "Make the trace of a program on many ranks from traces on few");
  sub->add_option("traces", o->inputs, "Traces of one program, on different numbers of ranks")
      ->required();
  sub->add_option("--ranks", o->ranks, "How many ranks the new trace has");
  sub->add_option("--grid", o->grid,
                  "The grid that they form, such as 32x16; the dimension in which neighbours are "
                  "one rank apart comes last");
  sub->add_option(
      "--param", o->parameters,
      "A size of the problem that differs, with its value in each trace in their order, "
      "such as n=64,128,256");
  sub->add_option("--at", o->wanted, "What such a size is in the new trace, such as n=1024");
  sub->add_flag("--approximate", o->approximate,
                "Take trips that follow no law, as iterations until something converges, for a "
                "distribution");
  sub->add_option("--time-model", o->time_model,
                  "How times become those on more ranks: curves (default), paper (the four of "
                  "ScalaExtrap), none")
      ->check(CLI::IsMember({"curves", "paper", "none"}));
  sub->add_option("-o,--output", o->output, "The trace to write: extrapolated.reprise by default");
  sub->add_flag("--check", o->check,
                "Leave the largest trace out, predict it from the others, and compare");
  sub->add_flag("--report", o->report, "Print the law of each parameter and of each time");
  sub->add_flag("--json", o->json, "Reports for programs");
  sub->add_flag("--force", o->force, "Overwrite the output");
  sub->footer(
      "Every parameter of every call has to follow a law that explains all traces exactly; one "
      "that "
      "does not is named.\nThree traces or more of different shapes are better than two.\n\n"
      "Example: reprise extrapolate t6.reprise t8.reprise t12.reprise t20.reprise --ranks 1024 -o "
      "t1024.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
