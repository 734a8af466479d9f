#include "record/gather.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/hash.hpp"

namespace reprise::record {

using compress::Agreement;
using compress::MergedStreams;

namespace {

constexpr int kTag = 1;
constexpr std::size_t kChunk = std::size_t{1} << 28;  // of one message [bytes]

// Applies `transfer` to pieces that an int can count.
template <class Transfer>
void in_chunks(std::uint8_t* data, std::size_t size, Transfer&& transfer) {
  for (std::size_t at = 0; at < size; at += kChunk) {
    transfer(data + at, static_cast<int>(std::min(kChunk, size - at)));
  }
}

template <class T>
void send(const T& thing, int to, MPI_Comm comm) {
  ByteWriter out;
  thing.encode(out);
  std::vector<std::uint8_t> bytes = out.take();
  const std::uint64_t size = bytes.size();
  PMPI_Send(&size, 1, MPI_UINT64_T, to, kTag, comm);
  in_chunks(bytes.data(), bytes.size(),
            [&](void* part, int n) { PMPI_Send(part, n, MPI_BYTE, to, kTag, comm); });
}

template <class T>
T receive(int from, MPI_Comm comm) {
  std::uint64_t size = 0;
  PMPI_Recv(&size, 1, MPI_UINT64_T, from, kTag, comm, MPI_STATUS_IGNORE);
  std::vector<std::uint8_t> bytes(size);
  in_chunks(bytes.data(), bytes.size(), [&](void* part, int n) {
    PMPI_Recv(part, n, MPI_BYTE, from, kTag, comm, MPI_STATUS_IGNORE);
  });
  ByteReader in(bytes.data(), bytes.size());
  return T::decode(in);
}

// Combines `mine` with those of all higher neighbours; complete on rank 0. Every step joins runs of
// consecutive ranks, the lower one first.
template <class T, class Join>
void reduce(T& mine, MPI_Comm comm, Join&& join) {
  int rank = 0, size = 1;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  for (int step = 1; step < size; step *= 2) {
    if (rank % (2 * step) != 0) return send(mine, rank - step, comm);
    if (rank + step < size) join(mine, receive<T>(rank + step, comm));
  }
}

Agreement agree(Agreement mine, MPI_Comm comm) {
  reduce(mine, comm, [](Agreement& a, const Agreement& b) { a.merge(b); });
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  ByteWriter out;
  if (rank == 0) mine.encode(out);
  std::vector<std::uint8_t> bytes = out.take();
  std::uint64_t size = bytes.size();
  PMPI_Bcast(&size, 1, MPI_UINT64_T, 0, comm);
  bytes.resize(size);
  in_chunks(bytes.data(), bytes.size(),
            [&](void* part, int n) { PMPI_Bcast(part, n, MPI_BYTE, 0, comm); });
  if (rank == 0) return mine;
  ByteReader in(bytes.data(), bytes.size());
  return Agreement::decode(in);
}

}  // namespace

MPI_Comm open_channel() {
  MPI_Comm comm = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
  return comm;
}

void close_channel(MPI_Comm comm) { PMPI_Comm_free(&comm); }

std::uint64_t name_run(MPI_Comm comm) {
  const std::int64_t parts[] = {std::chrono::system_clock::now().time_since_epoch().count(),
                                ::getpid()};
  std::uint64_t name = hash_bytes(parts, sizeof parts);
  PMPI_Bcast(&name, 1, MPI_UINT64_T, 0, comm);
  return name;
}

int first_failed(bool failed, MPI_Comm comm) {
  int rank = 0, size = 1, first = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  const int mine = failed ? rank : size;
  PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  return first < size ? first : -1;
}

std::optional<trace::Trace> gather(compress::Process process, MPI_Comm comm) {
  const Agreement all = agree(process.own, comm);
  const compress::LoopTree tree = compress::find_loops(all.graph);
  MergedStreams merged = process.lay_out(all, tree);
  reduce(merged, comm, [](MergedStreams& a, const MergedStreams& b) { a.append(b); });
  if (process.rank != 0) return std::nullopt;
  return compress::finish_trace(process, all, tree, merged);
}

}  // namespace reprise::record
