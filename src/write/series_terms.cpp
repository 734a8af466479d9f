#include "write/series_terms.hpp"

#include <algorithm>
#include <limits>

#include "trace/series_folder.hpp"
#include "trace/special.hpp"

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
    if (steps_over_words(t)) {
      // What goes on for ever was seen to go one step; steps of half of all numbers go to and fro.
      constexpr std::int64_t kHalf = std::numeric_limits<std::int64_t>::min();
      const std::uint64_t values = (is_unbounded ? 2 : t.count) * t.period;
      std::vector<trace::Term> turn;
      for (const std::uint64_t end = at + std::min(values, left); at < end; ++at)
        turn.push_back(one(series.at(at)));
      if (is_unbounded && t.step == kHalf) {
        trace::Term repeat;
        repeat.count = trace::kUnbounded;
        repeat.period = turn.size();
        repeat.body = std::move(turn);
        turn = {std::move(repeat)};
      }
      std::ranges::move(turn, std::back_inserter(out));
      if (is_unbounded) return out;
      continue;
    }
    // A term that goes on behind the end has as many passes as are whole before it.
    if (length == kAll || (!is_unbounded && t.count <= left / t.period)) {
      out.push_back(t);
      if (is_unbounded) return out;
      at += t.count * t.period;
      continue;
    }
    trace::Term part = t;
    part.count = left / t.period;
    if (part.count > 0) out.push_back(part);
    for (at += part.count * t.period; at < length; ++at) out.push_back(one(series.at(at)));
  }
  return out;
}

trace::Series series_of(const program::Streams& streams) {
  trace::SeriesFolder folder;
  for (const std::uint64_t s : streams) folder.append(static_cast<std::int64_t>(s));
  return folder.finish();
}

}  // namespace reprise::write
