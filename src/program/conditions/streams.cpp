#include "program/conditions/streams.hpp"

#include <algorithm>
#include <numeric>

namespace reprise::program {

Streams first_streams(std::uint64_t n) {
  Streams out(n);
  std::iota(out.begin(), out.end(), std::uint64_t{0});
  return out;
}

Streams without(const Streams& all, const Streams& some) {
  Streams out;
  std::ranges::set_difference(all, some, std::back_inserter(out));
  return out;
}

Streams joined(const Streams& a, const Streams& b) {
  Streams out;
  std::ranges::set_union(a, b, std::back_inserter(out));
  return out;
}

bool is_disjoint(const Streams& a, const Streams& b) {
  Streams both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both.empty();
}

}  // namespace reprise::program
