// What a program runs on: ranks that exchange messages. The executor for MPI is one; tests have
// another, which writes down what it is asked for.
#pragma once

#include <cstdint>
#include <string>

#include "conceptual/execute/plan.hpp"

namespace reprise::conceptual {

class Machine {
 public:
  virtual ~Machine() = default;

  virtual std::int64_t rank() const = 0;
  virtual std::int64_t ranks() const = 0;
  virtual std::int64_t max_tag() const = 0;

  // Executes one operation of a plan of this rank, `times` times. Returns bits that were received
  // wrongly, where that is verified.
  virtual std::int64_t execute(const Operation& operation) = 0;

  // Waits for all that was started and not waited for; the same kind of return.
  virtual std::int64_t wait_all() = 0;
  // Operations that were started and not waited for.
  virtual std::size_t pending() const = 0;

  // Collectives of all ranks, for the executor itself.
  virtual void synchronize() = 0;
  virtual std::int64_t least(std::int64_t value) = 0;

  virtual std::int64_t now_us() = 0;  // [us] since some moment
  virtual void sleep_us(std::int64_t us) = 0;
  virtual void spin_us(std::int64_t us) = 0;

  // A line for the user.
  virtual void print(const std::string& line) = 0;
};

}  // namespace reprise::conceptual
