#include "cli/end_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "analyze/ends.hpp"
#include "base/printable.hpp"
#include "cli/blocked_report.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "trace/places.hpp"
#include "trace/rank_set.hpp"

namespace reprise::cli {

using analyze::Death;
using nlohmann::ordered_json;
using trace::Trace;

namespace {

constexpr std::size_t kMostDeaths = 10;

// "segmentation fault", "CPU time limit exceeded".
std::string signal_name(std::int64_t signal) {
  const char* known = ::sigdescr_np(static_cast<int>(signal));
  if (!known) return "unknown";
  std::string name(known);
  const bool is_word = name.size() > 1 && std::islower(static_cast<unsigned char>(name[1]));
  if (is_word) name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return name;
}

std::string call_text(const trace::Places& places, const Death& death) {
  const std::string place = places.text(death.callpath);
  return fmt::format("{}{}{}", trace::function(death.function).name, place.empty() ? "" : " at ",
                     place);
}

std::string where_text(const trace::Places& places, const Death& death) {
  switch (death.where) {
    case Death::Where::in_call: return "in " + call_text(places, death);
    case Death::Where::after_call: return "outside MPI, after " + call_text(places, death);
    case Death::Where::outside: return "outside MPI, after calls that are not in the trace";
    case Death::Where::elsewhere: break;
  }
  return "in a thread that makes no MPI calls";
}

std::string death_text(const trace::Places& places, const Death& death) {
  const std::string ranks = ranks_text(death.ranks);
  if (death.cause == Death::Cause::abort)
    return fmt::format("{} called {}", ranks, call_text(places, death));
  if (death.cause == Death::Cause::exit)
    return fmt::format("{} exited {}", ranks, where_text(places, death));
  return fmt::format("{} died of signal {} ({}) {}", ranks, death.signal, signal_name(death.signal),
                     where_text(places, death));
}

void say_losses(const Trace& trace) {
  for (const trace::Loss& l : trace.losses) say_line("lost", loss_text(l.count, l.what));
}

void say_cut_short(const Trace& trace, Run run) {
  const analyze::Ends ends = analyze::ends_of(trace);
  const bool is_under_way = run == Run::under_way;
  const char* label = is_under_way ? "under way" : "cut short";
  if (!ends.cut_short.empty()) {
    const bool all = ends.cut_short.size() == trace.ranks;
    say_line(label,
             (all ? "every rank" : ranks_text(ends.cut_short)) +
                 (is_under_way ? ": the trace ends at the last checkpoint"
                               : ", before MPI_Finalize: what came later is not in the trace"));
  }
  if (!ends.silent.empty())
    say_line(label, ranks_text(ends.silent) + ", of which no completed call is known");
  if (!ends.behind_checkpoint.empty() && !is_under_way) {
    say_line(label, fmt::format("{} at {} last checkpoint: the calls after it are not in the trace",
                                ranks_text(ends.behind_checkpoint),
                                ends.behind_checkpoint.size() == 1 ? "its" : "their"));
  }
  for (const std::string& death : death_lines(trace)) say_line("cut short", death);
}

// Under each other, the first beside the name.
void say_blocked(const Trace& trace) {
  std::string name = "blocked";
  const std::string report = blocked_report(trace);
  for (std::size_t at = 0; at < report.size(); at = report.find('\n', at) + 1) {
    say_line(name, report.substr(at, report.find('\n', at) - at));
    name.clear();
  }
}

}  // namespace

void say_line(std::string_view name, const std::string& text) {
  say("{:<12} {}\n", name, printable(text));
}

std::vector<std::string> death_lines(const Trace& trace) {
  const std::vector<Death> deaths = analyze::deaths_of(trace);
  const trace::Places places(trace);
  std::vector<std::string> out;
  std::size_t left = 0;  // ranks beyond the last line
  for (const Death& death : deaths) {
    if (out.size() < kMostDeaths) {
      out.push_back(death_text(places, death));
    } else {
      left += death.ranks.size();
    }
  }
  if (left > 0)
    out.push_back(fmt::format("{} more ended before MPI_Finalize", counted(left, "rank")));
  return out;
}

ordered_json deaths_json(const Trace& trace) {
  static constexpr const char* kWheres[] = {"in call", "after call", "outside", "other thread"};
  static constexpr const char* kCauses[] = {"signal", "MPI_Abort", "exit"};
  const trace::Places places(trace);
  ordered_json out = ordered_json::array();
  for (const Death& d : analyze::deaths_of(trace)) {
    const bool has_call = d.where == Death::Where::in_call || d.where == Death::Where::after_call;
    out.push_back(
        {{"ranks", d.ranks},
         {"cause", kCauses[static_cast<int>(d.cause)]},
         {"signal", d.signal == 0 ? ordered_json(nullptr) : ordered_json(d.signal)},
         {"name", d.signal == 0 ? ordered_json(nullptr) : ordered_json(signal_name(d.signal))},
         {"where", kWheres[static_cast<int>(d.where)]},
         {"function",
          has_call ? ordered_json(trace::function(d.function).name) : ordered_json(nullptr)},
         {"callpath",
          has_call ? ordered_json(places.path_text(d.callpath)) : ordered_json(nullptr)}});
  }
  return out;
}

void say_end(const Trace& trace, Run run) {
  say_losses(trace);
  say_cut_short(trace, run);
  say_blocked(trace);
}

}  // namespace reprise::cli
