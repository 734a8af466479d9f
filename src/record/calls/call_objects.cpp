// What a call says of the objects that it makes and frees.
#include <algorithm>
#include <utility>

#include "record/calls/call.hpp"

namespace reprise::record {

using trace::kNull;

Handles* Call::handles_of(Freed what) {
  switch (what) {
    case Freed::group: return &session_->groups;
    case Freed::type: return &session_->types;
    case Freed::op: return &session_->ops;
    case Freed::file: return &session_->files;
    case Freed::session: return &session_->mpi_sessions;
    default: return nullptr;
  }
}

void Call::leave(Freed what, std::uint64_t handle) {
  freed_ = what;
  freed_handle_ = handle;
  if (what == Freed::comm) {
    session_->comms.leave(handle);
  } else if (what == Freed::win) {
    session_->windows.leave(handle);
  } else if (Handles* handles = handles_of(what)) {
    leaving_ = handles->leave(handle);
  }
}

void Call::settle(bool freed) {
  const Freed what = std::exchange(freed_, Freed::nothing);
  if (what == Freed::nothing) return;
  if (what == Freed::comm) {
    session_->comms.left(freed_handle_, freed);
  } else if (what == Freed::win) {
    session_->windows.left(freed_handle_, freed);
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

#if MPI_VERSION >= 4
void Call::session(MPI_Session session) {
  put(session == MPI_SESSION_NULL ? kNull : session_->mpi_sessions.find(handle_bits(session)));
}

void Call::session_freed(MPI_Session session) {
  Call::session(session);
  leave(Freed::session, handle_bits(session));
}

void Call::new_session(MPI_Session session) {
  put(session_->mpi_sessions.make(handle_bits(session)));
}
#endif

void Call::request_freed(const MPI_Request* request) {
  wait_request(request);
  freed_ = Freed::request;
}

void Call::new_comm(MPI_Comm comm, CreatedBy rule, MPI_Comm parent, const char* tag) {
  const bool nonblocking = (traits_ & trace::traits::kNonblocking) != 0;
  const bool is_parent =
      key_.function == static_cast<trace::FunctionId>(FunctionNumber::MPI_Comm_get_parent);
  const std::int64_t id = is_parent && comm != MPI_COMM_NULL
                              ? session_->comms.add_parent(comm)
                              : session_->comms.add(comm, rule, parent, !nonblocking, tag);
  if (comm == MPI_COMM_NULL) {
    put(kNull);
    return no_value(2);
  }
  const Members& m = session_->comms.of(comm);
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

void Call::new_op(MPI_Op op) { put(session_->ops.make(handle_bits(op))); }

void Call::new_win(MPI_Win win) {
  put(session_->windows.add(win));
  const Members& m = session_->windows.of(win);
  put(m.rank);
  put(m.size);
}

void Call::new_file(MPI_File file) { put(session_->files.make(handle_bits(file))); }

void Call::new_message(MPI_Message message) { Call::message(message); }

void Call::new_request(const MPI_Request* request, bool persistent) {
  if (*request == MPI_REQUEST_NULL) return;
#ifdef MPICH_VERSION
  // MPICH 4.0 leaves the status of MPI_Isendrecv as it was.
  constexpr std::uint32_t kBoth = trace::traits::kSend | trace::traits::kRecv;
  receive_.untold = (traits_ & kBoth) == kBoth;
#endif
  Home kept = home(request, 0);
  kept.frame = stream_->callpaths.frame_of(kept.address);
  stream_->requests.add(handle_bits(*request), kept, receive_, persistent, !aside_ || kept_);
}

}  // namespace reprise::record
