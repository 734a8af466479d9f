#include "trace/series/series_folder.hpp"

#include <algorithm>

namespace reprise::trace {
namespace {

std::uint64_t values_in(const Term& term) { return term.count * term.period; }

}  // namespace

SeriesFolder::SeriesFolder(const SeriesFolder& other)
    : closed_(other.closed_ ? std::make_unique<ClosedTerms>(*other.closed_) : nullptr),
      predicted_(other.predicted_),
      prediction_(other.prediction_),
      open_(other.open_),
      size_(other.size_) {}

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
  if (!closed_) closed_ = std::make_unique<ClosedTerms>();
  closed_->push(std::move(term));
  closed_->any_period([this](std::size_t period) { return try_period(period); });
}

// Folds the tail if it repeats with this period and a repeat pays: two passes of something large
// that come back unmoved, three of anything else. The repeat begins as early as the terms before it
// allow, so that its rotation does not tell when it was found.
bool SeriesFolder::try_period(std::size_t period) {
  const std::size_t n = closed_->size();
  if (n < 2 * period) return false;
  const bool moved = closed_->first(n - period) != closed_->first(n - 2 * period);
  bool large = period >= 4;
  for (std::size_t i = n - period; i < n && !large; ++i) large = closed_->is_large(i);
  std::size_t passes = !moved && large ? 2 : 3;
  if (!closed_->windows_match(period, passes)) return false;
  // The very first pass has no term before it to be linked to, and so was not found by its hash.
  while (closed_->windows_match(period, passes + 1)) ++passes;

  std::size_t begin = n - passes * period;
  Term repeat{.count = kUnbounded, .period = 0};
  repeat.step = wrapping_sub(closed_->first(begin + period), closed_->first(begin));
  while (begin > 0 && closed_->same_moved(begin - 1, begin - 1 + period, repeat.step)) --begin;
  repeat.body = closed_->take(begin);
  repeat.body.resize(period);
  std::uint64_t ahead = 0;  // values behind the last whole pass
  for (std::size_t i = 0; i < n - begin - passes * period; ++i) ahead += values_in(repeat.body[i]);
  ahead += begin_earlier(repeat);
  for (const Term& t : repeat.body) repeat.period += values_in(t);
  predicted_.assign(1, std::move(repeat));
  prediction_ = SeriesCursor(predicted_, passes);
  while (ahead > 0) {
    const std::uint64_t taken = std::min(ahead, prediction_.peek_count());
    prediction_.skip(taken);
    ahead -= taken;
  }
  return true;
}

// Where the values before a repeat are the end of its last run, each pass begins with so many of
// them. Returns how many.
std::uint64_t SeriesFolder::begin_earlier(Term& repeat) {
  Term& last = repeat.body.back();
  if (repeat.step != 0 || closed_->size() == 0 || !last.is_run()) return 0;
  std::vector<Term> before = closed_->take(closed_->size() - 1);
  Term& run = before.front();
  const std::uint64_t n = run.count;
  const bool is_end =
      run.is_run() && n < last.count &&
      run.value == wrapping_add(last.value, wrapping_mul(last.step, last.count - n)) &&
      (n == 1 || run.step == last.step);
  if (is_end) {
    last.count -= n;
    if (last.count == 1) last.step = 0;
    repeat.body.insert(repeat.body.begin(), std::move(run));
  } else {
    closed_->push(std::move(run));
  }
  return is_end ? n : 0;
}

Series SeriesFolder::finish() const {
  if (!closed_ && predicted_.empty()) {  // one run, as most columns are
    if (open_.count == 0) return {};
    Term run = open_;
    run.count = kUnbounded;
    return Series({std::move(run)});
  }
  SeriesFolder end = *this;
  if (!predicted_.empty()) {
    end.prediction_ = SeriesCursor();
  } else if (end.open_.count > 0) {
    end.close_open_run();
  }
  std::vector<Term> terms;
  if (end.closed_) terms = end.closed_->take(0);
  if (!end.predicted_.empty()) {
    terms.push_back(std::move(end.predicted_.front()));
  } else if (!terms.empty()) {
    terms.back().count = kUnbounded;
  }
  return Series(std::move(terms));
}

}  // namespace reprise::trace
