// Calls and bytes of every call node on every stream, without expanding the trace.
//
// Streams that agree in all that counts (trips, sizes, who is root) are counted once. How often a
// call is executed is a sum over a prefix of each series of trips; its bytes are a product where
// nothing varies, a sum over a prefix where one thing does, and else a walk over the executions of
// that call alone. Only where a datatype's name changes its meaning, and where persistent requests
// are started, is the stream walked in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analyze/totals/volume.hpp"

namespace reprise::analyze {

// What single executions send, at least and at most [bytes].
struct SentRange {
  std::uint64_t least = 0, most = 0;

  void add(const SentRange& other, bool is_first) {
    least = is_first ? other.least : std::min(least, other.least);
    most = std::max(most, other.most);
  }
  bool operator==(const SentRange&) const = default;
};

struct CallTotals {
  std::uint64_t calls = 0;
  Volume volume;
  SentRange sent;  // if it was asked for

  bool operator==(const CallTotals&) const = default;
};

struct Totals {
  std::vector<std::uint32_t> class_of;           // by stream
  std::vector<std::vector<CallTotals>> classes;  // [classes x Trace::calls]
  bool damaged = false;                          // the trace says more than it can

  const CallTotals& of(std::uint64_t stream, std::size_t call) const {
    return classes[class_of[stream]][call];
  }
};

// Whether totals have the range of what single executions send: where more varies than one count,
// that takes a walk over the executions of the call.
enum class Ranges : std::uint8_t { none, sent };

Totals totals_of(const trace::Trace& trace, Counting counting = Counting::moved,
                 Ranges ranges = Ranges::none);

// The totals of one stream by walking it call by call: what totals_of must equal.
std::vector<CallTotals> totals_by_walking(const trace::Trace& trace, std::uint64_t stream,
                                          bool& damaged, Counting counting = Counting::moved,
                                          Ranges ranges = Ranges::none);

}  // namespace reprise::analyze
