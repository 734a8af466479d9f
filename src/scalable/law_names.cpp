#include "scalable/law_names.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "expr/leaf.hpp"
#include "trace/values/special.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;
using extrapolate::Law;
using extrapolate::NumberLaw;
using infer::GridRule;

// Whether the expression has a coordinate or an extent.
bool is_on_grid(const Expr& e) {
  const auto used = expr::free_variables(e);
  for (std::size_t d = 0; d < expr::kMaxDimensions; ++d) {
    if (used.contains(expr::extent_name(d)) || used.contains(expr::coordinate_name(d))) return true;
  }
  return false;
}

void for_each_law(const ScalableTrace& s,
                  const std::function<void(const NumberLaw&, bool local)>& visit) {
  for (const extrapolate::Parameter& p : s.program.parameters) {
    const auto number = [&](const NumberLaw& n) { visit(n, p.law.local); };
    if (p.law.form == Law::Form::indexed) number(p.law.number);
    if (p.law.form == Law::Form::terms) extrapolate::for_each_number(p.law.terms, number);
  }
  for (const extrapolate::Descent& d : s.program.descents) {
    visit(d.first, false);
    visit(d.goes_on, true);
  }
}

// An extent as an expression of the number of ranks, if it is one by the rule.
std::optional<Expr> extent_of(const GridRule& rule, const Expr& ranks) {
  if (rule.kind != GridRule::Kind::power) return std::nullopt;
  const Expr root = Expr::make(Op::sqrt, ranks);
  if (rule.dimensions == 2) return root;
  if (rule.dimensions == 3) return Expr::make(Op::cbrt, ranks);
  return Expr::make(Op::sqrt, root);
}

program::Grid grid_of(const GridRule& rule, std::string prefix, bool local) {
  program::Grid out;
  out.rule = rule;
  out.prefix = std::move(prefix);
  out.of_communicator = local;
  const Expr rank = Expr::variable(local ? program::kCommRank : expr::kRank);
  const Expr ranks = Expr::variable(local ? program::kCommSize : expr::kRanks);
  std::optional<Expr> stride;
  for (std::size_t d = 0; d < rule.dimensions; ++d) {
    const Expr extent = Expr::variable(out.prefix + std::string(program::extent(d)));
    out.extents.push_back(extent_of(rule, ranks).value_or(extent));
    Expr x = stride ? rank / *stride : rank;
    if (d + 1 < rule.dimensions) x = x % extent;
    out.coordinates.push_back(x);
    stride = stride ? *stride * extent : extent;
  }
  return out;
}

// Whether a declared size has the name of a coordinate or an extent with the prefix.
bool takes_names(const ScalableTrace& s, const std::string& prefix) {
  return std::ranges::any_of(s.parameters, [&](const auto& p) {
    for (std::size_t d = 0; d < expr::kMaxDimensions; ++d) {
      if (p.name == prefix + std::string(program::coordinate(d)) ||
          p.name == prefix + std::string(program::extent(d)))
        return true;
    }
    return false;
  });
}

// The k-th prefix of grids: a_ .. z_, a2_ .. z2_ and so on.
std::string prefix_of(std::size_t k) {
  constexpr std::size_t kLetters = 26;
  std::string out(1, static_cast<char>('a' + k % kLetters));
  if (k >= kLetters) out += std::to_string(k / kLetters + 1);
  return out + "_";
}

}  // namespace

std::optional<LawNames::Key> LawNames::key_of(const ScalableTrace& s, const NumberLaw& law,
                                              bool local) {
  if (!law.grid || !is_on_grid(law.expression)) return std::nullopt;
  if (s.program.grids.rules[*law.grid].kind == GridRule::Kind::line) return std::nullopt;
  return Key{*law.grid, local};
}

LawNames::LawNames(const ScalableTrace& scalable) : scalable_(scalable) {
  std::map<Key, std::size_t> uses;
  for_each_law(scalable, [&](const NumberLaw& law, bool local) {
    if (const auto key = key_of(scalable, law, local)) ++uses[*key];
  });
  std::vector<std::pair<Key, std::size_t>> order(uses.begin(), uses.end());
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
    if (a.first.local != b.first.local) return !a.first.local;
    return a.second > b.second;
  });
  std::size_t next = 0;  // prefix that no grid has yet
  for (const auto& [key, times] : order) {
    const bool is_main = grids_.empty() && !key.local;
    has_main_ = has_main_ || is_main;
    std::string prefix;
    if (is_main) {
      for (std::size_t k = 1; takes_names(scalable, prefix); ++k)
        prefix = k == 1 ? "grid_" : "grid" + std::to_string(k) + "_";
    } else {
      next = std::max(next, grids_.size());
      do prefix = prefix_of(next++);
      while (takes_names(scalable, prefix));
    }
    index_of_[key] = grids_.size();
    grids_.push_back(grid_of(scalable.program.grids.rules[key.rule], prefix, key.local));
  }
}

void LawNames::put_grids(program::Program& program) const {
  if (has_main_) program.grid = grids_.front();
  program.other_grids.assign(grids_.begin() + (has_main_ ? 1 : 0), grids_.end());
}

Expr LawNames::named(const NumberLaw& law, bool local) const {
  if (law.expression.is_constant()) return law.expression;
  std::vector<expr::Binding> names = {{std::string(expr::kProcNull), trace::kProcNull}};
  const Expr rank = Expr::variable(local ? program::kCommRank : expr::kRank);
  const Expr ranks = Expr::variable(local ? program::kCommSize : expr::kRanks);
  if (local) {
    names.push_back({std::string(expr::kRank), rank});
    names.push_back({std::string(expr::kRanks), ranks});
  }
  if (const auto key = key_of(scalable_, law, local)) {
    const program::Grid& grid = grids_[index_of_.at(*key)];
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
      names.push_back(
          {expr::extent_name(d), Expr::variable(grid.prefix + std::string(program::extent(d)))});
      names.push_back({expr::coordinate_name(d),
                       Expr::variable(grid.prefix + std::string(program::coordinate(d)))});
    }
  } else {
    names.push_back({expr::extent_name(0), ranks});
    names.push_back({expr::coordinate_name(0), rank});
  }
  return expr::substitute(law.expression, names);
}

}  // namespace reprise::scalable
