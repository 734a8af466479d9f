#include "analyze/totals/started_requests.hpp"

namespace reprise::analyze {

Volume StartedRequests::pass(const trace::Event& event, const Volume& volume) {
  const std::uint32_t traits = event.function->traits;
  const bool is_persistent = (traits & trace::traits::kPersistent) != 0;
  if (is_persistent || (traits & trace::traits::kNonblocking)) {
    pending_.add(volume, is_persistent);
    return is_persistent ? Volume() : volume;
  }
  Volume started = volume;
  if (traits & trace::traits::kStart) {
    for (const std::int64_t number : mpi::requests_of(event, scratch_)) {
      if (const Volume* v = pending_.at(number)) started += *v;
    }
  }
  pending_.pass(event);
  return started;
}

}  // namespace reprise::analyze
