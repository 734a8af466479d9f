// The region of memory that TOUCHES reads and writes, in order or at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

namespace reprise::conceptual {

class MemoryRegion {
 public:
  // Reads and writes `touches` elements of `element` bytes of the first `size` bytes, `stride`
  // bytes apart (0: at random), from where the statement of that number stopped the last time, and
  // from the beginning again behind the end. REQUIRES: 0 < element <= size, 0 <= stride.
  void touch(std::size_t statement, std::int64_t touches, std::int64_t size, std::int64_t element,
             std::int64_t stride);

 private:
  std::vector<unsigned char> bytes_;
  std::unordered_map<std::size_t, std::int64_t> offsets_;
  std::minstd_rand random_;
};

}  // namespace reprise::conceptual
