#include "write/conceptual/language/syntax.hpp"

#include <algorithm>

#include "base/contract.hpp"

namespace reprise::write::conceptual {

using ast::Expr;
using ast::Op;
using ast::Relation;
using ast::Tasks;

Expr number(std::int64_t value) {
  Expr out;
  out.value = value;
  return out;
}

Expr variable(std::string_view name) {
  Expr out;
  out.op = Op::variable;
  out.name = name;
  return out;
}

Expr binary(Op op, Expr a, Expr b) {
  Expr out;
  out.op = op;
  out.operands.push_back(std::move(a));
  out.operands.push_back(std::move(b));
  return out;
}

Expr call(std::string_view function, std::vector<Expr> operands) {
  Expr out;
  out.op = Op::call;
  out.name = function;
  out.operands = std::move(operands);
  return out;
}

Expr conditional(Expr yes, Relation condition, Expr no) {
  Expr out = binary(Op::conditional, std::move(yes), std::move(no));
  out.condition = std::make_shared<Relation>(std::move(condition));
  return out;
}

Relation relation(Relation::Kind kind, Expr a, Expr b) {
  Relation out;
  out.kind = kind;
  out.operands.push_back(std::move(a));
  out.operands.push_back(std::move(b));
  return out;
}

Relation joined(Relation::Kind kind, std::vector<Relation> parts) {
  REPRISE_REQUIRE(!parts.empty());
  if (parts.size() == 1) return std::move(parts.front());
  Relation out;
  out.kind = kind;
  for (Relation& p : parts) {
    if (p.kind != kind) {
      out.parts.push_back(std::move(p));
      continue;
    }
    std::ranges::move(p.parts, std::back_inserter(out.parts));
  }
  return out;
}

Tasks all_tasks(std::string_view name) {
  Tasks out;
  out.name = name;
  return out;
}

Tasks task(Expr e) {
  Tasks out;
  out.kind = Tasks::Kind::single;
  out.expr = std::move(e);
  return out;
}

Tasks tasks_such_that(std::string_view name, Relation condition) {
  Tasks out;
  out.kind = Tasks::Kind::such_that;
  out.name = name;
  out.relation = std::move(condition);
  return out;
}

Tasks all_other_tasks() {
  Tasks out;
  out.kind = Tasks::Kind::all_others;
  return out;
}

std::vector<ast::Range> every_task() {
  ast::Range out;
  out.items.push_back(number(0));
  out.last = binary(Op::subtract, variable("num_tasks"), number(1));
  return {out};
}

std::vector<ast::Range> ranges_of(const std::vector<std::int64_t>& numbers) {
  REPRISE_REQUIRE(!numbers.empty());
  std::vector<ast::Range> out;
  ast::Range listed;  // what is in no progression
  const auto close = [&] {
    if (!listed.items.empty()) out.push_back(std::move(listed));
    listed = {};
  };
  for (std::size_t k = 0; k < numbers.size();) {
    std::size_t end = k + 1;
    const std::int64_t step = end < numbers.size() ? numbers[end] - numbers[k] : 0;
    while (end < numbers.size() && numbers[end] - numbers[end - 1] == step) ++end;
    if (end - k < 4) {
      listed.items.push_back(number(numbers[k++]));
      continue;
    }
    close();
    ast::Range progression;
    progression.items.push_back(number(numbers[k]));
    if (step != 1) progression.items.push_back(number(numbers[k + 1]));
    progression.last = number(numbers[end - 1]);
    out.push_back(std::move(progression));
    k = end;
  }
  close();
  return out;
}

ast::Body body_of(Statements statements) {
  REPRISE_REQUIRE(!statements.empty());
  if (statements.size() == 1)
    return std::make_unique<ast::Statement>(std::move(statements.front()));
  return std::make_unique<ast::Statement>(statement(ast::Sequence{std::move(statements)}));
}

ast::Statement for_each(std::string_view name, std::vector<ast::Range> ranges, Statements body) {
  ast::ForEach out;
  out.name = name;
  out.ranges = std::move(ranges);
  out.body = body_of(std::move(body));
  return statement(std::move(out));
}

ast::Statement let(std::string_view name, Expr value, Statements body) {
  ast::Binding b;
  b.name = name;
  b.value = std::move(value);
  ast::Let out;
  out.bindings.push_back(std::move(b));
  out.body = body_of(std::move(body));
  return statement(std::move(out));
}

ast::Statement if_holds(Relation condition, Statements body) {
  ast::If out;
  out.relation = std::move(condition);
  out.then = body_of(std::move(body));
  return statement(std::move(out));
}

ast::Message message(Expr bytes) {
  ast::Message out;
  out.count = number(1);
  out.size = std::move(bytes);
  out.sized = true;
  return out;
}

namespace {

// Whether a statement is made of computations.
struct Computes {
  bool operator()(const ast::Body& b) const { return b && std::visit(*this, b->what); }
  bool operator()(const ast::Sequence& s) const {
    return std::ranges::all_of(
        s.statements, [&](const ast::Statement& each) { return std::visit(*this, each.what); });
  }
  bool operator()(const ast::Let& l) const { return (*this)(l.body); }
  bool operator()(const ast::ForEach& f) const { return (*this)(f.body); }
  bool operator()(const ast::If& f) const {
    return (*this)(f.then) && (!f.otherwise || (*this)(f.otherwise));
  }
  bool operator()(const ast::Delay&) const { return true; }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }
};

// The number that a variable from 0 to `last` is compared with, where that tells its first or its
// last one from all others.
const Expr* number_of_end(const Relation& r, std::string_view name, std::int64_t last) {
  using Kind = Relation::Kind;
  if (r.operands.size() != 2 || r.operands[0].op != Op::variable || r.operands[0].name != name ||
      r.operands[1].op != Op::number)
    return nullptr;
  const std::int64_t v = r.operands[1].value;
  const bool is_first = v == 0 && (r.kind == Kind::greater);
  const bool is_last = v == last && (r.kind == Kind::less);
  const bool is_either =
      (r.kind == Kind::equal || r.kind == Kind::unequal) && (v == 0 || v == last);
  return is_first || is_last || is_either ? &r.operands[1] : nullptr;
}

// Looks for a variable in all that a statement is made of.
struct Search {
  std::string_view name;
  // Whether computation is left aside whose length stays bounded as the variable grows.
  bool skips_bounded = false;
  // The last number of the variable, if conditions on the first and the last are left aside.
  std::optional<std::int64_t> last = std::nullopt;

  bool in(const Expr& e) const {
    if (e.op == Op::variable && e.name == name) return true;
    if (e.condition && in(*e.condition)) return true;
    return std::ranges::any_of(e.operands, [&](const Expr& o) { return in(o); });
  }
  // In what the value grows or falls with, which conditions and remainders do not.
  bool in_unbounded(const Expr& e) const {
    if (e.op == Op::variable) return e.name == name;
    return e.op != Op::modulo &&
           std::ranges::any_of(e.operands, [&](const Expr& o) { return in_unbounded(o); });
  }
  bool in_length(const Expr& e) const { return skips_bounded ? in_unbounded(e) : in(e); }
  bool in(const std::optional<Expr>& e) const { return e && in(*e); }
  bool in(const std::vector<ast::Range>& ranges) const {
    return std::ranges::any_of(ranges, [&](const ast::Range& r) {
      return in(r.last) || std::ranges::any_of(r.items, [&](const Expr& e) { return in(e); });
    });
  }
  bool in(const Relation& r) const {
    return std::ranges::any_of(r.operands, [&](const Expr& o) { return in(o); }) ||
           std::ranges::any_of(r.parts, [&](const Relation& p) { return in(p); }) || in(r.ranges);
  }
  bool in(const Tasks& t) const {
    return (t.kind == Tasks::Kind::single && in(t.expr)) ||
           (t.kind == Tasks::Kind::such_that && in(t.relation));
  }
  bool in(const ast::Message& m) const { return in(m.count) || in(m.size) || in(m.tag); }
  bool in(const ast::Body& b) const { return b && in(*b); }
  bool in(const ast::Statement& s) const {
    return std::visit([&](const auto& what) { return inside(what); }, s.what);
  }

  bool inside(const ast::Sequence& s) const {
    return std::ranges::any_of(s.statements, [&](const ast::Statement& each) { return in(each); });
  }
  bool inside(const ast::ForCount& f) const { return in(f.count) || in(f.body); }
  bool inside(const ast::ForEach& f) const { return in(f.ranges) || in(f.body); }
  bool inside(const ast::Let& l) const {
    const bool is_length = Computes{}(l.body);
    return in(l.body) || std::ranges::any_of(l.bindings, [&](const ast::Binding& b) {
             return (is_length ? in_length(b.value) : in(b.value)) || in(b.tasks);
           });
  }
  bool inside(const ast::If& f) const {
    const bool is_left = last && number_of_end(f.relation, name, *last);
    return (!is_left && in(f.relation)) || in(f.then) || in(f.otherwise);
  }
  bool inside(const ast::Send& s) const { return in(s.source) || in(s.target) || in(s.message); }
  bool inside(const ast::Receive& r) const { return in(r.source) || in(r.target) || in(r.message); }
  bool inside(const ast::Multicast& m) const {
    return in(m.source) || in(m.target) || in(m.message);
  }
  bool inside(const ast::Reduce& r) const {
    return in(r.source) || in(r.message) || (r.target && in(*r.target));
  }
  bool inside(const ast::Delay& d) const { return in(d.source) || in_length(d.length); }
  bool inside(const ast::Backend& b) const {
    return in(b.source) ||
           std::ranges::any_of(b.items, [&](const ast::Item& i) { return in(i.number); });
  }
  bool inside(const ast::Output& o) const {
    return in(o.source) ||
           std::ranges::any_of(o.items, [&](const ast::Item& i) { return in(i.number); });
  }
  bool inside(const ast::Await& a) const { return in(a.source); }
  bool inside(const ast::Synchronize& s) const { return in(s.source); }
  template <class Other>
  bool inside(const Other&) const {
    return false;
  }
};

}  // namespace

bool uses(const ast::Statement& s, std::string_view name) { return Search{name}.in(s); }

bool is_limited_by(const ast::Statement& s, std::string_view index, std::int64_t last) {
  return Search{index, true, last}.in(s);
}

void set_last(ast::Statement& s, std::string_view index, std::int64_t last, const Expr& to) {
  const auto within = [&](ast::Body& b) {
    if (b) set_last(*b, index, last, to);
  };
  if (auto* all = std::get_if<ast::Sequence>(&s.what)) {
    for (ast::Statement& one : all->statements) set_last(one, index, last, to);
  } else if (auto* loop = std::get_if<ast::ForCount>(&s.what)) {
    within(loop->body);
  } else if (auto* each = std::get_if<ast::ForEach>(&s.what)) {
    within(each->body);
  } else if (auto* let = std::get_if<ast::Let>(&s.what)) {
    within(let->body);
  } else if (auto* condition = std::get_if<ast::If>(&s.what)) {
    const Expr* number = number_of_end(condition->relation, index, last);
    if (number && number->value == last && last > 0) condition->relation.operands[1] = to;
    within(condition->then);
    within(condition->otherwise);
  }
}

}  // namespace reprise::write::conceptual
