// Classes of what is alike, made fewer by uniting the closest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace reprise::compress {

// Classes of streams that are kept apart.
inline constexpr std::size_t kMaxStreamClasses = 4;
// Streams whose means are this close resemble each other: what each of them spent is kept exactly
// anyway.
inline constexpr double kAlikeMeans = 0.1;

struct ClosestPair {
  std::size_t a = 0, b = 1;  // a < b
  double distance = std::numeric_limits<double>::infinity();
};

// Of n >= 2 classes, by `distance(a, b)`, a < b; of several pairs the first. Cost: O(n^2).
template <class Distance>
ClosestPair closest_pair(std::size_t n, Distance&& distance) {
  ClosestPair out;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const double d = distance(a, b);
      if (d < out.distance) out = {a, b, d};
    }
  }
  return out;
}

// `number`, by former class its present one, after class b is merged into class a < b and its place
// is closed.
template <class Number>
void renumber(std::vector<Number>& number, std::size_t a, std::size_t b) {
  for (Number& n : number) {
    if (static_cast<std::size_t>(n) == b) {
      n = static_cast<Number>(a);
    } else if (static_cast<std::size_t>(n) > b) {
      --n;
    }
  }
}

// Unites classes of streams that are alike, and the closest while there are too many. `distance(a,
// b)` is the distance of two classes, a < b. `join(a, b)` merges class b into class a and closes
// the place that b leaves. `number`: by former class, its present one. Cost: O(classes^3).
template <class Distance, class Join>
void unite_closest(std::size_t classes, std::vector<std::uint8_t>& number, Distance&& distance,
                   Join&& join) {
  for (; classes > 1; --classes) {
    const ClosestPair pair = closest_pair(classes, distance);
    if (pair.distance > kAlikeMeans && classes <= kMaxStreamClasses) return;
    join(pair.a, pair.b);
    renumber(number, pair.a, pair.b);
  }
}

}  // namespace reprise::compress
