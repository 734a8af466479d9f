#include "cli/make/started_mpi.hpp"

#include <filesystem>

#include "cli/record/programs.hpp"

namespace reprise::cli {

namespace fs = std::filesystem;

namespace {

// Whether a shell would run this program, or another copy of it, for a word.
bool is_reprise(const std::string& word) {
  const std::string program = find_program(word);
  std::error_code error;
  return !program.empty() && fs::canonical(program, error).filename() == "reprise";
}

}  // namespace

std::string started_mpi(const std::vector<std::string>& command) {
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    if (!is_reprise(command[i])) continue;
    const std::vector<std::string> words(command.begin() + static_cast<std::ptrdiff_t>(i) + 2,
                                         command.end());
    if (command[i + 1] == "replay") return replay_mpi(words);
    if (command[i + 1] == "run") return run_mpi(words);
  }
  return {};
}

}  // namespace reprise::cli
