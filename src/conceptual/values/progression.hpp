// The numbers of a range such as {1, 2, 4, ..., 256}: listed, or an arithmetic or geometric
// progression that is gone through without being kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conceptual/ast.hpp"

namespace reprise::conceptual {

class Evaluator;

class Progression {
 public:
  // Throws Problem where the numbers before an ellipsis follow no pattern. An arithmetic pattern is
  // tried first, then a geometric one, then a geometric one of the real numbers.
  Progression(const Range& range, const Evaluator& evaluator);

  // The next number; none: that was all.
  std::optional<std::int64_t> next();

  // Cost: O(1) for arithmetic progressions, O(numbers) for others.
  bool contains(std::int64_t x) const;

 private:
  enum class Kind { listed, arithmetic, geometric };

  bool find_geometric(const std::vector<double>& items);
  std::optional<std::int64_t> geometric_at(std::size_t i) const;

  Position at_;
  Kind kind_ = Kind::listed;
  std::vector<std::int64_t> items_;
  std::int64_t first_ = 0, step_ = 0, last_ = 0;
  double real_first_ = 0, ratio_ = 1, real_last_ = 0;
  std::size_t i_ = 0;
  std::int64_t now_ = 0;
  bool done_ = false;
};

}  // namespace reprise::conceptual
