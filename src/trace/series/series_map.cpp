#include "trace/series/series_map.hpp"

#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

// Appends `term`, moved by `shift`, until `left` values are there.
void append(std::vector<Term>& out, const Term& term, std::int64_t shift, std::uint64_t& left,
            const Mapping& map) {
  if (left == 0) return;
  const std::uint64_t passes = term.count == kUnbounded ? (left - 1) / term.period + 1 : term.count;
  if (term.step != 0) {
    for (std::uint64_t k = 0; k < passes && left > 0; ++k) {
      Term pass = term;
      pass.step = 0;
      pass.count = 1;
      append(out, pass, wrapping_add(shift, wrapping_mul(term.step, k)), left, map);
    }
    return;
  }
  Term mapped{.count = term.count, .period = term.period};
  const std::uint64_t behind = passes > left / term.period ? 0 : left - passes * term.period;
  if (term.is_run()) {
    mapped.value = map(wrapping_add(term.value, shift));
  } else {
    std::uint64_t inside = term.period;
    for (const Term& t : term.body) append(mapped.body, t, shift, inside, map);
  }
  out.push_back(std::move(mapped));
  left = behind;
}

std::vector<Term> multiply_terms(std::vector<Term> terms, std::int64_t factor) {
  const auto by = static_cast<std::uint64_t>(factor);
  for (Term& t : terms) {
    t.step = wrapping_mul(t.step, by);
    if (!is_special(t.value)) t.value = wrapping_mul(t.value, by);
    t.body = multiply_terms(std::move(t.body), factor);
  }
  return terms;
}

}  // namespace

Series multiply_values(const Series& series, std::int64_t factor) {
  return Series(multiply_terms(series.terms(), factor));
}

Series map_values(const Series& series, std::uint64_t length, const Mapping& map) {
  std::vector<Term> out;
  for (const Term& t : series.terms()) append(out, t, 0, length, map);
  if (!out.empty()) out.back().count = kUnbounded;
  return Series(std::move(out));
}

}  // namespace reprise::trace
