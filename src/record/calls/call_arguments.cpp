// What a call says of its arguments: values as the trace knows them, and how long its lists are.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "record/calls/call.hpp"

namespace reprise::record {

using trace::kNone;
using trace::kNull;

void Call::buffer(const void* address) {
  put(address == MPI_IN_PLACE ? trace::kInPlace : address == MPI_BOTTOM ? trace::kBottom : 0);
}

void Call::tag(int value) {
  if (value == MPI_ANY_TAG) receive_.wildcard = true;
  put(value == MPI_ANY_TAG ? trace::kAnyTag : value);
}

void Call::rank(int value) {
  receive_.nobody = value == MPI_PROC_NULL;
  if (value == MPI_ANY_SOURCE) {
    receive_.wildcard = true;
    put(trace::kAnySource);
  } else if (value == MPI_PROC_NULL) {
    put(trace::kProcNull);
  } else if (value == MPI_ROOT && MPI_ROOT < 0) {  // SMPI's is 0, and it has no inter-communicators
    put(trace::kRoot);
  } else {
    put(value);
  }
}

void Call::message(MPI_Message message) { put(message == MPI_MESSAGE_NULL ? kNull : 0); }

std::int64_t Call::position(int value, const int* constants, std::size_t n) {
  const int* found = std::find(constants, constants + n, value);
  if (found != constants + n) return found - constants;
  // Not one of the names: a number, kept apart from the positions.
  return value >= 0 ? value + static_cast<std::int64_t>(n) : value;
}

std::int64_t Call::bits(int value, const int* constants, std::size_t n) {
  std::int64_t out = 0, rest = static_cast<unsigned>(value);
  for (std::size_t i = 0; i < n; ++i) {
    if (value & constants[i]) out |= std::int64_t{1} << i;
    rest &= ~static_cast<std::int64_t>(static_cast<unsigned>(constants[i]));
  }
  return out | rest << n;  // bits that have no name stand above those that have
}

std::int64_t Call::known(std::int64_t object, const char* loss) {
  if (object == trace::kForeign) session_->lose(loss);
  return object;
}

std::int64_t Call::type_number(MPI_Datatype type) {
  return known(session_->types.find(handle_bits(type)), "handles of unknown datatypes");
}

void Call::comm(MPI_Comm comm) {
  put(known(session_->comms.of(comm).id, "handles of unknown communicators"));
}

void Call::group(MPI_Group group) {
  if (group == MPI_GROUP_NULL) return put(kNull);
  put(known(session_->groups.find(handle_bits(group)), "handles of unknown groups"));
}

void Call::datatype(MPI_Datatype type) { put(type_number(type)); }

void Call::op(MPI_Op op) {
  put(known(session_->ops.find(handle_bits(op)), "handles of unknown operations"));
}

void Call::win(MPI_Win win) {
  if (win == MPI_WIN_NULL) return put(kNull);
  put(known(session_->windows.of(win).id, "handles of unknown windows"));
}

void Call::file(MPI_File file) {
  if (file == MPI_FILE_NULL) return put(kNull);
  put(known(session_->files.find(handle_bits(file)), "handles of unknown files"));
}

void Call::booleans(const int* values, std::int64_t n) {
  put_list_length(n);
  for (std::int64_t i = 0; i < n; ++i) add(values[i] != 0);
}

// Displacements as large as an address are one if there is memory: else they are the distance of
// two, and stay as they are. A program that is not position-independent has its data below 4 GiB,
// where displacements are too: there all of them have to be in memory.
bool Call::is_memory(std::int64_t value) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  if (value <= 0) return false;
  unsigned char resident = 0;
  const auto address = static_cast<std::uintptr_t>(value) / page * page;
  return ::mincore(reinterpret_cast<void*>(address), 1, &resident) == 0;
}

// Of one block among those of a datatype, a multiple of 16 [bytes].
std::int64_t Call::block_size(std::int64_t length, MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return (std::max<std::int64_t>(0, length * std::int64_t{extent}) + 15) / 16 * 16;
}

void Call::ranks(const int* values, std::int64_t n) {
  put_list_length(n);
  for (std::int64_t i = 0; i < n; ++i) {
    add(values[i] == MPI_PROC_NULL ? trace::kProcNull : values[i]);
  }
}

void Call::weights(const int* values, std::int64_t n) {
  const bool unweighted = values == MPI_UNWEIGHTED;
  if (unweighted || values == MPI_WEIGHTS_EMPTY) {
    put_list_length(1);
    add(unweighted ? trace::kUnweighted : trace::kEmptyWeights);
  } else {
    integers(values, n);
  }
}

void Call::datatypes(const MPI_Datatype* types, std::int64_t n) {
  put_list_length(n);
  for (std::int64_t i = 0; i < n; ++i) add(type_number(types[i]));
}

void Call::text(const char* text) {
  integers(text, text ? static_cast<std::int64_t>(std::strlen(text)) : 0);
}

std::int64_t Call::sum(const int* values, std::int64_t n) {
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < n; ++i) total += values[i];
  return total;
}

std::int64_t Call::contents(MPI_Datatype type) {
#if MPI_VERSION >= 4
  // Of any type: the other one refuses those that were made with large counts.
  MPI_Count n_integers = 0, n_addresses = 0, n_counts = 0, n_types = 0;
  int how = 0;
  PMPI_Type_get_envelope_c(type, &n_integers, &n_addresses, &n_counts, &n_types, &how);
  return n_types;
#else
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return types;
#endif
}

std::int64_t Call::ndims(MPI_Comm comm) {
  int n = 0;
  PMPI_Cartdim_get(comm, &n);
  return n;
}

std::int64_t Call::degree(MPI_Comm comm, [[maybe_unused]] bool in) {
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) return 2 * ndims(comm);
  int n = 0;
  if (topology == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &n);
    return n;
  }
#ifndef SMPI_H
  int indegree = 0, outdegree = 0, weighted = 0;
  if (topology == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &weighted);
  }
  return in ? indegree : outdegree;
#else
  return 0;
#endif
}

bool Call::is_root(int root, MPI_Comm comm) {
  const Members& m = session_->comms.of(comm);
  return m.inter ? root == MPI_ROOT : root == m.rank;
}

bool Call::is_leaf(int root, MPI_Comm comm) {
  return !session_->comms.of(comm).inter || (root != MPI_ROOT && root != MPI_PROC_NULL);
}

}  // namespace reprise::record
