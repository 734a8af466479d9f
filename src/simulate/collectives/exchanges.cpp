#include "simulate/collectives/exchanges.hpp"

namespace reprise::simulate {

void plan_exchanges(const Exchanges& all, const Machine& machine, const Place& place,
                    std::int64_t tag, std::vector<Action>& out) {
  const Group& group = *place.group;
  if (group.is_inter() || group.size <= 1) return;
  for (const auto& [kind, algorithm] : all) {
    const CollectiveCall call{.kind = kind,
                              .rank = place.rank,
                              .size = static_cast<std::int64_t>(group.size),
                              .bytes = kExchanged};
    const Algorithm usual = machine.algorithms[static_cast<std::size_t>(kind)];
    plan(call, algorithm == Algorithm::automatic ? usual : algorithm, group, tag, out);
  }
}

}  // namespace reprise::simulate
