// What the calls of an explained program do, in terms of tasks and bytes: the same to a writer
// whether the program is of a recorded trace or of any number of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/program.hpp"
#include "write/conceptual/statements.hpp"
#include "write/conceptual/values.hpp"

namespace reprise::write::conceptual {

// Who does something is told by the conditions around a call.
class Calls {
 public:
  virtual ~Calls() = default;

  // Index into the calls of the given trace.
  virtual std::uint32_t call_of(const program::Node& call) const = 0;
  // What is computed there, if it is anything.
  virtual std::optional<Computation> computation(const program::Node& call,
                                                 const Around& around) = 0;
  // What is done, in order. Throws Unwritable.
  virtual std::vector<TaskOperation> operations(const program::Node& call,
                                                const Around& around) = 0;
};

}  // namespace reprise::write::conceptual
