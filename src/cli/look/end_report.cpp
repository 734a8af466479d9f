#include "cli/look/end_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "analyze/ends.hpp"
#include "base/printable.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/look/holders.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "compress/process.hpp"
#include "trace/calls/places.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/values/rank_set.hpp"

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

// "outside MPI, after MPI_Recv at main ring.c:42", "in thread 1, in MPI_Recv at main ring.c:42".
std::string where_text(const trace::Places& places, const Death& death) {
  const std::string thread = death.thread ? fmt::format("in thread {}, ", *death.thread) : "";
  switch (death.where) {
    case Death::Where::in_call: return thread + "in " + call_text(places, death);
    case Death::Where::after_call: return thread + "outside MPI, after " + call_text(places, death);
    case Death::Where::outside:
      return thread + "outside MPI, after calls that are not in the trace";
    case Death::Where::elsewhere: return "in a thread that makes no MPI calls";
    case Death::Where::several: break;
  }
  return "with several threads";
}

// What leaves no trace, as far as the place tells. In a call it may be MPI, or the program: another
// of its threads, or a function that MPI calls back.
const char* silent_causes(Death::Where where) {
  const bool may_be_mpi = where == Death::Where::in_call || where == Death::Where::several;
  return may_be_mpi ? "SIGKILL, _exit, or a fatal error of MPI" : "SIGKILL, or _exit";
}

std::string death_text(const trace::Places& places, const Death& death) {
  const std::string ranks = ranks_text(death.ranks);
  switch (death.cause) {
    case Death::Cause::abort:
      return fmt::format("{} called {}{}", ranks, call_text(places, death),
                         death.thread ? fmt::format(" in thread {}", *death.thread) : "");
    case Death::Cause::exit: return fmt::format("{} exited {}", ranks, where_text(places, death));
    case Death::Cause::unknown:
      return fmt::format("{} ended abruptly ({}) {}", ranks, silent_causes(death.where),
                         where_text(places, death));
    case Death::Cause::unseen:
      return fmt::format("{} ended abruptly ({}), or {} still running, {}", ranks,
                         silent_causes(death.where), death.ranks.size() == 1 ? "was" : "were",
                         where_text(places, death));
    case Death::Cause::signal: break;
  }
  return fmt::format("{} died of signal {} ({}) {}", ranks, death.signal, signal_name(death.signal),
                     where_text(places, death));
}

void say_losses(const Trace& trace, const analyze::Ends& ends) {
  for (const trace::Loss& l : trace.losses) {
    const bool are_named = l.what == compress::kCutShort && !ends.behind_checkpoint.empty();
    if (!are_named) say_line("lost", loss_text(l.count, l.what));
  }
}

// "every rank", "ranks 0..3".
std::string all_or(const Trace& trace, const std::vector<std::uint64_t>& ranks) {
  return ranks.size() == trace.ranks ? "every rank" : ranks_text(ranks);
}

std::vector<std::uint64_t> difference(const std::vector<std::uint64_t>& ranks,
                                      const std::vector<std::uint64_t>& others) {
  std::vector<std::uint64_t> out;
  std::ranges::set_difference(ranks, others, std::back_inserter(out));
  return out;
}

// The calls behind the last checkpoints of ranks that have ended.
void say_behind_checkpoint(const analyze::Ends& ends) {
  struct Group {
    std::vector<std::uint64_t> ranks;
    std::uint64_t calls = 0;
  };
  Group without_any, others;
  for (std::size_t i = 0; i < ends.behind_checkpoint.size(); ++i) {
    const std::uint64_t rank = ends.behind_checkpoint[i];
    if (std::ranges::binary_search(ends.running, rank)) continue;
    Group& group = std::ranges::binary_search(ends.silent, rank) ? without_any : others;
    group.ranks.push_back(rank);
    group.calls += ends.missing[i];
  }
  if (!without_any.ranks.empty()) {
    const bool is_one = without_any.ranks.size() == 1;
    say_line("cut short",
             fmt::format("{}: none of {} {} is in the trace ({} ended before {} first checkpoint)",
                         ranks_text(without_any.ranks), is_one ? "its" : "their",
                         counted(without_any.calls, "call"), is_one ? "it" : "they",
                         is_one ? "its" : "their"));
  }
  if (!others.ranks.empty()) {
    say_line("cut short",
             fmt::format("{} at {} last checkpoint: {} after it {} not in the trace",
                         ranks_text(others.ranks), others.ranks.size() == 1 ? "its" : "their",
                         counted(others.calls, "call"), others.calls == 1 ? "is" : "are"));
  }
}

void say_cut_short(const Trace& trace, const analyze::Ends& ends) {
  if (!ends.running.empty()) {
    say_line("under way",
             all_or(trace, ends.running) + ", when the trace was made: later calls are not in it");
  }
  const auto cut_short = difference(ends.cut_short, ends.running);
  if (!cut_short.empty()) {
    say_line("cut short",
             all_or(trace, cut_short) + ", before MPI_Finalize: later calls are not in the trace");
  }
  const auto silent = difference(difference(ends.silent, ends.running), ends.behind_checkpoint);
  if (!silent.empty())
    say_line("cut short", ranks_text(silent) + ", of which no completed call is known");
  say_behind_checkpoint(ends);
  for (const std::string& death : death_lines(trace)) say_line("cut short", death);
}

std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
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
  const std::vector<std::uint64_t> no_part = analyze::ends_of(trace).no_part;
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
  if (!no_part.empty()) {
    out.push_back(fmt::format("{} left no part: how {} ended is not known", ranks_text(no_part),
                              no_part.size() == 1 ? "it" : "they"));
  }
  return out;
}

ordered_json deaths_json(const Trace& trace) {
  static constexpr const char* kWheres[] = {"in call", "after call", "outside", "other thread",
                                            "several threads"};
  static constexpr const char* kCauses[] = {"signal", "MPI_Abort", "exit", "unknown",
                                            "unknown or running"};
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
         {"thread", d.thread ? ordered_json(*d.thread) : ordered_json(nullptr)},
         {"function",
          has_call ? ordered_json(trace::function(d.function).name) : ordered_json(nullptr)},
         {"callpath",
          has_call ? ordered_json(places.path_text(d.callpath)) : ordered_json(nullptr)}});
  }
  return out;
}

void say_not_counted(const Trace& trace) {
  const auto unfinished = trace::unfinished_of(trace);
  if (!unfinished) return;
  const trace::Places places(trace);
  for (const trace::UnfinishedCall& u : unfinished->calls) {
    const Holders holders = holders_of(trace, *unfinished, u);
    if (holders.ranks.empty()) continue;
    say("# not counted: {} on {}, which had not returned{}\n", printable(places.call_text(u.call)),
        ranks_text(holders.ranks), waited_text(holders.waited, " "));
  }
  const analyze::Ends ends = analyze::ends_of(trace);
  if (ends.missing.empty()) return;
  say("# not counted: {} of {} after {} last checkpoint\n", counted(sum(ends.missing), "call"),
      ranks_text(ends.behind_checkpoint), ends.missing.size() == 1 ? "its" : "their");
}

ordered_json not_counted_json(const Trace& trace) {
  const auto unfinished = trace::unfinished_of(trace);
  const std::uint64_t calls = unfinished ? waited_in_all(trace, *unfinished).streams : 0;
  return {{"not_returned", calls}, {"after_checkpoint", sum(analyze::ends_of(trace).missing)}};
}

void say_end(const Trace& trace) {
  const analyze::Ends ends = analyze::ends_of(trace);
  say_losses(trace, ends);
  say_cut_short(trace, ends);
  say_blocked(trace);
}

}  // namespace reprise::cli
