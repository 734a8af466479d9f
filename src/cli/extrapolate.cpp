// reprise extrapolate: from traces on few ranks to the trace on many.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analyze/compare.hpp"
#include "cli/command.hpp"
#include "cli/outputs.hpp"
#include "cli/write.hpp"
#include "extrapolate/instantiate.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

struct ExtrapolateOptions {
  std::vector<std::string> inputs;
  std::int64_t ranks = 0;
  std::string grid;
  std::string output = "extrapolated.reprise";
  bool check = false, report = false, json = false, force = false;
};

// "4x3" as a program names it, the dimension that varies fastest last; d0 first.
std::vector<std::int64_t> parse_grid(const std::string& text) {
  std::vector<std::int64_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    if (error != std::errc() || extent < 1 || (next != end && *next != 'x') || next + 1 == end) {
      throw CommandError{
          fmt::format("--grid {} is no grid (it is not of numbers with x between); say 4x8", text), 2};
    }
    out.push_back(extent);
    at = next == end ? end : next + 1;
  }
  std::ranges::reverse(out);
  return out;
}

std::string refusal_text(const std::vector<extrapolate::Refusal>& refused) {
  std::string out = fmt::format("{} of the program cannot be extrapolated (no law explains them):",
                                refused.size() == 1 ? "1 parameter" : fmt::format("{} parameters", refused.size()));
  for (const extrapolate::Refusal& r : refused) {
    out += fmt::format("\n  {} of {} in {}: {}", r.parameter, r.function, r.place, r.why);
    for (const std::string& s : r.samples) out += "\n    " + s;
  }
  return out;
}

void run(const ExtrapolateOptions& o) {
  std::vector<trace::Trace> traces;
  for (const std::string& file : o.inputs) traces.push_back(take(trace::read_trace(file)));
  const extrapolate::Request request{o.ranks, parse_grid(o.grid)};
  auto aligned = take(extrapolate::align(traces, o.inputs));
  const extrapolate::Inferred inferred = extrapolate::infer_laws(std::move(aligned), traces, request);
  if (o.report) {
    for (const auto& rule : inferred.program.grids.rules) fmt::print("grid: {}\n", rule.describe());
    for (const extrapolate::Parameter& p : inferred.program.parameters) {
      if (p.law.form == extrapolate::Law::Form::series && p.law.series.is_constant()) continue;
      const auto name = name_of(p.slot, inferred.program.tree, inferred.program.sites, traces);
      fmt::print("{} {} {}: {} [{} {}]\n", name.function, name.place, name.parameter, print(p.law), static_cast<int>(p.law.encoding), static_cast<int>(standing_of(p.law)));
    }
  }
  if (!inferred.refused.empty()) throw CommandError{refusal_text(inferred.refused)};
  auto trace = take(extrapolate::instantiate(inferred.program, traces, request));
  write_output(std::move(trace), traces.back().program, o.output);
}

}  // namespace

void add_extrapolate(CLI::App& app) {
  auto o = std::make_shared<ExtrapolateOptions>();
  CLI::App* sub = app.add_subcommand(
      "extrapolate", "Make the trace of a program on many ranks from traces on few");
  sub->add_option("traces", o->inputs, "Traces of one program on different numbers of ranks")
      ->required();
  sub->add_option("--ranks", o->ranks, "The number of ranks to extrapolate to");
  sub->add_option("--grid", o->grid, "The grid that these ranks form, such as 32x16");
  sub->add_option("-o,--output", o->output, "The trace to write")->capture_default_str();
  sub->add_flag("--report", o->report, "Print the law of each parameter");
  sub->add_flag("--force", o->force, "Overwrite the output");
  sub->footer("Example: reprise extrapolate t4.reprise t9.reprise t16.reprise --ranks 1024 -o t1024.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
