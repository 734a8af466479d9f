#include "conceptual/values/progression.hpp"

#include <algorithm>
#include <cmath>

#include "conceptual/evaluate.hpp"

namespace reprise::conceptual {
namespace {

constexpr double kTolerance = 1e-9;  // of a ratio of real numbers

// The common difference; nothing if there is none.
std::optional<std::int64_t> difference(const std::vector<std::int64_t>& items, std::int64_t last) {
  if (items.size() == 1) return last > items[0] ? 1 : last < items[0] ? -1 : 0;
  std::int64_t first = 0;
  for (std::size_t i = 1; i < items.size(); ++i) {
    std::int64_t d = 0;
    if (__builtin_sub_overflow(items[i], items[i - 1], &d)) return std::nullopt;
    if (i == 1) first = d;
    if (d != first) return std::nullopt;
  }
  return first;
}

}  // namespace

Progression::Progression(const Range& range, const Evaluator& evaluator) : at_(range.at) {
  for (const Expr& e : range.items) items_.push_back(evaluator.integer(e));
  if (!range.last) return;
  first_ = now_ = items_[0];
  last_ = evaluator.integer(*range.last);
  if (const std::optional<std::int64_t> d = difference(items_, last_)) {
    kind_ = Kind::arithmetic;
    step_ = *d;
    done_ = step_ > 0 ? first_ > last_ : step_ < 0 && first_ < last_;
    return;
  }
  kind_ = Kind::geometric;
  real_last_ = static_cast<double>(last_);
  if (find_geometric({items_.begin(), items_.end()})) return;
  std::vector<double> real;
  for (const Expr& e : range.items) real.push_back(evaluator.real(e));
  real_last_ = evaluator.real(*range.last);
  if (find_geometric(real)) return;
  throw Problem{at_,
                "the range follows no pattern (the numbers before the ellipsis have neither a "
                "common difference nor a common ratio); list them, or use several ranges"};
}

bool Progression::find_geometric(const std::vector<double>& items) {
  if (std::find(items.begin(), items.end(), 0.0) != items.end()) return false;
  ratio_ = items[1] / items[0];
  for (std::size_t i = 2; i < items.size(); ++i) {
    if (std::abs(items[i] / items[i - 1] - ratio_) > kTolerance * std::abs(ratio_)) return false;
  }
  if (ratio_ < 0 || ratio_ == 1) return false;
  real_first_ = items[0];
  return true;
}

// The absolute value grows, or shrinks towards zero. The progression ends before it passes the last
// number. A long double holds every integer of 64 bits.
std::optional<std::int64_t> Progression::geometric_at(std::size_t i) const {
  const long double x = static_cast<long double>(real_first_) *
                        std::pow(static_cast<long double>(ratio_), static_cast<long double>(i));
  const long double slack = kTolerance * std::abs(x);
  const long double last = real_last_;
  const bool rises = (ratio_ > 1) == (real_first_ > 0);
  if (rises ? x > last + slack : x < last - slack) return std::nullopt;
  if (!(std::abs(x) < 0x1p63L)) return std::nullopt;
  const std::int64_t rounded = std::llround(x);
  // Below one half all further numbers are zero.
  if (rounded == 0) return std::nullopt;
  return rounded;
}

std::optional<std::int64_t> Progression::next() {
  if (kind_ == Kind::listed) return i_ < items_.size() ? std::optional(items_[i_++]) : std::nullopt;
  if (kind_ == Kind::geometric) return geometric_at(i_++);
  if (done_) return std::nullopt;
  const std::int64_t out = now_;
  done_ = step_ == 0 || __builtin_add_overflow(now_, step_, &now_) ||
          (step_ > 0 ? now_ > last_ : now_ < last_);
  return out;
}

bool Progression::contains(std::int64_t x) const {
  if (kind_ == Kind::listed) return std::find(items_.begin(), items_.end(), x) != items_.end();
  if (kind_ == Kind::geometric) {
    std::size_t i = 0;
    for (std::optional<std::int64_t> y; (y = geometric_at(i)); ++i) {
      if (*y == x) return true;
    }
    return false;
  }
  if (done_) return false;
  if (step_ == 0) return x == first_;
  if (step_ > 0 ? (x < first_ || x > last_) : (x > first_ || x < last_)) return false;
  std::int64_t d = 0;
  if (__builtin_sub_overflow(x, first_, &d)) return false;
  return step_ == -1 || d % step_ == 0;
}

}  // namespace reprise::conceptual
