// What a thing takes in a trace.
#pragma once

#include <cstddef>

#include "base/bytes.hpp"

namespace reprise::compress {

// Before zstd [bytes].
template <class T>
std::size_t encoded_size(const T& thing) {
  ByteWriter out;
  thing.encode(out);
  return out.size();
}

}  // namespace reprise::compress
