#include "record/merge/channel.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "base/hash.hpp"
#include "record/calls/call.hpp"
#include "record/merge/attempt.hpp"
#include "record/merge/exchange.hpp"

namespace reprise::record {
namespace {

constexpr std::int64_t kMostSkew = 60'000'000'000;  // of the clocks of two nodes [ns]

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

Run name_run(MPI_Comm comm) noexcept {
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

int first_failed(bool failed, MPI_Comm comm) noexcept {
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

std::optional<Failure> first_failure(const Status& mine, MPI_Comm comm) noexcept {
  const int first = first_failed(!mine, comm);
  if (first < 0) return std::nullopt;
  int rank = 0, size = 1;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  char why[Failure::kMostWhy + 1] = "";
  if (rank == first) mine.error().message.copy(why, Failure::kMostWhy);
  if (size > 1) {
    completes([&](MPI_Request* request) {
      return PMPI_Ibcast(why, Failure::kMostWhy, MPI_CHAR, first, comm, request);
    });
  }
  return Failure{first, error_of(why).message};
}

}  // namespace reprise::record
