#include "compress/loops/compositions.hpp"

#include <limits>
#include <optional>

namespace reprise::compress {
namespace {

using Numbers = std::map<Composition, std::uint32_t>;
using Begins = std::vector<bool>;  // [items]

// The items from one place up to, but without, another one.
struct Part {
  std::size_t begin, end;
};

bool occurs(const Numbers& numbers, const Composition& whole, Part part) {
  const auto at = [&](std::size_t k) { return whole.begin() + static_cast<std::ptrdiff_t>(k); };
  return numbers.contains(Composition(at(part.begin), at(part.end)));
}

// The fewest parts, two at least, that all occur by themselves; nothing if there are none.
std::optional<Begins> all_parts(const Numbers& numbers, const Composition& whole) {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  const std::size_t n = whole.size();
  std::vector<std::size_t> fewest(n + 1, kNone), last(n + 1, 0);  // of the first k items
  fewest[0] = 0;
  for (std::size_t end = 1; end <= n; ++end) {
    for (std::size_t begin = 0; begin < end; ++begin) {
      const bool is_whole = begin == 0 && end == n;
      if (is_whole || fewest[begin] == kNone || fewest[begin] + 1 >= fewest[end]) continue;
      if (!occurs(numbers, whole, {begin, end})) continue;
      fewest[end] = fewest[begin] + 1;
      last[end] = begin;
    }
  }
  if (fewest[n] == kNone) return std::nullopt;
  Begins out(n, false);
  for (std::size_t end = last[n]; end > 0; end = last[end]) out[end] = true;
  return out;
}

// The longest part at the beginning or the end that occurs by itself.
std::optional<Begins> one_of_two(const Numbers& numbers, const Composition& whole) {
  const std::size_t n = whole.size();
  for (std::size_t length = n - 1; length > 0; --length) {
    std::optional<std::size_t> begin;
    if (occurs(numbers, whole, {0, length})) begin = length;
    if (occurs(numbers, whole, {n - length, n})) begin = n - length;
    if (!begin) continue;
    Begins out(n, false);
    out[*begin] = true;
    return out;
  }
  return std::nullopt;
}

}  // namespace

void Compositions::add(const Composition& items, std::uint64_t times) {
  if (are_too_many_) return;
  const auto number = static_cast<std::uint32_t>(numbers_.size());
  const auto found = numbers_.try_emplace(items, number).first;
  are_too_many_ = numbers_.size() > kMost || items.size() > kMostItems;
  by_iteration_.append(found->second, times);
}

IterationSplits Compositions::split(Shown shown) const {
  if (are_too_many_ || numbers_.empty()) return {};
  IterationSplits out{by_iteration_.finish(), std::vector<Begins>(numbers_.size())};
  for (const auto& [items, number] : numbers_) {
    auto begins = all_parts(numbers_, items);
    if (!begins && shown == Shown::one_of_two) begins = one_of_two(numbers_, items);
    out.begins[number] = begins.value_or(Begins(items.size(), false));
  }
  return out;
}

}  // namespace reprise::compress
