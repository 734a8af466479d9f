#include "compress/unrolled_loops.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace reprise::compress {

using trace::CodeFunction;
using trace::CodePath;

namespace {

// Two points of a function, the first before the second.
using PointPair = std::pair<std::uint32_t, std::uint32_t>;

// By function, the pairs of its points that are copies of one call.
std::map<std::uint32_t, std::set<PointPair>> copied_calls(const SitePaths& paths) {
  std::map<std::uint32_t, std::set<PointPair>> out;
  for (const std::vector<CodePath>& copies : paths) {
    for (std::size_t i = 0; i < copies.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const CodePath &a = copies[i], &b = copies[j];
        if (a.size() != b.size()) continue;
        const auto [x, y] = std::ranges::mismatch(a, b);
        if (x == a.end() || x->function != y->function || !std::equal(x + 1, a.end(), y + 1))
          continue;
        out[x->function].insert(std::minmax(x->point, y->point));
      }
    }
  }
  return out;
}

}  // namespace

void close_unrolled_loops(std::vector<CodeFunction>& functions, const SitePaths& paths) {
  for (const auto& [function, pairs] : copied_calls(paths)) {
    CodeFunction& f = functions[function];
    const std::vector<std::uint32_t> loop_of = f.points;
    std::map<std::uint32_t, std::uint32_t> unrolled;  // by point
    for (const auto& [p, q] : pairs) {
      if (loop_of[p] != loop_of[q] || !leads_on(f, p, q)) continue;
      const auto known = unrolled.contains(p) ? unrolled.find(p) : unrolled.find(q);
      auto loop = static_cast<std::uint32_t>(f.loops.size());
      if (known != unrolled.end()) {
        loop = known->second;
      } else {
        f.loops.push_back(loop_of[p]);
      }
      f.points[p] = f.points[q] = unrolled[p] = unrolled[q] = loop;
    }
    f.exclusive.insert(f.exclusive.end(), pairs.begin(), pairs.end());
    std::ranges::sort(f.exclusive);
    const auto repeated = std::ranges::unique(f.exclusive);
    f.exclusive.erase(repeated.begin(), repeated.end());
  }
}

}  // namespace reprise::compress
