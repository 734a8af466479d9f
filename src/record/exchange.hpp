// The messages of the recorder when a run ends, for data of any size.
//
// Whatever fails on one rank, the others must not wait for it: a rank that has failed takes part in
// every step to the end, with nothing in place of its data.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace reprise::record {

// Encoded data; empty on a rank that has none.
using Bytes = std::optional<std::vector<std::uint8_t>>;

// Waits for a request that other ranks may complete much later. Sleeps rather than polls, since
// these ranks and other programs may share the processors. Returns MPI's error code.
int wait_idly(MPI_Request request);

// Starts an operation with `start`, which takes where to put a request, and waits for it. False if
// either fails.
template <class Start>
bool completes(Start&& start) {
  MPI_Request request = MPI_REQUEST_NULL;
  return start(&request) == MPI_SUCCESS && wait_idly(request) == MPI_SUCCESS;
}

// Sends data to a rank. False if it did not arrive, or there was none.
bool send(Bytes bytes, int to, MPI_Comm comm);
// Receives what send() sends; empty if it did not arrive or there is no memory for it.
Bytes receive(int from, MPI_Comm comm);

// Returns the data of rank 0 on all ranks. Collective.
Bytes broadcast(Bytes bytes, MPI_Comm comm);

// The maxima, element by element, of arrays of rank 0's choice. Rank 0 announces the size of each
// array and then takes part in combine(), until it calls end_combining(); other ranks follow. A
// rank that has no array takes part through end_combining() alone. Collective.

// Returns the size that rank 0 announces, with `numbers` its argument there; 0: no more arrays.
std::int64_t announce(std::int64_t numbers, MPI_Comm comm);
// Replaces `n` numbers by their maxima over all ranks. `numbers` is null on a rank without them.
bool combine(std::int64_t* numbers, std::int64_t n, MPI_Comm comm);
void end_combining(MPI_Comm comm);

template <class T>
Bytes encode(const T& thing) noexcept {
  try {
    ByteWriter out;
    thing.encode(out);
    return out.take();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Empty if the data is incomplete. Throws std::bad_alloc.
template <class T>
std::optional<T> decode(const Bytes& bytes) {
  if (!bytes) return std::nullopt;
  ByteReader in(bytes->data(), bytes->size());
  T thing = T::decode(in);
  return in.failed() ? std::nullopt : std::optional<T>(std::move(thing));
}

// Combines `mine` with those of all higher ranks, over a binary tree: complete on rank 0, and empty
// there if any rank had nothing or anything failed. join(a, b) appends to `a` what the next higher
// ranks have. Collective. Cost: O(log ranks) messages on each rank.
template <class T, class Join>
void reduce(std::optional<T>& mine, MPI_Comm comm, Join&& join) {
  int rank = 0, size = 1;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  for (int step = 1; step < size; step *= 2) {
    if (rank % (2 * step) != 0) {
      send(mine ? encode(*mine) : std::nullopt, rank - step, comm);
      return;
    }
    if (rank + step >= size) continue;
    const Bytes theirs = receive(rank + step, comm);
    try {
      std::optional<T> other = mine ? decode<T>(theirs) : std::nullopt;
      if (other) join(*mine, std::move(*other));
      if (!other) mine.reset();
    } catch (const std::exception&) {
      mine.reset();
    }
  }
}

}  // namespace reprise::record
