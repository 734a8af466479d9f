#include "cli/blocked_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/printable.hpp"
#include "cli/deadlock_report.hpp"
#include "cli/mismatch_report.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "program/build.hpp"
#include "trace/places.hpp"
#include "trace/unfinished.hpp"
#include "transform/blocked.hpp"
#include "write/text/listing.hpp"

namespace reprise::cli {

using nlohmann::ordered_json;
using trace::Trace;
using transform::Deadlock;

namespace {

// Of a trace of one thread a rank; calls as with_unfinished() numbers them.
LastSeen last_seen(const Trace& trace) {
  LastSeen out;
  const auto unfinished = trace::unfinished_of(trace);
  for (std::uint64_t rank = 0; unfinished && rank < trace.ranks; ++rank) {
    if (trace::ValueCursor(unfinished->signal, rank).next() == trace::kExited)
      out.exited.insert(rank);
    for (std::size_t c = 0; c < unfinished->calls.size(); ++c) {
      if (trace::ValueCursor(unfinished->calls[c].trips, rank).next() != 0)
        out.unfinished[rank] = static_cast<std::uint32_t>(trace.calls.size() + c);
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
  return fmt::format(
      "{}:{}\n", d.cycles.empty() ? "who waits for whom" : "they wait for each other, a deadlock",
      deadlock_text(blocked->trace, d, last_seen(trace)));
}

}  // namespace

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
