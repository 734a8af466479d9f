#include "write/conceptual/language/series.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "expr/simplify.hpp"
#include "program/conditions/predicate.hpp"
#include "program/laws/scaled.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {
namespace {

using expr::Expr;
using expr::Op;
using trace::Series;
using trace::Term;

// Longer expressions say nothing to a person, and take long to execute [terms].
constexpr std::size_t kMostTerms = std::size_t{1} << 18;
// Pieces that are written as one list of conditions; more of them as a tree of lists.
constexpr std::size_t kMostInARow = 16;
// Values that a condition is sought for.
constexpr std::uint64_t kMostLooked = 4096;

std::size_t count_terms(const std::vector<Term>& terms) {
  std::size_t n = terms.size();
  for (const Term& t : terms) n += count_terms(t.body);
  return n;
}

Expr constant(std::uint64_t v) { return Expr(static_cast<std::int64_t>(v)); }

Expr plus(const Expr& value, std::int64_t factor, const Expr& e) {
  if (factor == 0) return value;
  const Expr size(factor < 0 ? trace::wrapping_sub(0, factor) : factor);
  const Expr product = size.is_constant(1) ? e : e * size;
  if (value.is_constant(0) && factor > 0) return product;
  return factor < 0 ? value - product : value + product;
}

// Places count from the begin of the terms, which is `begin` behind the index.
class Table {
 public:
  Expr list(const std::vector<Term>& terms, const Expr& index, std::uint64_t length) const {
    if (const auto all = stairs(terms, index)) return *all;
    std::vector<Expr> values;
    std::vector<std::uint64_t> ends;
    std::uint64_t begin = 0;
    for (const Term& t : terms) {
      if (length != 0 && begin >= length && !values.empty()) break;
      const std::uint64_t left = length == 0 ? 0 : length - begin;
      const Expr place = begin == 0 ? index : index - constant(begin);
      const bool are_two =
          is_pair(t, left) && !program::are_steps(t.value, t.step, terms.size() > 1);
      values.push_back(are_two ? Expr(t.value) : term(t, place, left));
      if (are_two) {
        ends.push_back(begin + 1);
        values.emplace_back(trace::wrapping_add(t.value, t.step));
      }
      begin += t.count * t.period;
      ends.push_back(begin);
    }
    return choose(values, ends, index, 0, values.size());
  }

 private:
  // 0 1 1 2 2 and so on is (index + 1) / 2: stairs of equal length and height, the first of which
  // may be shorter.
  static std::optional<Expr> stairs(const std::vector<Term>& terms, const Expr& index) {
    if (terms.size() != 2 || terms[1].is_run() || terms[1].body.size() != 1) return std::nullopt;
    const Term& first = terms[0];
    const Term& rest = terms[1];
    const Term& next = rest.body[0];
    const bool are_level = first.is_run() && first.step == 0 && next.is_run() && next.step == 0;
    if (!are_level || first.count > rest.period ||
        next.value != trace::wrapping_add(first.value, rest.step))
      return std::nullopt;
    const std::uint64_t missing = rest.period - first.count;
    const Expr place = missing == 0 ? index : index + constant(missing);
    return plus(Expr(first.value), rest.step, place / constant(rest.period));
  }

  // Whether the term has two numbers among the `left` values that are used; 0: unknown.
  static bool is_pair(const Term& t, std::uint64_t left) {
    const bool ends = t.count != trace::kUnbounded && (left == 0 || t.count < left);
    return t.is_run() && t.step != 0 && (ends ? t.count : left) == 2;
  }

  Expr term(const Term& t, const Expr& index, std::uint64_t length) const {
    if (t.is_run()) return t.count == 1 ? Expr(t.value) : plus(Expr(t.value), t.step, index);
    const bool once = length != 0 && length <= t.period;
    if (once) return list(t.body, index, length);
    const Expr period = constant(t.period);
    return plus(list(t.body, index % period, t.period), t.step, index / period);
  }

  // Pieces from the first to the last, each under its condition; many of them as a balanced tree of
  // such lists.
  static Expr choose(const std::vector<Expr>& values, const std::vector<std::uint64_t>& ends,
                     const Expr& index, std::size_t from, std::size_t to) {
    if (to - from <= kMostInARow) {
      Expr out = values[to - 1];
      for (std::size_t end = to - 1, begin = end; end > from; end = begin) {
        begin = end - 1;
        if (values[begin] == out) continue;
        while (begin > from && values[begin - 1] == values[end - 1]) --begin;
        const std::uint64_t first = begin == 0 ? 0 : ends[begin - 1];
        const bool is_one = ends[end - 1] - first == 1;
        out = Expr::conditional(Expr::make(is_one ? Op::equal : Op::less, index,
                                           constant(is_one ? first : ends[end - 1])),
                                values[begin], out);
      }
      return out;
    }
    const std::size_t middle = from + (to - from) / 2;
    const Expr low = choose(values, ends, index, from, middle);
    const Expr high = choose(values, ends, index, middle, to);
    if (low == high) return low;
    return Expr::conditional(Expr::make(Op::less, index, constant(ends[middle - 1])), low, high);
  }
};

}  // namespace

Expr value_at(const Series& series, const Expr& index, std::uint64_t length) {
  if (series.empty()) return Expr(0);
  if (index.is_constant()) return Expr(series.at(static_cast<std::uint64_t>(index.value())));
  if (count_terms(series.terms()) > kMostTerms) throw Unwritable{"an expression would be too long"};
  return Table().list(series.terms(), index, length);
}

Expr condition_at(const Series& series, const Expr& index, std::uint64_t length) {
  if (series.is_constant() || index.is_constant()) return value_at(series, index, length);
  // How far the first term goes, where it repeats itself for ever.
  const std::vector<Term>& terms = series.terms();
  const bool repeats = terms.size() == 1 && !terms.front().is_run() && terms.front().step == 0 &&
                       (terms.front().count == trace::kUnbounded ||
                        terms.front().count * terms.front().period >= length);
  const std::uint64_t n =
      repeats && (length == 0 || terms.front().period < length) ? terms.front().period : length;
  if (n > 0 && n <= kMostLooked) {
    std::vector<std::int64_t> in, out;
    trace::SeriesCursor cursor(series);
    for (std::uint64_t k = 0; k < n; ++k)
      (cursor.next() != 0 ? in : out).push_back(static_cast<std::int64_t>(k));
    if (in.empty() || out.empty()) return Expr(in.empty() ? 0 : 1);
    const Expr place = n < length || length == 0 ? index % constant(n) : index;
    if (const auto found = program::predicate_of(place, in, out)) return *found;
  }
  return Expr::make(Op::equal, value_at(series, index, length), Expr(1));
}

namespace {

// Ranges and single numbers joined by or, as a balanced tree.
Expr any_of(const std::vector<Expr>& all, std::size_t from, std::size_t to) {
  if (to - from == 1) return all[from];
  const std::size_t middle = from + (to - from) / 2;
  return Expr::make(Op::logical_or, any_of(all, from, middle), any_of(all, middle, to));
}

}  // namespace

Expr is_one_of(const Expr& number, std::span<const std::uint64_t> of) {
  std::vector<Expr> all;
  for (std::size_t k = 0; k < of.size();) {
    std::size_t end = k + 1;
    while (end < of.size() && of[end] == of[end - 1] + 1) ++end;
    if (end - k < 3) {
      all.push_back(Expr::make(Op::equal, number, constant(of[k++])));
      continue;
    }
    all.push_back(Expr::make(Op::logical_and,
                             Expr::make(Op::greater_equal, number, constant(of[k])),
                             Expr::make(Op::less_equal, number, constant(of[end - 1]))));
    k = end;
  }
  return any_of(all, 0, all.size());
}

}  // namespace reprise::write::conceptual
