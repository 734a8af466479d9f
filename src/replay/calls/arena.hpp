// Memory for payload that all calls of a stream share. It grows to the largest that is asked for,
// and what was handed out stays valid, since operations that are under way still use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace reprise::replay {

class Arena {
 public:
  // Every new byte is random.
  explicit Arena(std::uint64_t seed) : seed_(seed) {}

  // At least so many bytes, aligned for every type. Altogether less than twice the most that was
  // ever asked for is kept.
  std::byte* at_least(std::size_t bytes);

  // A block that nothing else is in until forget() is called.
  std::byte* fresh(std::size_t bytes);
  void forget() { blocks_.clear(), size_ = 0; }

 private:
  std::uint64_t seed_;
  std::size_t size_ = 0;  // of the last block
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace reprise::replay
