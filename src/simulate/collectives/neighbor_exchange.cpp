// The exchange with the neighbors in a topology.
#include "simulate/collectives/collectives.hpp"

namespace reprise::simulate {

void plan_neighbors(const mpi::Neighbors& neighbors, const std::vector<std::int64_t>& sent,
                    const Group& group, std::int64_t tag, std::vector<Action>& out) {
  const auto known = [&](std::int64_t r) {
    return r >= 0 && static_cast<std::uint64_t>(r) < group.size;
  };
  for (const std::int64_t r : neighbors.sources) {
    if (known(r)) {
      out.push_back({.what = Action::Do::receive,
                     .peer = group.member(static_cast<std::uint64_t>(r)),
                     .context = group.collective_context(),
                     .tag = tag});
    }
  }
  for (std::size_t i = 0; i < neighbors.destinations.size(); ++i) {
    const std::int64_t r = neighbors.destinations[i];
    if (known(r)) {
      out.push_back({.what = Action::Do::send,
                     .peer = group.member(static_cast<std::uint64_t>(r)),
                     .context = group.collective_context(),
                     .tag = tag,
                     .bytes = i < sent.size() ? sent[i] : 0});
    }
  }
  out.push_back({.what = Action::Do::wait_inner});
}

}  // namespace reprise::simulate
