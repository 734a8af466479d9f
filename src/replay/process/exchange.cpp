#include "replay/process/exchange.hpp"

#include <mpi.h>

#include "replay/steering/steering.hpp"

namespace reprise::replay {
namespace {

std::string broadcast(std::string text, int root, MPI_Comm comm) {
  int n = static_cast<int>(text.size());
  REPRISE_OWN(MPI_Bcast)(&n, 1, MPI_INT, root, comm);
  text.resize(static_cast<std::size_t>(n));
  REPRISE_OWN(MPI_Bcast)(text.data(), n, MPI_CHAR, root, comm);
  return text;
}

#if MPI_VERSION >= 4
MPI_Session g_session = MPI_SESSION_NULL;  // of the replay's own
#endif

}  // namespace

bool open_channel([[maybe_unused]] Process& process) {
#if MPI_VERSION >= 4
  bool has_sessions = process.recording.has_sessions();
  // Ranks that read the same trace agree on this.
  if (process.recording.form() != Form::trace && is_mpi_open())
    has_sessions = max_over_ranks(has_sessions ? 1 : 0, process) > 0;
  if (!has_sessions) return true;
  process.channel = MPI_COMM_NULL;
  if (REPRISE_OWN(MPI_Session_init)(MPI_INFO_NULL, MPI_ERRORS_RETURN, &g_session) != MPI_SUCCESS)
    return false;
  MPI_Group all = MPI_GROUP_NULL;
  if (REPRISE_OWN(MPI_Group_from_session_pset)(g_session, "mpi://WORLD", &all) != MPI_SUCCESS)
    return false;
  const int outcome = REPRISE_OWN(MPI_Comm_create_from_group)(all, "reprise-replay", MPI_INFO_NULL,
                                                              MPI_ERRORS_RETURN, &process.channel);
  REPRISE_OWN(MPI_Group_free)(&all);
  return outcome == MPI_SUCCESS;
#else
  return true;
#endif
}

void close_channel([[maybe_unused]] Process& process) {
#if MPI_VERSION >= 4
  if (process.channel == MPI_COMM_WORLD) return;
  REPRISE_OWN(MPI_Comm_free)(&process.channel);
  REPRISE_OWN(MPI_Session_finalize)(&g_session);
#endif
}

std::string agree(const std::string& problem, const Process& p) {
  int mine = problem.empty() ? p.size : p.rank, first = p.size;
  REPRISE_OWN(MPI_Allreduce)(&mine, &first, 1, MPI_INT, MPI_MIN, p.channel);
  return first == p.size ? std::string() : broadcast(problem, first, p.channel);
}

std::string share(std::string text, const Process& p) {
  return broadcast(std::move(text), 0, p.channel);
}

double max_over_ranks(double number, const Process& p) {
  REPRISE_OWN(MPI_Allreduce)(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_MAX, p.channel);
  return number;
}

std::vector<Totals> gather(const Totals& totals, const Process& process) {
  constexpr int kFields = sizeof(Totals) / sizeof(double);
  std::vector<Totals> all(process.rank == 0 ? static_cast<std::size_t>(process.size) : 0);
  REPRISE_OWN(MPI_Gather)
  (&totals, kFields, MPI_DOUBLE, all.data(), kFields, MPI_DOUBLE, 0, process.channel);
  return all;
}

}  // namespace reprise::replay
