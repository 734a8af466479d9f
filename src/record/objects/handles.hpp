// Numbers for the handles of one class of MPI objects.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "base/flat_map.hpp"
#include "trace/values/special.hpp"

namespace reprise::record {

// Handles are integers in MPICH and pointers elsewhere.
template <class Handle>
std::uint64_t handle_bits(Handle handle) {
  return (std::uint64_t)(handle);  // NOLINT: the one cast that does for both
}

// Objects that a program makes are numbered like file descriptors: the smallest number that is
// free. A loop that makes and frees an object thus names it the same each time. MPI may give out
// one object several times, as the group of a communicator; it has one number until all are freed.
class Handles {
 public:
  // An object that is about to be freed. Its handle is removed before MPI frees the object, since
  // MPI may give that handle to another thread's object before the call is back.
  struct Leaving {
    std::uint64_t handle = 0;
    std::uint32_t number = FlatMap::kMissing;
    bool shared = false;  // the program has the object more than once
  };

  explicit Handles(std::int64_t first_made) : first_made_(first_made) {}

  // A predefined handle; of two names of one handle the first counts.
  void predefine(std::uint64_t handle, std::int64_t number) {
    if (numbers_.find(handle) == FlatMap::kMissing) {
      numbers_.set(handle, static_cast<std::uint32_t>(number));
    }
  }

  // The number of an object that a call returned.
  std::int64_t make(std::uint64_t handle) {
    const std::uint32_t known = numbers_.find(handle);
    if (known != FlatMap::kMissing) {
      if (known >= first_made_) more_.set(handle, more(handle) + 1);
      return known;  // a constructor may also return a predefined object
    }
    std::int64_t number = first_made_ + made_;
    if (free_.empty()) {
      ++made_;
    } else {
      number = free_.top();
      free_.pop();
    }
    numbers_.set(handle, static_cast<std::uint32_t>(number));
    return number;
  }

  // The number of a handle, or kForeign.
  std::int64_t find(std::uint64_t handle) const {
    const std::uint32_t number = numbers_.find(handle);
    return number == FlatMap::kMissing ? trace::kForeign : number;
  }

  // To be called before MPI frees the object; then freed(), or kept() if MPI did not free it.
  Leaving leave(std::uint64_t handle) {
    const std::uint32_t number = numbers_.find(handle);
    if (number == FlatMap::kMissing || number < first_made_) return {};
    const std::uint32_t others = more(handle);
    if (others > 1) {
      more_.set(handle, others - 1);
    } else if (others == 1) {
      more_.erase(handle);
    } else {
      numbers_.erase(handle);
    }
    return {handle, number, others > 0};
  }

  void freed(const Leaving& left) {
    if (left.number != FlatMap::kMissing && !left.shared) free_.push(left.number);
  }

  void kept(const Leaving& left) {
    if (left.number == FlatMap::kMissing) return;
    if (left.shared) {
      more_.set(left.handle, more(left.handle) + 1);
    } else {
      numbers_.set(left.handle, left.number);
    }
  }

 private:
  // How often the program was given the object, after the first time.
  std::uint32_t more(std::uint64_t handle) const {
    const std::uint32_t n = more_.find(handle);
    return n == FlatMap::kMissing ? 0 : n;
  }

  std::int64_t first_made_;
  std::int64_t made_ = 0;
  FlatMap numbers_, more_;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> free_;
};

}  // namespace reprise::record
