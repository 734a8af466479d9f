#include "trace/values/rank_set.hpp"

#include "trace/series/series_folder.hpp"

namespace reprise::trace {
namespace {

constexpr std::size_t kFewRanks = 4;     // are listed, whatever their pattern
constexpr std::size_t kFewStrided = 8;   // are listed, rather than with strides
constexpr std::size_t kFewSections = 4;  // in one dimension instead of one in two

std::string number(std::int64_t v) { return std::to_string(v); }

// The term as a strided section if it is one: nested repeats with one run innermost.
bool describe_section(const Term& term, std::string& out) {
  std::string strides;
  int dimension = 0;
  const Term* t = &term;
  for (; !t->is_run(); t = &t->body.front()) {
    if (t->body.size() != 1) return false;
    strides += " (" + number(static_cast<std::int64_t>(t->count)) + " " + number(t->step) + ")";
    ++dimension;
  }
  const auto last = t->value + static_cast<std::int64_t>(t->count - 1) * t->step;
  if (dimension == 0) {
    out = number(t->value) + ".." + number(last) + ":" + number(t->step);
    return true;
  }
  if (t->count > 1) {
    strides += " (" + number(static_cast<std::int64_t>(t->count)) + " " + number(t->step) + ")";
    ++dimension;
  }
  out = "<" + number(dimension) + " " + number(t->value) + strides + ">";
  return true;
}

bool is_few_sections(const Term& term) {
  return term.count <= kFewSections && term.body.size() == 1 && term.body.front().is_run();
}

void describe(const std::vector<Term>& terms, std::int64_t shift, std::string& out) {
  for (const Term& t : terms) {
    Term moved = t;
    std::string text;
    if (t.is_run()) {
      moved.value += shift;
      if (t.count == 1) {
        text = number(moved.value);
      } else if (t.step == 1) {
        text = number(moved.value) + ".." +
               number(moved.value + static_cast<std::int64_t>(t.count) - 1);
      } else {
        describe_section(moved, text);
      }
    } else if (!is_few_sections(t) && shift == 0 && describe_section(moved, text)) {
    } else {
      for (std::uint64_t k = 0; k < t.count; ++k) {
        describe(t.body, shift + static_cast<std::int64_t>(k) * t.step, out);
      }
      continue;
    }
    out += (out.empty() ? "" : " ") + text;
  }
}

// Bounds the unbounded end of a folded sequence of n values.
std::vector<Term> bounded(const Series& series, std::uint64_t n) {
  std::vector<Term> terms = series.terms();
  if (terms.empty()) return terms;
  Term last = std::move(terms.back());
  terms.pop_back();
  for (const Term& t : terms) n -= t.count * t.period;
  const std::uint64_t rest = n % last.period;
  last.count = n / last.period;
  const Term whole = last;
  if (last.count > 0) terms.push_back(std::move(last));
  std::vector<Term> one{whole};
  one.front().count = kUnbounded;
  SeriesCursor c(one, whole.count);
  for (std::uint64_t k = 0; k < rest; ++k) terms.push_back({.value = c.next()});
  return terms;
}

}  // namespace

std::string describe_ranks(const std::vector<std::uint64_t>& ranks) {
  const bool consecutive = !ranks.empty() && ranks.back() - ranks.front() + 1 == ranks.size();
  std::string sections;
  describe(bounded(fold_numbers(ranks), ranks.size()), 0, sections);
  const bool has_strides = sections.find_first_of("<:") != std::string::npos;
  if (consecutive || ranks.size() > (has_strides ? kFewStrided : kFewRanks)) return sections;
  std::string out;
  for (const std::uint64_t r : ranks) out += (out.empty() ? "" : " ") + std::to_string(r);
  return out;
}

}  // namespace reprise::trace
