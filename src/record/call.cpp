#include "record/call.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

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

namespace {

// Calls that are recorded even while recording is paused: what they make or set outlives the pause.
constexpr std::uint32_t kLasting =
    trace::traits::kCreate | trace::traits::kFree | trace::traits::kPersistent |
    trace::traits::kCancel | trace::traits::kState | trace::traits::kInit |
    trace::traits::kFinalize | trace::traits::kAbort | trace::traits::kControl;

}  // namespace

Call::Call(FunctionNumber function, void* caller, void* frame) noexcept {
  Session* session = g_session.load(std::memory_order_acquire);
  if (!session || !session->is_of_caller()) session = session_of_caller();
  if (!session) return;
  try {
    Stream& stream = session->stream();
    if (stream.depth > 0 && (stream.busy || stream.callers.in_mpi(caller))) return;
    if (stream.broken) {
      session->lose_to_failure();
      return;
    }
    key_.function = static_cast<trace::FunctionId>(function);
    open(*session, stream, caller, frame);
  } catch (...) {
    if (session_) {
      fail();
    } else {
      session->lose_to_failure();
    }
  }
}

void Call::open(Session& session, Stream& stream, void* caller, void* frame) {
  const trace::Function& f = trace::function(key_.function);
  const bool paused = g_paused.load(std::memory_order_relaxed);
  if (paused) aside_ = "calls while recording was paused";
  if (stream.depth > 0) aside_ = "calls in functions that MPI called back";
  traits_ = f.traits;
  kept_ = (traits_ & kLasting) != 0;
  // What passes in a pause or within another call is no time of this one.
  timed_ = session.is_timing() && (aside_ == nullptr || (kept_ && stream.depth == 0));
  if (timed_) stream.timer.enter(session.clock, paused);
  if (stream.depth == stream.frames.size()) stream.frames.push_back(std::make_unique<CallFrame>());
  frame_ = stream.frames[stream.depth].get();
  session_ = &session;
  stream_ = &stream;
  ++stream.depth;
  stream.busy = 1;
  lock();
  const std::uint64_t unwinds = stream.callpaths.unwinds();
  key_.callpath = stream.callpaths.find(caller, frame);
  unusual_ = stream.callpaths.unwinds() != unwinds;
  scalars_ = f.scalars.size();
  frame_->record.assign(scalars_, kNone);
  frame_->waited.clear();
}

Call::~Call() {
  if (!session_) return;
  session_->look_at_clock();
  unlock();
  --stream_->depth;
  stream_->busy = 0;
  deliver_delayed_signal();
  if (timed_) stream_->timer.leave(session_->clock);
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
  if (timed_) stream_->timer.begin(session_->clock, unusual_);
}

void Call::end() {
  if (timed_) stream_->timer.returned(session_->clock);
  stream_->busy = 1;
  lock();
}

// What was half done cannot be undone: the stream ends here.
void Call::fail() noexcept {
  failed_ = true;
  stream_->broken = true;
  session_->lose_to_failure();
}

void Call::commit() {
  settle(true);
  if ((traits_ & trace::traits::kCancel) && !frame_->waited.empty()) {
    const PendingRequests::Place& place = frame_->waited[0];
    if (place.table) place.table->mark_cancel(place, true);
  }
  if (aside_ && !kept_ && !ended_) return session_->lose(aside_);
  ended_ = false;
  const trace::Function& f = trace::function(key_.function);
  frame_->record[0] = std::exchange(stream_->polls, 0);
  if (session_->options.average_sizes && compress::SizeTotals::apply_to(key_.function)) {
    stream_->sizes[key_].take(key_.function, frame_->record);
  }
  const compress::Step step = stream_->folder.add(key_, {scalars_, f.lists.size()}, frame_->record);
  if (session_->is_timing()) {
    CallTimer& timer = stream_->timer;
    stream_->times.add(step.from, step.to, timed_ ? timer.take_compute() : 0,
                       timed_ ? timer.take_communicate() : 0);
  }
}

void Call::failed() {
  settle(false);
  session_->lose("calls that returned an error");
}

void Call::unsuccessful() {
  if (aside_) return session_->lose(aside_);
  ++stream_->polls;
}

Handles* Call::handles_of(Freed what) {
  switch (what) {
    case Freed::group: return &session_->groups;
    case Freed::type: return &session_->types;
    case Freed::op: return &session_->ops;
    case Freed::file: return &session_->files;
    default: return nullptr;
  }
}

void Call::leave(Freed what, std::uint64_t handle) {
  freed_ = what;
  freed_handle_ = handle;
  if (what == Freed::comm) {
    session_->leave(session_->comms, handle);
  } else if (what == Freed::win) {
    session_->leave(session_->windows, handle);
  } else if (Handles* handles = handles_of(what)) {
    leaving_ = handles->leave(handle);
  }
}

void Call::settle(bool freed) {
  const Freed what = std::exchange(freed_, Freed::nothing);
  if (what == Freed::nothing) return;
  if (what == Freed::comm) {
    session_->left(session_->comms, freed_handle_, freed);
  } else if (what == Freed::win) {
    session_->left(session_->windows, freed_handle_, freed);
  } else if (Handles* handles = handles_of(what)) {
    freed ? handles->freed(leaving_) : handles->kept(leaving_);
  } else if (freed && !frame_->waited.empty()) {
    const PendingRequests::Place& place = frame_->waited[0];
    if (!place.table) return;
    if (place.table == &stream_->requests) {
      place.table->remove(place);
    } else {
      place.table->give_up(place);
    }
  }
}

UnrecordedCall::UnrecordedCall(const void* caller) noexcept {
  Session* session = g_session.load(std::memory_order_acquire);
  if (!session || !session->is_of_caller()) session = session_of_caller();
  if (!session) return;
  try {
    Stream& stream = session->stream();
    if (stream.depth > 0 && (stream.busy || stream.callers.in_mpi(caller))) return;
    std::unique_lock<std::timed_mutex> lock;
    if (session->multithreaded) lock = std::unique_lock(session->mutex);
    session->lose("calls of MPI 4 that are not recorded");
  } catch (...) {
    session->lose_to_failure();
  }
}

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

// Displacements as large as an address are one if there is memory: else they are the distance of
// two, and stay as they are. A program that is not position-independent has its data below 4 GiB,
// where displacements are too: there all of them have to be in memory.
bool Call::has_address(const MPI_Aint* values, std::int64_t n) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto is_memory = [](MPI_Aint value) {
    if (value <= 0) return false;
    unsigned char resident = 0;
    const auto address = static_cast<std::uintptr_t>(value) / page * page;
    return ::mincore(reinterpret_cast<void*>(address), 1, &resident) == 0;
  };
  const auto is_high = [&](MPI_Aint value) { return value >> 32 > 0 && is_memory(value); };
  return n > 0 &&
         (std::any_of(values, values + n, is_high) || std::all_of(values, values + n, is_memory));
}

// Of one block among those of a datatype, a multiple of 16 [bytes].
std::int64_t Call::block_size(int length, MPI_Datatype type) {
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
  for (std::int64_t i = 0; i < n; ++i) add(session_->types.find(handle_bits(types[i])));
}

void Call::text(const char* text) {
  integers(text, text ? static_cast<std::int64_t>(std::strlen(text)) : 0);
}

void Call::comm_freed(MPI_Comm comm) {
  Call::comm(comm);
  leave(Freed::comm, handle_bits(comm));
}

void Call::group_freed(MPI_Group group) {
  Call::group(group);
  leave(Freed::group, handle_bits(group));
}

void Call::type_freed(MPI_Datatype type) {
  datatype(type);
  leave(Freed::type, handle_bits(type));
}

void Call::op_freed(MPI_Op op) {
  Call::op(op);
  leave(Freed::op, handle_bits(op));
}

void Call::win_freed(MPI_Win win) {
  Call::win(win);
  leave(Freed::win, handle_bits(win));
}

void Call::file_freed(MPI_File file) {
  Call::file(file);
  leave(Freed::file, handle_bits(file));
}

void Call::request_freed(MPI_Request request) {
  wait_request(request);
  freed_ = Freed::request;
}

void Call::new_comm(MPI_Comm comm, CreatedBy rule, MPI_Comm parent) {
  const bool nonblocking = (traits_ & trace::traits::kNonblocking) != 0;
  const bool is_parent =
      key_.function == static_cast<trace::FunctionId>(FunctionNumber::MPI_Comm_get_parent);
  const std::int64_t id = is_parent && comm != MPI_COMM_NULL
                              ? session_->add_parent_comm(comm)
                              : session_->add_comm(comm, rule, parent, !nonblocking);
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
  MPI_Count size = 0;  // beyond 2 GiB, where an int says MPI_UNDEFINED
  PMPI_Type_size_x(type, &size);
  put(session_->types.make(handle_bits(type)));
  put(size);
}

void Call::new_types(const MPI_Datatype* types, std::int64_t n) {
  put_list_length(n);
  for (std::int64_t i = 0; i < n; ++i) add(session_->types.make(handle_bits(types[i])));
}

std::int64_t Call::contents(MPI_Datatype type) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return types;
}

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
  stream_->requests.add(handle_bits(request), receive_, persistent, !aside_ || kept_);
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
