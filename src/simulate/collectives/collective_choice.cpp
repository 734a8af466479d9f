// Which algorithm a collective takes if nobody says so.
#include "simulate/collectives/collectives.hpp"

namespace reprise::simulate {
Algorithm choose(const CollectiveCall& c) {
  using enum Algorithm;
  constexpr std::int64_t kKiB = 1024;
  switch (c.kind) {
    case Collective::barrier: return dissemination;
    case Collective::bcast: return c.size < 8 || c.bytes < 12 * kKiB ? binomial : scatter_allgather;
    case Collective::gather:
    case Collective::scatter: return c.is_vector ? linear : binomial;
    case Collective::allgather: {
      const std::int64_t all = c.bytes * c.size;
      if (is_power_of_two(c.size) && all < 512 * kKiB) return recursive_doubling;
      return all < 80 * kKiB ? bruck : ring;
    }
    case Collective::allgatherv: return ring;
    case Collective::alltoall:
      if (c.bytes <= 256 && c.size >= 8) return bruck;
      return c.bytes <= 32 * kKiB ? linear : pairwise;
    case Collective::alltoallv:
    case Collective::alltoallw: return linear;
    case Collective::reduce: return c.bytes <= 2 * kKiB ? binomial : rabenseifner;
    case Collective::allreduce: return c.bytes <= 2 * kKiB ? recursive_doubling : rabenseifner;
    case Collective::reduce_scatter: return is_power_of_two(c.size) ? recursive_doubling : pairwise;
    case Collective::scan: return recursive_doubling;
  }
  return linear;
}

}  // namespace reprise::simulate
