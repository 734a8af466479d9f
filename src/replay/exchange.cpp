#include "replay/exchange.hpp"

#include <mpi.h>

#include "replay/steering.hpp"

namespace reprise::replay {
namespace {

std::string broadcast(std::string text, int root) {
  int n = static_cast<int>(text.size());
  REPRISE_OWN(MPI_Bcast)(&n, 1, MPI_INT, root, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(n));
  REPRISE_OWN(MPI_Bcast)(text.data(), n, MPI_CHAR, root, MPI_COMM_WORLD);
  return text;
}

}  // namespace

std::string agree(const std::string& problem, int rank, int size) {
  int mine = problem.empty() ? size : rank, first = size;
  REPRISE_OWN(MPI_Allreduce)(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return first == size ? std::string() : broadcast(problem, first);
}

std::string share(std::string text, int) { return broadcast(std::move(text), 0); }

std::vector<Totals> gather(const Totals& totals, const Process& process) {
  constexpr int kFields = sizeof(Totals) / sizeof(double);
  std::vector<Totals> all(process.rank == 0 ? static_cast<std::size_t>(process.size) : 0);
  REPRISE_OWN(MPI_Gather)
  (&totals, kFields, MPI_DOUBLE, all.data(), kFields, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return all;
}

}  // namespace reprise::replay
