#include "record/flat_log.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <set>

#include "record/handles.hpp"
#include "record/part_file.hpp"

namespace reprise::record {
namespace {

// Objects get the smallest number that no living object of their class has.
class Numbers {
 public:
  Numbers(std::string prefix, int first) : prefix_(std::move(prefix)), first_(first) {}

  void name(std::uint64_t handle, const std::string& name) { names_.emplace(handle, name); }

  std::string make(std::uint64_t handle) {
    if (const auto known = names_.find(handle); known != names_.end()) return known->second;
    int number = first_;
    while (used_.contains(number)) ++number;
    used_.insert(number);
    numbers_[handle] = number;
    return names_[handle] = prefix_ + std::to_string(number);
  }

  std::string find(std::uint64_t handle) const {
    const auto known = names_.find(handle);
    return known == names_.end() ? "unknown" : known->second;
  }

  void free(std::uint64_t handle) {
    const auto number = numbers_.find(handle);
    if (number == numbers_.end()) return;
    used_.erase(number->second);
    numbers_.erase(number);
    names_.erase(handle);
  }

 private:
  std::string prefix_;
  int first_;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::uint64_t, int> numbers_;
  std::set<int> used_;
};

struct PendingRequest {
  std::uint64_t serial;
  std::uint64_t handle;
  bool wildcard, persistent;
};

// What a thread has said so far.
struct ThreadLog {
  std::FILE* file = nullptr;
  long polls = 0;
  std::deque<PendingRequest> pending;
};

struct Log {
  std::string folder;
  int rank = 0;
  std::vector<std::FILE*> files;
  std::mutex mutex;
  Numbers groups{"", 1}, types{"type", 0}, ops{"op", 0}, files_open{"", 0}, windows{"", 0};
  std::map<std::uint64_t, std::string> comms;
  std::map<std::string, int> children;  // of a communicator, by its name
  std::uint64_t next_request = 1;
  std::atomic<int> error = 0;  // the first errno of a write that failed

  void failed(int why) {
    int none = 0;
    error.compare_exchange_strong(none, why);
  }
};

Log* g_log = nullptr;

ThreadLog& thread_log(int thread) {
  static thread_local ThreadLog mine;
  if (!mine.file) {
    const std::lock_guard lock(g_log->mutex);
    const std::string path = g_log->folder + "/rank-" + std::to_string(g_log->rank) + "-thread-" +
                             std::to_string(thread) + ".log";
    mine.file = std::fopen(path.c_str(), "w");
    if (mine.file) {
      g_log->files.push_back(mine.file);
    } else {
      g_log->failed(errno);
    }
  }
  return mine;
}

std::string rank_text(int value) {
  if (value == MPI_ANY_SOURCE) return "MPI_ANY_SOURCE";
  if (value == MPI_PROC_NULL) return "MPI_PROC_NULL";
  if (value < 0 && value == MPI_ROOT) return "MPI_ROOT";
  return std::to_string(value);
}

std::string tag_text(int value) {
  return value == MPI_ANY_TAG ? "MPI_ANY_TAG" : std::to_string(value);
}

std::string comm_text(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return "NULL";
  const auto known = g_log->comms.find(handle_bits(comm));
  return known == g_log->comms.end() ? "unknown" : known->second;
}

}  // namespace

void open_flat_log(const std::string& folder) {
  g_log = new Log;
  g_log->folder = folder;
  PMPI_Comm_rank(MPI_COMM_WORLD, &g_log->rank);
  g_log->comms[handle_bits(MPI_COMM_WORLD)] = "comm:world";
  g_log->comms[handle_bits(MPI_COMM_SELF)] = "comm:self";
  g_log->groups.name(handle_bits(MPI_GROUP_EMPTY), "0");
  [[maybe_unused]] int type = 0, op = 0;
#define REPRISE_DATATYPE(name_, size) \
  g_log->types.name(handle_bits(MPI_Datatype(name_)), std::string(#name_));
#define REPRISE_OP(name_) g_log->ops.name(handle_bits(MPI_Op(name_)), std::string(#name_));
#include "predefined_here.inc"
}

void flush_flat_log() {
  if (!g_log) return;
  const NoFileSizeSignal guard;
  for (std::FILE* file : g_log->files) {
    if (std::fflush(file) != 0) g_log->failed(errno);
  }
}

int close_flat_log() {
  flush_flat_log();
  return g_log ? g_log->error.load() : 0;
}

bool FlatCall::on() { return g_log != nullptr; }

void FlatCall::commit() {
  ThreadLog& log = thread_log(thread_);
  if (log.file) {
    const NoFileSizeSignal guard;
    const int n = std::fprintf(log.file, "%s polls=%ld%s%s\n", function_, log.polls,
                               scalars_.c_str(), lists_.c_str());
    if (n < 0) g_log->failed(errno);
  }
  log.polls = 0;
  if (freed_request_ != 0) {
    std::erase_if(log.pending, [&](const auto& p) { return p.serial == freed_request_; });
  }
}

void FlatCall::unsuccessful() { ++thread_log(thread_).polls; }

void FlatCall::put(const std::string& name, const std::string& value) {
  scalars_ += " " + name + "=" + value;
}

void FlatCall::put_list(const std::string& name, const std::vector<std::string>& values) {
  lists_ += " " + name + "=[";
  for (std::size_t i = 0; i < values.size(); ++i) lists_ += (i ? "," : "") + values[i];
  lists_ += "]";
}

void FlatCall::no_value(const char* name) { put(name, "-"); }
void FlatCall::no_list(const char* name) { put_list(name, {}); }

void FlatCall::buffer(const char* name, const void* address) {
  put(name, address == MPI_IN_PLACE ? "MPI_IN_PLACE" : address == MPI_BOTTOM ? "MPI_BOTTOM" : "0");
}

void FlatCall::integer(const char* name, std::int64_t value) { put(name, std::to_string(value)); }
void FlatCall::boolean(const char* name, int value) { put(name, value ? "1" : "0"); }

void FlatCall::tag(const char* name, int value) {
  if (value == MPI_ANY_TAG) wildcard_ = true;
  put(name, tag_text(value));
}

void FlatCall::rank(const char* name, int value) {
  if (value == MPI_ANY_SOURCE) wildcard_ = true;
  put(name, rank_text(value));
}

void FlatCall::color(const char* name, int value) {
  put(name, value == MPI_UNDEFINED ? "MPI_UNDEFINED" : std::to_string(value));
}

void FlatCall::message(const char* name, MPI_Message message) {
  put(name, message == MPI_MESSAGE_NULL ? "NULL" : "0");
}

std::string FlatCall::position(int value, const int* constants, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (constants[i] == value) return std::to_string(i);
  }
  return std::to_string(value < 0 ? value : value + static_cast<long>(n));
}

std::string FlatCall::bits(int value, const int* constants, std::size_t n) {
  long out = 0;
  for (std::size_t i = 0; i < n; ++i) out += (value & constants[i]) ? 1L << i : 0;
  return std::to_string(out);
}

void FlatCall::comm(const char* name, MPI_Comm comm) { put(name, comm_text(comm)); }

void FlatCall::group(const char* name, MPI_Group group) {
  put(name, group == MPI_GROUP_NULL ? "NULL" : g_log->groups.find(handle_bits(group)));
}

void FlatCall::datatype(const char* name, MPI_Datatype type) {
  put(name, g_log->types.find(handle_bits(type)));
}

void FlatCall::op(const char* name, MPI_Op op) { put(name, g_log->ops.find(handle_bits(op))); }

void FlatCall::win(const char* name, MPI_Win win) {
  put(name, win == MPI_WIN_NULL ? "NULL" : g_log->windows.find(handle_bits(win)));
}

void FlatCall::file(const char* name, MPI_File file) {
  put(name, file == MPI_FILE_NULL ? "NULL" : g_log->files_open.find(handle_bits(file)));
}

void FlatCall::booleans(const char* name, const int* values, std::int64_t n) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) all.emplace_back(values[i] ? "1" : "0");
  put_list(name, all);
}

void FlatCall::ranks(const char* name, const int* values, std::int64_t n) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) {
    all.push_back(values[i] == MPI_PROC_NULL ? "MPI_PROC_NULL" : std::to_string(values[i]));
  }
  put_list(name, all);
}

void FlatCall::weights(const char* name, const int* values, std::int64_t n) {
  if (values == MPI_UNWEIGHTED) return put_list(name, {"MPI_UNWEIGHTED"});
  if (values == MPI_WEIGHTS_EMPTY) return put_list(name, {"MPI_WEIGHTS_EMPTY"});
  integers(name, values, n);
}

void FlatCall::datatypes(const char* name, const MPI_Datatype* types, std::int64_t n) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(g_log->types.find(handle_bits(types[i])));
  put_list(name, all);
}

void FlatCall::text(const char* name, const char* text) {
  integers(name, text, text ? static_cast<std::int64_t>(std::strlen(text)) : 0);
}

void FlatCall::comm_freed(const char* name, MPI_Comm comm) {
  FlatCall::comm(name, comm);
  g_log->comms.erase(handle_bits(comm));
}

void FlatCall::group_freed(const char* name, MPI_Group group) {
  FlatCall::group(name, group);
  g_log->groups.free(handle_bits(group));
}

void FlatCall::type_freed(const char* name, MPI_Datatype type) {
  datatype(name, type);
  g_log->types.free(handle_bits(type));
}

void FlatCall::op_freed(const char* name, MPI_Op op) {
  FlatCall::op(name, op);
  g_log->ops.free(handle_bits(op));
}

void FlatCall::win_freed(const char* name, MPI_Win win) {
  FlatCall::win(name, win);
  g_log->windows.free(handle_bits(win));
}

void FlatCall::file_freed(const char* name, MPI_File file) {
  FlatCall::file(name, file);
  g_log->files_open.free(handle_bits(file));
}

void FlatCall::request_freed(const char* name, MPI_Request request) {
  wait_request(name, request);
  freed_request_ = waited_[0].request;
}

// The k-th child of a parent is called after both; where only the members take part, every process
// has a name of its own for it, which the comparison maps.
void FlatCall::new_comm(const char* name, MPI_Comm comm, CreatedBy rule, MPI_Comm parent) {
  const std::string n = name;
  std::string text = "comm:members";
  if (rule == CreatedBy::all_of) text = comm_text(parent);
  const bool counts = rule == CreatedBy::all_of || comm != MPI_COMM_NULL;
  if (counts) text += "/" + std::to_string(g_log->children[text]++);
  if (comm == MPI_COMM_NULL) {
    put(n, "NULL");
    put(n + "_rank", "-");
    put(n + "_size", "-");
    return;
  }
  g_log->comms[handle_bits(comm)] = text;
  const bool usable = std::strncmp(function_, "MPI_Comm_idup", 13) != 0;
  int rank = 0;
  PMPI_Comm_rank(usable ? comm : parent, &rank);
  put(n, text);
  put(n + "_rank", std::to_string(rank));
  put(n + "_size", std::to_string(remote_size(usable ? comm : parent)));
}

void FlatCall::new_group(const char* name, MPI_Group group) {
  put(name, group == MPI_GROUP_NULL ? "NULL" : g_log->groups.make(handle_bits(group)));
}

void FlatCall::new_type(const char* name, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  put(name, g_log->types.make(handle_bits(type)));
  put(std::string(name) + "_size", std::to_string(size));
}

void FlatCall::new_op(const char* name, MPI_Op op) { put(name, g_log->ops.make(handle_bits(op))); }

void FlatCall::new_win(const char* name, MPI_Win win) {
  put(name, g_log->windows.make(handle_bits(win)));
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
  put(name, g_log->files_open.make(handle_bits(file)));
}

void FlatCall::new_message(const char* name, MPI_Message m) { message(name, m); }

void FlatCall::new_request(MPI_Request request, bool persistent) {
  if (request == MPI_REQUEST_NULL) return;
  const std::uint64_t serial = g_log->next_request++;
  thread_log(thread_).pending.push_back({serial, handle_bits(request), wildcard_, persistent});
}

// How many requests were made after the oldest one that has this handle and is not yet waited for.
std::string FlatCall::request_text(MPI_Request request) {
  Waited& waited = waited_.emplace_back();
  if (request == MPI_REQUEST_NULL) return "NULL";
  const auto& pending = thread_log(thread_).pending;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const PendingRequest& p = pending[i];
    const bool taken =
        std::ranges::any_of(waited_, [&](const Waited& w) { return w.request == p.serial; });
    if (p.handle != handle_bits(request) || taken) continue;
    waited = {p.serial, p.wildcard, p.persistent};
    return std::to_string(pending.size() - 1 - i);
  }
  return "unknown";
}

void FlatCall::wait_request(const char* name, MPI_Request request) {
  put(name, request_text(request));
}

void FlatCall::wait_requests(const char* name, const MPI_Request* requests, std::int64_t n) {
  requests_name_ = name;
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(request_text(requests[i]));
  put_list(name, all);
}

void FlatCall::put_match(bool wanted, const MPI_Status* status) {
  put("matched_source", wanted ? rank_text(status->MPI_SOURCE) : "-");
  put("matched_tag", wanted ? tag_text(status->MPI_TAG) : "-");
}

void FlatCall::matched(const MPI_Status* status) { put_match(wildcard_, status); }

void FlatCall::peeked(const MPI_Status* status) {
  put_match(!waited_.empty() && waited_[0].wildcard, status);
}

// The request is pending no more, unless it can be started again.
void FlatCall::finish(std::size_t index) {
  if (index >= waited_.size() || waited_[index].request == 0 || waited_[index].persistent) return;
  std::erase_if(thread_log(thread_).pending,
                [&](const auto& p) { return p.serial == waited_[index].request; });
}

void FlatCall::completed_one(const MPI_Status* status) {
  peeked(status);
  finish(0);
}

void FlatCall::completed_any(int index, const MPI_Status* status) {
  if (index == MPI_UNDEFINED) {
    put("index", "MPI_UNDEFINED");
    return put_match(false, nullptr);
  }
  put("index", std::to_string(index));
  put_match(waited_[static_cast<std::size_t>(index)].wildcard, status);
  finish(static_cast<std::size_t>(index));
}

void FlatCall::completed_some(int count, const int* indices, const MPI_Status* statuses) {
  if (count == MPI_UNDEFINED) return completed_any(MPI_UNDEFINED, nullptr);
  for (int i = 0; i < count; ++i) {
    const std::size_t index = static_cast<std::size_t>(indices[i]);
    scalars_.clear();
    completed_any(indices[i], statuses == MPI_STATUSES_IGNORE ? nullptr : &statuses[i]);
    if (i + 1 == count) return;
    commit();
    // The next completion finds the requests as this one left them.
    const auto& pending = thread_log(thread_).pending;
    waited_[index].request = 0;
    std::vector<std::string> all;
    for (const Waited& w : waited_) {
      const auto at = std::ranges::find(pending, w.request, &PendingRequest::serial);
      all.push_back(w.request == 0 || at == pending.end() ? "NULL"
                                                          : std::to_string(pending.end() - at - 1));
    }
    lists_.clear();
    put_list(requests_name_, all);
  }
}

void FlatCall::completed_all(const MPI_Status* statuses) {
  std::vector<std::string> sources, tags;
  for (std::size_t i = 0; i < waited_.size(); ++i) {
    if (waited_[i].request == 0 || !waited_[i].wildcard) continue;
    sources.push_back(rank_text(statuses[i].MPI_SOURCE));
    tags.push_back(tag_text(statuses[i].MPI_TAG));
  }
  put_list("matched_source", sources);
  put_list("matched_tag", tags);
  for (std::size_t i = 0; i < waited_.size(); ++i) finish(i);
}

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
