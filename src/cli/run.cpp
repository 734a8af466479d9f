// reprise run: executes a coNCePTuaL program on MPI.
#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/command.hpp"
#include "cli/launch.hpp"
#include "cli/programs.hpp"
#include "cli/recorders.hpp"
#include "conceptual/execute.hpp"
#include "conceptual/parser.hpp"

namespace reprise::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string file;
  std::int64_t tasks = 0;
  std::string mpi = "auto";
  std::string launcher;
  std::vector<std::string> words;
};

std::string program_for(const std::string& mpi) {
  const fs::path program = recorder_folder() / ("reprise-run-" + mpi);
  std::error_code error;
  return fs::exists(program, error) ? program.string() : std::string();
}

std::string choose_mpi(const std::string& asked) {
  if (asked != "auto") return asked;
  return program_for("openmpi").empty() ? "mpich" : "openmpi";
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

std::string read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in || fs::is_directory(file)) {
    throw CommandError{fmt::format("{} cannot be read (is it there?); give a program", file)};
  }
  return text.str();
}

void run(const RunOptions& o) {
  // What is wrong with the program is said once, before anything is launched.
  const auto program = take(conceptual::parse_program(read_text(o.file), o.file));
  const auto arguments =
      take(conceptual::read_arguments(program, o.words, std::max<std::int64_t>(o.tasks, 1)));
  if (arguments.wants_help) {
    fmt::print("parameters of {}:\n{}", o.file, conceptual::describe_parameters(program));
    return;
  }
  if (o.tasks < 1) {
    throw CommandError{"how many tasks are wanted is not said; add -n N", 2};
  }
  const std::string mpi = choose_mpi(o.mpi);
  const std::string runner = program_for(mpi);
  if (runner.empty()) {
    throw CommandError{fmt::format(
        "there is no reprise-run for {} (it was not installed when reprise was built); install it "
        "and build again, or give another --mpi",
        mpi)};
  }
  std::vector<std::string> command = launcher_words(o.launcher, mpi);
  command.insert(command.end(), {"-n", std::to_string(o.tasks), runner, o.file});
  command.insert(command.end(), o.words.begin(), o.words.end());
  const int status = run_command(command, {});
  if (status != 0) throw CommandError{"", status};
}

}  // namespace

void add_run(CLI::App& app) {
  auto o = std::make_shared<RunOptions>();
  CLI::App* sub = app.add_subcommand("run", "Execute a coNCePTuaL program on MPI");
  sub->add_option("file", o->file, "The program")->required();
  sub->add_option("-n,--tasks", o->tasks, "How many tasks, which are MPI's ranks");
  sub->add_option("--mpi", o->mpi, "The MPI to use")
      ->check(CLI::IsMember({"auto", "openmpi", "mpich"}))
      ->capture_default_str();
  sub->add_option("--launcher", o->launcher,
                  "What starts it, with its options, before -n; mpirun by default");
  sub->add_option("parameters", o->words, "Parameters of the program, behind --");
  sub->footer(
      "Parameters of the program stand behind --, and -- --help lists them. docs/conceptual.md "
      "says "
      "what is understood\nof the language. Under a launcher of your own, start "
      "reprise-run-openmpi "
      "or reprise-run-mpich.\n\n"
      "Example: reprise run app.ncptl -n 16 -- --compute_percent 50");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
