#include "convert/paraver/mpi_values.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace reprise::convert::paraver {
namespace {

struct Known {
  std::string_view name;
  CallType type;
};

using enum CallType;

// By value, from 1 on.
constexpr Known kKnown[] = {
    {"MPI_Send", point_to_point},
    {"MPI_Recv", point_to_point},
    {"MPI_Isend", point_to_point},
    {"MPI_Irecv", point_to_point},
    {"MPI_Wait", point_to_point},
    {"MPI_Waitall", point_to_point},
    {"MPI_Bcast", collective},
    {"MPI_Barrier", collective},
    {"MPI_Reduce", collective},
    {"MPI_Allreduce", collective},
    {"MPI_Alltoall", collective},
    {"MPI_Alltoallv", collective},
    {"MPI_Gather", collective},
    {"MPI_Gatherv", collective},
    {"MPI_Scatter", collective},
    {"MPI_Scatterv", collective},
    {"MPI_Allgather", collective},
    {"MPI_Allgatherv", collective},
    {"MPI_Comm_rank", other},
    {"MPI_Comm_size", other},
    {"MPI_Comm_create", other},
    {"MPI_Comm_dup", other},
    {"MPI_Comm_split", other},
    {"MPI_Comm_group", other},
    {"MPI_Comm_free", other},
    {"MPI_Comm_remote_group", other},
    {"MPI_Comm_remote_size", other},
    {"MPI_Comm_test_inter", other},
    {"MPI_Comm_compare", other},
    {"MPI_Scan", collective},
    {"MPI_Init", other},
    {"MPI_Finalize", other},
    {"MPI_Bsend", point_to_point},
    {"MPI_Ssend", point_to_point},
    {"MPI_Rsend", point_to_point},
    {"MPI_Ibsend", point_to_point},
    {"MPI_Issend", point_to_point},
    {"MPI_Irsend", point_to_point},
    {"MPI_Test", other},
    {"MPI_Cancel", point_to_point},
    {"MPI_Sendrecv", point_to_point},
    {"MPI_Sendrecv_replace", point_to_point},
    {"MPI_Cart_create", other},
    {"MPI_Cart_shift", other},
    {"MPI_Cart_coords", other},
    {"MPI_Cart_get", other},
    {"MPI_Cart_map", other},
    {"MPI_Cart_rank", other},
    {"MPI_Cart_sub", other},
    {"MPI_Cartdim_get", other},
    {"MPI_Dims_create", other},
    {"MPI_Graph_get", other},
    {"MPI_Graph_map", other},
    {"MPI_Graph_create", other},
    {"MPI_Graph_neighbors", other},
    {"MPI_Graphdims_get", other},
    {"MPI_Graph_neighbors_count", other},
    {"MPI_Topo_test", other},
    {"MPI_Waitany", point_to_point},
    {"MPI_Waitsome", point_to_point},
    {"MPI_Probe", point_to_point},
    {"MPI_Iprobe", point_to_point},
    {"MPI_Win_create", one_sided},
    {"MPI_Win_free", one_sided},
    {"MPI_Put", one_sided},
    {"MPI_Get", one_sided},
    {"MPI_Accumulate", one_sided},
    {"MPI_Win_fence", one_sided},
    {"MPI_Win_start", one_sided},
    {"MPI_Win_complete", one_sided},
    {"MPI_Win_post", one_sided},
    {"MPI_Win_wait", one_sided},
    {"MPI_Win_test", one_sided},
    {"MPI_Win_lock", one_sided},
    {"MPI_Win_unlock", one_sided},
    {"MPI_Pack", other},
    {"MPI_Unpack", other},
    {"MPI_Op_create", other},
    {"MPI_Op_free", other},
    {"MPI_Reduce_scatter", collective},
    {"MPI_Attr_delete", other},
    {"MPI_Attr_get", other},
    {"MPI_Attr_put", other},
    {"MPI_Group_difference", other},
    {"MPI_Group_excl", other},
    {"MPI_Group_free", other},
    {"MPI_Group_incl", other},
    {"MPI_Group_intersection", other},
    {"MPI_Group_rank", other},
    {"MPI_Group_range_excl", other},
    {"MPI_Group_range_incl", other},
    {"MPI_Group_size", other},
    {"MPI_Group_translate_ranks", other},
    {"MPI_Group_union", other},
    {"MPI_Group_compare", other},
    {"MPI_Intercomm_create", other},
    {"MPI_Intercomm_merge", other},
    {"MPI_Keyval_free", other},
    {"MPI_Keyval_create", other},
    {"MPI_Abort", other},
    {"MPI_Error_class", other},
    {"MPI_Errhandler_create", other},
    {"MPI_Errhandler_free", other},
    {"MPI_Errhandler_get", other},
    {"MPI_Error_string", other},
    {"MPI_Errhandler_set", other},
    {"MPI_Get_processor_name", other},
    {"MPI_Initialized", other},
    {"MPI_Wtick", other},
    {"MPI_Wtime", other},
    {"MPI_Address", other},
    {"MPI_Bsend_init", point_to_point},
    {"MPI_Buffer_attach", other},
    {"MPI_Buffer_detach", other},
    {"MPI_Request_free", other},
    {"MPI_Recv_init", point_to_point},
    {"MPI_Send_init", point_to_point},
    {"MPI_Get_count", other},
    {"MPI_Get_elements", other},
    {"MPI_Pack_size", other},
    {"MPI_Rsend_init", point_to_point},
    {"MPI_Ssend_init", point_to_point},
    {"MPI_Start", other},
    {"MPI_Startall", other},
    {"MPI_Testall", other},
    {"MPI_Testany", other},
    {"MPI_Test_cancelled", other},
    {"MPI_Testsome", other},
    {"MPI_Type_commit", other},
    {"MPI_Type_contiguous", other},
    {"MPI_Type_extent", other},
    {"MPI_Type_free", other},
    {"MPI_Type_hindexed", other},
    {"MPI_Type_hvector", other},
    {"MPI_Type_indexed", other},
    {"MPI_Type_lb", other},
    {"MPI_Type_size", other},
    {"MPI_Type_struct", other},
    {"MPI_Type_ub", other},
    {"MPI_Type_vector", other},
    {"MPI_File_open", io},
    {"MPI_File_close", io},
    {"MPI_File_read", io},
    {"MPI_File_read_all", io},
    {"MPI_File_write", io},
    {"MPI_File_write_all", io},
    {"MPI_File_read_at", io},
    {"MPI_File_read_at_all", io},
    {"MPI_File_write_at", io},
    {"MPI_File_write_at_all", io},
    {"MPI_Comm_spawn", other},
    {"MPI_Comm_spawn_multiple", other},
    {"MPI_Request_get_status", other},
    {"MPI_Ireduce", collective},
    {"MPI_Iallreduce", collective},
    {"MPI_Ibarrier", collective},
    {"MPI_Ibcast", collective},
    {"MPI_Ialltoall", collective},
    {"MPI_Ialltoallv", collective},
    {"MPI_Iallgather", collective},
    {"MPI_Iallgatherv", collective},
    {"MPI_Igather", collective},
    {"MPI_Igatherv", collective},
    {"MPI_Iscatter", collective},
    {"MPI_Iscatterv", collective},
    {"MPI_Ireduce_scatter", collective},
    {"MPI_Iscan", collective},
    {"MPI_Reduce_scatter_block", collective},
    {"MPI_Ireduce_scatter_block", collective},
    {"MPI_Alltoallw", collective},
    {"MPI_Ialltoallw", collective},
    {"MPI_Get_accumulate", one_sided},
    {"MPI_Dist_graph_create", other},
    {"MPI_Neighbor_allgather", collective},
    {"MPI_Ineighbor_allgather", collective},
    {"MPI_Neighbor_allgatherv", collective},
    {"MPI_Ineighbor_allgatherv", collective},
    {"MPI_Neighbor_alltoall", collective},
    {"MPI_Ineighbor_alltoall", collective},
    {"MPI_Neighbor_alltoallv", collective},
    {"MPI_Ineighbor_alltoallv", collective},
    {"MPI_Neighbor_alltoallw", collective},
    {"MPI_Ineighbor_alltoallw", collective},
    {"MPI_Fetch_and_op", one_sided},
    {"MPI_Compare_and_swap", one_sided},
    {"MPI_Win_flush", one_sided},
    {"MPI_Win_flush_all", one_sided},
    {"MPI_Win_flush_local", one_sided},
    {"MPI_Win_flush_local_all", one_sided},
    {"MPI_Mprobe", point_to_point},
    {"MPI_Improbe", point_to_point},
    {"MPI_Mrecv", point_to_point},
    {"MPI_Imrecv", point_to_point},
    {"MPI_Comm_split_type", other},
    {"MPI_File_write_all_begin", io},
    {"MPI_File_write_all_end", io},
    {"MPI_File_read_all_begin", io},
    {"MPI_File_read_all_end", io},
    {"MPI_File_write_at_all_begin", io},
    {"MPI_File_write_at_all_end", io},
    {"MPI_File_read_at_all_begin", io},
    {"MPI_File_read_at_all_end", io},
    {"MPI_File_read_ordered", io},
    {"MPI_File_read_ordered_begin", io},
    {"MPI_File_read_ordered_end", io},
    {"MPI_File_read_shared", io},
    {"MPI_File_write_ordered", io},
    {"MPI_File_write_ordered_begin", io},
    {"MPI_File_write_ordered_end", io},
    {"MPI_File_write_shared", io},
    {"MPI_Comm_dup_with_info", other},
    {"MPI_Dist_graph_create_adjacent", other},
    {"MPI_Comm_create_group", other},
    {"MPI_Exscan", collective},
    {"MPI_Iexscan", collective},
};

// Ours begin above those that Extrae may come to have.
constexpr std::uint32_t kFirstOwn = 10'000;

std::optional<CallValue> find(std::string_view name) {
  const auto found = std::ranges::find(kKnown, name, &Known::name);
  if (found == std::end(kKnown)) return std::nullopt;
  return CallValue{found->type, static_cast<std::uint32_t>(found - std::begin(kKnown)) + 1};
}

CallValue make_value(std::size_t index) {
  std::string_view name = trace::functions()[index].name;
  if (const auto known = find(name)) return *known;
  // "MPI_Send_c" is MPI_Send with large counts.
  if (name.ends_with("_c")) {
    name.remove_suffix(2);
    if (const auto known = find(name)) return *known;
  }
  return {other, kFirstOwn + static_cast<std::uint32_t>(index)};
}

}  // namespace

CallValue value_of(trace::FunctionId function) {
  static const std::vector<CallValue> values = [] {
    std::vector<CallValue> out;
    for (std::size_t i = 0; i < trace::functions().size(); ++i) out.push_back(make_value(i));
    return out;
  }();
  return values[static_cast<std::size_t>(function)];
}

std::string_view name_of_value(std::uint32_t value) {
  return value == 0 || value > std::size(kKnown) ? std::string_view() : kKnown[value - 1].name;
}

State state_of(const trace::Function& function) {
  namespace traits = trace::traits;
  const auto has = [&](std::uint32_t trait) { return (function.traits & trait) != 0; };
  if (has(traits::kIo)) return State::io;
  if (has(traits::kRma | traits::kRmaSync)) return State::one_sided;
  if (has(traits::kProbe)) return State::probe;
  if (has(traits::kComplete)) return State::wait;
  if (has(traits::kCollective))
    return has(traits::kCreate | traits::kFree | traits::kInit | traits::kFinalize)
               ? State::other
               : State::collective;
  if (has(traits::kSend) && has(traits::kRecv)) return State::send_and_receive;
  const bool waits = !has(traits::kNonblocking | traits::kPersistent);
  if (has(traits::kSend)) return waits ? State::send : State::immediate_send;
  if (has(traits::kRecv)) return waits ? State::receive : State::immediate_receive;
  return State::other;
}

}  // namespace reprise::convert::paraver
