// Irregular messages replaced by drawn ones: a trace whose messages between collectives follow the
// distributions of the recorded ones, so that a program of them is short.
//
// A *stretch* is a run of point-to-point calls and the loops around them that all ranks come to
// equally often, such as those between two collectives, and that is closed: each time, what is sent
// in it is received in it, and its requests are completed in it. Stretches of which all values are
// told by expressions stay as they are. Of the others is kept, each time: how many messages there
// are, in how many rounds (chains of messages that wait for each other), how large they are, how
// many a rank sends and receives, how many go to one partner, how many calls complete them, and
// what each rank computes. Who the partners are is drawn, as are the order of sizes and, if loads
// move from rank to rank, whose they are.
#pragma once

#include <functional>
#include <vector>

#include "base/result.hpp"
#include "trace/draw/drawn_exchange.hpp"
#include "trace/program.hpp"

namespace reprise::transform {

enum class Drawing : std::uint8_t {
  mean,         // as many messages each time, all of the mean size
  statistical,  // numbers and sizes from their distributions
};

// What there was of the replaced calls, and what there is instead.
struct DrawnTotals {
  std::uint64_t calls = 0, messages = 0, bytes = 0;
};

struct Drawn {
  trace::Trace trace;  // with the drawn messages; as of each exchange's calls
  std::vector<trace::DrawnExchange> exchanges;
  DrawnTotals recorded, drawn;
};

// `is_irregular`: whether a call, or how often it is made, is told by tables. Fails where irregular
// messages cannot be drawn, and says why. Deltas are drawn from what the trace keeps, so that what
// each rank spent stays the same. Cost: all calls, a few times; memory: the messages of stretches.
Result<Drawn> draw(const trace::Trace& trace, Drawing drawing,
                   const std::function<bool(std::uint32_t call)>& is_irregular);

}  // namespace reprise::transform
