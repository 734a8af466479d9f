// reprise replay: starts an MPI launcher with as many ranks as a trace has.
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "cli/command.hpp"
#include "cli/programs.hpp"
#include "cli/recorders.hpp"
#include "replay/options.hpp"
#include "trace/file.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  replay::Options replay;
  std::string mpi = "auto";
  std::string launcher;
};

std::string program_for(const std::string& mpi) {
  const fs::path program = recorder_folder() / ("reprise-replay-" + mpi);
  std::error_code error;
  return fs::exists(program, error) ? program.string() : std::string();
}

// The MPI of the recording if it is there, else another one.
std::string choose_mpi(const std::string& asked, const std::string& recorded) {
  if (asked != "auto") return asked;
  const std::string likely = recorded.starts_with("MPICH") ? "mpich" : "openmpi";
  if (!program_for(likely).empty()) return likely;
  return likely == "mpich" ? "openmpi" : "mpich";
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

void run(const ReplayOptions& o) {
  const trace::Trace trace = take(trace::read_trace(o.replay.file));
  const std::string mpi = choose_mpi(o.mpi, trace.mpi);
  const std::string program = program_for(mpi);
  if (program.empty()) {
    throw CommandError{fmt::format(
        "there is no replay for {} (it was not installed when reprise was built); install it and "
        "build again, or give another --mpi",
        mpi)};
  }
  std::vector<std::string> words = launcher_words(o.launcher, mpi);
  words.insert(words.end(), {"-n", std::to_string(trace.ranks), program});
  for (std::string& word : replay::words_of(o.replay)) words.push_back(std::move(word));
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  throw CommandError{fmt::format("{} cannot be started ({}); say how with --launcher", words[0],
                                 std::strerror(errno)),
                     127};
}

}  // namespace

void add_replay(CLI::App& app) {
  auto o = std::make_shared<ReplayOptions>();
  CLI::App* sub =
      app.add_subcommand("replay", "Make the calls of a recorded run again, without the program");
  replay::add_options(*sub, o->replay);
  sub->add_option("--mpi", o->mpi, "The MPI to replay with (auto: that of the recording)")
      ->check(CLI::IsMember({"auto", "openmpi", "mpich"}))
      ->capture_default_str();
  sub->add_option("--launcher", o->launcher,
                  "What starts ranks, with its options; -n and the number of ranks are added");
  sub->footer(
      "In batch scripts, start it yourself, on as many ranks as the trace has:\n"
      "  mpirun -n 64 reprise-replay app.reprise\n\n"
      "Examples: reprise replay app.reprise\n"
      "          reprise replay app.reprise --no-compute --json\n"
      "          reprise replay app.reprise --launcher \"mpirun --oversubscribe\"");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
