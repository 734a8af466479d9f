#include "cli/blocked_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/printable.hpp"
#include "cli/mismatch_report.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "program/build.hpp"
#include "trace/cursor.hpp"
#include "trace/places.hpp"
#include "trace/unfinished.hpp"
#include "transform/blocked.hpp"
#include "write/text/listing.hpp"

namespace reprise::cli {

using nlohmann::ordered_json;
using trace::Trace;
using transform::Deadlock;
using transform::Waiting;

namespace {

std::string waiting_text(const Trace& trace, const Waiting& w) {
  const std::string one = w.peer ? fmt::format("rank {}", *w.peer) : "some rank";
  const std::string peer = !w.is_from_any ? one
                           : w.peer       ? fmt::format("any rank, such as {},", one)
                                          : "any rank";
  const std::string call = trace::describe_call(trace, w.call);
  switch (w.what) {
    case Waiting::For::message:
      return fmt::format("rank {} waits for a message from {} in {}", w.rank, peer, call);
    case Waiting::For::receiver:
      return fmt::format("rank {} waits for {} to receive in {}", w.rank, peer, call);
    case Waiting::For::collective: break;
  }
  if (w.operation == w.call)
    return fmt::format("rank {} waits for {} to come to {}", w.rank, peer, call);
  const bool is_persistent =
      trace::function(trace.calls[w.operation].function).traits & trace::traits::kPersistent;
  return fmt::format("rank {} waits for {} to {} {}, in {}", w.rank, peer,
                     is_persistent ? "start" : "come to", trace::describe_call(trace, w.operation),
                     call);
}

// What a rank did that others wait for and that waits for nobody.
std::string end_text(const Trace& trace, std::uint64_t rank, const CallByRank& unfinished) {
  if (const auto found = unfinished.find(rank); found != unfinished.end()) {
    return fmt::format("rank {} was in {}, which waits for no other rank", rank,
                       trace::describe_call(trace, found->second));
  }
  trace::Cursor cursor(trace, rank * trace.threads);
  std::optional<std::uint32_t> last;
  while (cursor.next()) last = cursor.event().call;
  if (!last) return fmt::format("of rank {} no call is known", rank);
  if (trace::function(trace.calls[*last].function).traits & trace::traits::kFinalize)
    return fmt::format("rank {} has ended", rank);
  return fmt::format("rank {} was outside MPI, after {}", rank, trace::describe_call(trace, *last));
}

// The ranks of a deadlock's run whose calls had not returned although they wait for nobody, by
// call, without the one that ends the chain.
std::string not_blocked_text(const Trace& trace, const Deadlock& d, const CallByRank& unfinished) {
  std::map<std::uint32_t, std::vector<std::uint64_t>> ranks_in;
  for (const std::uint64_t rank : d.not_blocked) {
    if (!d.chain.empty() && d.chain.back().peer == rank) continue;
    if (const auto found = unfinished.find(rank); found != unfinished.end())
      ranks_in[found->second].push_back(rank);
  }
  std::string out;
  for (const auto& [call, ranks] : ranks_in) {
    out += fmt::format("\n  {} {} in {}, which waits for no other rank", ranks_text(ranks),
                       ranks.size() == 1 ? "was" : "were", trace::describe_call(trace, call));
  }
  return out;
}

// The calls of a trace of one thread a rank that had not returned, as with_unfinished() numbers
// them.
CallByRank unfinished_calls(const Trace& trace) {
  CallByRank out;
  const auto unfinished = trace::unfinished_of(trace);
  for (std::size_t c = 0; unfinished && c < unfinished->calls.size(); ++c) {
    for (std::uint64_t rank = 0; rank < trace.ranks; ++rank) {
      if (trace::ValueCursor(unfinished->calls[c].trips, rank).next() != 0)
        out[rank] = static_cast<std::uint32_t>(trace.calls.size() + c);
    }
  }
  return out;
}

// How long the longest and the shortest of some calls had been under way, as far as it is known.
std::string waited_text(const trace::Unfinished& u, std::uint64_t streams) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0;
  for (std::uint64_t s = 0; s < streams; ++s) {
    const bool is_in = std::ranges::any_of(u.calls, [s](const trace::UnfinishedCall& c) {
      return trace::ValueCursor(c.trips, s).next() != 0;
    });
    if (!is_in) continue;
    const std::int64_t waited = trace::ValueCursor(u.waited, s).next();
    least = std::min(least, waited);
    most = std::max(most, waited);
  }
  if (most <= 0) return "";
  return least == most ? fmt::format(", for {} s or more", most)
                       : fmt::format(", for {} to {} s", least, most);
}

std::uint64_t streams_in(const trace::Unfinished& u, std::uint64_t streams) {
  std::uint64_t n = 0;
  for (std::uint64_t s = 0; s < streams; ++s) {
    n += std::ranges::any_of(u.calls, [s](const trace::UnfinishedCall& c) {
      return trace::ValueCursor(c.trips, s).next() != 0;
    });
  }
  return n;
}

std::string waits_text(const Trace& trace) {
  const auto blocked = transform::blocked_at_end(trace);
  if (!blocked) {
    return fmt::format("who waits for whom cannot be told: {}\n", blocked.error().message);
  }
  if (blocked->mismatch)
    return fmt::format("collectives do not match: {}\n",
                       mismatch_text(blocked->trace, *blocked->mismatch));
  if (!blocked->deadlock) return "no rank waits for another one\n";
  const Deadlock& d = *blocked->deadlock;
  return fmt::format("{}:{}\n",
                     d.cycle_begin ? "they wait for each other, a deadlock" : "who waits for whom",
                     deadlock_text(blocked->trace, d, unfinished_calls(trace)));
}

}  // namespace

std::string deadlock_text(const Trace& trace, const Deadlock& d, const CallByRank& unfinished) {
  std::string out;
  for (std::size_t i = 0; i < d.chain.size(); ++i) {
    const bool in_cycle = d.cycle_begin && i >= *d.cycle_begin;
    out += fmt::format("\n  {}{}", waiting_text(trace, d.chain[i]),
                       in_cycle || !d.cycle_begin ? "" : ", from outside the cycle");
  }
  if (!d.cycle_begin && d.chain.back().peer)
    out += "\n  " + end_text(trace, *d.chain.back().peer, unfinished);
  for (const Waiting& w : d.others) out += "\n  " + waiting_text(trace, w);
  const std::uint64_t named = d.chain.size() + d.others.size();
  if (d.blocked > named) out += fmt::format("\n  and {} more", count_text(d.blocked - named));
  return out + not_blocked_text(trace, d, unfinished);
}

std::string blocked_report(const Trace& trace) {
  const auto unfinished = trace::unfinished_of(trace);
  if (!unfinished || unfinished->calls.empty()) return "";
  const std::uint64_t streams = trace.streams();
  std::string out =
      fmt::format("{} in a call that had not returned{}:\n",
                  counted(streams_in(*unfinished, streams), trace.threads > 1 ? "thread" : "rank"),
                  waited_text(*unfinished, streams));
  const Trace calls = trace::only_unfinished(trace);
  const program::Program program = program::explain(calls);
  const write::Listing listing = write::list_program(program, {.full = true, .callpaths = true});
  for (const write::Line& line : listing.lines) {
    out += std::string(2 * line.depth + 1, ' ');
    for (const write::Word& word : line.words.list()) out += " " + printable(word.text);
    if (!line.place.empty()) out += "  " + line.place;
    out += "\n";
  }
  return out + waits_text(trace);
}

ordered_json deadlock_json(const Trace& trace, const Deadlock& d) {
  static constexpr const char* reasons[] = {"message", "receiver", "collective"};
  const auto list = [&](const std::vector<Waiting>& all) {
    ordered_json out = ordered_json::array();
    for (const Waiting& w : all) {
      out.push_back(
          {{"rank", w.rank},
           {"call", trace::function(trace.calls[w.call].function).name},
           {"place", trace::describe_place(trace, trace.calls[w.call].callpath)},
           {"operation", trace::function(trace.calls[w.operation].function).name},
           {"operation_place", trace::describe_place(trace, trace.calls[w.operation].callpath)},
           {"waits_for", reasons[static_cast<int>(w.what)]},
           {"peer", w.peer ? ordered_json(*w.peer) : ordered_json(nullptr)},
           {"from_any", w.is_from_any}});
    }
    return out;
  };
  return {{"blocked_ranks", d.blocked},
          {"cycle_begin", d.cycle_begin ? ordered_json(*d.cycle_begin) : ordered_json(nullptr)},
          {"chain", list(d.chain)},
          {"others", list(d.others)}};
}

ordered_json unfinished_json(const Trace& trace) {
  const auto unfinished = trace::unfinished_of(trace);
  if (!unfinished || unfinished->calls.empty()) return nullptr;
  ordered_json calls = ordered_json::array();
  const trace::Places places(trace);
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    for (std::size_t c = 0; c < unfinished->calls.size(); ++c) {
      const trace::UnfinishedCall& u = unfinished->calls[c];
      if (trace::ValueCursor(u.trips, s).next() == 0) continue;
      calls.push_back({{"rank", s / trace.threads},
                       {"thread", s % trace.threads},
                       {"function", trace::function(u.call.function).name},
                       {"callpath", places.path_text(u.call.callpath)},
                       {"waited_s", trace::ValueCursor(unfinished->waited, s).next()},
                       {"missing_calls", trace::ValueCursor(unfinished->missing, s).next()}});
    }
  }
  const auto blocked = transform::blocked_at_end(trace);
  ordered_json deadlock = nullptr, mismatch = nullptr;
  if (blocked && blocked->mismatch) mismatch = mismatch_json(blocked->trace, *blocked->mismatch);
  if (blocked && blocked->deadlock) deadlock = deadlock_json(blocked->trace, *blocked->deadlock);
  return {{"calls", calls}, {"waits", deadlock}, {"mismatch", mismatch}};
}

void warn_of_unfinished(const Trace& trace, const std::string& file) {
  const auto unfinished = trace::unfinished_of(trace);
  if (!unfinished || unfinished->calls.empty()) return;
  say(stderr,
      "reprise: the run of {} ended early, with {} in calls that had not returned; these "
      "calls are left out\n",
      file,
      counted(streams_in(*unfinished, trace.streams()), trace.threads > 1 ? "thread" : "rank"));
}

}  // namespace reprise::cli
