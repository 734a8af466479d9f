// The flat log: every call of every rank as a line of text (REPRISE_FLAT), for tests.
//
// It is the oracle of the recorder and shares nothing with it but the wrappers: it names handles,
// finds requests and leaves out unsuccessful polls in code of its own, simple rather than fast. A
// trace is right if walking it prints this log.
#pragma once

#include <mpi.h>
#include <sys/uio.h>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "record/session.hpp"

namespace reprise::record {

struct PendingRequest;

// Opens the log of this process in a folder; nothing is logged before. `all`: a communicator of all
// processes by their ranks in the world.
void open_flat_log(const std::string& folder, MPI_Comm all);
// Writes out what is pending; the log stays open.
void flush_flat_log();
// Writes out what is pending at the end of the log. Returns 0, or the errno that says why the log
// is not whole.
int close_flat_log();

// A call being logged. The methods have the names of those of Call, and also take the argument's.
class FlatCall {
 public:
  // A call that is `aside` (recording is paused, or MPI called the program back) is logged only if
  // it is `lasting`, or ends a request that a call in the log made.
  FlatCall(const char* function, int thread, bool aside, bool lasting)
      : function_(function), thread_(thread), aside_(aside), lasting_(lasting) {}

  static bool on();

  void commit();
  void unsuccessful();
  void failed();
  void failed_one(int outcome, MPI_Request now);
  void failed_any(int outcome, const MPI_Request* now, std::int64_t n);
  void failed_all(int outcome, const MPI_Request* now, std::int64_t n, const MPI_Status* statuses);

  void no_value(const char* name);
  void no_list(const char* name);
  void buffer(const char* name, const void* address);
  void integer(const char* name, std::int64_t value);
  void boolean(const char* name, int value);
  void tag(const char* name, int value);
  void rank(const char* name, int value);
  void color(const char* name, int value);
  void message(const char* name, MPI_Message message);
  template <std::size_t N>
  void enumeration(const char* name, int value, const int (&constants)[N]) {
    put(name, position(value, constants, N));
  }
  template <std::size_t N>
  void flags(const char* name, int value, const int (&constants)[N]) {
    put(name, bits(value, constants, N));
  }
  template <std::size_t N>
  void enumerations(const char* name, const int* values, std::int64_t n,
                    const int (&constants)[N]) {
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < n; ++i) all.push_back(position(values[i], constants, N));
    put_list(name, all);
  }

  void comm(const char* name, MPI_Comm comm);
  void group(const char* name, MPI_Group group);
  void datatype(const char* name, MPI_Datatype type);
  void op(const char* name, MPI_Op op);
  void win(const char* name, MPI_Win win);
  void file(const char* name, MPI_File file);
#if MPI_VERSION >= 4
  void session(const char* name, MPI_Session session);
  void session_freed(const char* name, MPI_Session session);
  void new_session(const char* name, MPI_Session session);
#endif
  void descriptor(const char* name, int descriptor);
  void pieces(const char* name, const iovec* pieces, int n);

  template <class Integer>
  void integers(const char* name, const Integer* values, std::int64_t n) {
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < n; ++i) {
      all.push_back(std::to_string(static_cast<std::int64_t>(values[i])));
    }
    put_list(name, all);
  }
  void booleans(const char* name, const int* values, std::int64_t n);
  template <class Address, class Lengths, class Types>
  void addresses(const char* name, const Address* values, std::int64_t n, Lengths lengths,
                 Types types) {
    if (!are_addresses(values, n)) return integers(name, values, n);
    std::vector<std::string> all{"MPI_BOTTOM"};
    std::int64_t end = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      while (end % 16 != 0) ++end;
      all.push_back(std::to_string(end));
      std::int64_t length = 0;
      MPI_Datatype type = MPI_DATATYPE_NULL;
      if constexpr (std::is_integral_v<Lengths>) length = lengths;
      if constexpr (!std::is_integral_v<Lengths>) length = lengths[i];
      if constexpr (std::is_same_v<Types, MPI_Datatype>) type = types;
      if constexpr (!std::is_same_v<Types, MPI_Datatype>) type = types[i];
      end += bytes(length, type);
    }
    put_list(name, all);
  }
  void ranks(const char* name, const int* values, std::int64_t n);
  void weights(const char* name, const int* values, std::int64_t n);
  void datatypes(const char* name, const MPI_Datatype* types, std::int64_t n);
  void text(const char* name, const char* text);

  void comm_freed(const char* name, MPI_Comm comm);
  void group_freed(const char* name, MPI_Group group);
  void type_freed(const char* name, MPI_Datatype type);
  void op_freed(const char* name, MPI_Op op);
  void win_freed(const char* name, MPI_Win win);
  void file_freed(const char* name, MPI_File file);
  void descriptor_freed(const char* name, int descriptor);
  void request_freed(const char* name, const MPI_Request* request);

  void new_comm(const char* name, MPI_Comm comm, CreatedBy rule, MPI_Comm parent,
                const char* tag = "");
  void new_group(const char* name, MPI_Group group);
  void new_type(const char* name, MPI_Datatype type);
  void new_types(const char* name, const MPI_Datatype* types, std::int64_t n);
  void new_op(const char* name, MPI_Op op);
  void new_win(const char* name, MPI_Win win);
  void new_file(const char* name, MPI_File file);
  void new_descriptor(const char* name, int descriptor);
  void new_message(const char* name, MPI_Message message);
  void new_request(const MPI_Request* request, bool persistent);

  void wait_request(const char* name, const MPI_Request* request);
  void start_request(const char* name, const MPI_Request* request) {
    wait_request(name, request);
    starts_ = true;
  }
  void cancel_request(const char* name, const MPI_Request* request) {
    wait_request(name, request);
    cancels_ = true;
  }
  void peek_request(const char* name, MPI_Request request);
  void wait_requests(const char* name, const MPI_Request* requests, std::int64_t n);
  void start_requests(const char* name, const MPI_Request* requests, std::int64_t n) {
    wait_requests(name, requests, n);
    starts_ = true;
  }

  void matched(const MPI_Status* status);
  void peeked(const MPI_Status* status);
  void completed_one(const MPI_Status* status);
  void completed_any(int index, const MPI_Status* status);
  void completed_some(int count, const int* indices, const MPI_Status* statuses);
  void completed_all(const MPI_Status* statuses);

  static std::int64_t remote_size(MPI_Comm comm);
  static std::int64_t local(MPI_Comm comm);
  static std::int64_t indegree(MPI_Comm comm);
  static std::int64_t outdegree(MPI_Comm comm);
  static std::int64_t ndims(MPI_Comm comm);
  static std::int64_t contents(MPI_Datatype type);
  static std::int64_t last(const int* values, std::int64_t n);
  static std::int64_t sum(const int* values, std::int64_t n);
  static bool is_root(int root, MPI_Comm comm);
  static bool is_leaf(int root, MPI_Comm comm);

 private:
  static bool in_memory(std::int64_t value);
  // Memory of this process: one of them, far from the small numbers that displacements are, or all.
  template <class Address>
  static bool are_addresses(const Address* values, std::int64_t n) {
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      if (!in_memory(values[i])) continue;
      if (values[i] >= Address{1} << 32) return true;
      ++found;
    }
    return n > 0 && found == n;
  }
  static std::int64_t bytes(std::int64_t count, MPI_Datatype type);

  static std::string position(int value, const int* constants, std::size_t n);
  static std::string bits(int value, const int* constants, std::size_t n);

  void put(const std::string& name, const std::string& value);
  void put_list(const std::string& name, const std::vector<std::string>& values);
  void log() const;
  void put_match(const std::pair<std::string, std::string>& match);
  void find_all(const MPI_Request* requests, std::int64_t n);
  std::vector<PendingRequest*> candidates(std::uint64_t handle, bool of_others) const;
  std::uint64_t unmoved(std::uint64_t handle, std::uintptr_t at) const;
  std::uint64_t moved(std::uint64_t handle, std::uintptr_t at);
  bool is_still_there(const PendingRequest& p, bool is_of_other);
  std::string name_of(std::uint64_t request) const;
  void complete(std::size_t index);
  void forget(std::size_t index);

  const char* function_;
  int thread_;
  bool aside_, lasting_;
  bool ended_ = false;
  std::string scalars_, lists_;
  std::string requests_name_;
  static constexpr int kMostLooks = 64;
  int looked_at_ = 0;                       // variables of the program, for this call
  std::vector<std::uint64_t> waited_;       // requests by their numbers in the process; 0: none
  bool wildcard_ = false, nobody_ = false;  // the call receives from or with anything; from nobody
  bool frees_request_ = false, cancels_ = false, starts_ = false;
  std::function<void()> freed_, kept_;  // what to do when an object has been freed, or has not
};

}  // namespace reprise::record
