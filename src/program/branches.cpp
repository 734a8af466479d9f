#include "program/branches.hpp"

#include <algorithm>

#include "expr/simplify.hpp"
#include "program/slots.hpp"
#include "program/streams.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

class Finder {
 public:
  // `coming`: those that come by the nodes; none: not always the same.
  std::vector<Node> run(std::vector<Node> nodes, const Streams* coming) {
    std::vector<Node> out;
    for (std::size_t k = 0; k < nodes.size();) {
      Node& first = nodes[k];
      const StreamSet inside = first.who.streams;
      const bool has_parameter = first.who.parameter.has_value();
      const Streams* here = has_parameter || !coming  ? nullptr
                            : first.who.is_everyone() ? coming
                                                      : inside.get();
      first.body = run(std::move(first.body), here);
      if (first.who.is_everyone() && !has_parameter) {
        out.push_back(std::move(first));
        ++k;
        continue;
      }
      std::size_t end = k + 1;
      const std::string condition = signature(first.who);
      while (end < nodes.size() && signature(nodes[end].who) == condition &&
             (has_parameter || !inside || *nodes[end].who.streams == *inside)) {
        nodes[end].body = run(std::move(nodes[end].body), here);
        ++end;
      }
      Node branch;
      branch.kind = Node::Kind::branch;
      branch.who = first.who;
      branch.frame = first.frame;
      const bool is_else = !out.empty() && out.back().kind == Node::Kind::branch &&
                           !has_parameter && !out.back().who.parameter &&
                           is_complement(out.back().who, first.who, coming);
      if (is_else) branch.kind = Node::Kind::otherwise;
      for (; k < end; ++k) {
        nodes[k].who.condition = Expr(1);
        nodes[k].who.parameter.reset();
        branch.body.push_back(std::move(nodes[k]));
      }
      out.push_back(std::move(branch));
    }
    return out;
  }

 private:
  // `all`: null if they are not known.
  static bool is_complement(const Who& a, const Who& b, const Streams* all) {
    if (!a.streams || !b.streams)
      return expr::simplify(Expr::make(expr::Op::logical_not, *a.condition)) == *b.condition;
    if (!all) return false;
    return is_disjoint(*a.streams, *b.streams) &&
           a.streams->size() + b.streams->size() == all->size();
  }
};

}  // namespace

void find_branches(Program& program) {
  const Streams all = first_streams(program.trace->streams());
  Finder finder;
  program.body = finder.run(std::move(program.body), program.domain ? nullptr : &all);
  for (Procedure& p : program.procedures) p.body = finder.run(std::move(p.body), nullptr);
}

}  // namespace reprise::program
