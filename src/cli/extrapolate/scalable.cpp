#include "cli/extrapolate/scalable.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/extrapolate/extrapolate_report.hpp"
#include "cli/extrapolate/made_trace.hpp"
#include "cli/extrapolate/reach_report.hpp"
#include "cli/extrapolate/time_report.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"

namespace reprise::cli {

using extrapolate::Law;
using nlohmann::ordered_json;
using scalable::ScalableTrace;

namespace {

void line(std::string_view name, const std::string& text) {
  say("{:<12} {}\n", name, printable(text));
}

// How many of the parameters have a law that is no constant.
std::size_t laws_in(const ScalableTrace& s) {
  std::size_t out = 0;
  for (const auto& p : s.program.parameters) {
    const bool same = p.law.form == Law::Form::series || p.law.form == Law::Form::none;
    if (!same) ++out;
  }
  return out;
}

std::string inputs_text(const ScalableTrace& s) {
  std::string out = fmt::format("{} ranks", fmt::join(s.program.ranks, ", "));
  for (const auto& p : s.parameters) {
    out += fmt::format("; {} = {}", p.name, fmt::join(p.values, ", "));
  }
  return out;
}

std::string times_kept(const ScalableTrace& s) {
  if (!s.program.times.why_none.empty()) return "none: " + s.program.times.why_none;
  if (s.program.times.laws.empty()) return "none";
  return fmt::format("{}, a law for each of {}", trace::name_of(s.program.times.timing.mode),
                     counted(s.program.times.laws.size(), "duration"));
}

// Where the laws have values, and where inputs have confirmed them.
std::string domain_text(const ScalableTrace& s) {
  return fmt::format("{}, confirmed up to {}", s.domain.ranks.describe(), s.program.ranks.back());
}

// On the largest number of ranks, where sizes are those of the inputs.
std::vector<extrapolate::Threshold> thresholds_of(const ScalableTrace& s) {
  return extrapolate::find_thresholds(s.program, s.traces(), s.domain.ranks.most);
}

// `ranks`: where times are wanted; 0: on the largest input.
void report(const ScalableTrace& s, const scalable::Wanted& wanted, bool json) {
  scalable::Wanted where = wanted;
  if (where.ranks == 0) where.ranks = s.program.ranks.back();
  const auto program = take(scalable::program_at(s, where));
  const auto times = extrapolate::report_times(program, s.traces(), where.ranks);
  if (json) {
    ordered_json out = laws_json(program, s.traces());
    out["domain"] = s.domain.ranks.describe();
    out["reach"] = reach_json(program, s.traces(), where.ranks);
    out["times"] = times_json(times, where.ranks, program.times.why_none);
    say_json(out);
  } else {
    say("{}{}\n{}", laws_text(program, s.traces()),
        thresholds_text(program, s.traces(), where.ranks),
        times_text(times, where.ranks, program.times.why_none));
  }
}

}  // namespace

ScalableTrace laws_of(const trace::Trace& trace, const std::string& file) {
  return take(scalable::decode(trace, file));
}

void extrapolate_scalable(const trace::Trace& trace, const Instance& instance) {
  const ScalableTrace s = laws_of(trace, instance.file);
  if (instance.wanted.ranks < 1 && !instance.report) {
    throw CommandError{
        fmt::format("the number of ranks is missing (the laws hold for {}); add --ranks N",
                    s.domain.ranks.describe()),
        2};
  }
  if (instance.report) report(s, instance.wanted, instance.json);
  if (instance.wanted.ranks < 1) return;
  auto made = verified(take(scalable::instantiate(s, instance.wanted)), s.excuses,
                       instance.json && !instance.report);
  write_made(std::move(made), s.frame.program, take(scalable::program_at(s, instance.wanted)),
             s.traces(), instance.output);
}

void print_scalable_info(const trace::Trace& trace, const std::string& file, bool json) {
  const ScalableTrace s = laws_of(trace, file);
  const auto size = std::filesystem::file_size(file);
  if (json) {
    ordered_json sizes = ordered_json::array();
    for (std::size_t p = 0; p < s.parameters.size(); ++p) {
      sizes.push_back({{"name", s.parameters[p].name},
                       {"inputs", s.parameters[p].values},
                       {"holds_for", s.domain.parameters[p].describe()}});
    }
    const ordered_json out{{"file", file},
                           {"file_bytes", size},
                           {"scalable", true},
                           {"program", trace.program},
                           {"mpi", trace.mpi},
                           {"inputs", s.program.ranks},
                           {"confirmed_up_to", s.program.ranks.back()},
                           {"holds_for", s.domain.ranks.describe()},
                           {"least_ranks", s.domain.ranks.least},
                           {"most_ranks", s.domain.ranks.most},
                           {"thresholds", thresholds_json(thresholds_of(s), s.domain.ranks.most)},
                           {"sizes", sizes},
                           {"call_sites", s.program.sites.size()},
                           {"parameters", s.program.parameters.size()},
                           {"laws", laws_in(s)},
                           {"times", times_kept(s)}};
    say_json(out);
    return;
  }
  line("scalable", "a trace of any number of ranks that its laws hold for");
  line("program",
       fmt::format("{}, on {} ranks", trace.program.empty() ? "not known" : trace.program,
                   s.program.ranks.back()));
  line("MPI", trace.mpi);
  line("inputs", inputs_text(s));
  line("ranks", domain_text(s));
  for (std::size_t p = 0; p < s.parameters.size(); ++p) {
    line(s.parameters[p].name, s.domain.parameters[p].describe());
  }
  for (const auto& threshold : thresholds_of(s)) line("threshold", threshold_text(threshold));
  for (const auto& what : approximations(s.program, s.traces())) line("approximate", what);
  line("call sites", count_text(s.program.sites.size()));
  line("laws", fmt::format("{}, and {} more that never change", counted(laws_in(s), "parameter"),
                           count_text(s.program.parameters.size() - laws_in(s))));
  line("times", times_kept(s));
  line("file", fmt::format("{} bytes", count_text(size)));
}

std::string scalable_header(const ScalableTrace& s) {
  std::string out =
      fmt::format("# {}\n# {}\n# laws from {}\n# ranks: {}\n", program_text(s.frame.program),
                  printable(s.frame.mpi), inputs_text(s), domain_text(s));
  for (std::size_t p = 0; p < s.parameters.size(); ++p) {
    out += fmt::format("# {}: {}\n", s.parameters[p].name, s.domain.parameters[p].describe());
  }
  return out;
}

}  // namespace reprise::cli
