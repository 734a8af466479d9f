#include "program/build.hpp"

#include "program/conditions/branches.hpp"
#include "program/conditions/groups.hpp"
#include "program/conditions/iterations.hpp"
#include "program/grid/choose_grid.hpp"
#include "program/nodes/callers.hpp"
#include "program/nodes/distances.hpp"
#include "program/nodes/functions.hpp"
#include "program/nodes/nodes.hpp"
#include "program/nodes/procedures.hpp"

namespace reprise::program {

Program explain(const trace::Trace& trace, const Options& options) {
  Program out;
  out.trace = &trace;
  out.exchanges = options.exchanges;
  const Space space({trace.ranks, trace.threads},
                    options.extents ? *options.extents : choose_grid(trace));
  if (!space.extents().empty()) out.grid = space.grid();
  Conditions conditions(space);
  out.body = NodeBuilder(trace, conditions, options).run();
  if (options.has_functions) {
    out.body = by_function(trace, std::move(out.body));
    find_callers(out, Values(conditions));
    find_iterations(out);
    find_cyclic(out);
    find_procedures(out);
  }
  finish(out, &conditions);
  return out;
}

void finish(Program& program, Conditions* conditions) {
  std::vector<Node>& body = program.body;
  while (body.size() == 1 && body.front().kind == Node::Kind::function &&
         body.front().who.is_everyone()) {
    const Node& outer = body.front();
    if (outer.frame) program.around.push_back(*outer.frame);
    program.around.insert(program.around.end(), outer.between.begin(), outer.between.end());
    program.frame = outer.entered;
    std::vector<Node> inner = std::move(body.front().body);
    body = std::move(inner);
  }
  find_branches(program, conditions);
  find_groups(program);
}

}  // namespace reprise::program
