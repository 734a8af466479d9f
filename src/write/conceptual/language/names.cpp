#include "write/conceptual/language/names.hpp"

#include <algorithm>

#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {
namespace {

using expr::Binding;
using expr::Expr;

// Expressions of so many nodes are as clear as a name; of those that are used many times, only
// variables and numbers are.
constexpr std::uint32_t kFewNodes = 5, kFewNodesOfMany = 1;
constexpr std::size_t kManyUses = 8;
// Of an expression whose names are written out.
constexpr std::uint32_t kMostNodes = 1 << 20;

std::string name_of_number(std::size_t n) { return "k" + std::to_string(n + 1); }

}  // namespace

Expr Names::name_of(const Expr& e, std::size_t uses) {
  if (e.nodes() <= (uses >= kManyUses ? kFewNodesOfMany : kFewNodes)) return e;
  const auto [known, is_new] = known_.emplace(expr::print(e), named_.size());
  if (is_new) {
    Named named{e, names_in(e), expr::free_variables(e), uses};
    for (const std::size_t n : named.names)
      named.variables.insert(named_[n].variables.begin(), named_[n].variables.end());
    number_.emplace(name_of_number(named_.size()), named_.size());
    named_.push_back(std::move(named));
  }
  return Expr::variable(name_of_number(known->second));
}

std::vector<std::size_t> Names::names_in(const Expr& e) const {
  std::vector<std::size_t> out;
  for (const std::string& v : expr::free_variables(e)) {
    if (const auto found = number_.find(v); found != number_.end()) out.push_back(found->second);
  }
  std::ranges::sort(out);
  return out;
}

Expr Names::with(const Expr& e, std::span<const Binding> bindings) {
  if (e.is_constant() || bindings.empty()) return e;
  std::vector<Binding> all(bindings.begin(), bindings.end());
  for (const std::size_t n : names_in(e)) {
    const bool changes = std::ranges::any_of(
        bindings, [&](const Binding& b) { return named_[n].variables.contains(b.name); });
    if (!changes) continue;
    std::string key = std::to_string(n);
    for (const Binding& b : bindings) key += ' ' + b.name + '=' + expr::print(b.value);
    auto known = replaced_.find(key);
    if (known == replaced_.end()) {
      const Expr value = named_[n].value;
      known = replaced_.emplace(key, name_of(with(value, bindings), named_[n].uses)).first;
    }
    all.push_back({name_of_number(n), known->second});
  }
  return expr::simplify(expr::substitute(e, all));
}

bool Names::depends(const Expr& e, const std::string& variable) const {
  const auto variables = expr::free_variables(e);
  if (variables.contains(variable)) return true;
  return std::ranges::any_of(variables, [&](const std::string& v) {
    const auto found = number_.find(v);
    return found != number_.end() && named_[found->second].variables.contains(variable);
  });
}

std::vector<Names::Definition> Names::definitions(std::span<const Expr> all) const {
  std::set<std::size_t> found;
  std::vector<std::size_t> next;
  for (const Expr& e : all) {
    const auto in = names_in(e);
    next.insert(next.end(), in.begin(), in.end());
  }
  while (!next.empty()) {
    const std::size_t n = next.back();
    next.pop_back();
    if (!found.insert(n).second) continue;
    next.insert(next.end(), named_[n].names.begin(), named_[n].names.end());
  }
  std::vector<Definition> out;
  for (const std::size_t n : found) out.push_back({name_of_number(n), named_[n].value});
  return out;
}

template <class Which>
Expr Names::written_out_where(const Expr& e, const Which& which) const {
  std::vector<Binding> all;
  for (const std::size_t n : names_in(e)) {
    if (which(named_[n]))
      all.push_back({name_of_number(n), written_out_where(named_[n].value, which)});
  }
  if (all.empty()) return e;
  Expr out = expr::substitute(e, all);
  if (out.nodes() > kMostNodes) throw Unwritable{"an expression would be too long"};
  return out;
}

Expr Names::written_out(const Expr& e, const std::string& variable) const {
  return written_out_where(e, [&](const Named& n) { return n.variables.contains(variable); });
}

Expr Names::written_out(const Expr& e) const {
  return written_out_where(e, [](const Named&) { return true; });
}

}  // namespace reprise::write::conceptual
