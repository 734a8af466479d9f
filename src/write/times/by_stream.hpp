// Numbers of a computation by stream, those of the streams that execute it told for all.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"

namespace reprise::write::times {

using program::Streams;
using Numbers = std::vector<std::int64_t>;

// By stream of the trace, from those of `streams` in ascending order. A stream that is not among
// them has what the one before it has: nobody asks for its number.
inline Numbers by_stream(const Streams& streams, const Numbers& of_streams) {
  Numbers out;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    out.resize(streams[i], out.empty() ? of_streams[i] : out.back());
    out.push_back(of_streams[i]);
  }
  return out;
}

}  // namespace reprise::write::times
