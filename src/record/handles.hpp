// Numbers for the handles of one class of MPI objects.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "base/flat_map.hpp"
#include "trace/special.hpp"

namespace reprise::record {

// Handles are integers in MPICH and pointers elsewhere.
template <class Handle>
std::uint64_t handle_bits(Handle handle) {
  return (std::uint64_t)(handle);  // NOLINT: the one cast that does for both
}

// Objects that a program makes are numbered like file descriptors: the smallest number that is
// free. A loop that makes and frees an object thus names it the same each time.
class Handles {
 public:
  explicit Handles(std::int64_t first_made) : first_made_(first_made) {}

  // A handle that MPI has from the start; of two names of one handle the first counts.
  void predefine(std::uint64_t handle, std::int64_t number) {
    if (numbers_.find(handle) == FlatMap::kMissing) {
      numbers_.set(handle, static_cast<std::uint32_t>(number));
    }
  }

  std::int64_t make(std::uint64_t handle) {
    const std::uint32_t known = numbers_.find(handle);
    if (known != FlatMap::kMissing) {
      // A constructor may return a predefined object, or one more hold on what it has made before.
      if (known >= first_made_) ++holds_[static_cast<std::size_t>(known - first_made_)];
      return known;
    }
    std::int64_t number = first_made_ + made_;
    if (free_.empty()) {
      ++made_;
      holds_.push_back(1);
    } else {
      number = free_.top();
      free_.pop();
      holds_[static_cast<std::size_t>(number - first_made_)] = 1;
    }
    numbers_.set(handle, static_cast<std::uint32_t>(number));
    return number;
  }

  // The number of a handle, or kForeign.
  std::int64_t find(std::uint64_t handle) const {
    const std::uint32_t number = numbers_.find(handle);
    return number == FlatMap::kMissing ? trace::kForeign : number;
  }

  void free(std::uint64_t handle) {
    const std::uint32_t number = numbers_.find(handle);
    if (number == FlatMap::kMissing || number < first_made_) return;
    if (--holds_[static_cast<std::size_t>(number - first_made_)] > 0) return;
    numbers_.erase(handle);
    free_.push(number);
  }

 private:
  std::int64_t first_made_;
  std::int64_t made_ = 0;
  std::vector<std::uint32_t> holds_;  // by number: how often it is yet to be freed
  FlatMap numbers_;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> free_;
};

}  // namespace reprise::record
