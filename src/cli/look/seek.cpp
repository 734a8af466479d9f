// reprise seek: what each rank was doing at a moment.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analyze/ends.hpp"
#include "analyze/times/timing_tree.hpp"
#include "cli/command.hpp"
#include "cli/open_trace.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "cli/wrappers.hpp"
#include "trace/calls/places.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/values/rank_set.hpp"

namespace reprise::cli {
namespace {

using analyze::Moment;
using analyze::Picoseconds;
using nlohmann::ordered_json;

struct SeekOptions {
  std::string file, wrappers;
  std::string time;
  std::int64_t rank = -1;
  bool json = false;
};

constexpr std::uint64_t kMostLooked = std::uint64_t{1} << 26;  // calls of all ranks

// Where a stream is, without the times that differ from rank to rank.
struct Place {
  std::uint64_t thread;
  std::string over;  // why there is no call; empty if there is one
  bool in_mpi;
  std::uint32_t call;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> iterations;  // index and trips

  auto operator<=>(const Place&) const = default;
};

// Whether the stream's clock begins with MPI_Init. A trace does not tell when further threads
// began.
bool knows_begin(const trace::Trace& t, std::uint64_t stream) { return stream % t.threads == 0; }

Place place_of(std::uint64_t thread, const Moment& m, Picoseconds t, const std::string& over) {
  Place place{thread, m.found ? "" : over, m.found && m.is_in_mpi(t), m.call, {}};
  for (const Moment::Iteration& i : m.iterations) {
    if (i.trips > 1) place.iterations.emplace_back(i.index, i.trips);
  }
  return place;
}

// Why nothing can be said of a stream, or why it has no more calls that returned.
std::string over_text(const trace::Trace& unfinished, const analyze::Ends& ends, std::uint64_t s) {
  if (!knows_begin(unfinished, s))
    return "unknown (the trace does not record when the thread began)";
  trace::Cursor last(unfinished, s);
  if (last.next()) {
    return fmt::format("in {}, which had not returned",
                       trace::describe_call(unfinished, last.event().call));
  }
  const std::uint64_t rank = s / unfinished.threads;
  if (std::ranges::binary_search(ends.silent, rank)) return "no completed call is known";
  if (std::ranges::binary_search(ends.cut_short, rank)) return "cut short before this time";
  return "ended";
}

std::string iterations_text(const Place& place) {
  std::vector<std::string> words;
  for (const auto& [index, trips] : place.iterations) {
    words.push_back(fmt::format("iteration {} of {}", count_text(index + 1), count_text(trips)));
  }
  return words.empty() ? "" : fmt::format(", {}", fmt::join(words, ", "));
}

std::string place_text(const trace::Trace& t, const Place& place) {
  if (!place.over.empty()) return place.over;
  return fmt::format("{} {}{}", place.in_mpi ? "in" : "computing, before",
                     trace::describe_call(t, place.call), iterations_text(place));
}

ordered_json json_of(const trace::Trace& t, std::uint64_t stream, const Moment& m, Picoseconds at,
                     const analyze::Ends& ends) {
  const std::uint64_t rank = stream / t.threads;
  ordered_json out{{"rank", rank},
                   {"thread", stream % t.threads},
                   {"ended", !m.found},
                   {"cut_short", std::ranges::binary_search(ends.cut_short, rank)},
                   {"without_calls", std::ranges::binary_search(ends.silent, rank)},
                   {"begin_known", knows_begin(t, stream)}};
  if (!knows_begin(t, stream)) out["ended"] = nullptr;
  if (!m.found) return out;
  const trace::Call& call = t.calls[m.call];
  out["function"] = trace::function(call.function).name;
  out["place"] = trace::describe_place(t, call.callpath);
  out["in_mpi"] = m.is_in_mpi(at);
  out["execution"] = m.execution;
  out["begin_ns"] = static_cast<double>(m.begin) / 1e3;
  out["compute_ns"] = static_cast<double>(m.compute) / 1e3;
  out["communicate_ns"] = static_cast<double>(m.communicate) / 1e3;
  ordered_json& iterations = out["iterations"] = ordered_json::array();
  for (const Moment::Iteration& i : m.iterations)
    iterations.push_back({{"iteration", i.index}, {"trips", i.trips}});
  return out;
}

Picoseconds moment_of(const SeekOptions& o) {
  const auto ns = parse_duration(o.time);
  if (!ns || *ns < 0 || *ns > 9e15) {
    throw CommandError{
        fmt::format(
            "{} is not a time (a number with the unit s, ms, us or ns is expected); for example "
            "--at 12.5ms",
            o.time),
        2};
  }
  return static_cast<Picoseconds>(*ns * 1e3);
}

void run(const SeekOptions& o) {
  const Picoseconds at = moment_of(o);
  trace::Trace t = open_trace(o.file, analyze::Use::structure);
  set_wrappers(t, o.wrappers, o.file);
  require_times(t, o.file);
  if (o.rank >= static_cast<std::int64_t>(t.ranks)) {
    throw CommandError{fmt::format("{} has no rank {} (it has {}); use one of 0 to {}", o.file,
                                   o.rank, counted(t.ranks, "rank"), t.ranks - 1),
                       2};
  }
  const auto first = o.rank < 0 ? 0 : static_cast<std::uint64_t>(o.rank) * t.threads;
  const std::uint64_t end = o.rank < 0 ? t.streams() : first + t.threads;
  if ((end - first) * t.calls.size() > kMostLooked) {
    throw CommandError{
        fmt::format("{} has too many ranks to show all of them ({}); choose one with "
                    "--rank",
                    o.file, counted(t.ranks, "rank")),
        2};
  }
  const analyze::Ends ends = analyze::ends_of(t);
  const trace::Trace unfinished = trace::only_unfinished(t);
  std::map<Place, std::vector<std::uint64_t>> ranks_at;
  ordered_json rows = ordered_json::array();
  for (std::uint64_t s = first; s < end; ++s) {
    const Moment m = knows_begin(t, s) ? analyze::TimingTree(t, s).at(at) : Moment{};
    if (o.json) {
      rows.push_back(json_of(t, s, m, at, ends));
      continue;
    }
    const std::uint64_t rank = s / t.threads;
    std::vector<std::uint64_t>& ranks =
        ranks_at[place_of(s % t.threads, m, at, over_text(unfinished, ends, s))];
    if (ranks.empty() || ranks.back() != rank) ranks.push_back(rank);
  }
  if (o.json) {
    say_json(ordered_json{{"time_ns", static_cast<double>(at) / 1e3}, {"streams", rows}});
    return;
  }
  const bool has_threads = t.threads > 1;
  std::vector<std::string> head{"ranks"};
  if (has_threads) head.emplace_back("thread");
  head.push_back("at " + duration_text(static_cast<double>(at) / 1e3));
  Table table(head, head.size());
  for (const auto& [place, ranks] : ranks_at) {
    std::vector<std::string> row{trace::describe_ranks(ranks)};
    if (has_threads) row.push_back(std::to_string(place.thread));
    row.push_back(place_text(t, place));
    table.add(row);
  }
  say("{}", table.text());
}

}  // namespace

void add_seek(CLI::App& app) {
  auto o = std::make_shared<SeekOptions>();
  CLI::App* sub = app.add_subcommand("seek", "Show what each rank was doing at a given time");
  sub->add_option("file", o->file, "The trace")->required();
  sub->add_option("--at", o->time, "The time since MPI_Init: 2.5s, 300ms, 12us, 70ns")->required();
  sub->add_option("--rank", o->rank, "Only this rank")->check(CLI::NonNegativeNumber);
  add_wrappers_option(*sub, o->wrappers);
  sub->add_flag(
      "--json", o->json,
      "Print a JSON document with an entry for each rank and thread, times in nanoseconds");
  sub->footer(
      "The clock of a rank starts at MPI_Init and is the sum of its mean times by preceding call: "
      "exact if every\nexecution takes the same time, otherwise that of an average run. Only the "
      "first thread of a rank is\nplaced: a trace does not include the start times of the "
      "others.\n\nExample: reprise seek --at 1.5s app.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
