// Executes a coNCePTuaL program as one of its tasks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "conceptual/machine.hpp"
#include "conceptual/program.hpp"

namespace reprise::conceptual {

// Parameters from the words behind the program's name, by slot. An unknown one is a usage error.
// `wants_help`: --help was among them.
struct Arguments {
  std::vector<std::int64_t> values;  // by slot
  bool wants_help = false;
};
Result<Arguments> read_arguments(const Program& program, const std::vector<std::string>& words,
                                 std::int64_t tasks);

// The parameters, a line each.
std::string describe_parameters(const Program& program);

// Fails where the program cannot go on, with the place. Memory: O(tasks) in a collective.
// Statements that name their tasks by a condition on all pairs cost O(tasks) each time; those with
// UNSUSPECTING, and receives, O(1).
Status execute(const Program& program, const Arguments& arguments, Machine& machine,
               const std::string& file);

}  // namespace reprise::conceptual
