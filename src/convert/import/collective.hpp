// The counts of a collective from the bytes that a rank sent and received in it, as sources count
// them, and back.
//
// Sources keep two sums. Those of Score-P, with N ranks, b bytes a block, and data that stays on a
// rank counted:
//
//   function             sent              received          in place: sent, received
//   Bcast                N b at the root   b
//   Gather, Reduce       b                 N b at the root   0, (N-1) b at the root
//   Scatter              N b at the root   b                 (N-1) b, 0 at the root
//   Allgather, Alltoall,
//   Allreduce            N b               N b               (N-1) b, (N-1) b
//   Reduce_scatter_block N b               N b               (N-1) b, (N-1) b
//   Scan                 (N-rank) b        (rank+1) b        (N-rank-1) b, rank b
//   Exscan               (N-rank-1) b      rank b
//
// Extrae tells the bytes of the two buffers instead (CollectiveBuffers).
//
// Where blocks differ in size (Gatherv, Alltoallv and the like) the sums say nothing of each block:
// they are shared evenly among those that are not known.
#pragma once

#include <cstdint>

#include "convert/import/call_layout.hpp"
#include "mpi/payloads/type_sizes.hpp"
#include "trace/values/value.hpp"

namespace reprise::convert {

struct CollectiveBytes {
  std::uint64_t sent = 0, received = 0;
};

// What the buffers of a rank hold, of those that MPI reads or writes there [bytes]; buffers in
// place as if they were not: b sent and N b received by MPI_Allgather, b and b by MPI_Allreduce and
// MPI_Scan, b sent by the root of MPI_Bcast and received elsewhere.
struct CollectiveBuffers {
  std::uint64_t sent = 0, received = 0;
};
// What `function` moves with such buffers. `own`: as for fill_counts().
CollectiveBytes bytes_of_buffers(const trace::Function& function, CollectiveBuffers buffers,
                                 bool is_root, trace::Membership own);

// How exact the counts are that were derived.
enum class Counts : std::uint8_t { exact, shared_evenly };

// Whether a function is a collective whose counts can be derived: a blocking or nonblocking one of
// MPI's chapter on them, not on a topology.
bool has_derivable_counts(const trace::Function& function);

// Fills counts, buffers in place and what is not significant on this rank. The communicator and the
// root are set already. `own`: the rank's place in the communicator; REQUIRES: it is known.
Counts fill_counts(const CallLayout& layout, CollectiveBytes bytes, trace::Membership own,
                   trace::Event& event);

// The bytes of a call by its counts. `own`: the rank's place in the communicator.
CollectiveBytes bytes_of_counts(const CallLayout& layout, const trace::Event& event,
                                trace::Membership own, const mpi::TypeSizes& types);

// The buffers of a call by its counts.
CollectiveBuffers buffers_of_counts(const CallLayout& layout, const trace::Event& event,
                                    trace::Membership own, const mpi::TypeSizes& types);

}  // namespace reprise::convert
