#include "diagnose/barriers.hpp"

#include <algorithm>

#include "simulate/lower/call_shape.hpp"

namespace reprise::diagnose {
namespace {

using Family = simulate::CallShape::Family;
using simulate::Collective;

bool is_barrier(const simulate::CallShape& shape) {
  return shape.family == Family::collective && shape.keep == simulate::Keep::inner &&
         shape.collective == Collective::barrier;
}

// Whether all ranks of its communicator wait in it for the last one.
bool joins_all(const simulate::CallShape& shape) {
  if (shape.family != Family::collective || shape.keep != simulate::Keep::inner) return false;
  switch (*shape.collective) {
    case Collective::barrier:
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::allreduce:
    case Collective::reduce_scatter: return true;
    default: return false;
  }
}

bool are_together(const trace::Trace& trace, const trace::Item& a, const trace::Item& b) {
  if (!a.is_call() || !b.is_call() || !(a.trips == b.trips)) return false;
  const trace::Call &first = trace.calls[a.call], &second = trace.calls[b.call];
  const simulate::CallShape &one = simulate::shape_of(first.function),
                            &other = simulate::shape_of(second.function);
  if (one.comm < 0 || other.comm < 0) return false;
  return first.columns[static_cast<std::size_t>(one.comm)] ==
         second.columns[static_cast<std::size_t>(other.comm)];
}

void visit(const Experiment& experiment, const trace::Item& item, std::vector<Finding>& out) {
  const trace::Trace& trace = experiment.trace();
  const auto shape = [&](const trace::Item& i) -> const simulate::CallShape& {
    return simulate::shape_of(trace.calls[i.call].function);
  };
  for (std::size_t i = 0; i < item.body.size(); ++i) {
    const trace::Item& here = item.body[i];
    visit(experiment, here, out);
    if (i == 0 || !are_together(trace, item.body[i - 1], here)) continue;
    const trace::Item& before = item.body[i - 1];
    // Of two barriers the second one is needless.
    const trace::Item* const barrier = is_barrier(shape(here)) && joins_all(shape(before)) ? &here
                                       : is_barrier(shape(before)) && joins_all(shape(here))
                                           ? &before
                                           : nullptr;
    if (!barrier) continue;
    const simulate::PathShare& share = experiment.run().path[barrier->call];
    const Picoseconds cost = share.latency + share.transfer;
    if (cost < experiment.least()) continue;
    out.push_back({.kind = FindingKind::needless_barrier,
                   .call = barrier->call,
                   .ranks = experiment.ranks_at(barrier->call),
                   .cost = cost,
                   .is_bound = true,
                   .culprits = {}});
  }
}

}  // namespace

void find_needless_barriers(const Experiment& experiment, std::vector<Finding>& out) {
  visit(experiment, experiment.trace().root, out);
}

}  // namespace reprise::diagnose
