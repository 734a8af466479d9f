#include "trace/closed_terms.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace reprise::trace {
namespace {

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15u | 1;  // of the polynomial hash

constexpr std::uint64_t power_of_base(std::size_t exponent) {
  std::uint64_t result = 1;
  for (std::uint64_t b = kBase; exponent; exponent >>= 1, b *= b) {
    if (exponent & 1) result *= b;
  }
  return result;
}

std::uint64_t shape_hash(const Term& term, std::int64_t origin) {
  std::uint64_t h = combine(term.count, static_cast<std::uint64_t>(term.step));
  if (term.is_run()) {
    return combine(h, static_cast<std::uint64_t>(wrapping_sub(term.value, origin)));
  }
  for (const Term& t : term.body) h = combine(h, shape_hash(t, origin));
  return combine(h, term.body.size());
}

constexpr std::uint64_t kSingleShape = combine(combine(1, 0), 0);  // as of Term{}

// Whether b is a, moved by `shift`.
bool term_same_moved(const Term& a, const Term& b, std::int64_t shift) {
  if (a.count != b.count || a.step != b.step || a.body.size() != b.body.size()) return false;
  if (a.is_run()) return wrapping_add(a.value, shift) == b.value;
  for (std::size_t i = 0; i < a.body.size(); ++i) {
    if (!term_same_moved(a.body[i], b.body[i], shift)) return false;
  }
  return true;
}

bool is_single(const Term& term) { return term.is_run() && term.count == 1; }

}  // namespace

std::uint32_t PlaceTable::find(std::uint64_t hash) const {
  if (slots_.empty()) return kNowhere;
  const Slot& slot = slots_[tag_of(hash) & (slots_.size() - 1)];
  return slot.tag == tag_of(hash) ? slot.place : kNowhere;
}

void PlaceTable::set(std::uint64_t hash, std::uint32_t place) {
  // Sparse while that is cheap: what is displaced may be the repeat that is looked for.
  if (4 * taken_ >= slots_.size() && slots_.size() < most_) {
    std::vector<Slot> old(std::max<std::size_t>(64, 2 * slots_.size()));
    old.swap(slots_);
    taken_ = 0;
    for (const Slot& slot : old) {
      if (slot.place != kNowhere) set(slot.tag, slot.place);
    }
  }
  Slot& slot = slots_[tag_of(hash) & (slots_.size() - 1)];
  taken_ += slot.place == kNowhere;
  slot = {tag_of(hash), place};
}

bool ClosedTerms::is_large(std::size_t i) const {
  if (rich_of_[i] == 0) return false;
  const Term& term = rich_[rich_of_[i] - 1].term;
  return !term.is_run() || term.count > 2;
}

std::uint64_t ClosedTerms::shape(std::size_t i) const {
  return rich_of_[i] == 0 ? kSingleShape : rich_[rich_of_[i] - 1].shape;
}

void ClosedTerms::push(Term term) {
  const std::int64_t first = first_value(term);
  const std::int64_t before = firsts_.empty() ? 0 : firsts_.back();
  std::uint32_t rich = 0;
  std::uint64_t shape = kSingleShape;
  if (!is_single(term)) {
    shape = shape_hash(term, first);
    rich_.push_back({std::move(term), shape});
    rich = static_cast<std::uint32_t>(rich_.size());
  }
  const std::uint64_t linked =
      combine(shape, static_cast<std::uint64_t>(wrapping_sub(first, before)));
  prefixes_.push_back((prefixes_.empty() ? 0 : prefixes_.back()) * kBase + linked);
  firsts_.push_back(first);
  rich_of_.push_back(rich);
}

std::vector<Term> ClosedTerms::take(std::size_t begin) {
  std::vector<Term> terms;
  std::size_t rich_left = rich_.size();
  for (std::size_t i = begin; i < size(); ++i) {
    if (rich_of_[i] == 0) {
      terms.push_back({.value = firsts_[i]});
    } else {
      rich_left = std::min<std::size_t>(rich_left, rich_of_[i] - 1);
      terms.push_back(std::move(rich_[rich_of_[i] - 1].term));
    }
  }
  firsts_.resize(begin);
  prefixes_.resize(begin);
  rich_of_.resize(begin);
  rich_.erase(rich_.begin() + static_cast<std::ptrdiff_t>(rich_left), rich_.end());
  return terms;
}

// Polynomial hash of the `length` terms that end with index `end`.
std::uint64_t ClosedTerms::window_hash(std::size_t end, std::size_t length) const {
  const std::uint64_t before = end + 1 == length ? 0 : prefixes_[end - length];
  return prefixes_[end] - before * power_of_base(length);
}

// Of the last `context` terms.
std::uint64_t ClosedTerms::context_hash(std::size_t context) const {
  return mix(window_hash(size() - 1, context) + context);
}

bool ClosedTerms::same_moved(std::size_t a, std::size_t b, std::int64_t shift) const {
  if (rich_of_[a] == 0 || rich_of_[b] == 0) {
    return rich_of_[a] == rich_of_[b] && wrapping_add(firsts_[a], shift) == firsts_[b];
  }
  return term_same_moved(rich_[rich_of_[a] - 1].term, rich_[rich_of_[b] - 1].term, shift);
}

// Whether the `length` terms from `first` and from `second` look alike, up to a common shift.
bool ClosedTerms::hashes_match(std::size_t first, std::size_t second, std::size_t length) const {
  if (shape(first) != shape(second)) return false;
  return length == 1 || window_hash(first + length - 1, length - 1) ==
                            window_hash(second + length - 1, length - 1);
}

bool ClosedTerms::windows_match(std::size_t period, std::size_t passes) const {
  const std::size_t n = size();
  if (n < passes * period) return false;
  const std::size_t body = n - passes * period;
  const std::int64_t step = wrapping_sub(firsts_[body + period], firsts_[body]);
  for (std::size_t k = 1; k < passes; ++k) {
    if (!hashes_match(body, body + k * period, period)) return false;
    if (wrapping_sub(firsts_[body + k * period], firsts_[body]) != wrapping_mul(step, k)) {
      return false;
    }
  }
  for (std::size_t k = 1; k < passes; ++k) {
    for (std::size_t i = 0; i < period; ++i) {
      if (!same_moved(body + i, body + k * period + i, wrapping_mul(step, k))) return false;
    }
  }
  return true;
}

}  // namespace reprise::trace
