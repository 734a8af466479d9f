#include "program/nodes/reach.hpp"

#include <algorithm>

namespace reprise::program {
namespace {

using expr::Expr;

// The depth of the loop whose index or trip count it is; none for another variable.
std::optional<std::size_t> depth_of(const std::string& variable) {
  if (variable.size() < 2 || (variable[0] != 'i' && variable[0] != 't')) return std::nullopt;
  std::size_t depth = 0;
  for (const char c : variable.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    depth = 10 * depth + static_cast<std::size_t>(c - '0');
  }
  return depth;
}

}  // namespace

Reach reach_of(const Value& value, std::size_t loops) {
  Reach out;
  for (const Case& c : value.cases) {
    if (const auto* e = std::get_if<Expr>(&c.content)) {
      for (const std::string& name : expr::free_variables(*e)) {
        const auto depth = depth_of(name);
        if (depth) (*depth < loops ? out.outside : out.inside) = true;
      }
    } else if (const auto* s = std::get_if<Sequence>(&c.content); s && !s->each_time) {
      (s->scope < loops ? out.outside : out.inside) = true;
    } else if (const auto* a = std::get_if<Alternation>(&c.content)) {
      (a->scope < loops ? out.outside : out.inside) = true;
    } else if (std::holds_alternative<Pattern>(c.content)) {
      (loops > 0 ? out.outside : out.inside) = true;
    }
  }
  return out;
}

bool has_table_of_executions(const Value& value) {
  return std::ranges::any_of(value.cases, [](const Case& c) {
    const auto* s = std::get_if<Sequence>(&c.content);
    return std::holds_alternative<Alternation>(c.content) ||
           std::holds_alternative<Pattern>(c.content) || (s && !s->each_time);
  });
}

namespace {

// Moves what asks for loops from depth `from` on by so many.
void move(Value& value, std::size_t from, std::ptrdiff_t by) {
  const auto moved = [&](std::size_t depth) {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(depth) + by);
  };
  const auto move_table = [&](auto& table) {
    if (table.scope < from) return;
    table.scope = moved(table.scope);
    if (table.by_loop) table.by_loop->loop = moved(table.by_loop->loop);
  };
  for (Case& c : value.cases) {
    if (auto* e = std::get_if<Expr>(&c.content)) {
      std::vector<expr::Binding> renamed;
      for (const std::string& name : expr::free_variables(*e)) {
        const auto depth = depth_of(name);
        if (!depth || *depth < from) continue;
        const std::size_t to = moved(*depth);
        renamed.push_back({name, Expr::variable(name[0] == 'i' ? loop_index(to) : loop_trips(to))});
      }
      if (!renamed.empty()) *e = expr::substitute(*e, renamed);
    } else if (auto* s = std::get_if<Sequence>(&c.content); s && !s->each_time) {
      move_table(*s);
    } else if (auto* a = std::get_if<Alternation>(&c.content)) {
      move_table(*a);
    }
  }
}

void move_loops(std::vector<Node>& nodes, std::ptrdiff_t by) {
  for (Node& n : nodes) {
    if (n.kind == Node::Kind::loop)
      n.depth = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(n.depth) + by);
    move_loops(n.body, by);
  }
}

}  // namespace

void move_inside(Value& value, std::size_t loops) {
  move(value, loops, -static_cast<std::ptrdiff_t>(loops));
}

void move_loops_inside(std::vector<Node>& nodes, std::size_t loops) {
  move_loops(nodes, -static_cast<std::ptrdiff_t>(loops));
}

void move_outside(Value& value, std::size_t loops) {
  move(value, 0, static_cast<std::ptrdiff_t>(loops));
}

void move_loops_outside(std::vector<Node>& nodes, std::size_t loops) {
  move_loops(nodes, static_cast<std::ptrdiff_t>(loops));
}

}  // namespace reprise::program
