// A bin of a histogram (histogram.hpp), and how its values may lie in it.
#pragma once

#include <cmath>
#include <cstdint>

namespace reprise::trace {

struct Bin {
  std::uint64_t count = 0;
  std::int64_t sum = 0;  // [ns]
  std::int64_t min = 0;  // [ns]; inner bins: or the edge to the bin before
  std::int64_t max = 0;  // [ns]; inner bins: or the edge to the bin behind
  double squares = 0;    // sum of the squared distances from the mean [ns^2]

  double mean() const {
    return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
  }
  double deviation() const;  // standard, of the population [ns]
  void add(std::int64_t value);
  void add(const Bin& other);

  bool operator==(const Bin&) const = default;
};

// A bin taken to be uniform on either side of its mean, with its variance: as many values lie on
// one side as the other is wide, which keeps the mean, and the variance is below x above / 3.
struct BinSides {
  double below = 0, above = 0;  // how far the values reach from the mean [ns]
  std::uint64_t upper = 0;      // how many lie above

  // A single value has no sides, even where all that is known of it is a range.
  explicit BinSides(const Bin& bin);
};

// Counts and durations in calculations with fractions, and back.
inline double real(std::int64_t v) { return static_cast<double>(v); }
inline double real(std::uint64_t v) { return static_cast<double>(v); }
inline std::int64_t rounded(double v) { return static_cast<std::int64_t>(std::llround(v)); }

// What joining two neighbors adds to the squared distances within bins (Ward 1963): groups that
// lie apart stay apart.
inline double cost_of_joining(const Bin& a, const Bin& b) {
  const double gap = b.mean() - a.mean();
  return gap * gap * real(a.count) * real(b.count) / real(a.count + b.count);
}

// Where an edge was put, values spread no further than the range allows (Bhatia & Davis 2000).
void limit_spread(Bin& b);

}  // namespace reprise::trace
