#include "convert/otf2/collective_ops.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "mpi/collectives.hpp"

namespace reprise::convert::otf2 {
namespace {

struct OpName {
  OTF2_CollectiveOp op;
  std::string_view operation;
};

constexpr OpName kOps[] = {
    {OTF2_COLLECTIVE_OP_BARRIER, "Barrier"},
    {OTF2_COLLECTIVE_OP_BCAST, "Bcast"},
    {OTF2_COLLECTIVE_OP_GATHER, "Gather"},
    {OTF2_COLLECTIVE_OP_GATHERV, "Gatherv"},
    {OTF2_COLLECTIVE_OP_SCATTER, "Scatter"},
    {OTF2_COLLECTIVE_OP_SCATTERV, "Scatterv"},
    {OTF2_COLLECTIVE_OP_ALLGATHER, "Allgather"},
    {OTF2_COLLECTIVE_OP_ALLGATHERV, "Allgatherv"},
    {OTF2_COLLECTIVE_OP_ALLTOALL, "Alltoall"},
    {OTF2_COLLECTIVE_OP_ALLTOALLV, "Alltoallv"},
    {OTF2_COLLECTIVE_OP_ALLTOALLW, "Alltoallw"},
    {OTF2_COLLECTIVE_OP_ALLREDUCE, "Allreduce"},
    {OTF2_COLLECTIVE_OP_REDUCE, "Reduce"},
    {OTF2_COLLECTIVE_OP_REDUCE_SCATTER, "Reduce_scatter"},
    {OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, "Reduce_scatter_block"},
    {OTF2_COLLECTIVE_OP_SCAN, "Scan"},
    {OTF2_COLLECTIVE_OP_EXSCAN, "Exscan"},
};

}  // namespace

std::optional<trace::FunctionId> function_of(OTF2_CollectiveOp op) {
  const auto found = std::ranges::find(kOps, op, &OpName::op);
  if (found == std::end(kOps)) return std::nullopt;
  return trace::find_function("MPI_" + std::string(found->operation));
}

OTF2_CollectiveOp op_of(const trace::Function& function) {
  const auto found = std::ranges::find(kOps, mpi::operation_name(function), &OpName::operation);
  if (found == std::end(kOps)) return OTF2_COLLECTIVE_OP_BARRIER;
  return found->op;
}

}  // namespace reprise::convert::otf2
