#include "program/reach.hpp"

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

void move_inside(Value& value, std::size_t loops) {
  for (Case& c : value.cases) {
    if (auto* e = std::get_if<Expr>(&c.content)) {
      std::vector<expr::Binding> renamed;
      for (const std::string& name : expr::free_variables(*e)) {
        const auto depth = depth_of(name);
        if (depth && *depth >= loops)
          renamed.push_back({name, Expr::variable(name[0] == 'i' ? loop_index(*depth - loops)
                                                                 : loop_trips(*depth - loops))});
      }
      if (!renamed.empty()) *e = expr::substitute(*e, renamed);
    } else if (auto* s = std::get_if<Sequence>(&c.content); s && s->scope >= loops) {
      s->scope -= loops;
      if (s->by_loop) s->by_loop->loop -= loops;
    } else if (auto* a = std::get_if<Alternation>(&c.content); a && a->scope >= loops) {
      a->scope -= loops;
      if (a->by_loop) a->by_loop->loop -= loops;
    }
  }
}

void move_loops_inside(std::vector<Node>& nodes, std::size_t loops) {
  for (Node& n : nodes) {
    if (n.kind == Node::Kind::loop) n.depth -= loops;
    move_loops_inside(n.body, loops);
  }
}

}  // namespace reprise::program
