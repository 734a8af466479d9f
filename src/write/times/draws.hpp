// From which distributions the executions of a call draw what they take of the mean.
#pragma once

#include <optional>
#include <vector>

#include "write/times/by_stream.hpp"
#include "write/times/noticed.hpp"
#include "write/times/spread.hpp"

namespace reprise::write::times {

struct Draws {
  std::vector<std::size_t> spreads;  // distributions that streams of the call draw from, by number
  Numbers which = {};                // by stream: one of them
  double draws = 0;                  // executions that share a distribution
  Numbers draws_of = {};             // by stream, if they differ
  bool together = false;             // the same executions are long on all streams
};

// What a stream may draw from.
struct Source {
  const trace::Histogram* distribution;  // null: it never comes there
  double deviation;                      // the stream's own [ns]
  std::uint64_t executions;
};

// The distributions of a program: those that are alike are one, of which the one with most
// executions tells.
class Distributions {
 public:
  // Of one call, by stream of `streams`; none if nobody notices.
  std::optional<Draws> draws(const std::vector<Source>& sources, const Streams& streams,
                             bool together, const Noticed& noticed);

  const std::vector<Spread>& all() const { return spreads_; }

 private:
  std::size_t add(Spread spread);

  std::vector<Spread> spreads_;
};

}  // namespace reprise::write::times
