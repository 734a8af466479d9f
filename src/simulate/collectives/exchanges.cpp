#include "simulate/collectives/exchanges.hpp"

namespace reprise::simulate {

std::vector<GroupCollective> plan_exchanges(const Exchanges& all, const Machine& machine,
                                            const Place& place, std::int64_t tag) {
  std::vector<GroupCollective> out;
  const Group& group = *place.group;
  if (group.is_inter() || group.size <= 1) return out;
  for (const auto& [kind, algorithm] : all) {
    const CollectiveCall call{.kind = kind,
                              .rank = place.rank,
                              .size = static_cast<std::int64_t>(group.size),
                              .bytes = kExchanged};
    const Algorithm usual = machine.algorithms[static_cast<std::size_t>(kind)];
    out.push_back({call, algorithm == Algorithm::automatic ? usual : algorithm, place.group, tag});
  }
  return out;
}

}  // namespace reprise::simulate
