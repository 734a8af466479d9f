#include "conceptual/values/topology.hpp"

#include <algorithm>
#include <cstdlib>

namespace reprise::conceptual {

std::int64_t Tree::parent(std::int64_t task) const { return task < 1 ? -1 : (task - 1) / n; }

std::int64_t Tree::child(std::int64_t task, std::int64_t number) const {
  std::int64_t out = 0;
  if (task < 0 || number < 0 || number >= n) return -1;
  // A number that overflows is no task.
  if (__builtin_mul_overflow(task, n, &out) || __builtin_add_overflow(out, number + 1, &out))
    return -1;
  return out;
}

std::int64_t KnomialTree::parent(std::int64_t task) const {
  if (task < 1 || task >= tasks) return -1;
  std::int64_t place = 1;
  while (task / place >= k) place *= k;
  return task % place;
}

// Children of a task come in runs, one for each place of a digit above its own: task + d * place
// for d = 1..length. Calls visit(place, length) until it returns false.
template <class Visit>
void KnomialTree::for_each_run(std::int64_t task, const Visit& visit) const {
  if (task < 0 || task >= tasks) return;
  std::int64_t place = 1;
  while (place <= task) {
    if (__builtin_mul_overflow(place, k, &place)) return;
  }
  while (place < tasks) {
    if (!visit(place, std::min(k - 1, (tasks - 1 - task) / place))) return;
    if (__builtin_mul_overflow(place, k, &place)) return;
  }
}

std::int64_t KnomialTree::children(std::int64_t task) const {
  std::int64_t all = 0;
  for_each_run(task, [&](std::int64_t, std::int64_t length) { return all += length, true; });
  return all;
}

std::int64_t KnomialTree::child(std::int64_t task, std::int64_t number) const {
  std::int64_t found = -1;
  if (number < 0) return -1;
  for_each_run(task, [&](std::int64_t place, std::int64_t length) {
    if (number < length) {
      found = task + (number + 1) * place;
      return false;
    }
    number -= length;
    return true;
  });
  return found;
}

std::vector<std::int64_t> Mesh::coordinates(std::int64_t task) const {
  std::vector<std::int64_t> out;
  if (task < 0) return out;
  for (const std::int64_t extent : extents) {
    out.push_back(task % extent);
    task /= extent;
  }
  if (task != 0) out.clear();
  return out;
}

std::int64_t Mesh::neighbor(std::int64_t task, std::span<const std::int64_t> offsets) const {
  const std::vector<std::int64_t> at = coordinates(task);
  if (at.empty()) return -1;
  std::int64_t out = 0;
  for (std::size_t d = extents.size(); d-- > 0;) {
    const std::int64_t extent = extents[d];
    std::int64_t x = d < offsets.size() ? offsets[d] : 0;
    if (wraps[d]) {
      x = (at[d] + (x % extent) + extent) % extent;
    } else if (__builtin_add_overflow(at[d], x, &x) || x < 0 || x >= extent) {
      return -1;
    }
    out = out * extent + x;
  }
  return out;
}

std::int64_t Mesh::distance(std::int64_t a, std::int64_t b) const {
  const std::vector<std::int64_t> from = coordinates(a), to = coordinates(b);
  if (from.empty() || to.empty()) return -1;
  std::int64_t out = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::int64_t straight = std::abs(from[d] - to[d]);
    out += wraps[d] ? std::min(straight, extents[d] - straight) : straight;
  }
  return out;
}

}  // namespace reprise::conceptual
