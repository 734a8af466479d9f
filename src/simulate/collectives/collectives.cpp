#include "simulate/collectives/collectives.hpp"

#include <algorithm>
#include <numeric>

namespace reprise::simulate {
namespace {

class Planner {
 public:
  Planner(const CollectiveCall& call, const Group& group, std::int64_t tag,
          std::vector<Action>& out)
      : c_(call), n_(call.size), rank_(call.rank), group_(group), tag_(tag), out_(out) {}

  void barrier(Algorithm a) {
    if (a == Algorithm::recursive_doubling) return doubling_reduction(0);
    if (a == Algorithm::linear) {
      gather_linear();
      return bcast_linear();
    }
    for (std::int64_t step = 1; step < n_; step *= 2) {
      exchange({(rank_ + step) % n_, (rank_ - step + n_) % n_}, 0);
    }
  }

  void bcast(Algorithm a) {
    if (a == Algorithm::linear) return bcast_linear();
    if (a == Algorithm::binomial) return bcast_binomial(c_.bytes);
    // A scatter of equal pieces, and a ring that collects them.
    const std::int64_t piece = (c_.bytes + n_ - 1) / n_;
    scatter_binomial(piece);
    for (std::int64_t i = 1; i < n_; ++i)
      exchange({(rank_ + 1) % n_, (rank_ - 1 + n_) % n_}, piece);
  }

  void gather(Algorithm a) {
    if (a == Algorithm::linear) return gather_linear();
    gather_binomial(c_.bytes);
  }

  void scatter(Algorithm a) {
    if (a == Algorithm::binomial) return scatter_binomial(c_.bytes);
    if (rank_ != c_.root) return receive_and_wait(c_.root);
    for (std::int64_t r = 0; r < n_; ++r) {
      if (r != rank_) send(r, c_.to(r));
    }
    wait();
  }

  void allgather(Algorithm a) {
    if (a == Algorithm::linear) return all_with_all([&](std::int64_t) { return c_.to(rank_); });
    if (a == Algorithm::recursive_doubling) {
      for (std::int64_t mask = 1; mask < n_; mask *= 2) exchange(rank_ ^ mask, mask * c_.bytes);
    } else if (a == Algorithm::bruck) {
      for (std::int64_t step = 1; step < n_; step *= 2) {
        exchange({(rank_ - step + n_) % n_, (rank_ + step) % n_},
                 std::min(step, n_ - step) * c_.bytes);
      }
    } else if (a == Algorithm::pairwise) {
      for (std::int64_t i = 1; i < n_; ++i)
        exchange({(rank_ + i) % n_, (rank_ - i + n_) % n_}, c_.to(rank_));
    } else {
      for (std::int64_t i = 0; i + 1 < n_; ++i)
        exchange({(rank_ + 1) % n_, (rank_ - 1 + n_) % n_}, c_.to((rank_ - i + n_) % n_));
    }
  }

  void alltoall(Algorithm a) {
    if (a == Algorithm::bruck) {
      for (std::int64_t step = 1; step < n_; step *= 2) {
        std::int64_t pieces = 0;
        for (std::int64_t i = 0; i < n_; ++i) pieces += (i & step) != 0;
        exchange({(rank_ + step) % n_, (rank_ - step + n_) % n_}, pieces * c_.bytes);
      }
    } else if (a == Algorithm::linear) {
      all_with_all([&](std::int64_t r) { return c_.to(r); });
    } else {
      const bool by_bits = a == Algorithm::pairwise && is_power_of_two(n_);
      for (std::int64_t i = 1; i < n_; ++i) {
        const std::int64_t to = by_bits ? rank_ ^ i : (rank_ + i) % n_;
        const std::int64_t from = by_bits ? to : (rank_ - i + n_) % n_;
        exchange({to, from}, c_.to(to));
      }
    }
  }

  void reduce(Algorithm a) {
    if (a == Algorithm::linear) return gather_linear();
    if (a == Algorithm::binomial) return reduce_binomial();
    halving_reduction();
    gather_halves();
  }

  void allreduce(Algorithm a) {
    if (a == Algorithm::recursive_doubling) return doubling_reduction(c_.bytes);
    if (a == Algorithm::binomial) {
      reduce_binomial();
      return bcast_binomial(c_.bytes);
    }
    if (a == Algorithm::ring) {
      const std::int64_t piece = (c_.bytes + n_ - 1) / n_;
      for (std::int64_t i = 0; i < 2 * (n_ - 1); ++i)
        exchange({(rank_ + 1) % n_, (rank_ - 1 + n_) % n_}, piece);
      return;
    }
    halving_reduction();
    if (folded_ < 0) return unfold(c_.bytes);
    const std::int64_t in = core_size();
    for (std::int64_t mask = 1; mask < in; mask *= 2)
      exchange(unfolded(folded_ ^ mask), c_.bytes * mask / in);
    unfold(c_.bytes);
  }

  void reduce_scatter(Algorithm a) {
    if (a == Algorithm::recursive_doubling && is_power_of_two(n_)) {
      std::int64_t all = 0;
      for (std::int64_t r = 0; r < n_; ++r) all += c_.to(r);
      for (std::int64_t mask = n_ / 2, part = 2; mask >= 1; mask /= 2, part *= 2)
        exchange(rank_ ^ mask, all / part);
      return;
    }
    for (std::int64_t i = 1; i < n_; ++i) {
      const std::int64_t to = (rank_ + i) % n_;
      exchange({to, (rank_ - i + n_) % n_}, c_.to(to));
    }
  }

  void scan(Algorithm a) {
    if (a == Algorithm::linear) {
      for (std::int64_t r = 0; r < rank_; ++r) receive(r);
      for (std::int64_t r = rank_ + 1; r < n_; ++r) send(r, c_.bytes);
      return wait();
    }
    if (a == Algorithm::ring) {
      if (rank_ > 0) receive_and_wait(rank_ - 1);
      if (rank_ + 1 < n_) send_and_wait(rank_ + 1, c_.bytes);
      return;
    }
    for (std::int64_t mask = 1; mask < n_; mask *= 2) {
      const std::int64_t with = rank_ ^ mask;
      if (with < n_) exchange(with, c_.bytes);
    }
  }

 private:
  void send(std::int64_t to, std::int64_t bytes) {
    out_.push_back({.what = Action::Do::send,
                    .peer = group_.member(static_cast<std::uint64_t>(to)),
                    .context = group_.collective_context(),
                    .tag = tag_,
                    .bytes = bytes});
  }
  void receive(std::int64_t from) {
    out_.push_back({.what = Action::Do::receive,
                    .peer = group_.member(static_cast<std::uint64_t>(from)),
                    .context = group_.collective_context(),
                    .tag = tag_});
  }
  void wait() { out_.push_back({.what = Action::Do::wait_inner}); }
  void send_and_wait(std::int64_t to, std::int64_t bytes) {
    send(to, bytes);
    wait();
  }
  void receive_and_wait(std::int64_t from) {
    receive(from);
    wait();
  }
  // The ranks that a step sends to and receives from.
  struct Partners {
    std::int64_t to, from;
  };
  void exchange(Partners with, std::int64_t bytes) {
    receive(with.from);
    send(with.to, bytes);
    wait();
  }
  void exchange(std::int64_t with, std::int64_t bytes) { exchange(Partners{with, with}, bytes); }

  // Relative to the root, and back.
  std::int64_t relative() const { return (rank_ - c_.root + n_) % n_; }
  std::int64_t absolute(std::int64_t r) const { return (r + c_.root) % n_; }

  void bcast_linear() {
    if (rank_ != c_.root) return receive_and_wait(c_.root);
    for (std::int64_t r = 0; r < n_; ++r) {
      if (r != rank_) send(r, c_.bytes);
    }
    wait();
  }

  void bcast_binomial(std::int64_t bytes) {
    const std::int64_t r = relative();
    std::int64_t mask = 1;
    for (; mask < n_; mask *= 2) {
      if (!(r & mask)) continue;
      receive_and_wait(absolute(r - mask));
      break;
    }
    for (mask /= 2; mask > 0; mask /= 2) {
      if (r + mask < n_) send_and_wait(absolute(r + mask), bytes);
    }
  }

  void scatter_binomial(std::int64_t piece) {
    const std::int64_t r = relative();
    std::int64_t mask = 1;
    for (; mask < n_; mask *= 2) {
      if (!(r & mask)) continue;
      receive_and_wait(absolute(r - mask));
      break;
    }
    for (mask /= 2; mask > 0; mask /= 2) {
      if (r + mask < n_) send_and_wait(absolute(r + mask), std::min(mask, n_ - r - mask) * piece);
    }
  }

  void gather_linear() {
    if (rank_ != c_.root) return send_and_wait(c_.root, c_.bytes);
    for (std::int64_t r = 0; r < n_; ++r) {
      if (r != rank_) receive(r);
    }
    wait();
  }

  void gather_binomial(std::int64_t piece) {
    const std::int64_t r = relative();
    for (std::int64_t mask = 1; mask < n_; mask *= 2) {
      if (r & mask) return send_and_wait(absolute(r - mask), std::min(mask, n_ - r) * piece);
      if (r + mask < n_) receive_and_wait(absolute(r + mask));
    }
  }

  void reduce_binomial() {
    const std::int64_t r = relative();
    for (std::int64_t mask = 1; mask < n_; mask *= 2) {
      if (r & mask) return send_and_wait(absolute(r - mask), c_.bytes);
      if (r + mask < n_) receive_and_wait(absolute(r + mask));
    }
  }

  template <class Size>
  void all_with_all(Size size) {
    for (std::int64_t i = 1; i < n_; ++i) {
      const std::int64_t from = (rank_ + i) % n_;
      if (c_.received.empty() || c_.received[static_cast<std::size_t>(from)] > 0) receive(from);
    }
    for (std::int64_t i = 1; i < n_; ++i) {
      const std::int64_t to = (rank_ - i + n_) % n_;
      if (c_.received.empty() || size(to) > 0) send(to, size(to));
    }
    wait();
  }

  // The largest power of two of ranks works; those above it hand their part to a neighbor first.
  std::int64_t core_size() const {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n_)));
  }
  void fold(std::int64_t bytes) {
    const std::int64_t extra = n_ - core_size();
    folded_ = rank_ - extra;
    if (rank_ >= 2 * extra) return;
    if (rank_ % 2 == 0) {
      folded_ = -1;
      send_and_wait(rank_ + 1, bytes);
    } else {
      folded_ = rank_ / 2;
      receive_and_wait(rank_ - 1);
    }
  }
  std::int64_t unfolded(std::int64_t r) const {
    const std::int64_t extra = n_ - core_size();
    return r < extra ? 2 * r + 1 : r + extra;
  }
  void unfold(std::int64_t bytes) {
    const std::int64_t extra = n_ - core_size();
    if (rank_ >= 2 * extra) return;
    if (rank_ % 2) {
      send_and_wait(rank_ - 1, bytes);
    } else {
      receive_and_wait(rank_ + 1);
    }
  }

  void doubling_reduction(std::int64_t bytes) {
    fold(bytes);
    if (folded_ >= 0) {
      for (std::int64_t mask = 1; mask < core_size(); mask *= 2)
        exchange(unfolded(folded_ ^ mask), bytes);
    }
    unfold(bytes);
  }

  // Each rank of the core ends with an equal piece.
  void halving_reduction() {
    fold(c_.bytes);
    if (folded_ < 0) return;
    std::int64_t part = 2;
    for (std::int64_t mask = core_size() / 2; mask >= 1; mask /= 2, part *= 2)
      exchange(unfolded(folded_ ^ mask), c_.bytes / part);
  }

  // The pieces of the core to its first rank, and from there to the root.
  void gather_halves() {
    const std::int64_t in = core_size(), first = unfolded(0);
    if (folded_ >= 0) {
      for (std::int64_t mask = 1; mask < in; mask *= 2) {
        if (folded_ & mask) {
          send_and_wait(unfolded(folded_ - mask), c_.bytes * mask / in);
          break;
        }
        receive_and_wait(unfolded(folded_ + mask));
      }
    }
    if (first == c_.root) return;
    if (rank_ == first) send_and_wait(c_.root, c_.bytes);
    if (rank_ == c_.root) receive_and_wait(first);
  }

  const CollectiveCall& c_;
  const std::int64_t n_, rank_;
  const Group& group_;
  const std::int64_t tag_;
  std::vector<Action>& out_;
  std::int64_t folded_ = -1;  // rank in the core; -1: outside
};

}  // namespace

void plan(const CollectiveCall& call, Algorithm algorithm, const Group& group, std::int64_t tag,
          std::vector<Action>& out) {
  if (algorithm == Algorithm::automatic) algorithm = choose(call);
  // These need equal pieces, or as many ranks as a power of two.
  if (call.kind == Collective::gather || call.kind == Collective::scatter) {
    if (call.is_vector) algorithm = Algorithm::linear;
  } else if (call.kind == Collective::allgather && algorithm == Algorithm::recursive_doubling &&
             !is_power_of_two(call.size)) {
    algorithm = Algorithm::bruck;
  }
  Planner planner(call, group, tag, out);
  switch (call.kind) {
    case Collective::barrier: return planner.barrier(algorithm);
    case Collective::bcast: return planner.bcast(algorithm);
    case Collective::gather: return planner.gather(algorithm);
    case Collective::scatter: return planner.scatter(algorithm);
    case Collective::allgather:
    case Collective::allgatherv: return planner.allgather(algorithm);
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw: return planner.alltoall(algorithm);
    case Collective::reduce: return planner.reduce(algorithm);
    case Collective::allreduce: return planner.allreduce(algorithm);
    case Collective::reduce_scatter: return planner.reduce_scatter(algorithm);
    case Collective::scan: return planner.scan(algorithm);
  }
}

}  // namespace reprise::simulate
