// An open-addressing map from 64-bit keys to 32-bit numbers that never allocates on a look-up and
// seldom on an insertion: handles of requests come and go with every message.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.hpp"

namespace reprise {

class FlatMap {
 public:
  static constexpr std::uint32_t kMissing = ~std::uint32_t{0};

  std::uint32_t find(std::uint64_t key) const {
    if (slots_.empty()) return kMissing;
    for (std::size_t i = home(key);; i = (i + 1) & mask()) {
      if (slots_[i].value == kMissing || slots_[i].key == key) return slots_[i].value;
    }
  }

  // REQUIRES: value is not kMissing.
  void set(std::uint64_t key, std::uint32_t value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    std::size_t i = home(key);
    while (slots_[i].value != kMissing && slots_[i].key != key) i = (i + 1) & mask();
    if (slots_[i].value == kMissing) ++size_;
    slots_[i] = {key, value};
  }

  void erase(std::uint64_t key) {
    if (slots_.empty()) return;
    std::size_t i = home(key);
    for (; slots_[i].value != kMissing && slots_[i].key != key; i = (i + 1) & mask()) {
    }
    if (slots_[i].value == kMissing) return;
    --size_;
    // Moves back what had to stand further on because of the erased entry.
    for (std::size_t next = (i + 1) & mask(); slots_[next].value != kMissing;
         next = (next + 1) & mask()) {
      const std::size_t wanted = home(slots_[next].key);
      if (((next - wanted) & mask()) >= ((next - i) & mask())) {
        slots_[i] = slots_[next];
        i = next;
      }
    }
    slots_[i].value = kMissing;
  }

  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = kMissing;
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t home(std::uint64_t key) const { return mix(key) & mask(); }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    size_ = 0;
    for (const Slot& s : old) {
      if (s.value != kMissing) set(s.key, s.value);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace reprise
