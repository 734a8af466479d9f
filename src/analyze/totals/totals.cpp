#include "analyze/totals/totals.hpp"

#include <algorithm>
#include <optional>

#include "analyze/totals/executions.hpp"
#include "analyze/totals/started_requests.hpp"
#include "analyze/totals/volume_classes.hpp"
#include "trace/series/series_range.hpp"
#include "trace/series/series_sum.hpp"
#include "trace/values/special.hpp"

namespace reprise::analyze {

using trace::Call;
using trace::Event;
using trace::Function;
using trace::Payload;
using trace::Trace;
using trace::Value;

namespace {

// More executions than this of a call whose sizes vary are damage: nothing records so long.
constexpr std::uint64_t kMaxWalked = std::uint64_t{1} << 36;

// More totals, of calls by classes of streams, are damage: they would take gigabytes.
constexpr std::size_t kMaxTotals = std::size_t{1} << 25;

bool is_constant(const Value& v, std::uint64_t stream) {
  const trace::Series* series = v.series_of(stream);
  return !series || series->is_constant();
}

// Takes in what all executions of a call make. False: a name has several meanings, or the trace is
// damaged.
bool learn(const Call& call, std::uint64_t stream, std::uint64_t times, Objects& objects) {
  const bool constant =
      std::ranges::all_of(call.columns, [&](const Value& v) { return is_constant(v, stream); });
  trace::CallCursor cursor(call, stream);
  Event event;
  if (times > kMaxWalked) return false;
  for (std::uint64_t k = 0; k < (constant ? 1 : times); ++k) {
    if (!cursor.next(event) || !objects.learn(event)) return false;
  }
  return true;
}

// What a stream does in a call: how often, and the series of each column, or its number.
struct Followed {
  std::uint64_t times = 0;
  std::vector<std::pair<const trace::Series*, std::int64_t>> columns;

  Followed(const Call& call, std::uint64_t stream, std::uint64_t n) : times(n) {
    for (const Value& v : call.columns) {
      const trace::Series* series = v.series_of(stream);
      columns.emplace_back(series, series ? 0 : v.constant_of(stream));
    }
  }
  bool operator==(const Followed&) const = default;
};

// Takes in what the other threads of the stream's rank make, for it can be used here too. False: a
// name has several meanings, or the trace is damaged.
bool learn_from_other_threads(const Trace& trace, std::uint64_t stream, Objects& objects) {
  const std::uint64_t first = stream - stream % trace.threads;
  bool agrees = true;
  std::vector<std::optional<Followed>> learned(trace.calls.size());  // threads are often alike
  for (std::uint64_t s = first; s < first + trace.threads; ++s) {
    if (s == stream) continue;
    const std::vector<std::uint64_t> times = executions(trace, s);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Call& call = trace.calls[i];
      if (times[i] == 0 || !(trace::function(call.function).traits & trace::traits::kCreate))
        continue;
      Followed followed(call, s, times[i]);
      if (learned[i] == followed) continue;
      agrees &= learn(call, s, times[i], objects);
      learned[i] = std::move(followed);
    }
  }
  return agrees;
}

SentRange sent_by(const Volume& volume) {
  const std::uint64_t bytes = volume[trace::Direction::sent];
  return {bytes, bytes};
}

// One stream's totals from the executions of each call, without the order between calls.
class StreamCounter {
 public:
  StreamCounter(const Trace& trace, std::uint64_t stream, Counting counting, Ranges ranges)
      : trace_(trace),
        stream_(stream),
        counting_(counting),
        ranges_(ranges),
        objects_(trace::in_world(trace, stream)) {}

  // False: the order between calls matters, or the trace is damaged.
  bool count(std::vector<CallTotals>& out) {
    const std::vector<std::uint64_t> times = executions(trace_, stream_);
    out.assign(trace_.calls.size(), {});
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Function& f = trace::function(trace_.calls[i].function);
      out[i].calls = times[i];
      if (times[i] == 0) continue;
      if (is_moved() && (f.traits & trace::traits::kStart)) return false;
      if ((f.traits & trace::traits::kCreate) &&
          !learn(trace_.calls[i], stream_, times[i], objects_))
        return false;
    }
    if (!learn_from_other_threads(trace_, stream_, objects_)) return false;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Function& f = trace::function(trace_.calls[i].function);
      if (times[i] == 0 || f.payloads.empty()) continue;
      if (is_moved() && (f.traits & trace::traits::kPersistent)) continue;
      if (!count(trace_.calls[i], times[i], out[i])) return false;
    }
    return true;
  }

 private:
  bool is_moved() const { return counting_ == Counting::moved; }
  Volume volume_of(const Event& event) const {
    return analyze::volume_of(event, objects_, counting_);
  }

  bool next(trace::CallCursor& cursor, const Call& call, Event& event) {
    if (!cursor.next(event)) return false;
    trace::decode_ranks(call, objects_.comms.of(event).membership, event);
    return true;
  }

  // REQUIRES: the call's communicator is always the same.
  bool has_null_neighbors(const Call& call) const {
    trace::ValueCursor comm(call.columns[trace::function(call.function).communicator], stream_);
    const mpi::Neighbors& neighbors = objects_.comms.find(mpi::CommId{comm.next()}).neighbors;
    return std::ranges::count(neighbors.sources, trace::kProcNull) > 0 ||
           std::ranges::count(neighbors.destinations, trace::kProcNull) > 0;
  }

  // Whether the executions of a call differ in their counts at most, so that what they move
  // together is what one execution with the sum of the counts would.
  bool only_counts_vary(const Call& call) const {
    const Function& f = trace::function(call.function);
    const auto constant = [&](int column) {
      return column < 0 || is_constant(call.columns[column], stream_);
    };
    if (!constant(f.communicator)) return false;
    return std::ranges::all_of(f.payloads, [&](const Payload& p) {
      if (!constant(p.buffer) || !constant(p.peer) || p.typed_each || !constant(p.datatype))
        return false;
      if (p.blocks != trace::Blocks::listed) return true;
      // One block out of a list is no sum, nor are those for some of the neighbors.
      if ((f.traits & trace::traits::kNeighbor) && has_null_neighbors(call)) return false;
      const bool in_place = std::ranges::any_of(f.payloads, [&](const Payload& other) {
        return other.in_place >= 0 && &f.payloads[other.in_place] == &p &&
               call.columns[other.buffer] != Value::constant(0);
      });
      return p.part == trace::Part::all && !in_place;
    });
  }

  // Puts number(count, null) in the place of each count, the one element number(elements, lengths)
  // in that of each list of counts.
  template <class Number>
  void set_counts(const Call& call, Event& event, const Number& number) const {
    const Function& f = trace::function(call.function);
    for (const Payload& p : f.payloads) {
      if (p.count < 0) continue;
      if (p.blocks == trace::Blocks::listed) {
        const std::size_t column = f.scalars.size() + 2 * static_cast<std::size_t>(p.count);
        event.lists[p.count] = {number(call.columns[column + 1], &call.columns[column])};
      } else if (!trace::is_special(event.scalars[p.count])) {
        event.scalars[p.count] = number(call.columns[p.count], nullptr);
      }
    }
  }

  bool count(const Call& call, std::uint64_t times, CallTotals& out) {
    if (!only_counts_vary(call) || counts_are_special(call))
      return count_by_walking(call, times, out);
    trace::CallCursor cursor(call, stream_);
    Event event;
    if (!next(cursor, call, event)) return false;
    if (ranges_ == Ranges::sent) {
      const auto sent = sent_range(call, event, times);
      if (!sent) return count_by_walking(call, times, out);
      out.sent = *sent;
    }
    set_counts(call, event, [&](const Value& v, const Value* lengths) {
      const std::uint64_t n =
          lengths ? static_cast<std::uint64_t>(trace::sum_of(*lengths, stream_, times)) : times;
      return trace::sum_of(v, stream_, n);
    });
    out.volume = volume_of(event);
    // Without counts it is one element each time.
    const bool counted = std::ranges::any_of(event.function->payloads,
                                             [](const Payload& p) { return p.count >= 0; });
    if (!counted) out.volume = out.volume * times;
    if (out.volume.unknown > 0) out.volume.unknown = times;
    return true;
  }

  bool count_by_walking(const Call& call, std::uint64_t times, CallTotals& out) {
    if (times > kMaxWalked) return false;
    trace::CallCursor cursor(call, stream_);
    Event event;
    for (std::uint64_t k = 0; k < times; ++k) {
      if (!next(cursor, call, event)) return false;
      const Volume volume = volume_of(event);
      out.volume += volume;
      if (ranges_ == Ranges::sent) out.sent.add(sent_by(volume), k == 0);
    }
    return true;
  }

  // What executions send that differ from `event`, the first one, in counts at most. None: that
  // takes more than one count.
  std::optional<SentRange> sent_range(const Call& call, Event event, std::uint64_t times) const {
    const Function& f = trace::function(call.function);
    std::optional<std::int8_t> varying;  // count
    for (const Payload& p : f.payloads) {
      if (p.direction != trace::Direction::sent) continue;
      const bool elsewhere = p.in_place >= 0 && event.scalars[p.buffer] == trace::kInPlace;
      const Payload& holds = elsewhere ? f.payloads[p.in_place] : p;
      if (holds.count < 0) continue;
      if (holds.blocks == trace::Blocks::listed) return std::nullopt;
      if (is_constant(call.columns[holds.count], stream_)) continue;
      if (varying && varying != holds.count) return std::nullopt;
      varying = holds.count;
    }
    if (!varying) return sent_by(volume_of(event));
    const auto counts = trace::range_of(call.columns[*varying], stream_, times);
    if (!counts) return std::nullopt;
    event.scalars[*varying] = counts->least;
    SentRange out = sent_by(volume_of(event));
    event.scalars[*varying] = counts->greatest;
    out.add(sent_by(volume_of(event)), false);
    return out;
  }

  // A special value among the counts of the stream: they have no sum.
  bool counts_are_special(const Call& call) const {
    const Function& f = trace::function(call.function);
    return std::ranges::any_of(f.payloads, [&](const Payload& p) {
      if (p.count < 0) return false;
      const bool listed = p.blocks == trace::Blocks::listed;
      const std::size_t column = listed
                                     ? f.scalars.size() + 2 * static_cast<std::size_t>(p.count) + 1
                                     : static_cast<std::size_t>(p.count);
      const Value& counts = call.columns[column];
      const trace::Series* series = counts.series_of(stream_);
      if (!series) return listed && trace::is_special(counts.constant_of(stream_));
      return (listed || !series->is_constant()) && trace::may_have_special(*series);
    });
  }

  const Trace& trace_;
  std::uint64_t stream_;
  Counting counting_;
  Ranges ranges_;
  Objects objects_;
};

}  // namespace

std::vector<CallTotals> totals_by_walking(const Trace& trace, std::uint64_t stream, bool& damaged,
                                          Counting counting, Ranges ranges) {
  std::vector<CallTotals> out(trace.calls.size());
  Objects objects(trace::in_world(trace, stream));
  learn_from_other_threads(trace, stream, objects);
  StartedRequests requests;
  trace::Cursor cursor(trace, stream);
  while (cursor.next()) {
    const Event& event = cursor.event();
    CallTotals& call = out[event.call];
    ++call.calls;
    Volume volume = analyze::volume_of(event, objects, counting);
    if (counting == Counting::moved) volume = requests.pass(event, volume);
    call.volume += volume;
    if (ranges == Ranges::sent) call.sent.add(sent_by(volume), call.calls == 1);
    if (event.function->traits & trace::traits::kCreate) objects.learn(event);
  }
  damaged |= cursor.damaged();
  return out;
}

Totals totals_of(const Trace& trace, Counting counting, Ranges ranges) {
  const trace::StreamClasses classes = classes_by_volume(trace);
  Totals out{.class_of = classes.class_of(), .classes = {}};
  out.damaged = classes.size() > kMaxTotals / std::max<std::size_t>(1, trace.calls.size());
  if (out.damaged) return out;
  for (const std::uint64_t stream : classes.representatives()) {
    std::vector<CallTotals>& totals = out.classes.emplace_back();
    if (!StreamCounter(trace, stream, counting, ranges).count(totals)) {
      totals = totals_by_walking(trace, stream, out.damaged, counting, ranges);
    }
  }
  return out;
}

}  // namespace reprise::analyze
