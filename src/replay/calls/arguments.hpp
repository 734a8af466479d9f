// From the columns of an event back to the arguments of the call: the inverse of record::Call. The
// generated calls (spec/replay.py) name columns by their position among the scalars or the lists.
#pragma once

#include <mpi.h>
#include <sys/uio.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "mpi/requests/look_ahead.hpp"
#include "mpi/requests/pending.hpp"
#include "replay/calls/arena.hpp"
#include "replay/calls/room.hpp"
#include "replay/process/process.hpp"
#include "replay/report.hpp"
#include "replay/steering/steering.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::replay {

using mpi::LookAhead;
using mpi::Match;

enum class Slot { sent, received, other };
// How --message-scale applies to a count.
enum class Scale { none, sent, received, all };
// In place of a column: what a wildcard meets is known by looking ahead only.
inline constexpr int kAhead = -1;
// The largest tag that every MPI library has: no program is known to use it.
inline constexpr int kUnusedTag = 32767;

class Arguments {
 public:
  Arguments(Process& process, std::uint64_t stream);

  // The event whose call comes next.
  void begin(const trace::Event& event);
  // It is over: requests that it completed are forgotten.
  void end();

  const Totals& totals() const { return totals_; }
  // When the last call of MPI ended [ns].
  std::int64_t last_end() const { return last_end_; }

  template <class T>
  T number(int c) const {
    const std::int64_t v = scalar(c);
    return trace::is_special(v) ? T{} : static_cast<T>(v);
  }
  template <class T>
  T count(int c, Scale scale) const {
    return static_cast<T>(scaled(scalar(c), scale));
  }
  int peer(int c);
  int rank(int c) const;
  int tag(int c) const;
  int color(int c) const;
  template <std::size_t N>
  int enumeration(int c, const int (&constants)[N]) const {
    return constant(scalar(c), constants, N);
  }
  template <std::size_t N>
  int flags(int c, const int (&constants)[N]) const {
    const auto bits = number<std::int64_t>(c);
    int out = static_cast<int>(bits >> N);  // those that have no name
    for (std::size_t i = 0; i < N; ++i) {
      if (bits >> i & 1) out |= constants[i];
    }
    return out;
  }
  // The source and tag of a receive; what it met is in two columns, or kAhead.
  void match(int source_c, int tag_c, int matched_source, int matched_tag, int& source, int& tag);

  int length(int l) const { return static_cast<int>(list(l).size()); }
  // Without the word that says that they are addresses.
  int blocks(int l) const { return length(l) - is_absolute(l); }
  template <class T>
  T* counts(int l, Scale scale) {
    T* out = numbers<T>(l);
    for (std::size_t i = 0; i < list(l).size(); ++i)
      out[i] = static_cast<T>(scaled(list(l)[i], scale));
    return out;
  }
  template <class T>
  T* numbers(int l) {
    std::vector<T>& out = lists_->of<T>().emplace_back();
    for (const std::int64_t v : list(l)) out.push_back(static_cast<T>(v));
    out.resize(std::max<std::size_t>(1, out.size()));
    return out.data();
  }
  // Displacements of which all may be addresses of blocks: then of memory of ours.
  template <class T, class Lengths, class Types>
  T* addresses(int l, Lengths lengths, Types types) {
    if (!is_absolute(l)) return numbers<T>(l);
    std::vector<Room> blocks;
    for (std::size_t i = 0; i + 1 < list(l).size(); ++i)
      blocks.push_back(room(length_at(lengths, i), type_at(types, i)));
    std::vector<T>& out = lists_->of<T>().emplace_back();
    for (const MPI_Aint address : lay_out(l, blocks)) out.push_back(static_cast<T>(address));
    return out.data();
  }
  int (*ranges(int l))[3];
  int* ranks(int l);
  int* weights(int l);
  MPI_Datatype* datatypes(int l);
  template <std::size_t N>
  int* enumerations(int l, const int (&constants)[N]) {
    int* out = numbers<int>(l);
    for (std::size_t i = 0; i < list(l).size(); ++i) out[i] = constant(list(l)[i], constants, N);
    return out;
  }
  const char* text(int l);
  // The name of a file, which is to be one in the scratch folder.
  const char* path(int l);

  MPI_Comm comm(int c);
  MPI_Group group(int c);
  MPI_Datatype datatype(int c);
  MPI_Op op(int c);
  MPI_Win win(int c);
  MPI_File file(int c);
#if MPI_VERSION >= 4
  MPI_Session session(int c);
  void new_session(int c, MPI_Session s) { process_.objects.sessions.make(scalar(c), s); }
  void freed_session(int c) { process_.objects.sessions.free(scalar(c)); }
#endif
  int descriptor(int c);
  MPI_Info info() const { return process_.objects.no_hints; }
  MPI_Message message(int c, std::int64_t count, MPI_Datatype type);

  // The requests of a scalar or list column; those that complete are nulled in place.
  MPI_Request* request(int c);
  MPI_Request* requests(int l, int chosen = -1);
  void keep_requests();
  int* indices();

  // How much memory elements take, around the address that stands for them.
  Room room(std::int64_t count, MPI_Datatype type) { return types_.room(count, type); }
  template <class Counts, class Displacements, class Types>
  Room room(int n, Counts counts, Displacements displs, Types types) {
    return types_.room(n, counts, displs, types);
  }
  void widen(std::int64_t count, MPI_Datatype type) { types_.widen(count, type); }
  void* buffer(int c, Slot slot, const Room& room, bool sends);
  // So much memory, or pieces of it, for calls of POSIX.
  void* data(std::int64_t bytes, bool sends);
  const iovec* pieces(int l, bool sends);
  // Memory that MPI keeps.
  void* base(int c, std::int64_t size);
  void give_back(void* memory) { process_.given.erase(memory); }
  template <class T>
  T* scratch() {
    return reinterpret_cast<T*>(scratch_memory());
  }

  static std::int64_t members(MPI_Comm comm);
  static std::int64_t local_members(MPI_Comm comm);
  static std::int64_t indegree(MPI_Comm comm);
  static std::int64_t outdegree(MPI_Comm comm);
  bool is_root(int c, MPI_Comm comm) const;

  template <class Real>
  void issue(Real real) {
    const std::int64_t start = start_call();
    end_call(start, real());
  }
  // A call of POSIX, which returns what it returned then, or a descriptor.
  template <class Real>
  std::int64_t issue_posix(std::int64_t wanted, Real real) {
    const std::int64_t start = start_call();
    steering_->posix = true;
    steering_->moved = wanted;
    const std::int64_t outcome = real();
    end_posix(start, outcome);
    return outcome;
  }
  // A call that is repeated until it is no longer in vain.
  template <class Real, class Done>
  void poll(Real real, Done done) {
    const std::int64_t start = start_call();
    int outcome = real();
    while (outcome == MPI_SUCCESS && !done()) {
      let_others_run();
      outcome = real();
    }
    end_call(start, outcome);
  }

  MPI_Comm* new_comm(int c);
  void made_comm(int c, MPI_Comm comm);
  void new_group(int c, MPI_Group group) { process_.objects.groups.make(scalar(c), group); }
  void new_type(int c, MPI_Datatype type);
  void new_op(int c, MPI_Op op) { process_.objects.ops.make(scalar(c), op); }
  void new_win(int c, MPI_Win win);
  void new_file(int c, MPI_File file) { process_.objects.files.make(scalar(c), file); }
  void new_descriptor(int c, std::int64_t descriptor) {
    process_.objects.descriptors.make(scalar(c), static_cast<int>(descriptor));
  }
  void new_message(int c, MPI_Message message, const MPI_Status& status);
  void new_request(MPI_Request request, bool persistent);
  void found_types(int l, const MPI_Datatype* types);

  // With several threads: until none of the others has a use for a communicator.
  void wait_for_users(int c);
  void freed_comm(int c) { process_.objects.comms.free(scalar(c)); }
  void freed_group(int c) { process_.objects.groups.free(scalar(c)); }
  void freed_type(int c);
  void freed_op(int c) { process_.objects.ops.free(scalar(c)); }
  void freed_win(int c);
  void freed_file(int c) { process_.objects.files.free(scalar(c)); }
  void freed_descriptor(int c) { process_.objects.descriptors.free(scalar(c)); }

 private:
  // Lists that MPI may look at until a request completes.
  struct Lists {
    std::deque<std::vector<int>> ints;
    std::deque<std::vector<MPI_Aint>> aints;
    std::deque<std::vector<MPI_Count>> counts;
    std::deque<std::vector<MPI_Datatype>> types;
    bool empty() const { return ints.empty() && aints.empty() && counts.empty() && types.empty(); }
    // Of numbers.
    template <class T>
    std::deque<std::vector<T>>& of() {
      if constexpr (std::is_same_v<T, int>) {
        return ints;
      } else if constexpr (std::is_same_v<T, MPI_Aint>) {
        return aints;
      } else {
        return counts;
      }
    }
  };
  struct Request {
    MPI_Request handle = MPI_REQUEST_NULL;
    bool wildcard = false;
    std::unique_ptr<Lists> lists;
    double bytes = 0;  // that each start of it sends
  };
  struct Message {
    MPI_Message handle;
    int bytes;
  };

  std::int64_t scalar(int c) const { return event_->scalars[static_cast<std::size_t>(c)]; }
  const std::vector<std::int64_t>& list(int l) const {
    return event_->lists[static_cast<std::size_t>(l)];
  }
  static int constant(std::int64_t position, const int* constants, std::size_t n);
  template <class Length>
  static std::int64_t length_at(const Length* values, std::size_t i) {
    return values[i];
  }
  static std::int64_t length_at(std::int64_t value, std::size_t) { return value; }
  static MPI_Datatype type_at(const MPI_Datatype* values, std::size_t i) { return values[i]; }
  static MPI_Datatype type_at(MPI_Datatype value, std::size_t) { return value; }
  static int rank_of(std::int64_t v);
  static int tag_of(std::int64_t v);
  std::int64_t scaled(std::int64_t count, Scale scale) const;
  MPI_Datatype type_of(std::int64_t number);
  template <class Handle>
  Handle object(Table<Handle>& table, std::int64_t number, Handle null, const char* what);
  bool is_absolute(int l) const;
  std::vector<MPI_Aint> lay_out(int l, const std::vector<Room>& blocks);
  MPI_Request request_of(std::int64_t number);
  void start_wild(Request& request);
  std::byte* scratch_memory();
  void steer_match(const Match& match, int source);
  Match look_ahead();
  static std::int64_t start_call();
  void end_call(std::int64_t start, int outcome);
  void end_posix(std::int64_t start, std::int64_t outcome);
  static void let_others_run();

  Process& process_;
  std::uint64_t stream_;
  const trace::Event* event_ = nullptr;
  Totals totals_;
  std::int64_t last_end_ = 0;

  std::unique_ptr<Lists> lists_;
  mpi::Pending<Request> pending_;
  std::vector<MPI_Request> handles_;  // of the requests of the call under way
  std::vector<Request*> named_;       // where they belong
  std::vector<int> indices_;
  std::vector<iovec> pieces_;
  std::vector<Message> messages_;
  TypeTable types_;
  Arena sent_, received_, other_, absolute_, scratch_;
  std::unique_ptr<LookAhead> ahead_;
  Steering* steering_;
  std::string text_, path_;
  MPI_Comm no_comm_ = MPI_COMM_NULL;
  std::int64_t chosen_ = -1;  // index of the request that completed when it was recorded
  Memory base_;               // given to the call under way
  bool wildcard_ = false;
  double bytes_ = 0;  // that the persistent request under way is to send
  bool to_nobody_ = false;
};

struct Player {
  void (*play)(Arguments&);  // null: it cannot be called
  const char* why_not;
};

// By trace::FunctionId.
const Player& player(trace::FunctionId function);

}  // namespace reprise::replay
