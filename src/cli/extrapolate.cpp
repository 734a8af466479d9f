// reprise extrapolate: from traces on few ranks to the trace on many.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "analyze/compare.hpp"
#include "cli/command.hpp"
#include "cli/extrapolate_report.hpp"
#include "cli/outputs.hpp"
#include "cli/write.hpp"
#include "extrapolate/instantiate.hpp"
#include "extrapolate/verify.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

using extrapolate::Inferred;
using extrapolate::Request;
using nlohmann::ordered_json;
using trace::Trace;

struct ExtrapolateOptions {
  std::vector<std::string> inputs;
  std::int64_t ranks = 0;
  std::string grid;
  std::string output;
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

Request request_of(const ExtrapolateOptions& o) {
  Request out{o.ranks, parse_grid(o.grid)};
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
void check(std::vector<Trace> traces, std::vector<std::string> names, bool json) {
  const auto largest = std::ranges::max_element(traces, {}, &Trace::ranks);
  names.erase(names.begin() + (largest - traces.begin()));
  const Trace recorded = std::move(*largest);
  traces.erase(largest);
  const Request request{static_cast<std::int64_t>(recorded.ranks), {}};
  const Inferred inferred = infer(traces, names, request);
  refuse_unless_whole(inferred, json);
  const Trace predicted = instantiate(inferred, traces, request, json);
  const auto sites = check_sites(predicted, recorded);
  analyze::Ignored ignored;
  for (const char* word : {"polls", "matches"}) ignored.add(word);
  const bool same = analyze::compare(predicted, recorded, ignored).equal();
  if (json) {
    fmt::print("{}\n", check_json(sites, recorded.ranks, same).dump(2));
  } else {
    fmt::print("{}", check_text(sites, recorded.ranks, same));
  }
  if (!same) throw CommandError{"", 1};
}

void report(const Inferred& inferred, const std::vector<Trace>& traces, bool json) {
  if (json) {
    fmt::print("{}\n", laws_json(inferred.program, traces).dump(2));
  } else {
    fmt::print("{}", laws_text(inferred.program, traces));
  }
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
  const Request request = request_of(o);
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
  if (o.check) return check(std::move(traces), o.inputs, o.json);
  // Without a wanted number, a report is about the largest that is there.
  Request wanted = request;
  for (const Trace& t : traces) {
    if (o.ranks < 1) wanted.ranks = std::max(wanted.ranks, static_cast<std::int64_t>(t.ranks));
  }
  const Inferred inferred = infer(traces, o.inputs, wanted);
  if (o.report) report(inferred, traces, o.json);
  refuse_unless_whole(inferred, o.json && !o.report);
  if (o.ranks < 1) return;
  const std::string program = described(traces);
  Trace trace = instantiate(inferred, traces, request, o.json && !o.report);
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
  sub->add_option("-o,--output", o->output, "The trace to write: extrapolated.reprise by default");
  sub->add_flag("--check", o->check,
                "Leave the largest trace out, predict it from the others, and compare");
  sub->add_flag("--report", o->report, "Print the law of each parameter");
  sub->add_flag("--json", o->json, "Reports for programs");
  sub->add_flag("--force", o->force, "Overwrite the output");
  sub->footer(
      "Every parameter of every call has to follow a law that explains all traces exactly; one "
      "that "
      "does not is named.\nThree traces or more of different shapes are better than two.\n\n"
      "Example: reprise extrapolate t6.reprise t12.reprise t20.reprise --ranks 1024 -o "
      "t1024.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
