// What messages between nodes compete for: output links, input links and buses. A transfer takes
// its sender's output link, then its receiver's input link, then a bus, each first come, first
// served, and gives all of them back when its last byte has left.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "simulate/machine.hpp"

namespace reprise::simulate {

// `C` is the clock: a transfer that waited starts when what it waited for was given back.
template <class C>
class Fabric {
 public:
  struct Transfer {
    std::uint32_t message, from, to;  // nodes
    C ready;                          // when it may start
  };

  explicit Fabric(const Machine& machine)
      : out_limit_(machine.output_links),
        in_limit_(machine.input_links),
        bus_limit_(machine.buses) {}

  // A transfer asks. Those that may start now are appended.
  void ask(Transfer transfer, std::vector<Transfer>& starting) {
    climb(std::move(transfer), 0, starting);
  }

  // A transfer between these nodes has ended; those that may start now are appended.
  void end(std::uint32_t from, std::uint32_t to, const C& when, std::vector<Transfer>& starting) {
    give_back(bus_, bus_limit_, 2, when, starting);
    give_back(in_[to], in_limit_, 1, when, starting);
    give_back(out_[from], out_limit_, 0, when, starting);
  }

 private:
  struct Pool {
    std::int64_t taken = 0;
    std::deque<Transfer> waiting;
  };

  // Takes what it needs from `level` on, until it has all or has to wait.
  void climb(Transfer t, int level, std::vector<Transfer>& starting) {
    for (; level < 3; ++level) {
      Pool& pool = level == 0 ? out_[t.from] : level == 1 ? in_[t.to] : bus_;
      const std::int64_t limit = level == 0 ? out_limit_ : level == 1 ? in_limit_ : bus_limit_;
      if (limit > 0 && pool.taken >= limit) {
        pool.waiting.push_back(std::move(t));
        return;
      }
      ++pool.taken;
    }
    starting.push_back(std::move(t));
  }

  void give_back(Pool& pool, std::int64_t limit, int level, const C& when,
                 std::vector<Transfer>& starting) {
    --pool.taken;
    if (limit <= 0 || pool.waiting.empty()) return;
    Transfer next = std::move(pool.waiting.front());
    pool.waiting.pop_front();
    ++pool.taken;
    next.ready.raise(when);
    climb(std::move(next), level + 1, starting);
  }

  const std::int64_t out_limit_, in_limit_, bus_limit_;
  std::unordered_map<std::uint32_t, Pool> out_, in_;
  Pool bus_;
};

}  // namespace reprise::simulate
