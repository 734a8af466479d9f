#include "compress/loops/unrolled_loops.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace reprise::compress {

using trace::CodeFunction;
using trace::CodePath;

namespace {

// Points between two copies beyond which these are taken to have another call between them.
constexpr std::uint32_t kMaxBetween = 1024;

using Points = std::set<std::uint32_t>;

// By function, the sets of its points that are copies of one call. They may overlap.
std::map<std::uint32_t, std::set<Points>> copied_calls(const SitePaths& paths) {
  std::map<std::uint32_t, std::set<Points>> out;
  for (const std::vector<CodePath>& copies : paths) {
    if (copies.size() < 2 || copies.size() > kMaxUnrolled) continue;
    // By the frames around, the function, and the frames within.
    std::map<std::tuple<CodePath, std::uint32_t, CodePath>, Points> alike;
    for (const CodePath& path : copies) {
      for (auto at = path.begin(); at != path.end(); ++at)
        alike[{{path.begin(), at}, at->function, {at + 1, path.end()}}].insert(at->point);
    }
    for (auto& [frames, points] : alike) {
      if (points.size() > 1) out[std::get<1>(frames)].insert(std::move(points));
    }
  }
  return out;
}

// The points that are copies of one call, each by the first of them.
std::vector<std::uint32_t> united(const std::set<Points>& copied, std::size_t points) {
  std::vector<std::uint32_t> first(points);
  std::iota(first.begin(), first.end(), 0u);
  const auto find = [&first](std::uint32_t p) {
    while (first[p] != p) p = first[p] = first[first[p]];
    return p;
  };
  for (const Points& set : copied) {
    for (const std::uint32_t p : set) {
      const std::uint32_t a = find(*set.begin()), b = find(p);
      first[std::max(a, b)] = std::min(a, b);
    }
  }
  for (std::uint32_t p = 0; p < points; ++p) first[p] = find(p);
  return first;
}

// Whether another call stands between two copies of one: then an unrolled loop would have copies of
// that as well. `first`: by point, the first of its copies.
bool has_call_between(const CodeFunction& f, const std::vector<std::uint32_t>& first,
                      std::uint32_t p, std::uint32_t q) {
  if (q - p > kMaxBetween) return true;
  for (std::uint32_t x = p + 1; x < q; ++x) {
    if (first[x] != first[p] && leads_on(f, p, x) && leads_on(f, x, q)) return true;
  }
  return false;
}

void restore_unrolled_loops(CodeFunction& f, const std::set<Points>& copied) {
  const std::vector<std::uint32_t> first = united(copied, f.points.size());
  std::map<std::uint32_t, std::vector<std::uint32_t>> calls;
  for (std::uint32_t p = 0; p < first.size(); ++p) calls[first[p]].push_back(p);
  const std::vector<std::uint32_t> loop_of = f.points;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> next;  // copies of different iterations
  for (const auto& [call, copies] : calls) {
    if (copies.size() > kMaxUnrolled) continue;
    std::map<std::uint32_t, std::uint32_t> unrolled;  // by the loop around
    for (auto q = copies.begin(); q != copies.end(); ++q) {
      for (auto p = copies.begin(); p != q; ++p) {
        if (!leads_on(f, *p, *q) || has_call_between(f, first, *p, *q)) continue;
        next.emplace_back(*p, *q);
        if (loop_of[*p] != loop_of[*q]) continue;
        const auto [entry, is_new] =
            unrolled.try_emplace(loop_of[*p], static_cast<std::uint32_t>(f.loops.size()));
        if (is_new) f.loops.push_back(loop_of[*p]);
        f.points[*p] = f.points[*q] = entry->second;
      }
    }
  }
  f.exclusive.insert(f.exclusive.end(), next.begin(), next.end());
  std::ranges::sort(f.exclusive);
}

}  // namespace

void restore_unrolled_loops(std::vector<CodeFunction>& functions, const SitePaths& paths) {
  for (const auto& [function, copied] : copied_calls(paths))
    restore_unrolled_loops(functions[function], copied);
}

}  // namespace reprise::compress
