// Records that come and go, by numbers that are used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace reprise::simulate {

// References stay valid until their record is dropped. Cost: O(1).
template <class T>
class Slots {
 public:
  // The number of a fresh record.
  std::uint32_t make() {
    if (spare_.empty()) {
      records_.emplace_back();
      return static_cast<std::uint32_t>(records_.size() - 1);
    }
    const std::uint32_t id = spare_.back();
    spare_.pop_back();
    records_[id] = T();
    return id;
  }
  void drop(std::uint32_t id) { spare_.push_back(id); }

  T& operator[](std::size_t id) { return records_[id]; }
  const T& operator[](std::size_t id) const { return records_[id]; }

 private:
  std::deque<T> records_;
  std::vector<std::uint32_t> spare_;
};

}  // namespace reprise::simulate
