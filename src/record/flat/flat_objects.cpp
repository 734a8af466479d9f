// The objects of MPI in the plain log: what they are called, made and freed, and what they say.
#include <cctype>
#include <cstring>
#include <tuple>

#include "record/flat/flat_log.hpp"
#include "record/flat/flat_state.hpp"
#include "record/objects/handles.hpp"

namespace reprise::record {
namespace {

// Names a communicator after its members' ranks in the world, both groups of an inter-communicator.
std::string members_text(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return "comm:members";
  std::set<int> members;
  MPI_Group group = MPI_GROUP_NULL;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  for (int side = 0; side <= (inter ? 1 : 0); ++side) {
    side == 0 ? PMPI_Comm_group(comm, &group) : PMPI_Comm_remote_group(comm, &group);
    int n = 0;
    PMPI_Group_size(group, &n);
    for (int i = 0; i < n; ++i) {
      int in_world = 0;
      PMPI_Group_translate_ranks(group, 1, &i, g_flat_log->world, &in_world);
      members.insert(in_world);
    }
    PMPI_Group_free(&group);
  }
  std::string text = inter ? "comm:inter" : "comm:members";
  for (const int m : members) text += "_" + std::to_string(m);
  return text;
}

// A text of the program's as part of a name: letters, digits and what does not end a name stay.
std::string escaped(const char* tag) {
  std::string out;
  for (const char* c = tag; *c; ++c) {
    const auto byte = static_cast<unsigned char>(*c);
    if (std::isalnum(byte) || std::strchr(".:-_", *c)) {
      out += *c;
    } else {
      constexpr char kDigits[] = "0123456789abcdef";
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

std::string comm_text(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return "NULL";
  const auto known = g_flat_log->comms.find(handle_bits(comm));
  return known == g_flat_log->comms.end() ? "unknown" : known->second;
}

}  // namespace

void FlatCall::comm(const char* name, MPI_Comm comm) { put(name, comm_text(comm)); }

void FlatCall::group(const char* name, MPI_Group group) {
  put(name, group == MPI_GROUP_NULL ? "NULL" : g_flat_log->groups.find(handle_bits(group)));
}

void FlatCall::datatype(const char* name, MPI_Datatype type) {
  put(name, g_flat_log->types.find(handle_bits(type)));
}

void FlatCall::op(const char* name, MPI_Op op) { put(name, g_flat_log->ops.find(handle_bits(op))); }

void FlatCall::win(const char* name, MPI_Win win) {
  put(name, win == MPI_WIN_NULL ? "NULL" : g_flat_log->windows.find(handle_bits(win)));
}

void FlatCall::file(const char* name, MPI_File file) {
  put(name, file == MPI_FILE_NULL ? "NULL" : g_flat_log->files_open.find(handle_bits(file)));
}

void FlatCall::datatypes(const char* name, const MPI_Datatype* types, std::int64_t n) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(g_flat_log->types.find(handle_bits(types[i])));
  put_list(name, all);
}

void FlatCall::comm_freed(const char* name, MPI_Comm comm) {
  const std::string text = comm_text(comm);
  put(name, text);
  const std::uint64_t handle = handle_bits(comm);
  g_flat_log->comms.erase(handle);
  if (text != "unknown") kept_ = [handle, text] { g_flat_log->comms[handle] = text; };
}

void FlatCall::group_freed(const char* name, MPI_Group group) {
  FlatCall::group(name, group);
  std::tie(freed_, kept_) = g_flat_log->groups.free(handle_bits(group));
}

void FlatCall::type_freed(const char* name, MPI_Datatype type) {
  datatype(name, type);
  std::tie(freed_, kept_) = g_flat_log->types.free(handle_bits(type));
}

void FlatCall::op_freed(const char* name, MPI_Op op) {
  FlatCall::op(name, op);
  std::tie(freed_, kept_) = g_flat_log->ops.free(handle_bits(op));
}

void FlatCall::win_freed(const char* name, MPI_Win win) {
  FlatCall::win(name, win);
  std::tie(freed_, kept_) = g_flat_log->windows.free(handle_bits(win));
}

void FlatCall::file_freed(const char* name, MPI_File file) {
  FlatCall::file(name, file);
  std::tie(freed_, kept_) = g_flat_log->files_open.free(handle_bits(file));
}

// The k-th child of a parent is called after both; where only the members take part, it is called
// after them.
void FlatCall::new_comm(const char* name, MPI_Comm comm, CreatedBy rule, MPI_Comm parent,
                        const char* tag) {
  const std::string n = name;
  std::string text = members_text(comm);
  if (*tag) text += "_" + escaped(tag);
  if (rule == CreatedBy::all_of) text = comm_text(parent);
  const bool counts = rule == CreatedBy::all_of || comm != MPI_COMM_NULL;
  if (counts) text += "/" + std::to_string(g_flat_log->children[text]++);
  // The one that the parent made may be asked for again.
  const auto known = g_flat_log->comms.find(handle_bits(comm));
  if (std::strcmp(function_, "MPI_Comm_get_parent") == 0 && known != g_flat_log->comms.end())
    text = known->second;
  if (comm == MPI_COMM_NULL) {
    put(n, "NULL");
    put(n + "_rank", "-");
    put(n + "_size", "-");
    return;
  }
  g_flat_log->comms[handle_bits(comm)] = text;
  const bool usable = std::strncmp(function_, "MPI_Comm_idup", 13) != 0;
  int rank = 0;
  PMPI_Comm_rank(usable ? comm : parent, &rank);
  put(n, text);
  put(n + "_rank", std::to_string(rank));
  put(n + "_size", std::to_string(remote_size(usable ? comm : parent)));
}

void FlatCall::new_group(const char* name, MPI_Group group) {
  put(name, group == MPI_GROUP_NULL ? "NULL" : g_flat_log->groups.make(handle_bits(group)));
}

void FlatCall::new_type(const char* name, MPI_Datatype type) {
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  put(name, g_flat_log->types.make(handle_bits(type)));
  put(std::string(name) + "_size", std::to_string(static_cast<long long>(size)));
}

void FlatCall::new_types(const char* name, const MPI_Datatype* types, std::int64_t n) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(g_flat_log->types.make(handle_bits(types[i])));
  put_list(name, all);
}

void FlatCall::new_op(const char* name, MPI_Op op) {
  put(name, g_flat_log->ops.make(handle_bits(op)));
}

void FlatCall::new_win(const char* name, MPI_Win win) {
  put(name, g_flat_log->windows.make(handle_bits(win)));
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Win_get_group(win, &group);
  int rank = 0, size = 0;
  PMPI_Group_rank(group, &rank);
  PMPI_Group_size(group, &size);
  PMPI_Group_free(&group);
  put(std::string(name) + "_rank", std::to_string(rank));
  put(std::string(name) + "_size", std::to_string(size));
}

void FlatCall::new_file(const char* name, MPI_File file) {
  put(name, g_flat_log->files_open.make(handle_bits(file)));
}

#if MPI_VERSION >= 4
void FlatCall::session(const char* name, MPI_Session session) {
  put(name, session == MPI_SESSION_NULL ? "NULL" : g_flat_log->sessions.find(handle_bits(session)));
}

void FlatCall::session_freed(const char* name, MPI_Session session) {
  FlatCall::session(name, session);
  std::tie(freed_, kept_) = g_flat_log->sessions.free(handle_bits(session));
}

void FlatCall::new_session(const char* name, MPI_Session session) {
  put(name, g_flat_log->sessions.make(handle_bits(session)));
}
#endif

void FlatCall::new_message(const char* name, MPI_Message m) { message(name, m); }

std::int64_t FlatCall::remote_size(MPI_Comm comm) {
  int inter = 0, size = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter) {
    PMPI_Comm_remote_size(comm, &size);
  } else {
    PMPI_Comm_size(comm, &size);
  }
  return size;
}

std::int64_t FlatCall::local(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

std::int64_t FlatCall::ndims(MPI_Comm comm) {
  int n = 0;
  PMPI_Cartdim_get(comm, &n);
  return n;
}

std::int64_t FlatCall::contents(MPI_Datatype type) {
#if MPI_VERSION >= 4
  MPI_Count all[4] = {};
  int made_by = 0;
  PMPI_Type_get_envelope_c(type, &all[0], &all[1], &all[2], &all[3], &made_by);
  return all[3];
#else
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return types;
#endif
}

std::int64_t FlatCall::indegree(MPI_Comm comm) {
  int topology = 0, n = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) return 2 * ndims(comm);
  if (topology == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Graph_neighbors_count(comm, rank, &n);
  }
#ifndef SMPI_H
  if (topology == MPI_DIST_GRAPH) {
    int out = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &n, &out, &weighted);
  }
#endif
  return n;
}

std::int64_t FlatCall::outdegree(MPI_Comm comm) {
#ifndef SMPI_H
  int topology = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_DIST_GRAPH) {
    int in = 0, out = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    return out;
  }
#endif
  return indegree(comm);
}

std::int64_t FlatCall::last(const int* values, std::int64_t n) { return n ? values[n - 1] : 0; }

std::int64_t FlatCall::sum(const int* values, std::int64_t n) {
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < n; ++i) total += values[i];
  return total;
}

bool FlatCall::is_root(int root, MPI_Comm comm) {
  int inter = 0, rank = 0;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_rank(comm, &rank);
  return inter ? root == MPI_ROOT : root == rank;
}

bool FlatCall::is_leaf(int root, MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  return !inter || (root != MPI_ROOT && root != MPI_PROC_NULL);
}

}  // namespace reprise::record
