#include "write/json/numbers.hpp"

#include <algorithm>

#include "analyze/describe.hpp"
#include "analyze/series_text.hpp"
#include "trace/series_folder.hpp"
#include "trace/special.hpp"

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

// Whether a number that a term begins or ends with has a name.
bool has_name(const Column& column, const Term& t) {
  if (t.is_run()) {
    const auto steps = static_cast<std::uint64_t>(t.step) * (t.count - 1);
    return has_name(column, t.value) ||
           has_name(column, static_cast<std::int64_t>(static_cast<std::uint64_t>(t.value) + steps));
  }
  return std::ranges::any_of(t.body, [&](const Term& b) { return has_name(column, b); });
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

ordered_json terms_json(const Column& column, const std::vector<Term>& terms) {
  ordered_json out = ordered_json::array();
  for (const Term& t : terms) {
    // A name and a step would be no number.
    if (t.step != 0 && t.count != 1 && t.count != trace::kUnbounded && has_name(column, t)) {
      expand(column, {t}, 0, out);
      continue;
    }
    const ordered_json count =
        t.count == trace::kUnbounded ? ordered_json(nullptr) : ordered_json(t.count);
    if (!t.is_run()) {
      out.push_back({{"repeat", terms_json(column, t.body)}, {"count", count}, {"step", t.step}});
    } else if (t.count == 1) {
      out.push_back(number_json(column, t.value));
    } else {
      out.push_back({{"value", number_json(column, t.value)}, {"count", count}, {"step", t.step}});
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
  trace::SeriesFolder folder;
  for (const std::uint64_t n : numbers) folder.append(static_cast<std::int64_t>(n));
  return series_json(kPlainNumber, folder.finish(), numbers.size());
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
