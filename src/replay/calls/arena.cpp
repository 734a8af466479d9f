#include "replay/calls/arena.hpp"

#include <algorithm>
#include <cstring>

namespace reprise::replay {
namespace {

constexpr std::size_t kSmallest = 4096;

// Sebastiano Vigna's splitmix64.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

std::byte* Arena::at_least(std::size_t bytes) {
  if (size_ < bytes || blocks_.empty()) {
    size_ = std::max({kSmallest, 2 * size_, (bytes + 7) / 8 * 8});
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size_));
    for (std::size_t i = 0; i < size_; i += 8) {
      const std::uint64_t word = next_random(seed_);
      std::memcpy(blocks_.back().get() + i, &word, 8);
    }
  }
  return blocks_.back().get();
}

std::byte* Arena::fresh(std::size_t bytes) {
  return blocks_.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
}

}  // namespace reprise::replay
