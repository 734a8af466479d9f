#include "extrapolate/laws/law.hpp"

#include <algorithm>

#include "expr/cost.hpp"
#include "expr/print.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

template <class Visit>
void for_each_number(const Law& law, const Visit& visit) {
  if (law.form == Law::Form::indexed) visit(law.number);
  for_each_number(law.terms, visit);
}

bool is_zero(const NumberLaw& law) { return law.expression.is_constant(0); }

// With the names of values that stand for themselves.
std::string print_number(const expr::Expr& e) {
  return expr::print(expr::map_choices(e, [](const expr::Expr& chosen) {
    return chosen.is_constant() && trace::is_special(chosen.value())
               ? expr::Expr::variable(std::string(trace::special_name(chosen.value())))
               : chosen;
  }));
}

// `first, first + step, ... (count of them)`, and so on; what has no end is not counted.
std::string print_terms(const std::vector<TermLaw>& terms) {
  std::string out;
  for (const TermLaw& t : terms) {
    if (!out.empty()) out += ", ";
    const std::string step = is_zero(t.step) ? "" : " step " + print(t.step.expression);
    const std::string count = is_zero(t.count) ? "" : print(t.count.expression);
    if (!t.body.empty()) {
      out += "(" + print_terms(t.body) + ")" + step + " x " + (count.empty() ? "ever" : count);
      continue;
    }
    out += print_number(t.value.expression) + step;
    if (!count.empty() && count != "1") out += " x " + count;
  }
  return out;
}

TermLaw constant_term(const trace::Term& term) {
  TermLaw out{{.expression = term.value},
              {.expression = term.step},
              {.expression = static_cast<std::int64_t>(term.count)},
              {}};
  for (const trace::Term& t : term.body) out.body.push_back(constant_term(t));
  return out;
}

void substitute(std::vector<TermLaw>& terms, std::span<const expr::Binding> bindings) {
  for (TermLaw& t : terms) {
    for (NumberLaw* n : {&t.value, &t.step, &t.count}) {
      n->expression = expr::substitute(n->expression, bindings);
    }
    substitute(t.body, bindings);
  }
}

// The mean, and what lies between the ends.
std::string print_distribution(const Law& law) {
  const std::vector<std::string> names = {"ranks"};
  const auto show = [&](const fit::Curve& c) {
    std::size_t most = 0;
    for (const fit::CurveTerm& t : c.terms) {
      for (const fit::Factor& f : t) most = std::max(most, f.variable);
    }
    std::vector<std::string> variables = names;
    while (variables.size() <= most) variables.push_back("p" + std::to_string(variables.size()));
    return c.describe(variables);
  };
  return show(law.quantiles.front()) + " on average, from " + show(law.quantiles[1]) + " to " +
         show(law.quantiles.back());
}

}  // namespace

Law substitute(const Law& law, std::span<const expr::Binding> bindings) {
  Law out = law;
  out.number.expression = expr::substitute(out.number.expression, bindings);
  substitute(out.terms, bindings);
  return out;
}

std::optional<NumberLaw> single_number(const Law& law) {
  if (law.local || law.depth || law.encoding != trace::Encoding::absolute) return std::nullopt;
  if (law.form == Law::Form::indexed) return law.number;
  if (law.form == Law::Form::series && law.series.is_constant()) {
    return NumberLaw{.expression = law.series.at(0)};
  }
  const bool is_one = law.form == Law::Form::terms && law.terms.size() == 1 &&
                      law.terms.front().body.empty() &&
                      law.terms.front().step.expression.is_constant(0);
  return is_one ? std::optional(law.terms.front().value) : std::nullopt;
}

bool is_of_rank(const Law& law) {
  bool out = false;
  for_each_number(law, [&](const NumberLaw& n) { out = out || n.of_rank; });
  return out;
}

bool is_on_grid(const Law& law) { return grid_of(law).has_value(); }

std::optional<std::size_t> grid_of(const Law& law) {
  std::optional<std::size_t> out;
  for_each_number(law, [&](const NumberLaw& n) { out = out ? out : n.grid; });
  return out;
}

solve::Standing standing_of(const Law& law) {
  solve::Standing out = solve::Standing::confirmed;
  for_each_number(law, [&](const NumberLaw& n) { out = std::max(out, n.standing); });
  return out;
}

std::uint32_t cost_of(const Law& law) {
  constexpr std::uint32_t kDepth = 8;  // [bits]: two nodes
  std::uint32_t cost = law.depth ? kDepth : 0;
  for_each_number(law, [&](const NumberLaw& n) { cost += expr::cost_of(n.expression); });
  return cost;
}

std::string name_of(const Depth& depth) {
  return (depth.of_rank_0 ? "first" : "depth") + std::to_string(depth.descent);
}

std::string print(const Depth& depth, const std::string& rest) {
  const bool is_plain = rest.find(' ') == std::string::npos;
  return name_of(depth) + " + " + (is_plain ? rest : "(" + rest + ")");
}

std::string print(const Law& law) {
  if (law.depth) {
    Law rest = law;
    rest.depth.reset();
    return print(*law.depth, print(rest));
  }
  switch (law.form) {
    case Law::Form::none: return "not carried over";
    case Law::Form::placed: return "by color and key";
    case Law::Form::distribution: return print_distribution(law);
    case Law::Form::indexed:
      return print_number(law.number.expression) + (law.local ? " in the communicator" : "");
    case Law::Form::terms: return print_terms(law.terms);
    case Law::Form::series: break;
  }
  std::vector<TermLaw> terms;
  for (const trace::Term& t : law.series.terms()) terms.push_back(constant_term(t));
  return print_terms(terms);
}

}  // namespace reprise::extrapolate
