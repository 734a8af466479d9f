#include "scalable/law_value.hpp"

#include <algorithm>
#include <array>

#include "expr/conditions.hpp"
#include "expr/leaf.hpp"
#include "expr/simplify.hpp"
#include "scalable/law_terms.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;
using extrapolate::Law;
using extrapolate::NumberLaw;
using extrapolate::TermLaw;
using program::Case;
using program::Content;
using program::Pattern;
using program::PatternTerm;
using program::Sequence;
using program::Value;
using trace::Encoding;

bool is_special(const Expr& e) { return e.is_constant() && trace::is_special(e.value()); }

Expr with_depth(const Expr& e, const extrapolate::Depth& depth) {
  const Expr more = Expr::variable(extrapolate::name_of(depth));
  return expr::map_choices(
      e, [&](const Expr& chosen) { return is_special(chosen) ? chosen : more + chosen; });
}

bool is_constant(const std::vector<PatternTerm>& terms) {
  return std::ranges::all_of(terms, [](const PatternTerm& t) {
    return t.value.is_constant() && t.step.is_constant() && t.count.is_constant() &&
           is_constant(t.body);
  });
}

// The largest number of values that the terms of a series may stand for (trace/series/series.cpp).
constexpr std::uint64_t kMaxLength = std::uint64_t{1} << 62;

// Nothing where they are no series: one has at least one pass of each term. `is_endless`: the last
// one goes on for ever.
std::optional<std::vector<trace::Term>> constant_terms(const std::vector<PatternTerm>& terms,
                                                       bool is_endless) {
  std::vector<trace::Term> out;
  std::uint64_t length = 0;  // of the terms so far
  for (const PatternTerm& t : terms) {
    const bool goes_on = is_endless && &t == &terms.back();
    if (!goes_on && t.count.value() < 1) return std::nullopt;
    trace::Term term{
        .value = t.value.value(),
        .step = t.step.value(),
        .count = goes_on ? trace::kUnbounded : static_cast<std::uint64_t>(t.count.value())};
    if (!t.body.empty()) {
      auto body = constant_terms(t.body, false);
      if (!body) return std::nullopt;
      term.body = std::move(*body);
      term.period = 0;
      for (const trace::Term& b : term.body) term.period += b.count * b.period;
    }
    if (term.count > (kMaxLength - length) / term.period) return std::nullopt;
    length += term.count * term.period;
    out.push_back(std::move(term));
  }
  return out;
}

// The values of one list, if those of all are the same.
std::optional<trace::Series> one_list(const trace::Series& series, std::int64_t length) {
  const auto n = static_cast<std::uint64_t>(length);
  if (!series.is_unbounded()) return series.length() == n ? std::optional(series) : std::nullopt;
  const trace::Term& t = series.terms().front();
  if (series.terms().size() > 1 || t.is_run() || t.step != 0 || t.period != n) return std::nullopt;
  return trace::Series(t.body);
}

// Longer ones stay what they are.
constexpr std::int64_t kLongestOnce = 4096;

// The first values of a series, of which the last goes on for ever where a series has no end.
trace::Series first_of(const trace::Series& series, std::int64_t length) {
  trace::SeriesFolder out;
  trace::SeriesCursor cursor(series);
  for (std::int64_t i = 0; i < length; ++i) out.append(cursor.next());
  return out.finish();
}

Content table(const trace::Series& series, Encoding encoding, const LawPlace& place) {
  Sequence out;
  out.encoding = encoding;
  out.values = series;
  if (place.length) {
    auto list = one_list(series, *place.length);
    if (!list && place.is_once && *place.length > 0 && *place.length <= kLongestOnce)
      list = first_of(series, *place.length);
    if (list) {
      out.values = *list;
      out.each_time = true;
      out.length = static_cast<std::uint64_t>(*place.length);
      return out;
    }
  }
  if (!series.is_unbounded()) out.length = series.length();
  return out;
}

bool is_of_loop_or_call(const Expr& e) {
  const auto used = expr::free_variables(e);
  return std::ranges::any_of(used, [](const std::string& v) {
    const expr::LeafKind kind = expr::leaf_of(v).kind;
    const bool is_of_loop = kind == expr::LeafKind::index || kind == expr::LeafKind::trips;
    const std::array own = {program::kIndex,    program::kLength,  program::kCommRank,
                            program::kCommSize, program::kNewRank, program::kNewSize};
    return is_of_loop || std::ranges::find(own, v) != own.end();
  });
}

}  // namespace

program::Who everyone() { return {nullptr, Expr(1), {}, {}}; }

program::Who those_where(Expr condition) { return {nullptr, std::move(condition), {}, {}}; }

Expr LawValues::decoded(const Expr& e, Encoding encoding, bool is_world) const {
  if (encoding == Encoding::absolute) return e;
  const Expr rank = Expr::variable(is_world ? expr::kRank : program::kCommRank);
  const Expr ranks = Expr::variable(is_world ? expr::kRanks : program::kCommSize);
  return expr::map_choices(e, [&](const Expr& written) {
    if (is_special(written) || (written.is_constant() && written.value() < 0)) return written;
    if (written.is_constant(0)) return rank;
    if (encoding == Encoding::exclusive_or) return Expr::make(Op::bit_xor, rank, written);
    // So far before the size is so far before the rank.
    if (written.op() == Op::subtract && written.operands()[0] == ranks)
      return (rank - written.operands()[1]) % ranks;
    return (rank + written) % ranks;
  });
}

Expr LawValues::number(const NumberLaw& law, const Law& of, const LawPlace& place) const {
  Expr out = names_.named(law, of.local);
  if (of.depth) out = with_depth(out, *of.depth);
  return expr::simplify(expr::substitute(out, place.loops));
}

std::vector<PatternTerm> LawValues::terms(const std::vector<TermLaw>& laws, const Law& of,
                                          const LawPlace& place) const {
  std::vector<PatternTerm> out;
  Law plain = of;
  plain.depth.reset();
  for (const TermLaw& t : laws) {
    out.push_back({number(t.value, t.body.empty() ? of : plain, place),
                   number(t.step, plain, place), number(t.count, plain, place),
                   terms(t.body, of, place)});
  }
  return out;
}

Content LawValues::content(const Law& law, const LawPlace& place) const {
  if (law.form == Law::Form::distribution) return program::Drawn{law.quantiles};
  if (law.form == Law::Form::placed) return place.placed.value_or(Expr(trace::kNone));
  const bool is_plain =
      law.form != Law::Form::indexed && law.form != Law::Form::terms && !law.depth;
  if (is_plain && law.series.empty()) return Expr(trace::kNone);
  if (is_plain && !law.series.is_constant()) return table(law.series, law.encoding, place);
  if (law.form == Law::Form::indexed)
    return expr::simplify(decoded(number(law.number, law, place), law.encoding, place.is_world));
  const std::vector<TermLaw> numbers = scalable::terms_of(law);
  if (is_one_value(numbers))
    return expr::simplify(
        decoded(number(numbers[0].value, law, place), law.encoding, place.is_world));
  std::vector<PatternTerm> out = terms(numbers, law, place);
  if (is_constant(out)) {
    const bool is_endless = !numbers.empty() && numbers.back().count.expression.is_constant(0);
    if (auto constant = constant_terms(out, is_endless))
      return table(trace::Series(std::move(*constant)), law.encoding, place);
  }
  return Pattern{std::move(out), law.encoding};
}

// With the conditions in it as coordinates say them.
Expr LawValues::with_shortest(const Expr& e, const WorldSamples::Selected& on) const {
  if (is_condition(e.op())) return worlds_.shortest(e, on);
  if (e.operands().empty()) return e;
  std::vector<Expr> operands;
  for (const Expr& operand : e.operands()) operands.push_back(with_shortest(operand, on));
  return Expr::make(e.op(), operands);
}

// What a condition of ranks chooses is a case.
Value LawValues::by_case(const Expr& e, const LawPlace& place) const {
  const auto step = [&](const Expr& chosen, const WorldSamples::Selected* on) -> Content {
    if (place.is_peer && place.is_world && on) {
      if (const auto neighbor = worlds_.neighbor(chosen, *on)) return *neighbor;
    }
    return on ? expr::simplify(with_shortest(chosen, *on)) : chosen;
  };
  Value out;
  Expr rest = e;
  std::optional<WorldSamples::Selected> left;
  if (place.coming) left = *place.coming;
  for (;;) {
    Content whole = step(rest, left ? &*left : nullptr);
    if (const auto* said = std::get_if<Expr>(&whole)) rest = *said;
    const bool is_chosen = std::holds_alternative<Expr>(whole) && rest.op() == Op::conditional &&
                           !is_of_loop_or_call(rest.operands()[0]);
    if (!is_chosen) {
      out.cases.push_back({everyone(), std::move(whole)});
      return out;
    }
    Expr condition = rest.operands()[0];
    std::optional<WorldSamples::Selected> some, others;
    if (left && worlds_.knows(condition)) {
      condition = worlds_.shortest(condition, *left);
      some = worlds_.among(*left, condition);
      others = worlds_.among(*left, expr::simplify(Expr::make(Op::logical_not, condition)));
    }
    Content chosen = step(rest.operands()[1], some ? &*some : nullptr);
    out.cases.push_back({those_where(condition), std::move(chosen)});
    rest = rest.operands()[2];
    left = std::move(others);
  }
}

Value LawValues::value(const Law& law, const LawPlace& place) const {
  Content all = content(law, place);
  if (const auto* e = std::get_if<Expr>(&all)) return by_case(*e, place);
  Value out;
  out.cases.push_back({everyone(), std::move(all)});
  return out;
}

}  // namespace reprise::scalable
