#include "mpi/communicators/communicators.hpp"

#include "mpi/arguments.hpp"
#include "trace/calls/predefined.hpp"

namespace reprise::mpi {

using trace::Event;
using trace::Kind;
namespace traits = trace::traits;

namespace {

const Communicator kUnknown;

}  // namespace

bool Communicator::operator==(const Communicator& o) const {
  return membership.rank == o.membership.rank && membership.size == o.membership.size &&
         is_inter == o.is_inter && has_topology == o.has_topology && grid == o.grid &&
         neighbors == o.neighbors;
}

bool makes_inter(const trace::Function& f, bool parent_is_inter) {
  return (f.traits & traits::kInter) || (parent_is_inter && !(f.traits & traits::kIntra));
}

Communicator made_on(const Communicator& parent, const Event& event, trace::Membership membership) {
  Communicator out{.membership = membership};
  out.is_inter = makes_inter(*event.function, parent.is_inter);
  if (makes_duplicate(*event.function)) {
    out.has_topology = parent.has_topology;
    out.grid = parent.grid;
    out.neighbors = parent.neighbors;
    return out;
  }
  if (const auto* dims = list_named(event, "dims")) {
    const auto* periods = list_named(event, "periods");
    out.grid = {*dims, periods ? *periods : std::vector<std::int64_t>()};
    out.has_topology = true;
  } else if (const auto* remain = list_named(event, "remain_dims")) {
    out.grid = sub_grid(parent.grid, *remain);
    out.has_topology = !parent.grid.empty();
  } else {
    out.neighbors = named_neighbors(event, membership.rank);
    // MPI_Dist_graph_create combines the edges of all processes, which a single stream does not
    // know.
    const bool is_graph = list_named(event, "index") || list_named(event, "sources");
    out.has_topology = is_graph && !list_named(event, "degrees");
    return out;
  }
  out.neighbors = grid_neighbors(out.grid, membership.rank);
  return out;
}

Communicators::Communicators(trace::Membership world) {
  known_[trace::kWorld] = {.membership = world};
  known_[trace::kSelf] = {.membership = {0, 1}};
}

bool Communicators::learn(const Event& event) {
  bool agrees = true;
  for (const trace::MadeGroup& made : trace::made_groups(event)) {
    if (made.kind != Kind::comm) continue;
    const Communicator& parent = of(event);
    // A parent that is not known yet may be an inter-communicator, or have a topology.
    agrees &= parent.is_known() || event.function->communicator < 0;
    Communicator comm = made_on(parent, event, made.membership);
    const auto [entry, is_new] = known_.emplace(made.id, comm);
    agrees &= is_new || entry->second == comm;
    entry->second = std::move(comm);
  }
  return agrees;
}

const Communicator& Communicators::find(CommId id) const {
  const auto found = known_.find(number_of(id));
  return found == known_.end() ? kUnknown : found->second;
}

const Communicator& Communicators::of(const Event& event) const {
  const int where = event.function->communicator;
  if (where < 0) return kUnknown;
  const auto column = static_cast<std::size_t>(where);
  if (event.function->scalars[column].kind != Kind::comm) return kUnknown;
  return find(CommId{event.scalars[column]});
}

}  // namespace reprise::mpi
