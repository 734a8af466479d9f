#include "conceptual/execute/buffers.hpp"

#include <bit>
#include <cstring>

#include "base/hash.hpp"

namespace reprise::conceptual {
namespace {

constexpr std::uint64_t kShortSeed = 0x5eed;  // of messages too short to hold one

std::byte* room(std::vector<std::byte>& block, std::size_t bytes) {
  // Never empty, so that even a message of no bytes has an address.
  if (block.size() < bytes || block.empty()) block.resize(bytes + (bytes == 0));
  return block.data();
}

// Calls visit(offset, size, word) for each word behind the seed.
template <class Visit>
void for_each_word(std::size_t bytes, std::uint64_t seed, const Visit& visit) {
  std::size_t at = bytes < sizeof seed ? 0 : sizeof seed;
  for (std::uint64_t word = mix(seed); at < bytes; word = mix(word)) {
    const std::size_t size = std::min(sizeof word, bytes - at);
    visit(at, size, word);
    at += size;
  }
}

}  // namespace

const std::byte* Buffers::payload(std::size_t bytes) {
  if (payload_.size() < bytes) {
    retired_.push_back(std::move(payload_));
    payload_ = Block(bytes);
  }
  return room(payload_, bytes);
}

std::byte* Buffers::spare(std::size_t bytes) {
  if (used_ == blocks_.size()) blocks_.push_back(std::make_unique<Block>());
  return room(*blocks_[used_], bytes);
}

std::byte* Buffers::second_spare(std::size_t bytes) { return room(second_, bytes); }

std::byte* Buffers::own(std::size_t bytes) {
  std::byte* out = spare(bytes);
  ++used_;
  return out;
}

void Buffers::release() {
  used_ = 0;
  retired_.clear();
}

void touch(std::byte* data, std::size_t bytes) {
  volatile std::byte* p = data;
  for (std::size_t i = 0; i < bytes; ++i) p[i] = p[i] ^ std::byte{1};
}

void fill(std::byte* data, std::size_t bytes, std::uint64_t seed) {
  if (bytes < sizeof seed) {
    seed = kShortSeed;
  } else {
    std::memcpy(data, &seed, sizeof seed);
  }
  for_each_word(bytes, seed, [&](std::size_t at, std::size_t size, std::uint64_t word) {
    std::memcpy(data + at, &word, size);
  });
}

std::int64_t errors_in(const std::byte* data, std::size_t bytes) {
  std::uint64_t seed = kShortSeed;
  if (bytes >= sizeof seed) std::memcpy(&seed, data, sizeof seed);
  std::int64_t errors = 0;
  for_each_word(bytes, seed, [&](std::size_t at, std::size_t size, std::uint64_t word) {
    std::uint64_t found = 0, wanted = 0;
    std::memcpy(&found, data + at, size);
    std::memcpy(&wanted, &word, size);
    errors += std::popcount(found ^ wanted);
  });
  return errors;
}

}  // namespace reprise::conceptual
