// A call being recorded. The generated wrappers pass its arguments in the order of the columns:
// before the real call the inputs, after it the outputs.
#pragma once

#include <mpi.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "record/objects/request_homes.hpp"
#include "record/session.hpp"
#include "trace/values/special.hpp"

#ifdef SMPI_H
// Part of the program itself. Protected, which mpi.h does not let us say in C++: the program's
// calls come here whatever else is loaded.
#define REPRISE_EXPORT
#define REPRISE_ALIAS(name) \
  ;                         \
  asm(".protected " #name)
#define REPRISE_REAL(name)               \
  constexpr auto real = &(name);         \
  reprise::record::close_fortran_slot(); \
  const reprise::record::Unmeasured unmeasured
#else
#define REPRISE_EXPORT __attribute__((visibility("default")))
// The profiling name leads to the recorder as well: Fortran bindings call it, and so do programs
// that bring wrappers of their own. The library's function is found behind both.
#define REPRISE_ALIAS(name) __attribute__((visibility("default"), alias(#name)))
#define REPRISE_REAL(name) \
  static const auto real = reinterpret_cast<decltype(&(name))>(reprise::record::find_real(#name))
#endif
// Who called the wrapper that this stands in.
#define REPRISE_CALLER __builtin_return_address(0), __builtin_dwarf_cfa()

namespace reprise::record {

#include "numbers.inc"

// The next definition of a function behind the recorder's own.
void* find_real(const char* name);

class Call {
 public:
  Call(FunctionNumber function, void* caller, void* frame) noexcept;
  // A POSIX call: recorded if the program itself made it, outside of MPI.
  struct OfProgram {};
  Call(FunctionNumber function, OfProgram, void* caller, void* frame) noexcept;
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // Whether the call is not recorded: there is no session, or MPI or the recorder made it.
  bool ignored() const { return session_ == nullptr; }

  // The calling thread: 0 for the first that called MPI in this process, and so on.
  int thread() const { return stream_->number; }
  // Whether the call is left out of the trace unless other recorded calls depend on it.
  bool aside() const { return aside_ != nullptr; }

  // Records the inputs before the real call, and the outputs after it. An exception in the recorder
  // ends the recording of the thread; it never reaches the application.
  template <class Say>
  void before(Say&& say) noexcept {
    try {
      if (!failed_) say();
    } catch (...) {
      fail();
    }
    begin();
  }
  template <class Say>
  void after(Say&& say) noexcept {
    try {
      end();
      if (!failed_) say();
    } catch (...) {
      fail();
    }
  }

  // Leaves the recorder before the call ends, since it ends the recording.
  void leave() { session_->leave(*stream_); }

  // The outcome of the call. The wrapper calls exactly one of these, last.
  void commit();
  void failed();        // MPI returned an error
  void unsuccessful();  // a test or probe found nothing
  void dropped() {}     // it is not recorded after all
  // MPI returned an error, but requests may have completed. `now` are the handles afterwards.
  void failed_one(int outcome, MPI_Request now);
  void failed_any(int outcome, const MPI_Request* now, std::int64_t n);
  void failed_all(int outcome, const MPI_Request* now, std::int64_t n, const MPI_Status* statuses);

  void no_value(int columns = 1) {
    for (int i = 0; i < columns; ++i) put(trace::kNone);
  }
  void no_list() { put_list_length(0); }

  void buffer(const void* address);
  void integer(std::int64_t value) { put(value); }
  void boolean(int value) { put(value != 0); }
  void tag(int value);
  void rank(int value);
  void color(int value) { put(value == MPI_UNDEFINED ? trace::kUndefined : value); }
  void message(MPI_Message message);
  template <std::size_t N>
  void enumeration(int value, const int (&constants)[N]) {
    put(position(value, constants, N));
  }
  template <std::size_t N>
  void flags(int value, const int (&constants)[N]) {
    put(bits(value, constants, N));
  }
  template <std::size_t N>
  void enumerations(const int* values, std::int64_t n, const int (&constants)[N]) {
    put_list_length(n);
    for (std::int64_t i = 0; i < n; ++i) add(position(values[i], constants, N));
  }

  void comm(MPI_Comm comm);
  void group(MPI_Group group);
  void datatype(MPI_Datatype type);
  void op(MPI_Op op);
  void win(MPI_Win win);
  void file(MPI_File file);
#if MPI_VERSION >= 4
  void session(MPI_Session session);
#endif
  void descriptor(int descriptor);
  void pieces(const iovec* pieces, int n);

  template <class Integer>
  void integers(const Integer* values, std::int64_t n) {
    put_list_length(n);
    for (std::int64_t i = 0; i < n; ++i) add(static_cast<std::int64_t>(values[i]));
  }
  void booleans(const int* values, std::int64_t n);
  // The displacements of a datatype's blocks [bytes]. Absolute addresses differ between runs and
  // ranks: they are replaced by those that the blocks would have one behind the other.
  template <class Address, class Lengths, class Types>
  void addresses(const Address* values, std::int64_t n, Lengths lengths, Types types) {
    if (!has_address(values, n)) return integers(values, n);
    put_list_length(n + 1);
    add(trace::kBottom);
    std::int64_t place = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      add(place);
      place += block_size(length_at(lengths, i), type_at(types, i));
    }
  }
  void ranks(const int* values, std::int64_t n);
  void weights(const int* values, std::int64_t n);
  void datatypes(const MPI_Datatype* types, std::int64_t n);
  void text(const char* text);

  void comm_freed(MPI_Comm comm);
  void group_freed(MPI_Group group);
  void type_freed(MPI_Datatype type);
  void op_freed(MPI_Op op);
  void win_freed(MPI_Win win);
  void file_freed(MPI_File file);
#if MPI_VERSION >= 4
  void session_freed(MPI_Session session);
#endif
  void descriptor_freed(int descriptor);
  void request_freed(const MPI_Request* request);

  void new_comm(MPI_Comm comm, CreatedBy rule, MPI_Comm parent, const char* tag = "");
  void new_group(MPI_Group group);
  void new_type(MPI_Datatype type);
  void new_types(const MPI_Datatype* types, std::int64_t n);
  void new_op(MPI_Op op);
  void new_win(MPI_Win win);
  void new_file(MPI_File file);
#if MPI_VERSION >= 4
  void new_session(MPI_Session session);
#endif
  void new_descriptor(int descriptor);
  void new_message(MPI_Message message);
  void new_request(const MPI_Request* request, bool persistent);

  void wait_request(const MPI_Request* request);
  void start_request(const MPI_Request* request) { wait_request(request); }
  void cancel_request(const MPI_Request* request) { wait_request(request); }
  void peek_request(MPI_Request request);
  void wait_requests(const MPI_Request* requests, std::int64_t n);
  void start_requests(const MPI_Request* requests, std::int64_t n) { wait_requests(requests, n); }

  // Where MPI is to store statuses: where the application wants them or, if it ignores them and the
  // matched source or tag of a wildcard is needed, in memory of the recorder.
  MPI_Status* status(MPI_Status* wanted);
  MPI_Status* statuses(MPI_Status* wanted);

  void matched(const MPI_Status* status);
  void peeked(const MPI_Status* status) { completed_slot(0, status, false); }
  void completed_one(const MPI_Status* status) { completed_slot(0, status, true); }
  void completed_any(int index, const MPI_Status* status);
  void completed_some(int count, const int* indices, const MPI_Status* statuses);
  void completed_all(const MPI_Status* statuses);

  std::int64_t remote_size(MPI_Comm comm) { return session_->comms.of(comm).remote_size; }
  std::int64_t local(MPI_Comm comm) { return session_->comms.of(comm).size; }
  std::int64_t indegree(MPI_Comm comm) { return degree(comm, true); }
  std::int64_t outdegree(MPI_Comm comm) { return degree(comm, false); }
  std::int64_t ndims(MPI_Comm comm);
  static std::int64_t last(const int* values, std::int64_t n) { return n > 0 ? values[n - 1] : 0; }
  static std::int64_t sum(const int* values, std::int64_t n);
  static std::int64_t contents(MPI_Datatype type);
  bool is_root(int root, MPI_Comm comm);
  bool is_leaf(int root, MPI_Comm comm);

 private:
  static bool is_memory(std::int64_t value);
  template <class Address>
  static bool has_address(const Address* values, std::int64_t n) {
    const auto is_high = [](Address value) { return value >> 32 > 0 && is_memory(value); };
    return n > 0 &&
           (std::any_of(values, values + n, is_high) || std::all_of(values, values + n, is_memory));
  }
  static std::int64_t block_size(std::int64_t length, MPI_Datatype type);
  template <class Length>
  static std::int64_t length_at(const Length* values, std::int64_t i) {
    return values[i];
  }
  static std::int64_t length_at(std::int64_t value, std::int64_t) { return value; }
  static MPI_Datatype type_at(const MPI_Datatype* values, std::int64_t i) { return values[i]; }
  static MPI_Datatype type_at(MPI_Datatype value, std::int64_t) { return value; }

  static std::int64_t position(int value, const int* constants, std::size_t n);
  static std::int64_t bits(int value, const int* constants, std::size_t n);

  // The matched source and tag of a receive.
  struct Match {
    std::int64_t source = trace::kNone, tag = trace::kNone;
  };

  void open(Session& session, Stream& stream, void* caller, void* frame);
  void begin();
  void end();
  void fail() noexcept;

  void put(std::int64_t value) { frame_->record[scalar_++] = value; }
  void put_list_length(std::int64_t n) { frame_->record.push_back(n); }
  void add(std::int64_t value) { frame_->record.push_back(value); }
  // The number of an object; one without a number counts as the loss.
  std::int64_t known(std::int64_t object, const char* loss);
  std::int64_t type_number(MPI_Datatype type);
  Home home(const MPI_Request* requests, std::int64_t index) const;
  PendingRequests::Place find_at(MPI_Request request, const Home& now);
  PendingRequests::Place find_moved(MPI_Request request, Home now);
  std::int64_t name_found(const PendingRequests::Place& place);
  std::int64_t name_of(const PendingRequests::Place& place,
                       const PendingRequests::Request* request);
  static const PendingRequests::Request* recorded(const PendingRequests::Place& place);
  static Match match(const PendingRequests::Request* request, const MPI_Status* status);
  static Match met(const MPI_Status& status);
  void put_match(const Match& match);
  void put_matches(const std::vector<Match>& matches);
  void retire(const PendingRequests::Place& place);
  void forget_completed(std::size_t index);
  void completed_slot(std::size_t index, const MPI_Status* status, bool done);
  std::int64_t degree(MPI_Comm comm, bool in);

  // The object that the call frees: removed before the real call, restored if that fails.
  enum class Freed : std::uint8_t { nothing, comm, group, type, op, win, file, session, request };
  void leave(Freed what, std::uint64_t handle);
  void settle(bool freed);
  Handles* handles_of(Freed what);

  Session* session_ = nullptr;
  Stream* stream_ = nullptr;
  CallFrame* frame_ = nullptr;
  compress::SiteKey key_;
  std::uint32_t traits_ = 0;
  std::size_t scalars_ = 0;      // of the function
  std::size_t scalar_ = 1;       // the next to be put; 0 is `polls`
  const char* aside_ = nullptr;  // why the call is to be left out, as a loss
  bool kept_ = false;            // though it is aside: it makes or frees an object, or the like
  bool ended_ = false;           // it ended what a call in the trace began
  bool timed_ = false;
  bool bounds_computation_ = false;   // of its thread: what passes in it is none
  bool failed_ = false;               // the recorder did
  bool unusual_ = false;              // its call path was unwound
  PendingRequests::Receive receive_;  // what the call itself receives
  bool watched_ = false;              // the outcome of a request that it is about is worth knowing
  bool elsewhere_ = false;            // it looked for a request in other streams
  MPI_Status own_status_;
  Freed freed_ = Freed::nothing;
  std::uint64_t freed_handle_ = 0;
  Handles::Leaving leaving_;
};

// A call of an MPI function without a wrapper of its own in the table: counted as a loss.
class UnknownCall {
 public:
  explicit UnknownCall(const void* caller) noexcept;
};

}  // namespace reprise::record
