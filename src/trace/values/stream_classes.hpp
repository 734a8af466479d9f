// Streams that cannot be told apart by what has been looked at so far: work is done once a class.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "trace/values/value.hpp"

namespace reprise::trace {

class StreamClasses {
 public:
  explicit StreamClasses(std::uint64_t streams) : class_of_(streams, 0) {}

  // Tells streams apart that follow different series of the value. Cost: O(streams), or O(1) if
  // the value is the same everywhere.
  void refine(const Value& value);

  // Tells streams apart for which the key differs. Cost: O(streams).
  void refine(const std::function<std::int64_t(std::uint64_t stream)>& key);

  std::size_t size() const { return size_; }
  const std::vector<std::uint32_t>& class_of() const { return class_of_; }
  // The first stream of each class.
  std::vector<std::uint64_t> representatives() const;

 private:
  std::vector<std::uint32_t> class_of_;
  std::size_t size_ = 1;
};

}  // namespace reprise::trace
