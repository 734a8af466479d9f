#include "conceptual/topology.hpp"

#include <algorithm>
#include <cstdlib>

namespace reprise::conceptual {

std::int64_t tree_parent(std::int64_t task, std::int64_t n) {
  return task < 1 ? -1 : (task - 1) / n;
}

std::int64_t tree_child(std::int64_t task, std::int64_t child, std::int64_t n) {
  std::int64_t out = 0;
  if (task < 0 || child < 0 || child >= n) return -1;
  // What overflows is no task either.
  if (__builtin_mul_overflow(task, n, &out) || __builtin_add_overflow(out, child + 1, &out))
    return -1;
  return out;
}

std::int64_t knomial_parent(std::int64_t task, std::int64_t k, std::int64_t tasks) {
  if (task < 1 || task >= tasks) return -1;
  std::int64_t place = 1;
  while (task / place >= k) place *= k;
  return task % place;
}

namespace {

// Children of a task come in runs, one for each place of a digit above its own: task + d * place
// for d = 1..length. Calls visit(place, length) until it returns false.
template <class Visit>
void for_each_run(std::int64_t task, std::int64_t k, std::int64_t tasks, const Visit& visit) {
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

}  // namespace

std::int64_t knomial_children(std::int64_t task, std::int64_t k, std::int64_t tasks) {
  std::int64_t n = 0;
  for_each_run(task, k, tasks,
               [&](std::int64_t, std::int64_t length) { return n += length, true; });
  return n;
}

std::int64_t knomial_child(std::int64_t task, std::int64_t child, std::int64_t k,
                           std::int64_t tasks) {
  std::int64_t found = -1;
  if (child < 0) return -1;
  for_each_run(task, k, tasks, [&](std::int64_t place, std::int64_t length) {
    if (child < length) {
      found = task + (child + 1) * place;
      return false;
    }
    child -= length;
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
