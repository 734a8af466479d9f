#include "record/gather.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/hash.hpp"
#include "record/call.hpp"
#include "record/code_reader.hpp"

namespace reprise::record {

using compress::Agreement;
using compress::LoopTree;
using compress::MergedStreams;

namespace {

constexpr int kTag = 1;
constexpr std::int64_t kMostSkew = 60'000'000'000;          // of the clocks of two nodes [ns]
constexpr std::uint64_t kChunk = std::uint64_t{1} << 28;    // of one message [bytes]
constexpr std::uint64_t kPiece = std::uint64_t{1} << 16;    // of one broadcast [bytes]
constexpr std::uint64_t kNumbers = std::uint64_t{1} << 13;  // of one reduction
constexpr std::uint64_t kFailed = ~std::uint64_t{0};        // in place of a size: there is nothing

// Whatever goes wrong on one rank, the others must not wait for it: it takes part in every step to
// the end, and says that it has nothing.
using Bytes = std::optional<std::vector<std::uint8_t>>;

// Waits for what other ranks do first, which may take them a while: they, and whatever else shares
// the processors, have better use for them than polling.
int wait_idly(MPI_Request request) {
#ifndef SMPI_H
  constexpr std::chrono::microseconds kShortest{10}, kLongest{1000};
  for (std::chrono::microseconds pause = kShortest;; pause = std::min(2 * pause, kLongest)) {
    int is_over = 0;
    const int result = PMPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
    if (is_over || result != MPI_SUCCESS) return result;
    std::this_thread::sleep_for(pause);
  }
#else
  return PMPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
}

// Starts an operation with `start`, which takes where to put a request, and waits for it.
template <class Start>
bool completes(Start&& start) {
  MPI_Request request = MPI_REQUEST_NULL;
  return start(&request) == MPI_SUCCESS && wait_idly(request) == MPI_SUCCESS;
}

// Applies `transfer` to pieces that an int can count. False: one of them failed.
template <class Transfer>
bool in_pieces(std::uint64_t size, std::uint64_t piece, Transfer&& transfer) {
  bool good = true;
  for (std::uint64_t at = 0; at < size; at += piece) {
    good = transfer(at, static_cast<int>(std::min(piece, size - at))) && good;
  }
  return good;
}

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

Bytes room(std::uint64_t size) noexcept {
  try {
    return std::vector<std::uint8_t>(size);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

template <class T>
std::optional<T> decode(const Bytes& bytes) {
  if (!bytes) return std::nullopt;
  ByteReader in(bytes->data(), bytes->size());
  T thing = T::decode(in);
  return in.failed() ? std::nullopt : std::optional<T>(std::move(thing));
}

// False: it did not arrive, or there was nothing to send.
bool send(Bytes bytes, int to, MPI_Comm comm) {
  const std::uint64_t size = bytes ? bytes->size() : kFailed;
  if (PMPI_Send(&size, 1, MPI_UINT64_T, to, kTag, comm) != MPI_SUCCESS || !bytes) return false;
  return in_pieces(size, kChunk, [&](std::uint64_t at, int n) {
    return completes([&](MPI_Request* request) {
      return PMPI_Isend(bytes->data() + at, n, MPI_BYTE, to, kTag, comm, request);
    });
  });
}

Bytes receive(int from, MPI_Comm comm) {
  std::uint64_t size = kFailed;
  const bool is_known = completes([&](MPI_Request* request) {
    return PMPI_Irecv(&size, 1, MPI_UINT64_T, from, kTag, comm, request);
  });
  if (!is_known || size == kFailed) return std::nullopt;
  Bytes bytes = room(size);
  const bool good = in_pieces(size, kChunk, [&](std::uint64_t at, int n) {
    // Where there is no room it is received into nothing, which is an error, so that it is gone.
    return PMPI_Recv(bytes ? bytes->data() + at : nullptr, bytes ? n : 0, MPI_BYTE, from, kTag,
                     comm, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  });
  return good ? std::move(bytes) : std::nullopt;
}

// Combines `mine` with those of all higher neighbours; complete on rank 0, and null there if
// anything went wrong. Every step joins runs of consecutive ranks, the lower one first.
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

// From rank 0 to all. MPICH cannot test requests in a session of one rank, which needs none. A rank
// without room for it still has to hand every piece on.
Bytes broadcast(Bytes bytes, MPI_Comm comm) {
  int ranks = 1;
  PMPI_Comm_size(comm, &ranks);
  if (ranks == 1) return bytes;
  static std::uint8_t spare[kPiece];
  std::uint64_t size = bytes ? bytes->size() : kFailed;
  const bool is_known = completes(
      [&](MPI_Request* request) { return PMPI_Ibcast(&size, 1, MPI_UINT64_T, 0, comm, request); });
  if (!is_known || size == kFailed) return std::nullopt;
  if (!bytes) bytes = room(size);
  const bool good = in_pieces(size, kPiece, [&](std::uint64_t at, int n) {
    return PMPI_Bcast(bytes ? bytes->data() + at : spare, n, MPI_BYTE, 0, comm) == MPI_SUCCESS;
  });
  return good ? std::move(bytes) : std::nullopt;
}

// What a rank without evidence takes part with.
std::int64_t* spare_numbers() {
  static std::int64_t none[kNumbers];
  std::fill(std::begin(none), std::end(none), compress::LoopEvidence::kNone);
  return none;
}

// How many numbers rank 0 wants to have combined next; 0: no more.
std::int64_t announce(std::int64_t numbers, MPI_Comm comm) {
  return PMPI_Bcast(&numbers, 1, MPI_INT64_T, 0, comm) == MPI_SUCCESS ? numbers : 0;
}

bool combine(std::int64_t* numbers, std::int64_t n, MPI_Comm comm) {
  return in_pieces(static_cast<std::uint64_t>(n), kNumbers, [&](std::uint64_t at, int piece) {
    return PMPI_Allreduce(MPI_IN_PLACE, numbers ? numbers + at : spare_numbers(), piece,
                          MPI_INT64_T, MPI_MAX, comm) == MPI_SUCCESS;
  });
}

// Rank 0 has all that it wants. A rank that has nothing takes part until then.
void end_combining(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  while (const std::int64_t n = announce(0, comm)) {
    if (rank != 0) combine(nullptr, n, comm);
  }
}

std::optional<Agreement> agree(const Agreement* own, MPI_Comm comm) {
  std::optional<Agreement> mine;
  try {
    if (own) mine = *own;
  } catch (const std::exception&) {
  }
  reduce(mine, comm, [](Agreement& a, const Agreement& b) { a.merge(b); });
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  if (rank == 0 && mine) mine->set_code(read_code(mine->callpaths));
  const Bytes all = broadcast(rank == 0 && mine ? encode(*mine) : std::nullopt, comm);
  try {
    return decode<Agreement>(all);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Nothing where a rank has no memory for it.
std::optional<LoopTree> agree_on_loops(const std::optional<compress::Process>& process,
                                       const std::optional<Agreement>& all, MPI_Comm comm) {
  std::optional<LoopTree> tree;
  try {
    if (all && process) {
      const compress::SiteCode code(all->code.functions, all->code_paths());
      tree = compress::find_loops(
          all->graph, code, [&](const LoopTree& first, compress::LoopEvidence& evidence) {
            process->show_loops(*all, first, evidence);
            const auto n = static_cast<std::int64_t>(evidence.numbers.size());
            if (announce(n, comm) != n || !combine(evidence.numbers.data(), n, comm))
              throw std::runtime_error("ranks have found different loops");
          });
    }
  } catch (const std::exception&) {
  }
  end_combining(comm);
  return tree;
}

}  // namespace

#if MPI_VERSION >= 4
namespace {

MPI_Session g_own_session = MPI_SESSION_NULL;

// The wrappers of these begin and end recordings.
MPI_Comm open_session_channel() {
  REPRISE_REAL(PMPI_Session_init);
  MPI_Comm comm = MPI_COMM_NULL;
  if (real(MPI_INFO_NULL, MPI_ERRORS_RETURN, &g_own_session) != MPI_SUCCESS) return comm;
  MPI_Group group = MPI_GROUP_NULL;
  if (PMPI_Group_from_session_pset(g_own_session, "mpi://WORLD", &group) == MPI_SUCCESS) {
    PMPI_Comm_create_from_group(group, "reprise", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    PMPI_Group_free(&group);
  }
  return comm;
}

void close_session() {
  REPRISE_REAL(PMPI_Session_finalize);
  if (g_own_session != MPI_SESSION_NULL) real(&g_own_session);
  g_own_session = MPI_SESSION_NULL;
}

}  // namespace
#endif

MPI_Comm open_channel([[maybe_unused]] MpiModel model) {
#if MPI_VERSION >= 4
  if (model == MpiModel::sessions) return open_session_channel();
#endif
  MPI_Comm comm = MPI_COMM_NULL;
  PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
  // A failure of the recorder is none of the program.
  PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

void close_channel(MPI_Comm comm, [[maybe_unused]] MpiModel model) {
  if (comm != MPI_COMM_NULL) PMPI_Comm_free(&comm);
#if MPI_VERSION >= 4
  if (model == MpiModel::sessions) close_session();
#endif
}

Run name_run(MPI_Comm comm) {
  using std::chrono::system_clock;
  const auto now = [] {
    return std::chrono::nanoseconds(system_clock::now().time_since_epoch()).count();
  };
  const std::int64_t parts[] = {now(), ::getpid()};
  std::uint64_t words[] = {hash_bytes(parts, sizeof parts), static_cast<std::uint64_t>(parts[0])};
  PMPI_Bcast(words, 2, MPI_UINT64_T, 0, comm);
  // Clocks of nodes may differ: then each counts from now.
  const std::int64_t age = now() - static_cast<std::int64_t>(words[1]);
  return {words[0], age > 0 && age < kMostSkew ? static_cast<std::uint64_t>(age) : 0};
}

int first_failed(bool failed, MPI_Comm comm) {
  int rank = 0, size = 1, first = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  if (size == 1) return failed ? 0 : -1;
  const int mine = failed ? rank : size;
  completes([&](MPI_Request* request) {
    return PMPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm, request);
  });
  return first < size ? first : -1;
}

std::optional<trace::Trace> gather(std::optional<compress::Process> process, MPI_Comm comm) {
  const std::optional<Agreement> all = agree(process ? &process->own : nullptr, comm);
  const std::optional<LoopTree> tree = agree_on_loops(process, all, comm);
  std::optional<MergedStreams> merged;
  try {
    if (tree) merged = process->lay_out(*all, *tree);
  } catch (const std::exception&) {
  }
  reduce(merged, comm, [](MergedStreams& a, MergedStreams&& b) {
    if (!a.is_like(b)) throw std::runtime_error("ranks have found different loops");
    a.append(std::move(b));
  });
  std::optional<trace::Trace> trace;
  try {
    if (merged && process->rank == 0)
      trace = compress::finish_trace(*process, *all, *tree, std::move(*merged));
  } catch (const std::exception&) {
  }
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  if (first_failed(rank == 0 && !trace, comm) >= 0)
    throw std::runtime_error("the ranks' streams could not be brought together");
  return trace;
}

}  // namespace reprise::record
