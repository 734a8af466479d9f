#include "write/variables.hpp"

#include <charconv>

#include "expr/program.hpp"

namespace reprise::write {

using expr::Expr;
using program::Grid;
using program::Node;
using program::Program;
using Kind = Variable::Kind;

namespace {

// The number behind a word, as of "i0".
std::optional<std::size_t> number_behind(std::string_view word, std::string_view name) {
  if (!name.starts_with(word)) return std::nullopt;
  std::size_t out = 0;
  const char* const end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + word.size(), end, out);
  return error == std::errc() && at == end ? std::optional(out) : std::nullopt;
}

std::optional<Variable> on_grid(const Grid& grid, std::string_view name) {
  if (!name.starts_with(grid.prefix)) return std::nullopt;
  name.remove_prefix(grid.prefix.size());
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    if (name == program::coordinate(d)) return Variable{Kind::coordinate, d, &grid};
    if (name == program::extent(d)) return Variable{Kind::extent, d, &grid};
  }
  return std::nullopt;
}

using Visit = std::function<void(const Expr&)>;

void visit_terms(const std::vector<program::PatternTerm>& terms, const Visit& visit) {
  for (const program::PatternTerm& t : terms) {
    for (const Expr* e : {&t.value, &t.step, &t.count}) visit(*e);
    visit_terms(t.body, visit);
  }
}

void visit_who(const program::Who& who, const Visit& visit) {
  if (who.condition) visit(*who.condition);
}

void visit_value(const program::Value& v, const Visit& visit) {
  for (const program::Case& c : v.cases) {
    visit_who(c.who, visit);
    if (const auto* e = std::get_if<Expr>(&c.content)) visit(*e);
    if (const auto* p = std::get_if<program::Pattern>(&c.content)) visit_terms(p->terms, visit);
    if (const auto* a = std::get_if<program::Alternation>(&c.content)) {
      for (const auto& law : a->laws) {
        if (const auto* e = std::get_if<Expr>(&law)) visit(*e);
      }
    }
  }
}

}  // namespace

Variable variable_of(const Program& program, std::string_view name) {
  for (std::size_t s = 0; s < program.sizes.size(); ++s) {
    if (name == program.sizes[s]) return {Kind::size, s};
  }
  if (program.grid) {
    if (const auto out = on_grid(*program.grid, name)) return *out;
  }
  for (const Grid& g : program.other_grids) {
    if (const auto out = on_grid(g, name)) return *out;
  }
  if (name == expr::kRank) return {Kind::rank};
  if (name == expr::kRanks) return {Kind::ranks};
  if (name == program::kThread) return {Kind::thread};
  if (name == program::kCommRank) return {Kind::comm_rank};
  if (name == program::kCommSize) return {Kind::comm_size};
  if (name == program::kIndex) return {Kind::index};
  if (name == program::kLength) return {Kind::length};
  if (name == program::kNewRank) return {Kind::new_rank};
  if (name == program::kNewSize) return {Kind::new_size};
  if (const auto n = number_behind("i", name)) return {Kind::loop_index, *n};
  if (const auto n = number_behind("t", name)) return {Kind::loop_trips, *n};
  const auto recursion = [&](std::string_view word) -> std::optional<std::size_t> {
    const auto n = number_behind(word, name);
    return n && *n < program.recursions.size() ? n : std::nullopt;
  };
  if (const auto n = recursion("depth")) return {Kind::depth, *n};
  if (const auto n = recursion("first")) return {Kind::first, *n};
  return {};
}

void for_each_expression(const std::vector<Node>& nodes, const Visit& visit) {
  for (const Node& n : nodes) {
    visit_who(n.who, visit);
    visit_value(n.trips, visit);
    for (const program::Argument& a : n.arguments) {
      visit_value(a.value, visit);
      if (a.length) visit_value(*a.length, visit);
    }
    for (const auto& passed : n.passed) {
      if (const auto* v = std::get_if<program::Value>(&passed)) visit_value(*v, visit);
      if (const auto* w = std::get_if<program::Who>(&passed)) visit_who(*w, visit);
    }
    for_each_expression(n.body, visit);
  }
}

std::set<std::string> variables_of(const Program& program) {
  std::set<std::string> out;
  const Visit add = [&](const Expr& e) { out.merge(expr::free_variables(e)); };
  for_each_expression(program.body, add);
  for (const program::Procedure& p : program.procedures) for_each_expression(p.body, add);
  return out;
}

bool is_named(const Grid& grid, const std::set<std::string>& names) {
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    if (names.contains(grid.prefix + std::string(program::coordinate(d))) ||
        names.contains(grid.prefix + std::string(program::extent(d))))
      return true;
  }
  return false;
}

}  // namespace reprise::write
