// Internal messages of libraries: at the creation of communicators, and around windows.
#pragma once

#include <vector>

#include "simulate/collectives/collective_steps.hpp"
#include "simulate/machine/machine.hpp"

namespace reprise::simulate {

// Bytes of each process in each of them.
inline constexpr std::int64_t kExchanged = 8;

// The part of the process at `place` in each; empty for inter-communicators and groups of one rank.
// Those with a root have it at rank 0.
std::vector<GroupCollective> plan_exchanges(const Exchanges& all, const Machine& machine,
                                            const Place& place, std::int64_t tag);

}  // namespace reprise::simulate
