// Objects, by the numbers that the trace gives them.
#include "replay/calls/arguments.hpp"

#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::replay {

template <class Handle>
Handle Arguments::object(Table<Handle>& table, std::int64_t number, Handle null, const char* what) {
  if (number == trace::kNull || number == trace::kNone) return null;
  const std::optional<Handle> found = table.find(number);
  if (found) return *found;
  give_up(process_, "the trace is damaged (" + std::string(event_->function->name) + " uses " +
                        what + " " + std::to_string(number) +
                        ", which nothing has made); record it again");
}

MPI_Comm Arguments::comm(int c) {
  return object(process_.objects.comms, scalar(c), MPI_COMM_NULL, "communicator");
}
MPI_Group Arguments::group(int c) {
  return object(process_.objects.groups, scalar(c), MPI_GROUP_NULL, "group");
}
MPI_Op Arguments::op(int c) {
  return object(process_.objects.ops, scalar(c), MPI_OP_NULL, "operation");
}
MPI_Win Arguments::win(int c) {
  return object(process_.objects.windows, scalar(c), MPI_WIN_NULL, "window");
}
MPI_File Arguments::file(int c) {
  return object(process_.objects.files, scalar(c), MPI_FILE_NULL, "file");
}
#if MPI_VERSION >= 4
MPI_Session Arguments::session(int c) {
  return object(process_.objects.sessions, scalar(c), MPI_SESSION_NULL, "session");
}
#endif
int Arguments::descriptor(int c) {
  return steering_->descriptor = object(process_.objects.descriptors, scalar(c), -1, "file");
}
MPI_Datatype Arguments::datatype(int c) { return type_of(scalar(c)); }

MPI_Datatype Arguments::type_of(std::int64_t number) {
  if (number == trace::kNone) return MPI_BYTE;  // not significant here
  if (number >= 0 && number < trace::kFirstMadeType && !process_.objects.types.has(number)) {
    give_up(process_,
            std::string(event_->function->name) + " needs " + trace::type_name(number) +
                " (this MPI library does not have it); replay with that of the recording");
  }
  return object(process_.objects.types, number, MPI_DATATYPE_NULL, "datatype");
}

MPI_Comm* Arguments::new_comm(int c) {
  if (trace::is_special(scalar(c))) return &(no_comm_ = MPI_COMM_NULL);
  return process_.objects.comms.place(scalar(c));
}

void Arguments::made_comm(int c, MPI_Comm comm) {
  const bool none = trace::is_special(scalar(c));
  if (none != (comm == MPI_COMM_NULL)) {
    give_up(process_, std::string(event_->function->name) + " gave " + (none ? "a" : "no") +
                          " communicator (it did otherwise when it was recorded); replay with the "
                          "MPI library of the recording");
  }
  if (!none) process_.objects.comms.made(scalar(c));
}

void Arguments::new_type(int c, MPI_Datatype type) {
  types_.forget();
  process_.objects.types.make(scalar(c), type);
}

void Arguments::freed_type(int c) {
  types_.forget();
  if (!trace::is_special(scalar(c))) process_.objects.types.free(scalar(c));
}

void Arguments::new_win(int c, MPI_Win win) {
  process_.objects.windows.make(scalar(c), win);
  const std::lock_guard lock(process_.sharing.mutex);
  process_.window_memory[scalar(c)] = std::move(base_);
}

void Arguments::freed_win(int c) {
  process_.objects.windows.free(scalar(c));
  const std::lock_guard lock(process_.sharing.mutex);
  process_.window_memory.erase(scalar(c));
}

// Types that MPI has from the start keep their numbers, and are not to be freed.
void Arguments::found_types(int l, const MPI_Datatype* types) {
  types_.forget();
  const auto numbers = list(l);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!trace::is_special(numbers[i])) process_.objects.types.make(numbers[i], types[i]);
  }
}

void Arguments::wait_for_users(int c) {
  if (!process_.sharing.threads) return;
  const std::int64_t id = scalar(c);
  const std::uint64_t me = stream_ % process_.trace.threads;
  std::unique_lock lock(process_.sharing.mutex);
  process_.sharing.changed.wait(lock, [&] {
    for (std::uint64_t t = 0; t < process_.uses.size(); ++t) {
      const auto found = process_.uses[t].find(id);
      if (t != me && found != process_.uses[t].end() && found->second > 0) return false;
    }
    return true;
  });
}

}  // namespace reprise::replay
