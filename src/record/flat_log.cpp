#include "record/flat_log.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "record/handles.hpp"
#include "record/part_file.hpp"

namespace reprise::record {
namespace {

// Objects get the smallest number that no living object of their class has; or, if numbers never
// come again, the next one.
class Numbers {
 public:
  Numbers(std::string prefix, int first, bool again = true)
      : prefix_(std::move(prefix)), first_(first), again_(again) {}

  void name(std::uint64_t handle, const std::string& name) { names_.emplace(handle, name); }

  std::string make(std::uint64_t handle) {
    if (const auto known = names_.find(handle); known != names_.end()) {
      ++owners_[handle];
      return known->second;
    }
    int number = first_;
    while (used_.contains(number)) ++number;
    used_.insert(number);
    numbers_[handle] = number;
    owners_[handle] = 1;
    return names_[handle] = prefix_ + std::to_string(number);
  }

  std::string find(std::uint64_t handle) const {
    const auto known = names_.find(handle);
    return known == names_.end() ? "unknown" : known->second;
  }

  // Returns what to do when the object is really gone, and when it is not.
  std::pair<std::function<void()>, std::function<void()>> free(std::uint64_t handle) {
    const auto at = numbers_.find(handle);
    if (at == numbers_.end()) return {};
    if (--owners_[handle] > 0) return {[] {}, [this, handle] { ++owners_[handle]; }};
    const int number = at->second;
    numbers_.erase(at);
    names_.erase(handle);
    const auto gone = [this, number] {
      if (again_) used_.erase(number);
    };
    const auto back = [this, handle, number] {
      numbers_[handle] = number;
      owners_[handle] = 1;
      names_[handle] = prefix_ + std::to_string(number);
    };
    return {gone, back};
  }

 private:
  std::string prefix_;
  int first_;
  bool again_;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::uint64_t, int> numbers_, owners_;
  std::set<int> used_;
};

struct PendingRequest {
  std::uint64_t id;  // in the process
  std::uint64_t handle;
  bool wildcard, nobody, persistent;
  bool logged;  // the call that made it is in the log
  long number;  // among those of its thread that are logged
  bool cancel = false;
  bool elsewhere = false;  // another thread completed it: its maker counts it still
};

// What a thread has said so far.
struct ThreadLog {
  int thread = 0;
  std::FILE* file = nullptr;
  long polls = 0, made = 0;
  std::deque<PendingRequest> pending;
};

struct Log {
  std::string folder;
  int rank = 0;
  std::vector<ThreadLog*> threads;
  std::mutex mutex;
  Numbers groups{"", 1}, types{"type", 0}, ops{"op", 0}, files_open{"", 0};
  Numbers windows{"", 0, false};
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
  static thread_local ThreadLog* mine = nullptr;
  if (!mine) {
    const std::lock_guard lock(g_log->mutex);
    const std::string path = g_log->folder + "/rank-" + std::to_string(g_log->rank) + "-thread-" +
                             std::to_string(thread) + ".log";
    mine = g_log->threads.emplace_back(new ThreadLog);
    mine->thread = thread;
    mine->file = std::fopen(path.c_str(), "w");
    if (!mine->file) g_log->failed(errno);
  }
  return *mine;
}

// A pending request and the thread that made it.
std::pair<ThreadLog*, PendingRequest*> find_pending(std::uint64_t id) {
  for (ThreadLog* log : g_log->threads) {
    for (PendingRequest& p : log->pending) {
      if (p.id == id && !p.elsewhere) return {log, &p};
    }
  }
  return {nullptr, nullptr};
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

// Names a communicator after its members' ranks in the world, both groups of an inter-communicator.
std::string members_text(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return "comm:members";
  std::set<int> members;
  MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  for (int side = 0; side <= (inter ? 1 : 0); ++side) {
    side == 0 ? PMPI_Comm_group(comm, &group) : PMPI_Comm_remote_group(comm, &group);
    int n = 0;
    PMPI_Group_size(group, &n);
    for (int i = 0; i < n; ++i) {
      int in_world = 0;
      PMPI_Group_translate_ranks(group, 1, &i, world, &in_world);
      members.insert(in_world);
    }
    PMPI_Group_free(&group);
  }
  PMPI_Group_free(&world);
  std::string text = inter ? "comm:inter" : "comm:members";
  for (const int m : members) text += "_" + std::to_string(m);
  return text;
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
  ::mkdir(folder.c_str(), 0777);
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
  for (const ThreadLog* log : g_log->threads) {
    if (log->file && std::fflush(log->file) != 0) g_log->failed(errno);
  }
}

int close_flat_log() {
  flush_flat_log();
  return g_log ? g_log->error.load() : 0;
}

bool FlatCall::on() { return g_log != nullptr; }

void FlatCall::log() const {
  ThreadLog& log = thread_log(thread_);
  if (log.file) {
    const NoFileSizeSignal guard;
    const int n = std::fprintf(log.file, "%s polls=%ld%s%s\n", function_, log.polls,
                               scalars_.c_str(), lists_.c_str());
    if (n < 0) g_log->failed(errno);
  }
  log.polls = 0;
}

void FlatCall::commit() {
  if (freed_) freed_();
  if (frees_request_) finish(0);
  if (cancels_ && !waited_.empty()) {
    if (PendingRequest* p = find_pending(waited_[0]).second) p->cancel = true;
  }
  if (!aside_ || lasting_ || ended_) log();
  ended_ = false;
}

void FlatCall::unsuccessful() {
  if (!aside_) ++thread_log(thread_).polls;
}

void FlatCall::failed() {
  if (kept_) kept_();
}

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
  nobody_ = value == MPI_PROC_NULL;
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

// Memory of this process, far from the small numbers that displacements are.
bool FlatCall::is_address(MPI_Aint value) {
  if (value < MPI_Aint{1} << 32) return false;
  const MPI_Aint page = value - value % 4096;
  return ::msync(reinterpret_cast<void*>(page), 1, MS_ASYNC) == 0;
}

std::int64_t FlatCall::bytes(int count, MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return count > 0 && extent > 0 ? std::int64_t{extent} * count : 0;
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
  const std::string text = comm_text(comm);
  put(name, text);
  const std::uint64_t handle = handle_bits(comm);
  g_log->comms.erase(handle);
  if (text != "unknown") kept_ = [handle, text] { g_log->comms[handle] = text; };
}

void FlatCall::group_freed(const char* name, MPI_Group group) {
  FlatCall::group(name, group);
  std::tie(freed_, kept_) = g_log->groups.free(handle_bits(group));
}

void FlatCall::type_freed(const char* name, MPI_Datatype type) {
  datatype(name, type);
  std::tie(freed_, kept_) = g_log->types.free(handle_bits(type));
}

void FlatCall::op_freed(const char* name, MPI_Op op) {
  FlatCall::op(name, op);
  std::tie(freed_, kept_) = g_log->ops.free(handle_bits(op));
}

void FlatCall::win_freed(const char* name, MPI_Win win) {
  FlatCall::win(name, win);
  std::tie(freed_, kept_) = g_log->windows.free(handle_bits(win));
}

void FlatCall::file_freed(const char* name, MPI_File file) {
  FlatCall::file(name, file);
  std::tie(freed_, kept_) = g_log->files_open.free(handle_bits(file));
}

void FlatCall::request_freed(const char* name, MPI_Request request) {
  wait_request(name, request);
  frees_request_ = true;
}

// The k-th child of a parent is called after both; where only the members take part, it is called
// after them.
void FlatCall::new_comm(const char* name, MPI_Comm comm, CreatedBy rule, MPI_Comm parent) {
  const std::string n = name;
  std::string text = members_text(comm);
  if (rule == CreatedBy::all_of) text = comm_text(parent);
  const bool counts = rule == CreatedBy::all_of || comm != MPI_COMM_NULL;
  if (counts) text += "/" + std::to_string(g_log->children[text]++);
  // The one that the parent made may be asked for again.
  const auto known = g_log->comms.find(handle_bits(comm));
  if (std::strcmp(function_, "MPI_Comm_get_parent") == 0 && known != g_log->comms.end())
    text = known->second;
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
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  put(name, g_log->types.make(handle_bits(type)));
  put(std::string(name) + "_size", std::to_string(static_cast<long long>(size)));
}

void FlatCall::new_types(const char* name, const MPI_Datatype* types, std::int64_t n) {
  std::vector<std::string> all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(g_log->types.make(handle_bits(types[i])));
  put_list(name, all);
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
  ThreadLog& log = thread_log(thread_);
  const bool logged = !aside_ || lasting_;
  log.pending.push_back({g_log->next_request++, handle_bits(request), wildcard_, nobody_,
                         persistent, logged, logged ? log.made++ : 0});
}

// How many requests were made after it by this thread; or, if another one made it, which and how
// many before.
std::string FlatCall::name_of(std::uint64_t request) const {
  const auto [log, pending] = find_pending(request);
  if (!pending || !pending->logged) return "unknown";
  if (log->thread != thread_)
    return "thread" + std::to_string(log->thread) + "/" + std::to_string(pending->number);
  return std::to_string(std::ranges::count_if(
      log->pending, [&](const PendingRequest& p) { return p.logged && p.id > request; }));
}

// The oldest of its own that has this handle and is not waited for by this call already; only then
// those of others.
std::string FlatCall::request_text(MPI_Request request) {
  std::uint64_t& waited = waited_.emplace_back(0);
  if (request == MPI_REQUEST_NULL) return "NULL";
  std::vector<ThreadLog*> logs{&thread_log(thread_)};
  for (ThreadLog* log : g_log->threads) {
    if (log->thread != thread_) logs.push_back(log);
  }
  for (const ThreadLog* log : logs) {
    for (const PendingRequest& p : log->pending) {
      if (p.handle != handle_bits(request) || p.elsewhere) continue;
      if (std::ranges::find(waited_, p.id) != waited_.end()) continue;
      waited = p.id;
      return name_of(waited);
    }
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

namespace {

using MatchText = std::pair<std::string, std::string>;

MatchText met(const MPI_Status* status) {
  return {rank_text(status->MPI_SOURCE), tag_text(status->MPI_TAG)};
}

// What the completion of a request says of it; nothing if it is not asked.
std::optional<MatchText> outcome_of(std::uint64_t request, const MPI_Status* status) {
  const PendingRequest* p = find_pending(request).second;
  if (!p || !p->logged || !(p->wildcard || p->cancel)) return std::nullopt;
  int cancelled = 0;
  if (p->cancel && status) PMPI_Test_cancelled(status, &cancelled);
  if (cancelled) return MatchText{"cancelled", "-"};
  if (!p->wildcard || !status) return MatchText{"-", "-"};
  return p->nobody ? MatchText{"MPI_PROC_NULL", "MPI_ANY_TAG"} : met(status);
}

int class_of(int outcome) {
  int out = outcome;
  PMPI_Error_class(outcome, &out);
  return out;
}

}  // namespace

void FlatCall::put_match(const MatchText& match) {
  put("matched_source", match.first);
  put("matched_tag", match.second);
}

void FlatCall::matched(const MPI_Status* status) {
  put_match(wildcard_ ? met(status) : MatchText{"-", "-"});
}

void FlatCall::peeked(const MPI_Status* status) {
  put_match(outcome_of(waited_.empty() ? 0 : waited_[0], status).value_or(MatchText{"-", "-"}));
}

// The request is pending no more, unless it can be started again.
void FlatCall::finish(std::size_t index) {
  if (index >= waited_.size()) return;
  const auto [log, pending] = find_pending(waited_[index]);
  if (!pending) return;
  if (pending->persistent && !frees_request_) {
    pending->cancel = false;
    return;
  }
  ended_ = ended_ || pending->logged;
  pending->elsewhere = log->thread != thread_ && pending->logged;
  if (!pending->elsewhere)
    std::erase_if(log->pending, [&](const auto& p) { return p.id == waited_[index]; });
  while (!log->pending.empty() && log->pending.front().elsewhere) log->pending.pop_front();
}

void FlatCall::completed_one(const MPI_Status* status) {
  peeked(status);
  finish(0);
}

void FlatCall::completed_any(int index, const MPI_Status* status) {
  if (index == MPI_UNDEFINED) {
    put("index", "MPI_UNDEFINED");
    return put_match({"-", "-"});
  }
  put("index", std::to_string(index));
  const auto at = static_cast<std::size_t>(index);
  put_match(outcome_of(waited_[at], status).value_or(MatchText{"-", "-"}));
  finish(at);
}

// The next completion finds the requests as this one left them.
void FlatCall::forget(std::size_t index) {
  std::vector<std::string> all;
  waited_[index] = 0;
  lists_ = lists_.substr(lists_.find('[') + 1);
  for (std::size_t k = 0; k < waited_.size(); ++k) {
    const std::size_t end = lists_.find_first_of(",]");
    const std::string before = lists_.substr(0, end);
    lists_ = lists_.substr(end + 1);
    all.push_back(k == index || before == "NULL" ? "NULL" : name_of(waited_[k]));
  }
  lists_.clear();
  put_list(requests_name_, all);
}

void FlatCall::completed_some(int count, const int* indices, const MPI_Status* statuses) {
  if (count == MPI_UNDEFINED) return completed_any(MPI_UNDEFINED, nullptr);
  for (int i = 0; i < count; ++i) {
    scalars_.clear();
    completed_any(indices[i], statuses == MPI_STATUSES_IGNORE ? nullptr : &statuses[i]);
    if (i + 1 == count) return;
    commit();
    forget(static_cast<std::size_t>(indices[i]));
  }
}

void FlatCall::completed_all(const MPI_Status* statuses) {
  std::vector<std::string> sources, tags;
  for (std::size_t i = 0; i < waited_.size(); ++i) {
    const MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? nullptr : &statuses[i];
    if (const auto match = outcome_of(waited_[i], status)) {
      sources.push_back(match->first);
      tags.push_back(match->second);
    }
  }
  put_list("matched_source", sources);
  put_list("matched_tag", tags);
  for (std::size_t i = 0; i < waited_.size(); ++i) finish(i);
}

// Completions that failed are logged if they ended a request, as if they had been asked for no
// other.
void FlatCall::failed_one(int, MPI_Request now) {
  if (now != MPI_REQUEST_NULL) return;
  completed_one(nullptr);
  if (ended_) log();
}

void FlatCall::failed_any(int, const MPI_Request* now, std::int64_t n) {
  for (std::int64_t k = 0; k < n && k < std::ssize(waited_); ++k) {
    const auto index = static_cast<std::size_t>(k);
    if (waited_[index] == 0 || now[k] != MPI_REQUEST_NULL) continue;
    scalars_.clear();
    completed_any(static_cast<int>(k), nullptr);
    if (ended_) log();
    ended_ = false;
    forget(index);
  }
}

void FlatCall::failed_all(int outcome, const MPI_Request* now, std::int64_t n,
                          const MPI_Status* statuses) {
  const bool said = class_of(outcome) == MPI_ERR_IN_STATUS && statuses != MPI_STATUSES_IGNORE;
  std::vector<std::string> sources, tags, names;
  std::string rest = lists_.substr(lists_.find('[') + 1);
  for (std::int64_t k = 0; k < n && k < std::ssize(waited_); ++k) {
    const auto index = static_cast<std::size_t>(k);
    const std::size_t end = rest.find_first_of(",]");
    names.push_back(rest.substr(0, end));
    rest = rest.substr(end + 1);
    const bool over = said && class_of(statuses[k].MPI_ERROR) != MPI_ERR_PENDING;
    if (now[k] != MPI_REQUEST_NULL && !over) {
      names.back() = "NULL";
      continue;
    }
    const bool good = said && statuses[k].MPI_ERROR == MPI_SUCCESS;
    if (auto match = outcome_of(waited_[index], good ? &statuses[k] : nullptr)) {
      sources.push_back(match->first);
      tags.push_back(match->second);
    }
    finish(index);
  }
  lists_.clear();
  put_list(requests_name_, names);
  put_list("matched_source", sources);
  put_list("matched_tag", tags);
  if (ended_) log();
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

std::int64_t FlatCall::contents(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return types;
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
