// The distance of a result from the traces that confirmed its laws. A program may switch to another
// algorithm in between, which the traces cannot show.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "extrapolate/scalable.hpp"

namespace reprise::extrapolate {

// A law that comes to a bound between the inputs and the wanted number of ranks, where programs
// often change: a share that falls to one thing or none, a division that leaves a remainder as on
// no input, or would round by another law that fits, or a minimum, maximum or condition that takes
// a side which no input has taken.
struct Threshold {
  SlotName slot;
  std::string what;  // "64 / ranks is 2 or more on all inputs, and 1 on 64 ranks"
};

// Those of one law, in words.
std::vector<std::string> thresholds_in(const NumberLaw& law, const Scalable& program,
                                       std::int64_t ranks);

// Those of the laws that are the same on all ranks, one for each part of a law. Problem sizes are
// those of the largest input and those that are wanted. Cost: nodes of all laws x their nesting x
// inputs.
std::vector<Threshold> find_thresholds(const Scalable& program,
                                       std::span<const trace::Trace> traces, std::int64_t ranks);

// Whether so many ranks are more than twice those of the largest input.
bool is_far(std::span<const std::int64_t> inputs, std::int64_t ranks);

// "4 times", "3.2 times", "51 times" as many ranks as the largest input has.
std::string times_the_largest(std::span<const std::int64_t> inputs, std::int64_t ranks);

// What the trace is of, which was never run: "extrapolated from 4, 9, 16 ranks; on 16: ./stencil".
// `program`: the command line of the largest input, which may be empty.
std::string describe_origin(std::span<const std::int64_t> inputs, std::int64_t ranks,
                            const std::string& program);

}  // namespace reprise::extrapolate
