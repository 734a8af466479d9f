#include "write/series_terms.hpp"

#include <algorithm>
#include <limits>

#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::write {
namespace {

// Adds the numbers of terms to those of which two at most are wanted. False: there are more.
bool add_few(const std::vector<trace::Term>& terms, std::set<std::int64_t>& out) {
  constexpr std::size_t kMost = 2;
  for (const trace::Term& t : terms) {
    if (!t.is_run()) {
      if (t.step != 0 || !add_few(t.body, out)) return false;
      continue;
    }
    // What steps for ever was seen to go one step at least.
    const std::uint64_t n = t.step == 0 ? 1 : t.count == trace::kUnbounded ? kMost : t.count;
    for (std::uint64_t k = 0; k < std::min<std::uint64_t>(n, kMost + 1); ++k)
      out.insert(trace::wrapping_add(t.value, trace::wrapping_mul(t.step, k)));
    const bool goes_on = t.step != 0 && t.count == trace::kUnbounded && !steps_over_words(t);
    if (out.size() > kMost || goes_on) return false;
  }
  return true;
}

trace::Term one(std::int64_t value) {
  trace::Term t;
  t.value = value;
  t.count = 1;
  return t;
}

constexpr std::int64_t kHalf = std::numeric_limits<std::int64_t>::min();  // to and fro
// So many values of a term may be written one by one.
constexpr std::uint64_t kMostSingles = 1 << 12;
// Of a longer term, so many passes at each end are searched for special values: one that steps by 1
// from the least of them has left them then.
constexpr std::uint64_t kSearched = static_cast<std::uint64_t>(trace::kSpecialCount) + 1;

trace::Term moved(trace::Term t, std::int64_t by) {
  if (t.is_run()) t.value = trace::wrapping_add(t.value, by);
  for (trace::Term& b : t.body) b = moved(std::move(b), by);
  return t;
}

// `count` passes of a term from the given one on.
trace::Term passes_of(const trace::Term& t, std::uint64_t first, std::uint64_t count) {
  trace::Term out = moved(t, trace::wrapping_mul(t.step, first));
  out.count = count;
  return out;
}

// Adds the first n values, one by one.
void add_singles(const trace::Term& t, std::uint64_t n, std::vector<trace::Term>& out) {
  const std::vector<trace::Term> terms = {t};
  trace::SeriesCursor cursor(terms);
  for (std::uint64_t k = 0; k < n; ++k) out.push_back(one(cursor.next()));
}

// Adds the first n values: the passes that are whole, and what is left of one.
void add_first(const trace::Term& t, std::uint64_t n, std::vector<trace::Term>& out) {
  const std::uint64_t whole = n / t.period, rest = n % t.period;
  if (whole > 0) out.push_back(passes_of(t, 0, whole));
  if (rest == 0) return;
  const trace::Term next = passes_of(t, whole, 1);
  if (rest <= kMostSingles) return add_singles(next, rest, out);
  std::ranges::move(writable_terms(trace::Series(next.body), rest), std::back_inserter(out));
}

bool has_special(const trace::Term& pass) {
  const std::vector<trace::Term> terms = {pass};
  trace::SeriesCursor cursor(terms);
  for (std::uint64_t k = 0; k < pass.period; ++k) {
    if (trace::is_special(cursor.next())) return true;
  }
  return false;
}

// Adds the first n values of a bounded term that steps over words. Of a long one, the passes near
// both ends that have special values are written one by one. A long one of long passes stays.
void add_without_words(const trace::Term& t, std::uint64_t n, std::vector<trace::Term>& out) {
  if (n <= kMostSingles) return add_singles(t, n, out);
  if (t.is_run() && t.step == kHalf) {
    trace::Term both{.count = n / 2, .period = 2};
    add_singles(t, 2, both.body);
    out.push_back(std::move(both));
    if (n % 2 != 0) out.push_back(one(t.value));
    return;
  }
  if (t.period > kMostSingles / kSearched) return add_first(t, n, out);
  const std::uint64_t passes = n / t.period;
  const std::uint64_t searched = std::min(kSearched, passes / 2);
  std::uint64_t before = 0, behind = 0;
  for (std::uint64_t k = 0; k < searched; ++k) {
    if (has_special(passes_of(t, k, 1))) before = k + 1;
    if (has_special(passes_of(t, passes - 1 - k, 1))) behind = k + 1;
  }
  add_singles(t, before * t.period, out);
  out.push_back(passes_of(t, before, passes - before - behind));
  add_singles(passes_of(t, passes - behind, behind + 1), behind * t.period + n % t.period, out);
}

}  // namespace

std::optional<std::set<std::int64_t>> few_numbers(const trace::Series& series) {
  std::set<std::int64_t> out;
  if (!add_few(series.terms(), out)) return std::nullopt;
  return out;
}

bool steps_over_words(const trace::Term& t) {
  if (!t.is_run()) {
    return std::ranges::any_of(t.body, [&](const trace::Term& b) {
      return (t.step != 0 && b.is_run() && trace::is_special(b.value)) || steps_over_words(b);
    });
  }
  if (t.step == 0) return false;
  const std::uint64_t last = t.count == trace::kUnbounded ? 1 : t.count - 1;
  return trace::is_special(t.value) || trace::is_special(trace::wrapping_add(t.value, t.step)) ||
         trace::is_special(trace::wrapping_add(t.value, trace::wrapping_mul(t.step, last)));
}

std::vector<trace::Term> writable_terms(const trace::Series& series, std::uint64_t length) {
  std::vector<trace::Term> out;
  std::uint64_t at = 0;  // values that are written
  for (const trace::Term& t : series.terms()) {
    if (at >= length) break;
    const bool is_unbounded = t.count == trace::kUnbounded;
    const std::uint64_t left = length - at;
    // In a repeat without a step it is the body that is to be rewritten.
    if ((t.is_run() || t.step != 0) && steps_over_words(t)) {
      trace::Term seen = t;
      if (is_unbounded) seen.count = 2;  // what goes on for ever was seen to go one step
      if (is_unbounded && t.step == kHalf && left > t.period) {
        trace::Term repeat{.count = trace::kUnbounded, .period = 2 * t.period};
        add_without_words(seen, 2 * t.period, repeat.body);
        out.push_back(std::move(repeat));
        return out;
      }
      const std::uint64_t values = std::min(seen.count * seen.period, left);
      add_without_words(seen, values, out);
      if (is_unbounded) return out;
      at += values;
      continue;
    }
    // A term that goes on behind the end has as many passes as are whole before it.
    if (length == kAll || (!is_unbounded && t.count <= left / t.period)) {
      out.push_back(t);
      if (is_unbounded) return out;
      at += t.count * t.period;
      continue;
    }
    add_first(t, left, out);
    return out;
  }
  return out;
}

}  // namespace reprise::write
