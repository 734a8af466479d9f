#include "write/python/open.hpp"

#include "write/curve_factors.hpp"
#include "write/extents.hpp"
#include "write/python/expressions.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::python {
namespace {

using program::NumberClass;

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

// The extents, in order.
Expression balanced_extents(const Extents& extents) {
  const Balanced& balanced = *extents.balanced;
  Expression ranks = name("RANKS");
  if (balanced.parts != 1) ranks = binary(Operator::divide, ranks, number(balanced.parts));
  Expression out = call("balanced", {ranks, number(static_cast<std::int64_t>(balanced.extents))});
  std::vector<Expression> all;
  bool are_ascending = true;
  for (std::size_t d = 0; d < extents.of.size(); ++d) {
    const auto* which = std::get_if<std::size_t>(&extents.of[d]);
    are_ascending = are_ascending && which && *which == d;
    all.push_back(which ? subscript(out, number(static_cast<std::int64_t>(*which)))
                        : number(std::get<expr::Expr>(extents.of[d]).value()));
  }
  return are_ascending ? out : tuple(std::move(all));
}

Expression curve(const std::vector<CurveFactors>& terms) {
  std::vector<Expression> all;
  for (const CurveFactors& t : terms) {
    std::vector<Expression> term = {number(t.femtoseconds)};
    for (const CurvePower& p : t.powers)
      term.push_back(tuple({text(p.variable), number(p.sixths), number(p.logs)}));
    all.push_back(tuple(std::move(term)));
  }
  return call("Curve", std::move(all));
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
  const auto extents = extents_of(grid);
  if (!extents)
    throw Unwritable{"its ranks form a grid by a rule that takes a search (" +
                     grid.rule->describe() + ")"};
  std::vector<Expression> targets;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    names.push_back(grid.prefix + std::string(program::extent(d)));
    targets.push_back(name(names.back()));
    if (!extents->balanced)
      out.push_back(assign(targets.back(),
                           python_of(std::get<expr::Expr>(extents->of[d]), in_python, parts)));
  }
  if (extents->balanced) out.push_back(assign(tuple(targets), balanced_extents(*extents)));
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
    const std::vector<CurveFactors> terms = computation_of(program, site);
    all.push_back(terms.empty() ? number(0) : curve(terms));
  }
  return assign(name("COMPUTE"), list(std::move(all)));
}

}  // namespace reprise::write::python
