#include "write/json/numbers.hpp"

#include <algorithm>

#include "analyze/text/describe.hpp"
#include "analyze/text/series_text.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::write {

using nlohmann::ordered_json;
using trace::Column;
using trace::Kind;
using trace::Term;

namespace {

bool has_name(const Column& column, std::int64_t v) {
  return trace::is_special(v) || column.kind == Kind::datatype || column.kind == Kind::op ||
         (column.enumeration >= 0 && v >= 0);
}

// So many values of a term that steps are written one by one, so that each has its name. REQUIRES:
// no fewer than there are special values.
constexpr std::uint64_t kMostNamed = 64;
static_assert(kMostNamed >= static_cast<std::uint64_t>(trace::kSpecialCount));

// Whether a number of a term has a name. Of a run of more than kMostNamed values the first and the
// last are looked at.
bool has_name(const Column& column, const Term& t) {
  if (!t.is_run())
    return std::ranges::any_of(t.body, [&](const Term& b) { return has_name(column, b); });
  const auto value = [&](std::uint64_t k) {
    return trace::wrapping_add(t.value, trace::wrapping_mul(t.step, k));
  };
  const bool is_unbounded = t.count == trace::kUnbounded;  // what has no end is taken by its first
  for (std::uint64_t k = 0; !is_unbounded && t.count <= kMostNamed && k < t.count; ++k) {
    if (has_name(column, value(k))) return true;
  }
  return has_name(column, t.value) || (!is_unbounded && has_name(column, value(t.count - 1)));
}

// Values one by one, each of them `offset` more.
void expand(const Column& column, const std::vector<Term>& terms, std::uint64_t offset,
            ordered_json& out) {
  for (const Term& t : terms) {
    for (std::uint64_t k = 0; k < t.count; ++k) {
      const std::uint64_t more = offset + k * static_cast<std::uint64_t>(t.step);
      if (t.is_run()) {
        const std::uint64_t v = static_cast<std::uint64_t>(t.value) + more;
        out.push_back(number_json(column, static_cast<std::int64_t>(v)));
      } else {
        expand(column, t.body, more, out);
      }
    }
  }
}

ordered_json count_json(std::uint64_t count) {
  return count == trace::kUnbounded ? ordered_json(nullptr) : ordered_json(count);
}

ordered_json numbers_json(const std::vector<Term>& terms);

// With numbers in place of names.
ordered_json numbers_json(const Term& t) {
  if (!t.is_run())
    return {{"repeat", numbers_json(t.body)}, {"count", count_json(t.count)}, {"step", t.step}};
  if (t.count == 1) return t.value;
  return {{"value", t.value}, {"count", count_json(t.count)}, {"step", t.step}};
}

ordered_json numbers_json(const std::vector<Term>& terms) {
  ordered_json out = ordered_json::array();
  for (const Term& t : terms) out.push_back(numbers_json(t));
  return out;
}

// A run of more than kMostNamed values: the special ones that it begins and ends with by name.
void add_long_run(const Column& column, Term t, ordered_json& out) {
  const auto value = [&](std::uint64_t k) {
    return trace::wrapping_add(t.value, trace::wrapping_mul(t.step, k));
  };
  std::uint64_t before = 0, behind = 0;
  while (before < kMostNamed && trace::is_special(value(before))) ++before;
  if (t.count != trace::kUnbounded) {
    const std::uint64_t most = std::min(kMostNamed, t.count - before - 1);
    while (behind < most && trace::is_special(value(t.count - 1 - behind))) ++behind;
  }
  for (std::uint64_t k = 0; k < before; ++k) out.push_back(number_json(column, value(k)));
  Term rest = t;
  rest.value = value(before);
  if (t.count != trace::kUnbounded) rest.count -= before + behind;
  out.push_back(rest.count == 1 ? number_json(column, rest.value) : numbers_json(rest));
  for (std::uint64_t k = t.count - behind; k < t.count; ++k)
    out.push_back(number_json(column, value(k)));
}

ordered_json terms_json(const Column& column, const std::vector<Term>& terms) {
  ordered_json out = ordered_json::array();
  for (const Term& t : terms) {
    // A name and a step would be no number.
    if (t.step != 0 && t.count != 1 && has_name(column, t)) {
      if (t.count != trace::kUnbounded && t.count * t.period <= kMostNamed) {
        expand(column, {t}, 0, out);
      } else if (t.is_run()) {
        add_long_run(column, t, out);
      } else {
        out.push_back(numbers_json(t));
      }
      continue;
    }
    if (!t.is_run()) {
      out.push_back({{"repeat", terms_json(column, t.body)},
                     {"count", count_json(t.count)},
                     {"step", t.step}});
    } else if (t.count == 1) {
      out.push_back(number_json(column, t.value));
    } else {
      out.push_back({{"value", number_json(column, t.value)},
                     {"count", count_json(t.count)},
                     {"step", t.step}});
    }
  }
  return out;
}

}  // namespace

ordered_json number_json(const Column& column, std::int64_t v) {
  if (has_name(column, v)) return analyze::describe_number(column, v);
  return v;
}

ordered_json series_json(const Column& column, const trace::Series& series, std::uint64_t n) {
  return terms_json(column, n == 0 ? series.terms() : analyze::first_terms(series, n));
}

ordered_json set_json(const std::vector<std::uint64_t>& numbers) {
  if (numbers.empty()) return ordered_json::array();
  return series_json(kPlainNumber, trace::fold_numbers(numbers), numbers.size());
}

ordered_json expression_json(const Column& column, const expr::Expr& e) {
  if (e.is_constant()) {
    if (has_name(column, e.value())) return {{"constant", number_json(column, e.value())}};
    return e.value();
  }
  if (e.is_variable()) return e.name();
  ordered_json out = ordered_json::array();
  out.push_back(expr::traits(e.op()).symbol);
  for (const expr::Expr& operand : e.operands())
    out.push_back(expression_json(kPlainNumber, operand));
  return out;
}

ordered_json curve_json(const fit::Curve& curve, const std::vector<std::string>& sizes) {
  ordered_json out = ordered_json::array();
  for (std::size_t t = 0; t < curve.terms.size(); ++t) {
    ordered_json factors = ordered_json::array();
    for (const fit::Factor& f : curve.terms[t]) {
      const std::string variable =
          f.variable == 0 ? std::string(expr::kRanks) : sizes.at(f.variable - 1);
      factors.push_back({{"variable", variable}, {"exponent", f.exponent}, {"logs", f.logs}});
    }
    out.push_back({{"coefficient", curve.coefficients[t]}, {"factors", std::move(factors)}});
  }
  return out;
}

}  // namespace reprise::write
