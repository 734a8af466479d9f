// Which persistent operations a stream starts, and how much each moves.
#pragma once

#include <vector>

#include "analyze/totals/volume.hpp"
#include "mpi/requests/pending.hpp"

namespace reprise::analyze {

// The pending requests of one stream, fed with all of its calls in order.
class StartedRequests {
 public:
  // `volume` is that of the event; returned is what the event moves now: for the making of a
  // persistent request nothing, for a start the volumes of the requests that it starts.
  Volume pass(const trace::Event& event, const Volume& volume);

 private:
  mpi::Pending<Volume> pending_;
  std::vector<std::int64_t> scratch_;
};

}  // namespace reprise::analyze
