// The steps of a process in a collective, made when they are taken.
#pragma once

#include <cstdint>
#include <memory>

#include "simulate/collectives/collectives.hpp"
#include "simulate/collectives/rounds.hpp"
#include "simulate/lower/action.hpp"
#include "simulate/lower/groups.hpp"

namespace reprise::simulate {

// One process's part in a collective.
struct GroupCollective {
  CollectiveCall call;
  Algorithm algorithm{};
  std::shared_ptr<const Group> group;
  std::int64_t tag = 0;  // tells collectives apart that overlap
};

class CollectiveSteps {
 public:
  // REQUIRES: it outlives the steps.
  explicit CollectiveSteps(const GroupCollective& collective)
      : collective_(collective), rounds_(rounds_of(collective.call, collective.algorithm)) {
    next();
  }

  // Null: all have been taken.
  const Action* present() const { return round_ ? &action_ : nullptr; }
  void next();
  // How many have been taken before the present one.
  std::int64_t taken() const { return made_ - 1; }

 private:
  // The parts of a round, in order.
  enum class Part : std::uint8_t { receive, send, wait, none };

  std::uint32_t member(std::int64_t rank) const {
    return collective_.group->member(static_cast<std::uint64_t>(rank));
  }

  const GroupCollective& collective_;
  Rounds rounds_;
  const Round* round_ = nullptr;
  Part part_ = Part::none;  // the next one of the round
  Action action_;
  std::int64_t made_ = 0;
};

}  // namespace reprise::simulate
