// What the calls of a program of any number of ranks do on some numbers of ranks: it tells where
// requests are completed, and what is written is held against it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "write/conceptual/calls/operations.hpp"
#include "write/conceptual/open.hpp"
#include "write/conceptual/statements.hpp"

namespace reprise::write::conceptual {

// A trace that a program of any number of ranks explains.
struct Sample {
  trace::Trace trace;
  std::vector<std::uint32_t> call_of;  // by call of the program: the same one of this trace
  std::vector<std::int64_t> sizes;     // of the problem, as Program::sizes
};

class Samples {
 public:
  // Throws Unwritable for what the language cannot say of the traces. REQUIRES: `names` and
  // `numbers` outlive it.
  Samples(std::span<const Sample> samples, const program::Program& program, const Names& names,
          const OpenNumbers& numbers, Substitutes substitutes);

  // Functions that are done otherwise, and how; without numbers of calls.
  const TaskOperations& found() const { return found_; }

  // Holds what a call does where a rank first comes there against the samples. Adds the completion
  // that they have; who has no peer does nothing. Throws Unwritable.
  void check(std::uint32_t call, std::vector<TaskOperation>& operations) const;

 private:
  struct Known {
    trace::Trace trace;
    std::vector<std::uint32_t> call_of;
    TaskOperations operations;
    std::vector<std::int64_t> slots;  // of num_tasks, sizes and extents
  };

  void add(const Sample& sample);
  void check_values(const TaskOperation& a, const Operation& found, const Known& on,
                    std::uint64_t stream) const;
  std::optional<std::int64_t> at(const expr::Expr& e, const Known& on, std::int64_t rank) const;

  const program::Program& program_;
  const Names& names_;
  const OpenNumbers& numbers_;
  Substitutes substitutes_;
  std::vector<std::string> variables_;  // the rank, what `slots` has, and indices of loops
  std::vector<Known> samples_;
  TaskOperations found_;
};

}  // namespace reprise::write::conceptual
