// Records that are created and dropped, identified by numbers that are reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace reprise::simulate {

// A row of records that grows and never moves them. Cost: O(1), a shift and two loads.
template <class T>
class Chunks {
 public:
  std::size_t size() const { return size_; }
  T& emplace_back() {
    if (size_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique<T[]>(kChunk));
    return (*this)[size_++];
  }
  T& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }

 private:
  static constexpr std::size_t kChunk = 256;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

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
  Chunks<T> records_;
  std::vector<std::uint32_t> spare_;
};

}  // namespace reprise::simulate
