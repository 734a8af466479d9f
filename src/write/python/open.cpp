#include "write/python/open.hpp"

#include <cmath>

#include "write/python/expressions.hpp"
#include "write/python/unwritable.hpp"

namespace reprise::write::python {
namespace {

using infer::GridRule;
using program::NumberClass;

constexpr double kSixths = 6;          // of exponents: these are multiples of one sixth
constexpr double kFemtoseconds = 1e6;  // of a nanosecond

std::string shape_name(NumberClass::Shape shape) {
  switch (shape) {
    case NumberClass::Shape::any: return "any";
    case NumberClass::Shape::square: return "square";
    case NumberClass::Shape::twice_square: return "twice a square";
    case NumberClass::Shape::oblong: return "oblong";
    case NumberClass::Shape::cube: return "cube";
    case NumberClass::Shape::power_of_two: return "power of two";
  }
  return {};
}

// (least, most, multiple, shape)
Expression admitted(const program::Range& range) {
  return tuple({number(range.least), number(range.most), number(range.numbers.multiple_of),
                text(shape_name(range.numbers.shape))});
}

// The extents by the rule, in order.
Expression extents_of(const GridRule& rule) {
  const bool is_fixed = rule.kind == GridRule::Kind::fixed;
  if (rule.kind != GridRule::Kind::balanced && !is_fixed)
    throw Unwritable{"its ranks form a grid by a rule that takes a search (" + rule.describe() +
                     ")"};
  Expression ranks = name("RANKS");
  if (is_fixed) ranks = binary(Operator::divide, ranks, number(rule.fixed_extent));
  const auto found = static_cast<std::int64_t>(rule.dimensions - (is_fixed ? 1 : 0));
  Expression out = call("balanced", {ranks, number(found)});
  if (!rule.smallest_first) out = call("list", {call("reversed", {out})});
  if (!is_fixed) return out;
  // The fixed one stands among the others.
  std::vector<Expression> all;
  std::int64_t next = 0;
  for (std::size_t d = 0; d < rule.dimensions; ++d)
    all.push_back(d == rule.fixed_dimension ? number(rule.fixed_extent)
                                            : subscript(out, number(next++)));
  return tuple(std::move(all));
}

Expression curve(const fit::Curve& c, const program::Program& program) {
  std::vector<Expression> terms;
  for (std::size_t t = 0; t < c.terms.size(); ++t) {
    std::vector<Expression> term = {number(std::llround(kFemtoseconds * c.coefficients[t]))};
    for (const fit::Factor& f : c.terms[t]) {
      const std::string variable = f.variable == 0 ? "ranks" : program.sizes[f.variable - 1];
      term.push_back(
          tuple({text(variable), number(std::llround(kSixths * f.exponent)), number(f.logs)}));
    }
    terms.push_back(tuple(std::move(term)));
  }
  return call("Curve", std::move(terms));
}

}  // namespace

Block domain_constants(const program::Program& program) {
  std::vector<Entry> sizes;
  for (std::size_t p = 0; p < program.sizes.size(); ++p)
    sizes.push_back({text(program.sizes[p]), admitted(program.domain->parameters[p])});
  return {assign(name("ADMITTED"), admitted(program.domain->ranks)),
          assign(name("SIZES"), dict(std::move(sizes))), assign(name("sizes"), dict({}))};
}

Statement domain_check(const program::Program& program) {
  return evaluate(call("check_numbers", {name("RANKS"), text(program.domain->ranks.describe())}));
}

Block grid_variables(const program::Grid& grid, Parts& parts, std::vector<std::string>& names) {
  Block out;
  const ExpressionNames in_python = {
      [](const std::string& v) { return name(v == expr::kRanks ? "RANKS" : v); },
      [](std::int64_t v) { return number(v); }};
  std::vector<Expression> extents;
  bool are_formulas = true;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    extents.push_back(name(grid.prefix + std::string(program::extent(d))));
    names.push_back(grid.prefix + std::string(program::extent(d)));
    are_formulas = are_formulas && !grid.extents[d].is_variable();
  }
  if (are_formulas) {
    for (std::size_t d = 0; d < grid.dimensions(); ++d)
      out.push_back(assign(extents[d], python_of(grid.extents[d], in_python, parts)));
  } else {
    out.push_back(assign(tuple(extents), extents_of(*grid.rule)));
  }
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const std::string x = grid.prefix + std::string(program::coordinate(d));
    names.push_back(x);
    out.push_back(assign(name(x), python_of(grid.coordinates[d], in_python, parts)));
  }
  return out;
}

Statement compute_table(const program::Program& program, const std::vector<std::uint32_t>& sites) {
  std::vector<Expression> all;
  for (const std::uint32_t site : sites) {
    const bool is_known = site < program.computation.size() && program.computation[site];
    all.push_back(is_known ? curve(*program.computation[site], program) : number(0));
  }
  return assign(name("COMPUTE"), list(std::move(all)));
}

}  // namespace reprise::write::python
