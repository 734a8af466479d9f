#include "write/conceptual/open.hpp"

#include <algorithm>
#include <numeric>

#include "base/contract.hpp"
#include "write/conceptual/language/expressions.hpp"
#include "write/conceptual/values.hpp"
#include "write/curve_factors.hpp"
#include "write/extents.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {
namespace {

using Kind = ast::Relation::Kind;
using program::NumberClass;

// Extents that take a search are listed for so many numbers of ranks, the least ones.
constexpr std::size_t kListed = 256;

constexpr std::int64_t kFemtoseconds = 1000000;  // of a nanosecond
constexpr std::int64_t kLongCoefficient =
    1000;  // of a coefficient whose fractions do not matter [ns]

ast::Expr tasks() { return variable("num_tasks"); }

ast::Expr root(std::string_view function, ast::Expr of) {
  std::vector<ast::Expr> operands;
  operands.push_back(std::move(of));
  return call(function, std::move(operands));
}

std::optional<ast::Relation> has_shape(NumberClass::Shape shape, const ast::Expr& n) {
  const auto power = [](ast::Expr e, std::int64_t exponent) {
    return binary(ast::Op::power, std::move(e), number(exponent));
  };
  switch (shape) {
    case NumberClass::Shape::any: return std::nullopt;
    case NumberClass::Shape::square: return relation(Kind::equal, power(root("SQRT", n), 2), n);
    case NumberClass::Shape::twice_square: {
      const ast::Expr half = binary(ast::Op::divide, n, number(2));
      return relation(Kind::equal,
                      binary(ast::Op::multiply, number(2), power(root("SQRT", half), 2)), n);
    }
    case NumberClass::Shape::oblong: {
      const ast::Expr next = binary(ast::Op::add, root("SQRT", n), number(1));
      return relation(Kind::equal, binary(ast::Op::multiply, root("SQRT", n), next), n);
    }
    case NumberClass::Shape::cube: return relation(Kind::equal, power(root("CBRT", n), 3), n);
    case NumberClass::Shape::power_of_two:
      return relation(Kind::equal,
                      binary(ast::Op::bit_and, n, binary(ast::Op::subtract, n, number(1))),
                      number(0));
  }
  return std::nullopt;
}

ast::Relation is_in(const program::Range& range, const ast::Expr& n) {
  std::vector<ast::Relation> all;
  if (range.least == range.most) {
    all.push_back(relation(Kind::equal, n, number(range.least)));
  } else {
    all.push_back(relation(Kind::at_least, n, number(range.least)));
    all.push_back(relation(Kind::at_most, n, number(range.most)));
  }
  if (range.numbers.multiple_of > 1) {
    all.push_back(relation(
        Kind::equal, binary(ast::Op::modulo, n, number(range.numbers.multiple_of)), number(0)));
  }
  if (auto shape = has_shape(range.numbers.shape, n)) all.push_back(std::move(*shape));
  return joined(Kind::both, std::move(all));
}

// The language has the logarithm to the base of 10.
ast::Expr powered(const CurvePower& p, ast::Expr product) {
  const ast::Expr base = p.variable == expr::kRanks ? tasks() : variable(parameter_of(p.variable));
  const std::int64_t size = p.sixths < 0 ? -p.sixths : p.sixths;
  if (size > 0) {
    const std::int64_t common = std::gcd(size, std::int64_t{6});
    ast::Expr exponent = number(size / common);
    if (common < 6) exponent = binary(ast::Op::divide, std::move(exponent), number(6 / common));
    const bool is_plain = size == 6;
    product = binary(p.sixths < 0 ? ast::Op::divide : ast::Op::multiply, std::move(product),
                     is_plain ? base : binary(ast::Op::power, base, std::move(exponent)));
  }
  for (int l = 0; l < p.logs; ++l)
    product = binary(ast::Op::multiply, std::move(product),
                     binary(ast::Op::divide, root("LOG10", base), root("LOG10", number(2))));
  return product;
}

}  // namespace

OpenNumbers::OpenNumbers(const program::Program& program) : program_(program) {
  REPRISE_REQUIRE(program.domain);
  const auto add = [&](const program::Grid& g) {
    if (g.of_communicator) return;
    for (std::size_t d = 0; d < g.dimensions(); ++d)
      extents_.push_back({&g, d, g.prefix + std::string(program::extent(d))});
  };
  if (program.grid) add(*program.grid);
  for (const program::Grid& g : program.other_grids) add(g);
}

std::vector<std::string> OpenNumbers::extents() const {
  std::vector<std::string> out;
  for (const Extent& e : extents_) out.push_back(e.name);
  return out;
}

std::optional<std::vector<std::int64_t>> OpenNumbers::extents_on(std::int64_t ranks) const {
  std::vector<std::int64_t> out;
  for (const Extent& e : extents_) {
    const auto all = e.grid->rule->extents(ranks);
    if (!all || e.dimension >= all->size()) return std::nullopt;
    out.push_back((*all)[e.dimension]);
  }
  return out;
}

// The least numbers of ranks that the laws hold for.
std::vector<std::int64_t> OpenNumbers::listed_ranks() const {
  const program::Range& range = program_.domain->ranks;
  std::vector<std::int64_t> out;
  for (auto n = range.numbers.next(range.least, range.most); n && out.size() < kListed;
       n = range.numbers.next(*n + 1, range.most))
    out.push_back(*n);
  return out;
}

// Extents that are not listed grow with the number of ranks.
std::int64_t OpenNumbers::least(const std::string& variable) const {
  if (variable == expr::kRanks) return program_.domain->ranks.least;
  for (std::size_t p = 0; p < program_.sizes.size(); ++p) {
    if (parameter_of(program_.sizes[p]) == variable) return program_.domain->parameters[p].least;
  }
  const auto extent = std::ranges::find(extents_, variable, &Extent::name);
  if (extent == extents_.end()) return 0;
  const auto [known, is_new] = least_.emplace(variable, 0);
  if (!is_new) return known->second;
  std::optional<std::int64_t> out;
  for (const std::int64_t n : listed_ranks()) {
    const auto all = extent->grid->rule->extents(n);
    const std::int64_t here = all ? (*all)[extent->dimension] : 0;
    out = std::min(out.value_or(here), here);
  }
  return known->second = out.value_or(0);
}

// If it takes no search.
std::optional<ast::Expr> OpenNumbers::formula(const Extent& e) const {
  const auto all = write::extents_of(*e.grid);
  if (!all) return std::nullopt;
  if (const auto* known = std::get_if<expr::Expr>(&all->of[e.dimension])) return number_of(*known);
  if (all->balanced->extents > 1) return std::nullopt;
  if (all->balanced->parts == 1) return tasks();
  return binary(ast::Op::divide, tasks(), number(all->balanced->parts));
}

// What the other extents leave.
ast::Expr OpenNumbers::rest(const Extent& e) const {
  ast::Expr out = tasks();
  for (const Extent& other : extents_) {
    if (other.grid == e.grid && other.dimension < e.dimension)
      out = binary(ast::Op::divide, std::move(out), variable(other.name));
  }
  return out;
}

ast::Expr OpenNumbers::listed(const Extent& e) const {
  std::map<std::int64_t, std::vector<std::int64_t>> by_extent;
  for (const std::int64_t n : listed_ranks()) {
    const auto all = e.grid->rule->extents(n);
    if (!all) throw Unwritable{"some numbers of ranks that its laws hold for have no grid"};
    by_extent[(*all)[e.dimension]].push_back(n);
  }
  ast::Expr out = number(0);
  for (const auto& [extent, numbers] : by_extent) {
    ast::Relation in;
    in.kind = Kind::in;
    in.operands.push_back(tasks());
    in.ranges = ranges_of(numbers);
    out = conditional(number(extent), std::move(in), std::move(out));
  }
  return out;
}

Statements OpenNumbers::defined(Statements body) {
  std::vector<bool> is_used(extents_.size(), false);
  for (std::size_t k = extents_.size(); k-- > 0;) {
    const Extent& e = extents_[k];
    is_used[k] = is_used[k] || std::ranges::any_of(
                                   body, [&](const ast::Statement& s) { return uses(s, e.name); });
    const bool is_rest = e.dimension + 1 == e.grid->dimensions() && !formula(e);
    for (std::size_t j = 0; is_used[k] && is_rest && j < k; ++j)
      is_used[j] = is_used[j] || extents_[j].grid == e.grid;
  }
  for (std::size_t k = extents_.size(); k-- > 0;) {
    if (!is_used[k]) continue;
    const Extent& e = extents_[k];
    std::optional<ast::Expr> value = formula(e);
    const bool is_rest = !value && e.dimension + 1 == e.grid->dimensions();
    if (is_rest) value = rest(e);
    if (!value) {
      value = listed(e);
      are_listed_ = true;
    }
    Statements inner;
    inner.push_back(let(e.name, std::move(*value), std::move(body)));
    body = std::move(inner);
  }
  return body;
}

Statements OpenNumbers::assertions() const {
  Statements out;
  program::Range range = program_.domain->ranks;
  if (are_listed_) range.most = std::min(range.most, listed_ranks().back());
  const std::string why = are_listed_ ? ", for which the extents of its grid are listed" : "";
  out.push_back(statement(
      ast::Assert{"it runs on as many tasks as its laws hold for: " + range.describe() + why,
                  is_in(range, tasks())}));
  for (std::size_t p = 0; p < program_.sizes.size(); ++p) {
    const program::Range& sizes = program_.domain->parameters[p];
    out.push_back(statement(ast::Assert{"--" + program_.sizes[p] + " takes " + sizes.describe(),
                                        is_in(sizes, variable(parameter_of(program_.sizes[p])))}));
  }
  return out;
}

std::optional<std::int64_t> constant_duration_of(const program::Program& program,
                                                 std::uint32_t call) {
  std::int64_t out = 0;
  for (const CurveFactors& term : computation_of(program, call)) {
    if (!term.powers.empty()) return std::nullopt;
    out += term.femtoseconds;
  }
  return (out + kFemtoseconds / 2) / kFemtoseconds;
}

std::optional<ast::Expr> duration_of(const program::Program& program, std::uint32_t call) {
  const std::vector<CurveFactors> terms = computation_of(program, call);
  if (terms.empty()) return std::nullopt;
  const bool are_long = std::ranges::all_of(terms, [](const CurveFactors& t) {
    return t.femtoseconds >= kLongCoefficient * kFemtoseconds;
  });
  std::optional<ast::Expr> sum;
  for (const CurveFactors& t : terms) {
    const std::int64_t whole = (t.femtoseconds + kFemtoseconds / 2) / kFemtoseconds;
    ast::Expr product = number(are_long ? whole : t.femtoseconds);
    for (const CurvePower& p : t.powers) product = powered(p, std::move(product));
    sum = sum ? binary(ast::Op::add, std::move(*sum), std::move(product)) : std::move(product);
  }
  if (!are_long) sum = binary(ast::Op::divide, std::move(*sum), number(kFemtoseconds));
  ast::Expr out;
  out.op = ast::Op::real;
  out.operands.push_back(std::move(*sum));
  return out;
}

}  // namespace reprise::write::conceptual
