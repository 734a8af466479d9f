#include "record/gather.hpp"

#include <stdexcept>
#include <utility>

#include "record/channel.hpp"
#include "record/code_reader.hpp"
#include "record/exchange.hpp"

namespace reprise::record {

using compress::Agreement;
using compress::LoopTree;
using compress::MergedStreams;

namespace {

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
