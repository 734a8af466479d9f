#include "cli/make/ranks.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <utility>

#include "cli/command.hpp"
#include "cli/record/programs.hpp"
#include "cli/record/recorders.hpp"

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

// Refuses to start ranks within a job of several, where each of those would start them all.
void refuse_within_job(const Ranks& r) {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* text = std::getenv(variable);
    const std::uint64_t size = text ? std::strtoull(text, nullptr, 10) : 0;
    if (size <= 1) continue;
    throw CommandError{fmt::format(
        "reprise {0} cannot start ranks (it is one of {1} ranks of an MPI job itself: {2} is {1}); "
        "start it without a launcher, or start {3} in its place",
        r.command, size, variable, r.program)};
  }
}

}  // namespace

void add_start_options(CLI::App& sub, StartOptions& o, const std::string& mpi_help) {
  sub.add_option("--mpi", o.mpi, mpi_help)
      ->check(CLI::IsMember({"auto", "openmpi", "mpich"}))
      ->capture_default_str();
  sub.add_option("--launcher", o.launcher,
                 "The launcher with its options; -n and the number of ranks are added");
}

std::string choose_mpi(const StartOptions& asked, const std::string& program,
                       const std::string& likely) {
  if (asked.mpi != "auto") return asked.mpi;
  if (!program_for(program, likely).empty()) return likely;
  return likely == "mpich" ? "openmpi" : "mpich";
}

bool reads(CLI::App& app, std::vector<std::string> words) {
  std::ranges::reverse(words);  // as CLI11 wants them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError&) {
    return false;
  }
  return true;
}

void start(const Ranks& r) {
  refuse_within_job(r);
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
  throw CommandError{fmt::format("{} cannot be started ({}); name a launcher with --launcher",
                                 words[0], std::strerror(errno)),
                     127};
}

}  // namespace reprise::cli
