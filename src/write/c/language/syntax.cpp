#include "write/c/language/syntax.hpp"

#include <algorithm>

namespace reprise::write::c {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

Expression make(auto content) {
  return std::make_shared<const Construct>(Construct{std::move(content)});
}

bool are_same(const std::vector<Expression>& a, const std::vector<Expression>& b) {
  return std::ranges::equal(a, b, is_same);
}

class Reader {
 public:
  void read(const Block& block) {
    for (const Statement& s : block) read(s);
  }

  void read(const Expression& e) {
    if (!e) return;
    std::visit(
        Overloaded{[&](const Name& n) { names.insert(n.text); }, [](const Number&) {},
                   [](const Real&) {}, [](const Text&) {}, [&](const Unary& u) { read(u.operand); },
                   [&](const Binary& b) { read(b.left), read(b.right); },
                   [&](const Conditional& c) { read(c.condition), read(c.yes), read(c.no); },
                   [&](const Subscript& s) { read(s.value), read(s.index); },
                   [&](const Call& c) {
                     names.insert(c.function);
                     for (const Expression& a : c.arguments) read(a);
                   },
                   [&](const Initializer& i) {
                     for (const Entry& x : i.entries) read(x.value);
                   },
                   [&](const Compound& c) {
                     for (const Expression& x : c.elements) read(x);
                   },
                   [&](const Cast& c) { read(c.value); }},
        e->content);
  }

  std::set<std::string> names;

 private:
  void read(const Statement& s) {
    std::visit(Overloaded{[&](const Evaluate& e) { read(e.value); },
                          [&](const Assign& a) { read(a.target), read(a.value); },
                          [&](const Declare& d) { read(d.value); },
                          [&](const Row& r) { read(r.statements); },
                          [&](const For& f) { read(f.trips), read(f.body); },
                          [&](const Repeat& r) { read(r.body), read(r.condition); },
                          [&](const If& i) {
                            for (const Branch& b : i.branches) read(b.condition), read(b.body);
                          },
                          [&](const Return& r) { read(r.value); },
                          [&](const Function& f) { read(f.body); }, [](const Enumeration&) {},
                          [](const Comment&) {}, [](const Blank&) {}},
               s.content);
  }
};

}  // namespace

Expression name(std::string text) { return make(Name{std::move(text)}); }
Expression number(std::int64_t value) { return make(Number{value}); }
Expression real(double value) { return make(Real{value}); }
Expression text(std::string bytes) { return make(Text{std::move(bytes)}); }
Expression unary(Prefix prefix, Expression operand) {
  return make(Unary{prefix, std::move(operand)});
}
Expression binary(Operator op, Expression left, Expression right) {
  return make(Binary{op, std::move(left), std::move(right)});
}
Expression conditional(Expression condition, Expression yes, Expression no) {
  return make(Conditional{std::move(condition), std::move(yes), std::move(no)});
}
Expression subscript(Expression value, Expression index) {
  return make(Subscript{std::move(value), std::move(index)});
}
Expression call(std::string_view function, std::vector<Expression> arguments) {
  return make(Call{std::string(function), std::move(arguments)});
}
Expression initializer(std::vector<Entry> entries) { return make(Initializer{std::move(entries)}); }
Expression list(std::vector<Expression> elements) {
  std::vector<Entry> entries;
  for (Expression& e : elements) entries.push_back({{}, std::move(e)});
  return initializer(std::move(entries));
}
Expression compound(std::string type, std::vector<Expression> elements) {
  return make(Compound{std::move(type), std::move(elements)});
}
Expression cast(std::string type, Expression value) {
  return make(Cast{std::move(type), std::move(value)});
}
Expression address_of(Expression value) { return unary(Prefix::address, std::move(value)); }

bool is_same(const Expression& a, const Expression& b) {
  if (a == b) return true;
  if (!a || !b || a->content.index() != b->content.index()) return false;
  return std::visit(
      Overloaded{[&](const Name& x) { return x.text == std::get<Name>(b->content).text; },
                 [&](const Number& x) { return x.value == std::get<Number>(b->content).value; },
                 [&](const Real& x) { return x.value == std::get<Real>(b->content).value; },
                 [&](const Text& x) { return x.bytes == std::get<Text>(b->content).bytes; },
                 [&](const Unary& x) {
                   const auto& y = std::get<Unary>(b->content);
                   return x.prefix == y.prefix && is_same(x.operand, y.operand);
                 },
                 [&](const Binary& x) {
                   const auto& y = std::get<Binary>(b->content);
                   return x.op == y.op && is_same(x.left, y.left) && is_same(x.right, y.right);
                 },
                 [&](const Conditional& x) {
                   const auto& y = std::get<Conditional>(b->content);
                   return is_same(x.condition, y.condition) && is_same(x.yes, y.yes) &&
                          is_same(x.no, y.no);
                 },
                 [&](const Subscript& x) {
                   const auto& y = std::get<Subscript>(b->content);
                   return is_same(x.value, y.value) && is_same(x.index, y.index);
                 },
                 [&](const Call& x) {
                   const auto& y = std::get<Call>(b->content);
                   return x.function == y.function && are_same(x.arguments, y.arguments);
                 },
                 [&](const Initializer& x) {
                   const auto& y = std::get<Initializer>(b->content);
                   return std::ranges::equal(
                       x.entries, y.entries, [](const Entry& p, const Entry& q) {
                         return p.member == q.member && is_same(p.value, q.value);
                       });
                 },
                 [&](const Compound& x) {
                   const auto& y = std::get<Compound>(b->content);
                   return x.type == y.type && are_same(x.elements, y.elements);
                 },
                 [&](const Cast& x) {
                   const auto& y = std::get<Cast>(b->content);
                   return x.type == y.type && is_same(x.value, y.value);
                 }},
      a->content);
}

std::optional<std::int64_t> literal(const Expression& e) {
  const auto* n = e ? std::get_if<Number>(&e->content) : nullptr;
  if (!n) return std::nullopt;
  return n->value;
}

bool is_name(const Expression& e, std::string_view text) {
  const auto* n = e ? std::get_if<Name>(&e->content) : nullptr;
  return n && n->text == text;
}

Statement evaluate(Expression value, std::string comment) {
  return {Evaluate{std::move(value)}, std::move(comment)};
}
Statement assign(Expression target, Expression value) {
  return {Assign{std::move(target), std::move(value)}};
}
Statement declare(std::string type, std::string name, Expression value) {
  return {Declare{std::move(type), std::move(name), {}, std::move(value)}};
}

Expression replaced(const Expression& e, const Replacement& replacement) {
  if (!e) return e;
  if (Expression other = replacement(e)) return other;
  const auto in = [&](const Expression& part) { return replaced(part, replacement); };
  const auto in_all = [&](std::vector<Expression> all) {
    for (Expression& part : all) part = in(part);
    return all;
  };
  return std::visit(
      Overloaded{
          [&](const Name&) { return e; }, [&](const Number&) { return e; },
          [&](const Real&) { return e; }, [&](const Text&) { return e; },
          [&](const Unary& u) { return unary(u.prefix, in(u.operand)); },
          [&](const Binary& b) { return binary(b.op, in(b.left), in(b.right)); },
          [&](const Conditional& c) { return conditional(in(c.condition), in(c.yes), in(c.no)); },
          [&](const Subscript& s) { return subscript(in(s.value), in(s.index)); },
          [&](const Call& c) { return call(c.function, in_all(c.arguments)); },
          [&](Initializer i) {
            for (Entry& x : i.entries) x.value = in(x.value);
            return initializer(std::move(i.entries));
          },
          [&](const Compound& c) { return compound(c.type, in_all(c.elements)); },
          [&](const Cast& c) { return cast(c.type, in(c.value)); }},
      e->content);
}

Block replaced(const Block& block, const Replacement& replacement) {
  const auto in = [&](Expression& e) { e = replaced(e, replacement); };
  const auto in_block = [&](Block& b) { b = replaced(b, replacement); };
  Block out = block;
  for (Statement& s : out) {
    std::visit(
        Overloaded{[&](Evaluate& e) { in(e.value); }, [&](Assign& a) { in(a.target), in(a.value); },
                   [&](Declare& d) { in(d.value); }, [&](Row& r) { in_block(r.statements); },
                   [&](For& f) { in(f.trips), in_block(f.body); },
                   [&](Repeat& r) { in_block(r.body), in(r.condition); },
                   [&](If& i) {
                     for (Branch& b : i.branches) in(b.condition), in_block(b.body);
                   },
                   [&](Return& r) { in(r.value); }, [&](Function& f) { in_block(f.body); },
                   [](Enumeration&) {}, [](Comment&) {}, [](Blank&) {}},
        s.content);
  }
  return out;
}

std::set<std::string> names_in(const Block& block) {
  Reader r;
  r.read(block);
  return std::move(r.names);
}

std::set<std::string> names_in(const Expression& e) {
  Reader r;
  r.read(e);
  return std::move(r.names);
}

}  // namespace reprise::write::c
