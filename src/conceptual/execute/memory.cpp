#include "conceptual/execute/memory.hpp"

namespace reprise::conceptual {

void MemoryRegion::touch(std::size_t statement, const Touches& t) {
  const auto [touches, size, element, stride] = t;
  if (bytes_.size() < static_cast<std::size_t>(size)) bytes_.resize(static_cast<std::size_t>(size));
  std::int64_t& at = offsets_[statement];
  const std::int64_t places = size / element;
  for (std::int64_t n = 0; n < touches; ++n) {
    if (stride == 0) at = static_cast<std::int64_t>(random_()) % places * element;
    if (at + element > size) at = 0;
    // Volatile, so that the compiler keeps accesses whose result is unused.
    volatile unsigned char* p = bytes_.data() + at;
    for (std::int64_t i = 0; i < element; ++i) p[i] = static_cast<unsigned char>(p[i] + 1);
    if (stride > 0) at += stride;
  }
}

}  // namespace reprise::conceptual
