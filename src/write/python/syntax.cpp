#include "write/python/syntax.hpp"

#include <algorithm>

namespace reprise::write::python {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

template <class Content>
Expression made(Content content) {
  return std::make_shared<const Construct>(Construct{std::move(content)});
}

bool are_same(const std::vector<Expression>& a, const std::vector<Expression>& b) {
  return std::ranges::equal(a, b, is_same);
}

void collect(const Expression& e, std::set<std::string>& out);

void collect(const std::vector<Expression>& all, std::set<std::string>& out) {
  for (const Expression& e : all) collect(e, out);
}

void collect(const Expression& e, std::set<std::string>& out) {
  if (!e) return;
  std::visit(Overloaded{[&](const Name& n) { out.insert(n.text); }, [](const Number&) {},
                        [](const Text&) {}, [&](const Unary& u) { collect(u.operand, out); },
                        [&](const Binary& b) {
                          collect({b.left, b.right}, out);
                        },
                        [&](const Conditional& c) {
                          collect({c.yes, c.condition, c.no}, out);
                        },
                        [&](const Attribute& a) { collect(a.value, out); },
                        [&](const Subscript& s) {
                          collect({s.value, s.index}, out);
                        },
                        [&](const Invocation& i) {
                          collect(i.callee, out);
                          for (const Argument& a : i.arguments) collect(a.value, out);
                        },
                        [&](const List& l) { collect(l.elements, out); },
                        [&](const Tuple& t) { collect(t.elements, out); },
                        [&](const Dict& d) {
                          for (const Entry& entry : d.entries)
                            collect({entry.key, entry.value}, out);
                        },
                        [&](const Comprehension& c) {
                          std::set<std::string> inside;
                          collect(c.element, inside);
                          inside.erase(c.variable);
                          out.merge(inside);
                          collect(c.iterable, out);
                        }},
             e->content);
}

void collect(const Block& block, std::set<std::string>& out) {
  for (const Statement& s : block) {
    std::visit(Overloaded{[&](const Evaluate& e) { collect(e.value, out); },
                          [&](const Assign& a) {
                            collect(a.targets, out);
                            collect(a.value, out);
                          },
                          [&](const For& f) {
                            collect(f.iterable, out);
                            std::set<std::string> inside;
                            collect(f.body, inside);
                            inside.erase(f.variable);
                            out.merge(inside);
                          },
                          [&](const If& i) {
                            for (const Branch& b : i.branches) {
                              collect(b.condition, out);
                              collect(b.body, out);
                            }
                          },
                          [](const Function&) {}, [](const Global&) {}, [](const Comment&) {},
                          [](const Blank&) {}},
               s.content);
  }
}

}  // namespace

Expression name(std::string text) { return made(Name{std::move(text)}); }
Expression number(std::int64_t value) { return made(Number{value}); }
Expression text(std::string bytes) { return made(Text{std::move(bytes)}); }
Expression unary(Prefix prefix, Expression operand) {
  return made(Unary{prefix, std::move(operand)});
}
Expression binary(Operator op, Expression left, Expression right) {
  return made(Binary{op, std::move(left), std::move(right)});
}
Expression conditional(Expression yes, Expression condition, Expression no) {
  return made(Conditional{std::move(yes), std::move(condition), std::move(no)});
}
Expression attribute(Expression value, std::string name) {
  return made(Attribute{std::move(value), std::move(name)});
}
Expression subscript(Expression value, Expression index) {
  return made(Subscript{std::move(value), std::move(index)});
}
Expression call(Expression callee, std::vector<Argument> arguments) {
  return made(Invocation{std::move(callee), std::move(arguments)});
}
Expression call(std::string_view function, std::vector<Expression> arguments) {
  std::vector<Argument> all;
  for (Expression& a : arguments) all.push_back({{}, std::move(a)});
  return call(name(std::string(function)), std::move(all));
}
Expression list(std::vector<Expression> elements) { return made(List{std::move(elements)}); }
Expression tuple(std::vector<Expression> elements) { return made(Tuple{std::move(elements)}); }
Expression dict(std::vector<Entry> entries) { return made(Dict{std::move(entries)}); }
Expression comprehension(Expression element, std::string variable, Expression iterable) {
  return made(Comprehension{std::move(element), std::move(variable), std::move(iterable)});
}
Expression constant_of_mpi(std::string constant) {
  return attribute(name("MPI"), std::move(constant));
}

bool is_same(const Expression& a, const Expression& b) { return a == b || (a && b && *a == *b); }

bool operator==(const Construct& a, const Construct& b) {
  if (a.content.index() != b.content.index()) return false;
  const auto same_arguments = [](const Argument& x, const Argument& y) {
    return x.keyword == y.keyword && is_same(x.value, y.value);
  };
  const auto same_entries = [](const Entry& x, const Entry& y) {
    return is_same(x.key, y.key) && is_same(x.value, y.value);
  };
  return std::visit(
      [&]<class Content>(const Content& x) {
        const Content& y = std::get<Content>(b.content);
        if constexpr (std::is_same_v<Content, Name>) {
          return x.text == y.text;
        } else if constexpr (std::is_same_v<Content, Number>) {
          return x.value == y.value;
        } else if constexpr (std::is_same_v<Content, Text>) {
          return x.bytes == y.bytes;
        } else if constexpr (std::is_same_v<Content, Unary>) {
          return x.prefix == y.prefix && is_same(x.operand, y.operand);
        } else if constexpr (std::is_same_v<Content, Binary>) {
          return x.op == y.op && is_same(x.left, y.left) && is_same(x.right, y.right);
        } else if constexpr (std::is_same_v<Content, Conditional>) {
          return is_same(x.yes, y.yes) && is_same(x.condition, y.condition) && is_same(x.no, y.no);
        } else if constexpr (std::is_same_v<Content, Attribute>) {
          return x.name == y.name && is_same(x.value, y.value);
        } else if constexpr (std::is_same_v<Content, Subscript>) {
          return is_same(x.value, y.value) && is_same(x.index, y.index);
        } else if constexpr (std::is_same_v<Content, Invocation>) {
          return is_same(x.callee, y.callee) &&
                 std::ranges::equal(x.arguments, y.arguments, same_arguments);
        } else if constexpr (std::is_same_v<Content, Dict>) {
          return std::ranges::equal(x.entries, y.entries, same_entries);
        } else if constexpr (std::is_same_v<Content, Comprehension>) {
          return x.variable == y.variable && is_same(x.element, y.element) &&
                 is_same(x.iterable, y.iterable);
        } else {
          return are_same(x.elements, y.elements);
        }
      },
      a.content);
}

std::optional<std::int64_t> literal(const Expression& e) {
  const auto* n = e ? std::get_if<Number>(&e->content) : nullptr;
  if (!n) return std::nullopt;
  return n->value;
}

Statement evaluate(Expression value, std::string comment) {
  return {Evaluate{std::move(value)}, std::move(comment)};
}
Statement assign(Expression target, Expression value, std::string comment) {
  return {Assign{{std::move(target)}, std::move(value)}, std::move(comment)};
}

std::set<std::string> names_in(const Block& block) {
  std::set<std::string> out;
  collect(block, out);
  return out;
}

std::set<std::string> names_in(const Expression& e) {
  std::set<std::string> out;
  collect(e, out);
  return out;
}

}  // namespace reprise::write::python
