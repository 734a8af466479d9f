// The region of memory that TOUCHES reads and writes, in order or at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

namespace reprise::conceptual {

// REQUIRES: 0 < element <= size, 0 <= stride.
struct Touches {
  std::int64_t touches = 0;  // how many elements
  std::int64_t size = 0;     // of the region [bytes]
  std::int64_t element = 0;  // [bytes]
  std::int64_t stride = 0;   // from one to the next [bytes]; 0: at random
};

class MemoryRegion {
 public:
  // Reads and writes elements of the region, from where the statement of that number stopped the
  // last time, and from the beginning again behind the end.
  void touch(std::size_t statement, const Touches& t);

 private:
  std::vector<unsigned char> bytes_;
  std::unordered_map<std::size_t, std::int64_t> offsets_;
  std::minstd_rand random_;
};

}  // namespace reprise::conceptual
