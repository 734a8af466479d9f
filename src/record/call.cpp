#include "record/call.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "record/guard.hpp"
#include "trace/predefined.hpp"

namespace reprise::record {

using trace::kForeign;
using trace::kNone;
using trace::kNull;

void* find_real(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) {
    // Nothing sensible can follow: the program calls what its MPI library does not have.
    std::fprintf(stderr, "reprise: %s is missing from the MPI library\n", name);
    std::abort();
  }
  return found;
}

Call::Call(FunctionNumber function, void* caller, void* frame) {
  Session* session = g_session.load(std::memory_order_acquire);
  if (!session || !session->is_of_caller()) session = session_of_caller();
  if (!session) return;
  Stream& stream = session->stream();
  const bool paused = g_paused.load(std::memory_order_relaxed);
  if (stream.depth > 0 || (paused && function != FunctionNumber::MPI_Pcontrol)) return;
  if (session->is_timing()) stream.timer.enter(session->clock, paused);
  session_ = session;
  stream_ = &stream;
  ++stream.depth;
  stream.busy = 1;
  lock();
  const std::uint64_t unwinds = stream.callpaths.unwinds();
  key_ = {static_cast<trace::FunctionId>(function), stream.callpaths.find(caller, frame)};
  unusual_ = stream.callpaths.unwinds() != unwinds;
  scalars_ = trace::function(key_.function).scalars.size();
  stream.record.assign(scalars_, kNone);
  stream.waited.clear();
}

Call::~Call() {
  if (!session_) return;
  session_->look_at_clock();
  unlock();
  --stream_->depth;
  stream_->busy = 0;
  deliver_delayed_signal();
  if (session_->is_timing()) stream_->timer.leave(session_->clock);
}

void Call::lock() {
  if (!session_->multithreaded) return;
  session_->mutex.lock();
  locked_ = true;
}

void Call::unlock() {
  if (!locked_) return;
  locked_ = false;
  session_->mutex.unlock();
}

void Call::begin() {
  unlock();
  stream_->busy = 0;
  deliver_delayed_signal();
  if (session_->is_timing()) stream_->timer.begin(session_->clock, unusual_);
}

void Call::end() {
  if (session_->is_timing()) stream_->timer.returned(session_->clock);
  stream_->busy = 1;
  lock();
}

void Call::commit() {
  const trace::Function& f = trace::function(key_.function);
  stream_->record[0] = std::exchange(stream_->polls, 0);
  if (session_->options.average_sizes && compress::SizeTotals::apply_to(key_.function)) {
    stream_->sizes[key_].take(key_.function, stream_->record);
  }
  const compress::Step step =
      stream_->folder.add(key_, {scalars_, f.lists.size()}, stream_->record);
  if (session_->is_timing()) {
    CallTimer& timer = stream_->timer;
    stream_->times.add(step.from, step.to, timer.take_compute(), timer.take_communicate());
  }
  switch (freed_) {
    case Freed::nothing: break;
    case Freed::comm: break;
    case Freed::group: session_->groups.free(freed_handle_); break;
    case Freed::type: session_->types.free(freed_handle_); break;
    case Freed::op: session_->ops.free(freed_handle_); break;
    case Freed::win: break;
    case Freed::file: session_->files.free(freed_handle_); break;
    case Freed::request:
      if (!stream_->waited.empty() && stream_->waited[0] != PendingRequests::kNone) {
        stream_->requests.remove(stream_->waited[0]);
      }
      break;
  }
}

int Call::failed(int result) {
  session_->lose("calls that returned an error");
  return result;
}

int Call::unsuccessful() {
  ++stream_->polls;
  return MPI_SUCCESS;
}

void Call::buffer(const void* address) {
  put(address == MPI_IN_PLACE ? trace::kInPlace : address == MPI_BOTTOM ? trace::kBottom : 0);
}

void Call::tag(int value) {
  if (value == MPI_ANY_TAG) wildcard_ = true;
  put(value == MPI_ANY_TAG ? trace::kAnyTag : value);
}

void Call::rank(int value) {
  if (value == MPI_ANY_SOURCE) {
    wildcard_ = true;
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
  std::int64_t out = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (value & constants[i]) out |= std::int64_t{1} << i;
  }
  return out;
}

void Call::comm(MPI_Comm comm) { put(session_->comm(comm)); }

void Call::group(MPI_Group group) {
  put(group == MPI_GROUP_NULL ? kNull : session_->groups.find(handle_bits(group)));
}

void Call::datatype(MPI_Datatype type) { put(session_->types.find(handle_bits(type))); }

void Call::op(MPI_Op op) { put(session_->ops.find(handle_bits(op))); }

void Call::win(MPI_Win win) { put(win == MPI_WIN_NULL ? kNull : session_->window_members(win).id); }

void Call::file(MPI_File file) {
  put(file == MPI_FILE_NULL ? kNull : session_->files.find(handle_bits(file)));
}

void Call::booleans(const int* values, std::int64_t n) {
  put_list_length(n);
  for (std::int64_t i = 0; i < n; ++i) add(values[i] != 0);
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
  for (std::int64_t i = 0; i < n; ++i) add(session_->types.find(handle_bits(types[i])));
}

void Call::text(const char* text) {
  integers(text, text ? static_cast<std::int64_t>(std::strlen(text)) : 0);
}

void Call::comm_freed(MPI_Comm comm) {
  Call::comm(comm);
  session_->free_comm(comm);
}

void Call::group_freed(MPI_Group group) {
  Call::group(group);
  freed_ = Freed::group;
  freed_handle_ = handle_bits(group);
}

void Call::type_freed(MPI_Datatype type) {
  datatype(type);
  freed_ = Freed::type;
  freed_handle_ = handle_bits(type);
}

void Call::op_freed(MPI_Op op) {
  Call::op(op);
  freed_ = Freed::op;
  freed_handle_ = handle_bits(op);
}

void Call::win_freed(MPI_Win win) {
  Call::win(win);
  session_->free_window(win);
}

void Call::file_freed(MPI_File file) {
  Call::file(file);
  freed_ = Freed::file;
  freed_handle_ = handle_bits(file);
}

void Call::request_freed(MPI_Request request) {
  wait_request(request);
  freed_ = Freed::request;
}

void Call::new_comm(MPI_Comm comm, CreatedBy rule, MPI_Comm parent) {
  const bool nonblocking =
      (trace::function(key_.function).traits & trace::traits::kNonblocking) != 0;
  const std::int64_t id = session_->add_comm(comm, rule, parent, !nonblocking);
  if (comm == MPI_COMM_NULL) {
    put(kNull);
    return no_value(2);
  }
  const Members& m = session_->members(comm);
  put(id);
  put(m.rank);
  put(m.remote_size);
}

void Call::new_group(MPI_Group group) {
  put(group == MPI_GROUP_NULL ? kNull : session_->groups.make(handle_bits(group)));
}

void Call::new_type(MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  put(session_->types.make(handle_bits(type)));
  put(size);
}

void Call::new_types(const MPI_Datatype*, std::int64_t) {}

void Call::new_op(MPI_Op op) { put(session_->ops.make(handle_bits(op))); }

void Call::new_win(MPI_Win win) {
  put(session_->add_window(win));
  const Members& m = session_->window_members(win);
  put(m.rank);
  put(m.size);
}

void Call::new_file(MPI_File file) { put(session_->files.make(handle_bits(file))); }

void Call::new_message(MPI_Message message) { Call::message(message); }

void Call::new_request(MPI_Request request, bool persistent) {
  if (request == MPI_REQUEST_NULL) return;
  stream_->requests.add(handle_bits(request), wildcard_, persistent);
}

std::int64_t Call::request_number(std::uint64_t handle, std::uint32_t& slot) {
  slot = PendingRequests::kNone;
  if (handle == handle_bits(MPI_REQUEST_NULL)) return kNull;
  slot = stream_->requests.find(handle);
  return slot == PendingRequests::kNone ? kForeign : stream_->requests.age(slot);
}

void Call::wait_request(MPI_Request request) {
  stream_->requests.begin_lookup();
  put(request_number(handle_bits(request), stream_->waited.emplace_back()));
}

void Call::wait_requests(const MPI_Request* requests, std::int64_t n) {
  stream_->requests.begin_lookup();
  put_list_length(n);
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint32_t slot = 0;
    add(request_number(handle_bits(requests[i]), slot));
    stream_->waited.push_back(slot);
  }
}

MPI_Status* Call::status(MPI_Status* wanted) {
  return wanted == MPI_STATUS_IGNORE ? &own_status_ : wanted;
}

MPI_Status* Call::statuses(MPI_Status* wanted) {
  if (wanted != MPI_STATUSES_IGNORE || stream_->requests.wildcards() == 0) return wanted;
  stream_->statuses.resize(std::max<std::size_t>(1, stream_->waited.size()));
  return stream_->statuses.data();
}

void Call::put_match(bool wanted, const MPI_Status* status) {
  if (!wanted) return no_value(2);
  if (status->MPI_SOURCE == MPI_PROC_NULL) {
    put(trace::kProcNull);
  } else {
    put(status->MPI_SOURCE);
  }
  put(status->MPI_TAG == MPI_ANY_TAG ? trace::kAnyTag : status->MPI_TAG);
}

void Call::matched(const MPI_Status* status) { put_match(wildcard_, status); }

void Call::completed_slot(std::size_t index, const MPI_Status* status, bool done) {
  const std::uint32_t slot =
      index < stream_->waited.size() ? stream_->waited[index] : PendingRequests::kNone;
  if (slot == PendingRequests::kNone) return no_value(2);
  const PendingRequests::Request request = stream_->requests.at(slot);
  put_match(request.wildcard, status);
  if (done && !request.persistent) stream_->requests.remove(slot);
}

void Call::completed_any(int index, const MPI_Status* status) {
  put(index == MPI_UNDEFINED ? trace::kUndefined : index);
  if (index == MPI_UNDEFINED) return no_value(2);
  completed_slot(static_cast<std::size_t>(index), status, true);
}

// One call for each completion, all but the last committed here; the requests that are done are
// null in the calls that follow.
void Call::completed_some(int count, const int* indices, const MPI_Status* statuses) {
  if (count == MPI_UNDEFINED) return completed_any(MPI_UNDEFINED, nullptr);
  const std::size_t first = scalars_ + 1;  // of the list of requests
  for (int i = 0; i < count; ++i) {
    scalar_ = scalars_ - 3;
    const MPI_Status* status = statuses == MPI_STATUSES_IGNORE ? nullptr : &statuses[i];
    completed_any(indices[i], status);
    if (i + 1 == count) return;
    commit();
    for (std::size_t k = 0; k < stream_->waited.size(); ++k) {
      const std::uint32_t slot = stream_->waited[k];
      if (slot == PendingRequests::kNone) continue;
      const bool done = k == static_cast<std::size_t>(indices[i]);
      if (done) stream_->waited[k] = PendingRequests::kNone;
      stream_->record[first + k] = done ? kNull : stream_->requests.age(slot);
    }
  }
}

void Call::completed_all(const MPI_Status* statuses) {
  std::vector<std::pair<std::int64_t, std::int64_t>> matches;
  for (std::size_t k = 0; k < stream_->waited.size(); ++k) {
    const std::uint32_t slot = stream_->waited[k];
    if (slot == PendingRequests::kNone || !stream_->requests.at(slot).wildcard) continue;
    const MPI_Status& s = statuses[k];
    matches.emplace_back(s.MPI_SOURCE == MPI_PROC_NULL ? trace::kProcNull : s.MPI_SOURCE,
                         s.MPI_TAG);
  }
  put_list_length(std::ssize(matches));
  for (const auto& m : matches) add(m.first);
  put_list_length(std::ssize(matches));
  for (const auto& m : matches) add(m.second);
  // The youngest first, so that slots keep their numbers while requests go.
  std::ranges::sort(stream_->waited, std::greater<>());
  for (const std::uint32_t slot : stream_->waited) {
    if (slot != PendingRequests::kNone && !stream_->requests.at(slot).persistent) {
      stream_->requests.remove(slot);
    }
  }
}

std::int64_t Call::sum(const int* values, std::int64_t n) {
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < n; ++i) total += values[i];
  return total;
}

std::int64_t Call::ndims(MPI_Comm comm) {
  int n = 0;
  PMPI_Cartdim_get(comm, &n);
  return n;
}

std::int64_t Call::degree(MPI_Comm comm, bool in) {
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
  return in ? 0 : 0;
#endif
}

bool Call::is_root(int root, MPI_Comm comm) {
  const Members& m = session_->members(comm);
  return m.inter ? root == MPI_ROOT : root == m.rank;
}

bool Call::is_leaf(int root, MPI_Comm comm) {
  return !session_->members(comm).inter || (root != MPI_ROOT && root != MPI_PROC_NULL);
}

}  // namespace reprise::record
