// 64-bit hashing: xxHash for bytes, a cheap mixer for words.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reprise {

inline std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(data, size, seed);
}

inline std::uint64_t hash_text(std::string_view text) {
  return hash_bytes(text.data(), text.size());
}

// A bijection of 64-bit words in which every input bit moves every output bit (splitmix64).
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The hash of the pair (seed, value): order matters.
constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix(seed ^ (value + 0x632be59bd9b4e019u + (seed << 6) + (seed >> 2)));
}

}  // namespace reprise
