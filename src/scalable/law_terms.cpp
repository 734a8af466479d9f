#include "scalable/law_terms.hpp"

namespace reprise::scalable {
namespace {

using extrapolate::Law;
using extrapolate::TermLaw;

TermLaw constant_term(const trace::Term& term) {
  TermLaw out{{.expression = term.value},
              {.expression = term.step},
              {.expression = static_cast<std::int64_t>(term.count)},
              {}};
  for (const trace::Term& t : term.body) out.body.push_back(constant_term(t));
  return out;
}

}  // namespace

std::vector<TermLaw> terms_of(const Law& law) {
  if (law.form == Law::Form::terms) return law.terms;
  std::vector<TermLaw> out;
  for (const trace::Term& t : law.series.terms()) out.push_back(constant_term(t));
  return out;
}

bool is_one_value(const std::vector<TermLaw>& terms) {
  return terms.size() == 1 && terms[0].body.empty() && terms[0].step.expression.is_constant(0) &&
         terms[0].count.expression.is_constant(0);
}

std::optional<expr::Expr> expression_of(const Law& law) {
  if (law.form == Law::Form::distribution || law.depth) return std::nullopt;
  if (law.form == Law::Form::indexed) return law.number.expression;
  const std::vector<TermLaw> terms = terms_of(law);
  if (!is_one_value(terms)) return std::nullopt;
  return terms[0].value.expression;
}

std::optional<std::int64_t> constant_of(const Law& law) {
  const auto e = expression_of(law);
  return e && e->is_constant() ? std::optional(e->value()) : std::nullopt;
}

}  // namespace reprise::scalable
