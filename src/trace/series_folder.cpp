#include "trace/series_folder.hpp"

#include <algorithm>
#include <array>

#include "base/hash.hpp"

namespace reprise::trace {
namespace {

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15u | 1;  // of the polynomial hash
constexpr std::array<std::size_t, 3> kContexts = {1, 8, 64};

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

// Whether b is a, moved by `shift`.
bool same_moved(const Term& a, const Term& b, std::int64_t shift) {
  if (a.count != b.count || a.step != b.step || a.body.size() != b.body.size()) return false;
  if (a.is_run()) return wrapping_add(a.value, shift) == b.value;
  for (std::size_t i = 0; i < a.body.size(); ++i) {
    if (!same_moved(a.body[i], b.body[i], shift)) return false;
  }
  return true;
}

}  // namespace

void SeriesFolder::append(std::int64_t value, std::uint64_t count) {
  size_ += count;
  while (count > 0) {
    if (predicted_.empty()) {
      tokenize(value, count);
    } else if (prediction_.peek() != value) {
      end_prediction();
    } else {
      const std::uint64_t n =
          prediction_.step() == 0 ? std::min(count, prediction_.peek_count()) : 1;
      prediction_.skip(n);
      count -= n;
    }
  }
}

// Takes at least one of `count` values into the open run, or closes that run.
// A run of two values with a step is tentative: a third one confirms it or splits it.
void SeriesFolder::tokenize(std::int64_t value, std::uint64_t& count) {
  Term& run = open_;
  const bool same = run.step == 0 && run.value == value;
  if (run.count == 0) {
    run = {.value = value};
    --count;
  } else if (same) {
    run.count += count;
    count = 0;
  } else if (run.count == 1) {
    run.step = wrapping_sub(value, run.value);
    run.count = 2;
    --count;
  } else if (run.step != 0 && wrapping_add(run.value, wrapping_mul(run.step, run.count)) == value) {
    ++run.count;
    --count;
  } else if (run.step != 0 && run.count == 2) {
    const Term first{.value = run.value};
    run = {.value = wrapping_add(run.value, run.step)};
    push(first);
    if (!predicted_.empty()) {
      const std::int64_t second = run.value;
      run.count = 0;
      --size_;
      append(second);
    }
  } else {
    close_open_run();
  }
}

void SeriesFolder::close_open_run() {
  const Term run = open_;
  open_.count = 0;
  push(run);
}

// The prediction was wrong: what it got right becomes closed terms.
void SeriesFolder::end_prediction() {
  const std::vector<Term> rest = prediction_.passed();
  Term repeat = std::move(predicted_.front());
  repeat.count = prediction_.passes();
  predicted_.clear();
  push(std::move(repeat));
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const bool last = i + 1 == rest.size();
    if (!predicted_.empty() || open_.count != 0) {
      replay(rest[i]);
    } else if (last && rest[i].is_run()) {
      open_ = rest[i];
    } else {
      push(rest[i]);
    }
  }
}

// Appends the values of a term again; they are already counted.
void SeriesFolder::replay(const Term& term) {
  const std::vector<Term> terms{term};
  for (SeriesCursor c(terms); !c.at_end();) {
    const std::uint64_t n = c.step() == 0 ? c.peek_count() : 1;
    size_ -= n;
    append(c.peek(), n);
    c.skip(n);
  }
}

void SeriesFolder::push(Term term) {
  Entry e{std::move(term), 0, 0, 0, 0};
  e.first = first_value(e.term);
  e.shape = shape_hash(e.term, e.first);
  const std::int64_t before = entries_.empty() ? 0 : entries_.back().first;
  e.linked = combine(e.shape, static_cast<std::uint64_t>(wrapping_sub(e.first, before)));
  e.prefix = (entries_.empty() ? 0 : entries_.back().prefix) * kBase + e.linked;
  entries_.push_back(std::move(e));
  fold_tail();
}

// Polynomial hash of the `length` entries that end with index `end`.
std::uint64_t SeriesFolder::window_hash(std::size_t end, std::size_t length) const {
  const std::uint64_t before = end + 1 == length ? 0 : entries_[end - length].prefix;
  return entries_[end].prefix - before * power_of_base(length);
}

void SeriesFolder::remember(std::size_t index, std::size_t context) {
  const std::uint64_t key = mix(window_hash(index, context) + context);
  last_[key & (last_.size() - 1)] = static_cast<std::uint32_t>(index + 1);
}

// Looks for a period p such that the last p entries repeat those before them.
void SeriesFolder::fold_tail() {
  if (entries_.size() * 8 > last_.size()) {
    last_.assign(last_.empty() ? 32 : last_.size() * 2, 0);
    for (std::size_t i = 0; i + 1 < entries_.size(); ++i) {
      for (const std::size_t c : kContexts) {
        if (i + 1 >= c) remember(i, c);
      }
    }
  }
  const std::size_t last = entries_.size() - 1;
  for (const std::size_t context : kContexts) {
    if (last + 1 < context) break;
    const std::uint64_t key = mix(window_hash(last, context) + context);
    const std::uint32_t found = last_[key & (last_.size() - 1)];
    if (found != 0 && found - 1 < last && try_period(last - (found - 1))) return;
  }
  for (const std::size_t context : kContexts) {
    if (last + 1 >= context) remember(last, context);
  }
}

// Whether the `length` entries from `first` and from `second` look alike, up to a common shift.
bool SeriesFolder::hashes_match(std::size_t first, std::size_t second, std::size_t length) const {
  if (entries_[first].shape != entries_[second].shape) return false;
  return length == 1 ||
         window_hash(first + length - 1, length - 1) == window_hash(second + length - 1, length - 1);
}

// Whether the last `passes` windows of `period` entries are one body, moved by a constant step.
bool SeriesFolder::windows_match(std::size_t period, std::size_t passes) const {
  const std::size_t n = entries_.size();
  if (n < passes * period) return false;
  const std::size_t body = n - passes * period;
  const std::int64_t step = wrapping_sub(entries_[body + period].first, entries_[body].first);
  for (std::size_t k = 1; k < passes; ++k) {
    if (!hashes_match(body, body + k * period, period)) return false;
    if (wrapping_sub(entries_[body + k * period].first, entries_[body].first) !=
        wrapping_mul(step, k)) {
      return false;
    }
  }
  for (std::size_t k = 1; k < passes; ++k) {
    for (std::size_t i = 0; i < period; ++i) {
      if (!same_moved(entries_[body + i].term, entries_[body + k * period + i].term,
                      wrapping_mul(step, k))) {
        return false;
      }
    }
  }
  return true;
}

// Folds the tail if it repeats with this period and a repeat pays: two passes of something large
// that come back unmoved, three of anything else.
bool SeriesFolder::try_period(std::size_t period) {
  const std::size_t n = entries_.size();
  if (n < 2 * period) return false;
  const bool moved = entries_[n - period].first != entries_[n - 2 * period].first;
  bool large = period >= 4;
  for (std::size_t i = n - period; i < n && !large; ++i) {
    large = !entries_[i].term.is_run() || entries_[i].term.count > 2;
  }
  std::size_t passes = !moved && large ? 2 : 3;
  if (!windows_match(period, passes)) return false;
  // The very first pass has no entry before it to be linked to, and so was not found by its hash.
  while (windows_match(period, passes + 1)) ++passes;

  Term repeat{.count = kUnbounded, .period = 0};
  const std::size_t body = n - passes * period;
  repeat.step = wrapping_sub(entries_[body + period].first, entries_[body].first);
  for (std::size_t i = body; i < body + period; ++i) {
    repeat.body.push_back(std::move(entries_[i].term));
    repeat.period += repeat.body.back().count * repeat.body.back().period;
  }
  entries_.resize(body);
  predicted_.assign(1, std::move(repeat));
  prediction_ = SeriesCursor(predicted_, passes);
  return true;
}

Series SeriesFolder::finish() const {
  SeriesFolder end = *this;
  if (!predicted_.empty()) {
    end.prediction_ = SeriesCursor();
  } else if (end.open_.count > 0) {
    end.close_open_run();
  }
  std::vector<Term> terms;
  for (Entry& e : end.entries_) terms.push_back(std::move(e.term));
  if (!end.predicted_.empty()) {
    terms.push_back(std::move(end.predicted_.front()));
  } else if (!terms.empty()) {
    terms.back().count = kUnbounded;
  }
  return Series(std::move(terms));
}

}  // namespace reprise::trace
