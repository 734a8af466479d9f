// The command line of a program: its parameters, and what every program takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "conceptual/ast.hpp"

namespace reprise::conceptual {

struct Arguments {
  std::vector<std::int64_t> values;  // by Program::parameters
  std::string log_file;              // template: %p is the rank, %% a percent sign
  std::vector<std::string> comments;
  bool help = false;
};

// Defaults are evaluated in order, with those before in force, after the command line is read.
// Errors are of the kind `usage`.
Result<Arguments> parse_arguments(const Program& program, const std::vector<std::string>& words,
                                  std::int64_t num_tasks);

// The least number of tasks, from two on, for which all assertions hold that every run executes;
// nothing if there is none up to some thousand, or if the words are not understood. Cost: an
// evaluation of these assertions for each number.
std::optional<std::int64_t> least_tasks(const Program& program,
                                        const std::vector<std::string>& words);

// What --help prints.
std::string help_text(const Program& program);

// The log of one rank. `log_file` as in Arguments.
std::string log_path(const std::string& log_file, std::int64_t rank);

}  // namespace reprise::conceptual
