// How each MPI function is simulated, and the columns that its simulation reads.
#pragma once

#include <cstdint>
#include <optional>

#include "simulate/collectives/collective_names.hpp"
#include "simulate/lower/action.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::simulate {

// MPI_LOCK_EXCLUSIVE, as traces have it (spec/mpi.spec).
inline constexpr std::int64_t kLockExclusive = 0;

struct CallShape {
  enum class Family : std::uint8_t {
    nothing,  // takes no time and involves no waiting
    send,
    receive,
    exchange,  // MPI_Sendrecv and its kin
    probe,
    match,  // MPI_Mprobe
    claim,  // MPI_Mrecv, MPI_Imrecv
    start,
    ready,         // partitions of a message
    complete,      // waits for all of its requests, or one
    complete_any,  // for one of several
    query,         // MPI_Request_get_status, MPI_Parrived
    free_request,
    cancel,
    collective,
    neighbor,
    make_comm,
    make_window,
    fence,   // and whatever else all processes of a window do
    access,  // one-sided
    settle,  // ends an epoch or a part of it
    epoch,   // post, start, complete and wait, of the processes of a group
    lock,
    open_file,
    file,
    own_file,  // POSIX I/O
    ends,      // MPI_Abort
    refused,   // cannot be simulated
  };

  // What an access does at its target: no more than read or write, change, or compare first.
  enum class Access : std::uint8_t { plain, accumulate, compare };
  enum class Epoch : std::uint8_t { post, start, complete, wait };

  Family family = Family::nothing;
  Keep keep = Keep::inner;
  SendMode mode = SendMode::standard;
  std::optional<Collective> collective;
  bool is_vector = false;  // of collectives: pieces differ
  Access access = Access::plain;
  Epoch epoch = Epoch::post;
  bool makes_group = false;  // of a communicator, window or session
  bool is_partitioned = false;
  bool unlocks = false;  // of settle
  bool creates_inter = false;

  // What it sends and receives, or null.
  const trace::Payload* sent = nullptr;
  const trace::Payload* received = nullptr;
  // Scalars, or -1.
  int comm = -1, peer = -1, source = -1, root = -1, tag = -1, receive_tag = -1;
  int index = -1, matched_source = -1, matched_tag = -1, message = -1;
  int made = -1;  // the new communicator, window or file; its rank and size follow
  int window = -1, file = -1, color = -1;
  int group = -1, assertion = -1, lock_type = -1;  // of windows
  // Lists, or -1.
  int dims = -1, periods = -1, remain = -1, graph_index = -1, sources = -1;
};

const CallShape& shape_of(trace::FunctionId function);

}  // namespace reprise::simulate
