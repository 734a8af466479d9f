// The calls of a rank one by one, with times and with what formats record of messages: where each
// was sent, posted, received and completed.
//
// A trace keeps how long calls and computation took, not when each was made: a rank's clock is the
// sum of the mean durations of its calls and of the paths between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "convert/flat/communicators.hpp"
#include "convert/import/collective.hpp"
#include "mpi/payloads/type_sizes.hpp"
#include "mpi/requests/pending.hpp"
#include "simulate/lower/compute_times.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::convert {

struct FlatMessage {
  std::int64_t peer = 0;  // rank in the communicator
  std::size_t comm = 0;   // index into FlatComms
  std::int64_t tag = 0;
  std::int64_t bytes = 0;  // of a receive: what it made room for
};

struct FlatCollective {
  std::size_t comm = 0;
  std::optional<std::int64_t> root;
  CollectiveBytes bytes;
  CollectiveBuffers buffers;
  bool is_root = false;
  const trace::Function* function = nullptr;
};

struct FlatCall {
  const trace::Event* event = nullptr;
  std::int64_t begin = 0, end = 0;  // since the first call's computation began [ns]

  // A request by how many the rank has made before it.
  struct Started {
    std::uint64_t request;
    std::optional<FlatMessage> sent;
    std::optional<FlatCollective> collective;  // without either a receive was posted
  };
  struct Completed {
    std::uint64_t request;
    std::optional<FlatMessage> received;
    std::optional<FlatCollective> collective;
    bool is_cancelled = false;
  };

  std::optional<FlatMessage> sent, received;  // of calls that block
  std::vector<Started> started;
  std::vector<Completed> completed;
  std::optional<FlatCollective> collective;  // that blocks
  std::optional<std::size_t> made_on;        // the parent, of a call that makes a communicator
  std::optional<std::size_t> made, freed;    // communicators
};

// The collective that a call is, blocking or not; null: none.
const FlatCollective* collective_of(const FlatCall& call);

class FlatCalls {
 public:
  // REQUIRES: all outlive it. Ranks are walked in order, each once, with the same `names`.
  FlatCalls(const trace::Trace& trace, std::uint64_t rank, const simulate::ComputeTimes& times,
            const FlatComms& comms, mpi::GroupNames& names);

  // The next call, valid until the one after it is asked for; null behind the last one.
  const FlatCall* next();

 private:
  struct Request {
    std::optional<FlatMessage> message;
    std::optional<FlatCollective> collective;
    std::uint64_t number = 0;
    bool is_send = false;
    bool is_wild = false;  // its completion says whom it met
    bool is_started = false;
  };

  void read_messages(const trace::Event& event);
  void read_collective(const trace::Event& event);
  void read_starts(const trace::Event& event);
  void read_completions(const trace::Event& event);
  void read_objects(const trace::Event& event);
  std::optional<FlatMessage> message_of(const trace::Event& event, trace::Direction direction);
  void start(Request& request);
  std::int64_t mean_duration(std::uint32_t call);

  const trace::Trace& trace_;
  std::uint64_t rank_;
  const FlatComms& comms_;
  trace::Cursor cursor_;
  simulate::StreamTimes compute_;
  std::vector<std::int64_t> durations_;  // by call [ps]; -1: not known yet
  mpi::Groups groups_;
  mpi::TypeSizes types_;
  mpi::Pending<Request> pending_;
  std::uint64_t requests_ = 0;
  std::int64_t time_ = 0;  // [ps]
  FlatCall call_;
};

}  // namespace reprise::convert
