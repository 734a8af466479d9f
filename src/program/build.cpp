#include "program/build.hpp"

#include "program/branches.hpp"
#include "program/callers.hpp"
#include "program/choose_grid.hpp"
#include "program/functions.hpp"
#include "program/groups.hpp"
#include "program/nodes.hpp"
#include "program/procedures.hpp"

namespace reprise::program {

Program explain(const trace::Trace& trace) {
  Program out;
  out.trace = &trace;
  const Space space(trace.ranks, trace.threads, choose_grid(trace));
  if (!space.extents().empty()) out.grid = space.grid();
  Conditions conditions(space);
  out.body = by_function(trace, NodeBuilder(trace, conditions).run());
  find_callers(out, Values(conditions));
  find_procedures(out);
  while (out.body.size() == 1 && out.body.front().kind == Node::Kind::function &&
         out.body.front().who.is_everyone()) {
    out.frame = out.body.front().entered;
    std::vector<Node> inner = std::move(out.body.front().body);
    out.body = std::move(inner);
  }
  find_branches(out);
  find_groups(out);
  return out;
}

}  // namespace reprise::program
