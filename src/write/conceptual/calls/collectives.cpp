#include "write/conceptual/calls/collectives.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "mpi/collectives.hpp"

namespace reprise::write::conceptual {
namespace {

constexpr Collective kOwn[] = {
    {"Barrier", Verb::barrier, ""},
    {"Bcast", Verb::broadcast, ""},
    {"Reduce", Verb::reduce, ""},
    {"Allreduce", Verb::all_reduce, ""},
    {"Alltoall", Verb::all_to_all, ""},
    {"Gather", Verb::gather, "MULTICAST from all to the root"},
    {"Scatter", Verb::broadcast, "MULTICAST from the root"},
    {"Allgather", Verb::all_to_all, "MULTICAST from all to all"},
    {"Scan", Verb::all_reduce, "REDUCE"},
    {"Exscan", Verb::all_reduce, "REDUCE"},
    {"Reduce_scatter", Verb::reduce_each, "REDUCE to each member, of its size"},
    {"Reduce_scatter_block", Verb::reduce_each, "REDUCE to each member, of its size"},
    {"Allgatherv", Verb::spread, "SENDS from each member to all others, of its size"},
    {"Gatherv", Verb::collect, "SENDS from each member to the root, of its size"},
    {"Scatterv", Verb::distribute, "SENDS from the root to each member, of its size"},
    {"Alltoallv", Verb::exchange, "SENDS between all pairs, of their sizes"},
    {"Alltoallw", Verb::exchange, "SENDS between all pairs, of their sizes"},
};

// Those that move data without computing on them, where they do not block: MULTICASTS and REDUCES
// do, messages need not.
constexpr Collective kLater[] = {
    {"Bcast", Verb::distribute, "SENDS from the root to each member"},
    {"Gather", Verb::collect, "SENDS from each member to the root"},
    {"Gatherv", Verb::collect, "SENDS from each member to the root, of its size"},
    {"Scatter", Verb::distribute, "SENDS from the root to each member"},
    {"Scatterv", Verb::distribute, "SENDS from the root to each member, of its size"},
    {"Allgather", Verb::spread, "SENDS from each member to all others"},
    {"Alltoall", Verb::spread, "SENDS from each member to all others"},
};

// Where the paper does otherwise. MPI_Alltoallw is not in its table; it goes with MPI_Alltoallv.
constexpr Collective kPaper[] = {
    {"Gather", Verb::reduce, "REDUCE to the root"},
    {"Allgather", Verb::reduce, "REDUCE, then MULTICAST of all of it", true},
    {"Allgatherv", Verb::reduce, "REDUCE of the mean size, then MULTICAST of all of it", true,
     true},
    {"Gatherv", Verb::reduce, "REDUCE of the mean size to the root", false, true},
    {"Scatterv", Verb::broadcast, "MULTICAST of the mean size from the root", false, true},
    {"Alltoallv", Verb::all_to_all, "MULTICAST of the mean size from all to all", false, true},
    {"Alltoallw", Verb::all_to_all, "MULTICAST of the mean size from all to all", false, true},
};

}  // namespace

std::optional<Collective> collective_of(const trace::Function& f, Substitutes substitutes) {
  const std::string name = mpi::operation_name(f);
  const auto found = [&](std::span<const Collective> table) -> std::optional<Collective> {
    const auto at = std::ranges::find(table, name, &Collective::name);
    return at == table.end() ? std::nullopt : std::optional(*at);
  };
  std::optional<Collective> out;
  if (substitutes == Substitutes::paper) out = found(kPaper);
  const bool blocks = !(f.traits & (trace::traits::kNonblocking | trace::traits::kPersistent));
  if (substitutes == Substitutes::own && !blocks) out = found(kLater);
  return out ? out : found(kOwn);
}

}  // namespace reprise::write::conceptual
