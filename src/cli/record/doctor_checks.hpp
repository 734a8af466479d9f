// What stands for and against recording a command.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace reprise::cli {

struct Check {
  enum class State { ok, warning, problem };
  std::string name;  // "preloading"
  State state = State::ok;
  std::string text;
};

struct Examination {
  std::string mpi;  // "openmpi"; empty: not known
  std::vector<Check> checks;
  nlohmann::ordered_json nodes = nlohmann::ordered_json::array();  // what ranks found on each

  // Whether nothing keeps the command from being recorded.
  bool is_ready() const;
};

// Runs the launcher of the command with a probe in place of the program. REQUIRES: a word.
Examination examine(const std::vector<std::string>& command);

}  // namespace reprise::cli
