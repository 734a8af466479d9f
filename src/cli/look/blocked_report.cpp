#include "cli/look/blocked_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <compare>
#include <vector>

#include "base/printable.hpp"
#include "cli/look/deadlock_report.hpp"
#include "cli/look/holders.hpp"
#include "cli/make/mismatch_report.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"
#include "program/build.hpp"
#include "trace/calls/places.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/values/first_values.hpp"
#include "transform/blocked.hpp"
#include "write/text/listing.hpp"

namespace reprise::cli {

using nlohmann::ordered_json;
using trace::FirstValues;
using trace::Trace;
using transform::Deadlock;

namespace {

// A stream that was in a call.
struct Within {
  std::uint64_t stream = 0;
  std::size_t call = 0;  // index into Unfinished::calls

  auto operator<=>(const Within&) const = default;
};

// In the order of streams.
std::vector<Within> within(const Trace& trace, const trace::Unfinished& unfinished) {
  std::vector<Within> out;
  const std::uint64_t streams = trace.streams();
  for (std::size_t c = 0; c < unfinished.calls.size(); ++c) {
    FirstValues trips(unfinished.calls[c].trips);
    for (std::uint64_t s = 0; (s = trips.find_nonzero(s, streams)) < streams; ++s)
      out.push_back({s, c});
  }
  std::ranges::sort(out);
  return out;
}

// Of a trace of one thread a rank; calls as with_unfinished() numbers them.
LastSeen last_seen(const Trace& trace) {
  LastSeen out;
  const auto unfinished = trace::unfinished_of(trace);
  if (!unfinished) return out;
  FirstValues signals(unfinished->signal);
  for (std::uint64_t r = 0; (r = signals.find_nonzero(r, trace.ranks)) < trace.ranks; ++r) {
    if (signals.at(r) == trace::kExited) out.exited.insert(r);
  }
  for (const Within& w : within(trace, *unfinished))
    out.unfinished[w.stream] = static_cast<std::uint32_t>(trace.calls.size() + w.call);
  return out;
}

std::string waits_text(const Trace& trace) {
  const auto blocked = transform::blocked_at_end(trace);
  if (!blocked) {
    return fmt::format("the waiting ranks cannot be determined: {}\n", blocked.error().message);
  }
  if (blocked->mismatch)
    return fmt::format("collectives do not match: {}\n",
                       mismatch_text(blocked->trace, *blocked->mismatch));
  if (!blocked->deadlock) return "no rank waits for another one\n";
  const Deadlock& d = *blocked->deadlock;
  return fmt::format(
      "{}:{}\n", d.cycles.empty() ? "waiting ranks" : "ranks that wait for each other, a deadlock",
      deadlock_text(blocked->trace, d, last_seen(trace)));
}

}  // namespace

std::string blocked_report(const Trace& trace) {
  const auto unfinished = trace::unfinished_of(trace);
  if (!unfinished || unfinished->calls.empty()) return "";
  const Waited waited = waited_in_all(trace, *unfinished);
  std::string out = fmt::format("{} in a call that had not returned{}:\n",
                                counted(waited.streams, trace.threads > 1 ? "thread" : "rank"),
                                waited_text(waited, ", "));
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
  FirstValues waited(unfinished->waited), missing(unfinished->missing);
  for (const Within& w : within(trace, *unfinished)) {
    const trace::Call& call = unfinished->calls[w.call].call;
    calls.push_back({{"rank", w.stream / trace.threads},
                     {"thread", w.stream % trace.threads},
                     {"function", trace::function(call.function).name},
                     {"callpath", places.path_text(call.callpath)},
                     {"waited_s", waited.at(w.stream)},
                     {"missing_calls", missing.at(w.stream)}});
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
      counted(waited_in_all(trace, *unfinished).streams, trace.threads > 1 ? "thread" : "rank"));
}

}  // namespace reprise::cli
