// Memory of messages. What is under way has memory of its own; what is not shares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace reprise::conceptual {

class Buffers {
 public:
  // Zeros that any number of messages are sent from at once. Valid until release().
  const std::byte* payload(std::size_t bytes);
  // Memory that is not in use, until the next call of one of these.
  std::byte* spare(std::size_t bytes);
  std::byte* second_spare(std::size_t bytes);
  // Memory that nothing else gets until release().
  std::byte* own(std::size_t bytes);
  // Nothing is under way any more.
  void release();

 private:
  using Block = std::vector<std::byte>;

  Block payload_, second_;
  std::vector<Block> retired_;  // former payloads
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t used_ = 0;  // of the blocks
};

// Reads and writes every byte.
void touch(std::byte* data, std::size_t bytes);

// Fills with what `errors_in` can check: a seed, and numbers that follow from it. Returns bits.
void fill(std::byte* data, std::size_t bytes, std::uint64_t seed);
std::int64_t errors_in(const std::byte* data, std::size_t bytes);

}  // namespace reprise::conceptual
