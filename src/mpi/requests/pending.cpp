#include "mpi/requests/pending.hpp"

#include <limits>

namespace reprise::mpi {

using trace::Event;
using trace::Function;
using trace::Kind;

const std::vector<std::int64_t>& requests_of(const Event& event,
                                             std::vector<std::int64_t>& scratch) {
  const Function& f = *event.function;
  for (std::size_t l = 0; l < f.lists.size(); ++l) {
    if (f.lists[l].kind == Kind::request) return event.lists[l];
  }
  scratch.clear();
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    if (f.scalars[c].kind == Kind::request) scratch.push_back(event.scalars[c]);
  }
  return scratch;
}

std::optional<std::size_t> completed_index(const Event& event) {
  const int column = event.function->completed;
  if (column < 0) return std::nullopt;
  const std::int64_t i = event.scalars[static_cast<std::size_t>(column)];
  // MPI_UNDEFINED: none.
  return i < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(i);
}

}  // namespace reprise::mpi
