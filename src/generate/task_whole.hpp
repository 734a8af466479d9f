// A coNCePTuaL program around its statements: the comment at the top, declarations, assertions, and
// the measurement of its time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "generate/task_parameters.hpp"
#include "write/conceptual/operations.hpp"

namespace reprise::generate {

using write::conceptual::TaskOperations;

struct WholeProgram {
  const std::string& name;     // of the trace
  const std::string& program;  // its command line
  const TaskOperations& operations;
  const TaskParameters& parameters;
  std::vector<std::pair<std::string, std::string>> assertions;  // what is asserted, its condition
  bool has_calls = false;                                       // task_calls.hpp
};

std::string whole_program(const WholeProgram& parts, const std::vector<std::string>& statements);

}  // namespace reprise::generate
