// The messages of the recorder when a run ends, for data of any size: steps of all ranks, as in
// attempt.hpp.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "record/merge/attempt.hpp"

namespace reprise::record {

// Encoded data; empty on a rank that has none.
using Bytes = std::optional<std::vector<std::uint8_t>>;

// Waits for a request that other ranks may complete much later. Sleeps rather than polls, since
// these ranks and other programs may share the processors. Returns MPI's error code.
int wait_idly(MPI_Request request) noexcept;

// Starts an operation with `start`, which takes where to put a request, and waits for it. False if
// either fails.
template <class Start>
bool completes(Start&& start) noexcept {
  MPI_Request request = MPI_REQUEST_NULL;
  return start(&request) == MPI_SUCCESS && wait_idly(request) == MPI_SUCCESS;
}

// Sends data to a rank. False if it did not arrive, or there was none.
bool send(const Bytes& bytes, int to, MPI_Comm comm) noexcept;
// Receives what send() sends; empty if it did not arrive or there is no memory for it.
Bytes receive(int from, MPI_Comm comm) noexcept;

// Returns the data of rank 0 on all ranks. Collective.
Bytes broadcast(Bytes bytes, MPI_Comm comm) noexcept;

// The maxima over all ranks, element by element, of arrays of rank 0's choice. Its construction and
// end are steps of all ranks; in between each rank contributes arrays until it fails. Rank 0
// announces the size of each, and at the end that there are no more. Other ranks take part in every
// combination that is announced, though they have no such array: at the latest in the destructor.
class Maxima {
 public:
  explicit Maxima(MPI_Comm comm) noexcept;
  ~Maxima();
  Maxima(const Maxima&) = delete;
  Maxima& operator=(const Maxima&) = delete;

  // Replaces numbers by their maxima. False if rank 0 has no array now, or one of another size, or
  // a message failed.
  bool combine(std::vector<std::int64_t>& numbers) noexcept;

 private:
  // Returns the size that rank 0 announces, with `size` its argument there; 0: no more arrays.
  std::int64_t announce(std::int64_t size) noexcept;
  bool take_part(std::int64_t* numbers, std::int64_t size) noexcept;

  MPI_Comm comm_;
  int rank_ = 0;
  bool is_over_ = false;  // rank 0 has announced the end
};

template <class T>
std::vector<std::uint8_t> encode(const T& thing) {
  ByteWriter out;
  thing.encode(out);
  return out.take();
}

// Throws std::bad_alloc, and std::runtime_error if the data is incomplete.
template <class T>
T decode(const std::vector<std::uint8_t>& bytes) {
  ByteReader in(bytes.data(), bytes.size());
  T thing = T::decode(in);
  if (in.failed()) throw std::runtime_error("a message is damaged");
  return thing;
}

// Combines `mine` with those of all higher ranks, over a binary tree: complete on rank 0, and empty
// there if any rank had nothing or anything failed. join(a, b) appends to `a` what the next higher
// ranks have, and may throw. Returns what failed on this rank. Collective. Cost: O(log ranks)
// messages on each rank.
template <class T, class Join>
Status reduce(std::optional<T>& mine, MPI_Comm comm, Join&& join) noexcept {
  Status own;
  int rank = 0, size = 1;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  for (int step = 1; step < size; step *= 2) {
    if (rank % (2 * step) != 0) {
      Bytes bytes;
      if (mine) own = attempt([&] { bytes = encode(*mine); });
      send(bytes, rank - step, comm);
      return own;
    }
    if (rank + step >= size) continue;
    const Bytes theirs = receive(rank + step, comm);
    if (mine && theirs) {
      own = attempt([&] { join(*mine, decode<T>(*theirs)); });
      if (own) continue;
    }
    mine.reset();
  }
  return own;
}

}  // namespace reprise::record
