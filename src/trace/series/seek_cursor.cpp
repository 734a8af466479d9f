#include "trace/series/seek_cursor.hpp"

#include "base/contract.hpp"

namespace reprise::trace {
namespace {

std::uint64_t length_of(const Term& t) {
  return t.count == kUnbounded ? SeekCursor::kForever : t.count * t.period;
}

}  // namespace

void SeekCursor::seek(std::uint64_t position) {
  frames_.clear();
  left_ = 0;
  value_ = 0;
  position_ = position;
  std::span<const Term> terms = terms_;
  std::int64_t shift = 0;
  for (std::size_t i = 0; i < terms.size();) {
    const Term& t = terms[i];
    if (position >= length_of(t)) {
      position -= length_of(t);
      ++i;
      continue;
    }
    const std::uint64_t pass = position / t.period;
    frames_.push_back({terms, i, t.is_run() ? 0 : pass, shift});
    const std::int64_t moved = wrapping_add(shift, wrapping_mul(t.step, pass));
    if (t.is_run()) {
      value_ = wrapping_add(t.value, moved);
      step_ = t.step;
      left_ = t.count == kUnbounded ? kForever : t.count - pass;
      return;
    }
    position %= t.period;
    shift = moved;
    terms = t.body;
    i = 0;
  }
}

std::uint64_t SeekCursor::periodic_until(std::uint64_t begin, std::uint64_t end) const {
  REPRISE_REQUIRE(begin < end);
  const std::uint64_t period = end - begin;
  std::span<const Term> terms = terms_;
  std::uint64_t first = 0;  // position of the first of `terms`
  for (std::size_t i = 0; i < terms.size();) {
    const Term& t = terms[i];
    const std::uint64_t length = length_of(t);
    const std::uint64_t behind = length == kForever ? kForever : first + length;
    if (begin >= behind) {
      first = behind;
      ++i;
      continue;
    }
    if (t.is_run()) return t.step == 0 ? behind : begin;
    if (t.step == 0 && period % t.period == 0) return behind;
    first += (begin - first) / t.period * t.period;
    terms = t.body;
    i = 0;
  }
  return kForever;  // behind the end all values are 0
}

}  // namespace reprise::trace
