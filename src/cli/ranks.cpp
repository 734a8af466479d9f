#include "cli/ranks.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "cli/command.hpp"
#include "cli/programs.hpp"
#include "cli/recorders.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

std::string program_for(const std::string& program, const std::string& mpi) {
  const fs::path path = recorder_folder() / (program + "-" + mpi);
  std::error_code error;
  return fs::exists(path, error) ? path.string() : std::string();
}

std::vector<std::string> launcher_words(const std::string& given, const std::string& mpi) {
  if (given.empty()) {
    const std::string own = "mpirun." + mpi;
    return {find_program(own).empty() ? "mpirun" : own};
  }
  std::istringstream text(given);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

}  // namespace

bool is_built(const std::string& program, const std::string& mpi) {
  return !program_for(program, mpi).empty();
}

void start(const Ranks& r) {
  const std::string program = program_for(r.program, r.mpi);
  if (program.empty()) {
    throw CommandError{fmt::format(
        "there is no {} for {} (it was not installed when reprise was built); install it and "
        "build again, or give another --mpi",
        r.what, r.mpi)};
  }
  std::vector<std::string> words = launcher_words(r.launcher, r.mpi);
  if (words.empty())
    throw CommandError{"--launcher is empty (something has to start ranks); name it", 2};
  words.insert(words.end(), {"-n", std::to_string(r.ranks), program});
  words.insert(words.end(), r.words.begin(), r.words.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  throw CommandError{fmt::format("{} cannot be started ({}); say how with --launcher", words[0],
                                 std::strerror(errno)),
                     127};
}

}  // namespace reprise::cli
