#include "simulate/collectives/collectives.hpp"

#include <algorithm>
#include <numeric>

#include "simulate/collectives/rounds.hpp"

namespace reprise::simulate {
namespace {

// One part after the other.
Rounds both(Rounds first, Rounds second) {
  while (const Round* r = first.next()) co_yield *r;
  while (const Round* r = second.next()) co_yield *r;
}

Round send(std::int64_t to, std::int64_t bytes) { return {.to = to, .bytes = bytes}; }
Round receive(std::int64_t from) { return {.from = from}; }
Round post_send(std::int64_t to, std::int64_t bytes) {
  return {.to = to, .bytes = bytes, .waits = false};
}
Round post_receive(std::int64_t from) { return {.from = from, .waits = false}; }
Round wait() { return {}; }

// REQUIRES: the call outlives the planner, and the planner the rounds.
class Planner {
 public:
  explicit Planner(const CollectiveCall& call) : c_(call), n_(call.size), rank_(call.rank) {}

  Rounds rounds(Algorithm a) const {
    switch (c_.kind) {
      case Collective::barrier: return barrier(a);
      case Collective::bcast: return bcast(a);
      case Collective::gather:
        return a == Algorithm::linear ? gather_linear() : gather_binomial(c_.bytes);
      case Collective::scatter:
        return a == Algorithm::binomial ? scatter_binomial(c_.bytes) : scatter_linear();
      case Collective::allgather:
      case Collective::allgatherv: return allgather(a);
      case Collective::alltoall:
      case Collective::alltoallv:
      case Collective::alltoallw: return alltoall(a);
      case Collective::reduce: return reduce(a);
      case Collective::allreduce: return allreduce(a);
      case Collective::reduce_scatter:
        if (a == Algorithm::recursive_doubling && is_power_of_two(n_)) return halving_scatter();
        return pairwise([this](std::int64_t to) { return c_.to(to); });
      case Collective::scan: break;
    }
    return scan(a);
  }

 private:
  Rounds barrier(Algorithm a) const {
    if (a == Algorithm::recursive_doubling) return doubling_reduction(0);
    if (a == Algorithm::linear) return both(gather_linear(), bcast_linear());
    return dissemination();
  }

  Rounds bcast(Algorithm a) const {
    if (a == Algorithm::linear) return bcast_linear();
    if (a == Algorithm::binomial) return bcast_binomial(c_.bytes);
    // A scatter of equal pieces, and a ring that collects them.
    const std::int64_t piece = (c_.bytes + n_ - 1) / n_;
    return both(scatter_binomial(piece), ring(n_ - 1, piece));
  }

  Rounds allgather(Algorithm a) const {
    if (a == Algorithm::linear) return all_with_all([this](std::int64_t) { return c_.to(rank_); });
    if (a == Algorithm::recursive_doubling) return doubling_allgather();
    if (a == Algorithm::bruck) return bruck_allgather();
    if (a == Algorithm::pairwise) return pairwise([this](std::int64_t) { return c_.to(rank_); });
    return ring_allgather();
  }

  Rounds alltoall(Algorithm a) const {
    if (a == Algorithm::bruck) return bruck_alltoall();
    if (a == Algorithm::linear) return all_with_all([this](std::int64_t r) { return c_.to(r); });
    if (a == Algorithm::pairwise && is_power_of_two(n_)) return pairwise_by_bits();
    return pairwise([this](std::int64_t to) { return c_.to(to); });
  }

  Rounds reduce(Algorithm a) const {
    if (a == Algorithm::linear) return gather_linear();
    if (a == Algorithm::binomial) return reduce_binomial();
    return both(halving_reduction(), gather_halves());
  }

  Rounds allreduce(Algorithm a) const {
    if (a == Algorithm::recursive_doubling) return doubling_reduction(c_.bytes);
    if (a == Algorithm::binomial) return both(reduce_binomial(), bcast_binomial(c_.bytes));
    if (a == Algorithm::ring) return ring(2 * (n_ - 1), (c_.bytes + n_ - 1) / n_);
    return both(halving_reduction(), both(collect_halves(), unfold(c_.bytes)));
  }

  Rounds scan(Algorithm a) const {
    if (a == Algorithm::linear) return scan_linear();
    return a == Algorithm::ring ? scan_chain() : scan_doubling();
  }

  // The ranks that a step sends to and receives from.
  struct Partners {
    std::int64_t to, from;
  };
  static Round exchange(Partners with, std::int64_t bytes) {
    return {.from = with.from, .to = with.to, .bytes = bytes};
  }
  static Round exchange(std::int64_t with, std::int64_t bytes) {
    return exchange(Partners{with, with}, bytes);
  }
  Partners in_ring() const { return {(rank_ + 1) % n_, (rank_ - 1 + n_) % n_}; }

  // Relative to the root, and back.
  std::int64_t relative() const { return (rank_ - c_.root + n_) % n_; }
  std::int64_t absolute(std::int64_t r) const { return (r + c_.root) % n_; }

  Rounds dissemination() const {
    for (std::int64_t step = 1; step < n_; step *= 2)
      co_yield exchange({(rank_ + step) % n_, (rank_ - step + n_) % n_}, 0);
  }

  Rounds ring(std::int64_t steps, std::int64_t piece) const {
    for (std::int64_t i = 0; i < steps; ++i) co_yield exchange(in_ring(), piece);
  }

  Rounds bcast_linear() const {
    if (rank_ != c_.root) {
      co_yield receive(c_.root);
      co_return;
    }
    for (std::int64_t r = 0; r < n_; ++r) {
      if (r != rank_) co_yield post_send(r, c_.bytes);
    }
    co_yield wait();
  }

  Rounds bcast_binomial(std::int64_t bytes) const {
    const std::int64_t r = relative();
    std::int64_t mask = 1;
    for (; mask < n_; mask *= 2) {
      if (!(r & mask)) continue;
      co_yield receive(absolute(r - mask));
      break;
    }
    for (mask /= 2; mask > 0; mask /= 2) {
      if (r + mask < n_) co_yield send(absolute(r + mask), bytes);
    }
  }

  Rounds scatter_linear() const {
    if (rank_ != c_.root) {
      co_yield receive(c_.root);
      co_return;
    }
    for (std::int64_t r = 0; r < n_; ++r) {
      if (r != rank_) co_yield post_send(r, c_.to(r));
    }
    co_yield wait();
  }

  Rounds scatter_binomial(std::int64_t piece) const {
    const std::int64_t r = relative();
    std::int64_t mask = 1;
    for (; mask < n_; mask *= 2) {
      if (!(r & mask)) continue;
      co_yield receive(absolute(r - mask));
      break;
    }
    for (mask /= 2; mask > 0; mask /= 2) {
      if (r + mask < n_) co_yield send(absolute(r + mask), std::min(mask, n_ - r - mask) * piece);
    }
  }

  Rounds gather_linear() const {
    if (rank_ != c_.root) {
      co_yield send(c_.root, c_.bytes);
      co_return;
    }
    for (std::int64_t r = 0; r < n_; ++r) {
      if (r != rank_) co_yield post_receive(r);
    }
    co_yield wait();
  }

  Rounds gather_binomial(std::int64_t piece) const {
    const std::int64_t r = relative();
    for (std::int64_t mask = 1; mask < n_; mask *= 2) {
      if (r & mask) {
        co_yield send(absolute(r - mask), std::min(mask, n_ - r) * piece);
        co_return;
      }
      if (r + mask < n_) co_yield receive(absolute(r + mask));
    }
  }

  Rounds reduce_binomial() const {
    const std::int64_t r = relative();
    for (std::int64_t mask = 1; mask < n_; mask *= 2) {
      if (r & mask) {
        co_yield send(absolute(r - mask), c_.bytes);
        co_return;
      }
      if (r + mask < n_) co_yield receive(absolute(r + mask));
    }
  }

  Rounds doubling_allgather() const {
    for (std::int64_t mask = 1; mask < n_; mask *= 2)
      co_yield exchange(rank_ ^ mask, mask * c_.bytes);
  }

  Rounds bruck_allgather() const {
    for (std::int64_t step = 1; step < n_; step *= 2)
      co_yield exchange({(rank_ - step + n_) % n_, (rank_ + step) % n_},
                        std::min(step, n_ - step) * c_.bytes);
  }

  Rounds ring_allgather() const {
    for (std::int64_t i = 0; i + 1 < n_; ++i)
      co_yield exchange(in_ring(), c_.to((rank_ - i + n_) % n_));
  }

  Rounds bruck_alltoall() const {
    for (std::int64_t step = 1; step < n_; step *= 2) {
      // The numbers below n with this bit.
      const std::int64_t pieces =
          n_ / (2 * step) * step + std::max<std::int64_t>(0, n_ % (2 * step) - step);
      co_yield exchange({(rank_ + step) % n_, (rank_ - step + n_) % n_}, pieces * c_.bytes);
    }
  }

  Rounds pairwise_by_bits() const {
    for (std::int64_t i = 1; i < n_; ++i) co_yield exchange(rank_ ^ i, c_.to(rank_ ^ i));
  }

  template <class Size>
  Rounds pairwise(Size size) const {
    for (std::int64_t i = 1; i < n_; ++i) {
      const std::int64_t to = (rank_ + i) % n_;
      co_yield exchange({to, (rank_ - i + n_) % n_}, size(to));
    }
  }

  template <class Size>
  Rounds all_with_all(Size size) const {
    for (std::int64_t i = 1; i < n_; ++i) {
      const std::int64_t from = (rank_ + i) % n_;
      if (c_.received.empty() || c_.received[static_cast<std::size_t>(from)] > 0)
        co_yield post_receive(from);
    }
    for (std::int64_t i = 1; i < n_; ++i) {
      const std::int64_t to = (rank_ - i + n_) % n_;
      if (c_.received.empty() || size(to) > 0) co_yield post_send(to, size(to));
    }
    co_yield wait();
  }

  // The largest power of two of ranks works; those above it hand their part to a neighbor first.
  std::int64_t core_size() const {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n_)));
  }
  std::int64_t extra() const { return n_ - core_size(); }
  // This rank in the core; -1: outside.
  std::int64_t folded() const {
    if (rank_ >= 2 * extra()) return rank_ - extra();
    return rank_ % 2 == 0 ? -1 : rank_ / 2;
  }
  std::int64_t unfolded(std::int64_t r) const { return r < extra() ? 2 * r + 1 : r + extra(); }
  Rounds fold(std::int64_t bytes) const {
    if (rank_ >= 2 * extra()) co_return;
    co_yield rank_ % 2 == 0 ? send(rank_ + 1, bytes) : receive(rank_ - 1);
  }
  Rounds unfold(std::int64_t bytes) const {
    if (rank_ >= 2 * extra()) co_return;
    co_yield rank_ % 2 == 0 ? receive(rank_ + 1) : send(rank_ - 1, bytes);
  }

  Rounds doubling_reduction(std::int64_t bytes) const {
    return both(fold(bytes), both(doubling(bytes), unfold(bytes)));
  }
  Rounds doubling(std::int64_t bytes) const {
    if (folded() < 0) co_return;
    for (std::int64_t mask = 1; mask < core_size(); mask *= 2)
      co_yield exchange(unfolded(folded() ^ mask), bytes);
  }

  // Each rank of the core ends with an equal piece.
  Rounds halving_reduction() const { return both(fold(c_.bytes), halving()); }
  Rounds halving() const {
    if (folded() < 0) co_return;
    std::int64_t part = 2;
    for (std::int64_t mask = core_size() / 2; mask >= 1; mask /= 2, part *= 2)
      co_yield exchange(unfolded(folded() ^ mask), c_.bytes / part);
  }

  // The pieces of the core to all of it.
  Rounds collect_halves() const {
    if (folded() < 0) co_return;
    const std::int64_t in = core_size();
    for (std::int64_t mask = 1; mask < in; mask *= 2)
      co_yield exchange(unfolded(folded() ^ mask), c_.bytes * mask / in);
  }

  // The pieces of the core to its first rank, and from there to the root.
  Rounds gather_halves() const {
    const std::int64_t in = core_size(), first = unfolded(0), rank = folded();
    for (std::int64_t mask = 1; rank >= 0 && mask < in; mask *= 2) {
      if (rank & mask) {
        co_yield send(unfolded(rank - mask), c_.bytes * mask / in);
        break;
      }
      co_yield receive(unfolded(rank + mask));
    }
    if (first == c_.root) co_return;
    if (rank_ == first) co_yield send(c_.root, c_.bytes);
    if (rank_ == c_.root) co_yield receive(first);
  }

  Rounds halving_scatter() const {
    const std::int64_t all = c_.sent.empty()
                                 ? n_ * c_.bytes
                                 : std::accumulate(c_.sent.begin(), c_.sent.end(), std::int64_t{0});
    for (std::int64_t mask = n_ / 2, part = 2; mask >= 1; mask /= 2, part *= 2)
      co_yield exchange(rank_ ^ mask, all / part);
  }

  Rounds scan_linear() const {
    for (std::int64_t r = 0; r < rank_; ++r) co_yield post_receive(r);
    for (std::int64_t r = rank_ + 1; r < n_; ++r) co_yield post_send(r, c_.bytes);
    co_yield wait();
  }

  Rounds scan_chain() const {
    if (rank_ > 0) co_yield receive(rank_ - 1);
    if (rank_ + 1 < n_) co_yield send(rank_ + 1, c_.bytes);
  }

  Rounds scan_doubling() const {
    for (std::int64_t mask = 1; mask < n_; mask *= 2) {
      const std::int64_t with = rank_ ^ mask;
      if (with < n_) co_yield exchange(with, c_.bytes);
    }
  }

  const CollectiveCall& c_;
  const std::int64_t n_, rank_;
};

Rounds planned(const CollectiveCall& call, Algorithm algorithm) {
  const Planner planner(call);
  Rounds rounds = planner.rounds(algorithm);
  while (const Round* r = rounds.next()) co_yield *r;
}

}  // namespace

Rounds rounds_of(const CollectiveCall& call, Algorithm algorithm) {
  if (algorithm == Algorithm::automatic) algorithm = choose(call);
  // These need equal pieces, or as many ranks as a power of two.
  if (call.kind == Collective::gather || call.kind == Collective::scatter) {
    if (call.is_vector) algorithm = Algorithm::linear;
  } else if (call.kind == Collective::allgather && algorithm == Algorithm::recursive_doubling &&
             !is_power_of_two(call.size)) {
    algorithm = Algorithm::bruck;
  }
  return planned(call, algorithm);
}

}  // namespace reprise::simulate
