#include "expr/expr.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace reprise::expr {

struct Expr::Node {
  Op op = Op::constant;
  std::int64_t value = 0;
  std::string name;
  std::vector<Expr> operands;
  std::uint32_t nodes = 1;
  std::uint32_t depth = 1;
};

Expr::Expr(std::int64_t constant)
    : node_(std::make_shared<Node>(Node{.value = constant, .name = {}, .operands = {}})) {}

Expr Expr::variable(std::string_view name) {
  return Expr(
      std::make_shared<Node>(Node{.op = Op::variable, .name = std::string(name), .operands = {}}));
}

Expr Expr::make(Op op, std::span<const Expr> operands) {
  REPRISE_REQUIRE(operands.size() == traits(op).operands && !operands.empty());
  REPRISE_REQUIRE(op != Op::sum || operands[0].is_variable());
  auto node = std::make_shared<Node>();
  node->op = op;
  node->operands.assign(operands.begin(), operands.end());
  std::uint64_t nodes = 1;
  for (const Expr& e : operands) {
    nodes += e.nodes();
    node->depth = std::max(node->depth, e.depth() + 1);
  }
  node->nodes = static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes, UINT32_MAX));
  return Expr(std::move(node));
}

Expr Expr::make(Op op, const Expr& a) { return make(op, std::array{a}); }
Expr Expr::make(Op op, const Expr& a, const Expr& b) { return make(op, std::array{a, b}); }
Expr Expr::conditional(const Expr& condition, const Expr& yes, const Expr& no) {
  return make(Op::conditional, std::array{condition, yes, no});
}
Expr Expr::sum(const Expr& index, const Expr& count, const Expr& term) {
  return make(Op::sum, std::array{index, count, term});
}

Op Expr::op() const { return node_->op; }
std::int64_t Expr::value() const { return node_->value; }
const std::string& Expr::name() const { return node_->name; }
std::span<const Expr> Expr::operands() const { return node_->operands; }
std::uint32_t Expr::nodes() const { return node_->nodes; }
std::uint32_t Expr::depth() const { return node_->depth; }

bool operator==(const Expr& a, const Expr& b) {
  if (a.node_ == b.node_) return true;
  const Expr::Node& x = *a.node_;
  const Expr::Node& y = *b.node_;
  return x.op == y.op && x.value == y.value && x.nodes == y.nodes && x.name == y.name &&
         std::equal(x.operands.begin(), x.operands.end(), y.operands.begin(), y.operands.end());
}

Expr operator+(const Expr& a, const Expr& b) { return Expr::make(Op::add, a, b); }
Expr operator-(const Expr& a, const Expr& b) { return Expr::make(Op::subtract, a, b); }
Expr operator*(const Expr& a, const Expr& b) { return Expr::make(Op::multiply, a, b); }
Expr operator/(const Expr& a, const Expr& b) { return Expr::make(Op::divide, a, b); }
Expr operator%(const Expr& a, const Expr& b) { return Expr::make(Op::modulo, a, b); }

std::set<std::string> free_variables(const Expr& e) {
  std::set<std::string> found;
  const auto visit = [&found](const auto& self, const Expr& part) -> void {
    if (part.is_variable()) found.insert(part.name());
    if (part.op() == Op::sum) {
      const auto operands = part.operands();
      std::set<std::string> in_term = free_variables(operands[2]);
      in_term.erase(operands[0].name());
      found.merge(in_term);
      return self(self, operands[1]);
    }
    for (const Expr& operand : part.operands()) self(self, operand);
  };
  visit(visit, e);
  return found;
}

namespace {

// A sum's index hides what has its name, and must not be one of the names in the values.
Expr substitute_in_sum(const Expr& e, std::span<const Binding> bindings) {
  const auto parts = e.operands();
  std::string index = parts[0].name();
  std::vector<Binding> inner;
  std::set<std::string> taken = free_variables(parts[2]);
  for (const Binding& b : bindings) {
    if (b.name == index) continue;
    taken.merge(free_variables(b.value));
    inner.push_back(b);
  }
  const bool is_captured = std::any_of(inner.begin(), inner.end(), [&](const Binding& b) {
    return free_variables(b.value).contains(index);
  });
  if (is_captured) {
    while (taken.contains(index)) index += '_';
    inner.push_back({parts[0].name(), Expr::variable(index)});
  }
  return Expr::sum(Expr::variable(index), substitute(parts[1], bindings),
                   substitute(parts[2], inner));
}

}  // namespace

Expr substitute(const Expr& e, std::span<const Binding> bindings) {
  if (e.op() == Op::sum) return substitute_in_sum(e, bindings);
  if (e.is_variable()) {
    const auto bound = std::find_if(bindings.begin(), bindings.end(),
                                    [&e](const Binding& b) { return b.name == e.name(); });
    return bound == bindings.end() ? e : bound->value;
  }
  if (e.operands().empty()) return e;
  std::vector<Expr> operands;
  for (const Expr& operand : e.operands()) operands.push_back(substitute(operand, bindings));
  return Expr::make(e.op(), operands);
}

Expr map_choices(const Expr& e, const std::function<Expr(const Expr&)>& by) {
  if (e.op() != Op::conditional) return by(e);
  const auto& parts = e.operands();
  return Expr::conditional(parts[0], map_choices(parts[1], by), map_choices(parts[2], by));
}

}  // namespace reprise::expr
