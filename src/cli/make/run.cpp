// reprise run: starts an MPI launcher that executes a coNCePTuaL program.
#include <fmt/core.h>

#include <utility>

#include "cli/command.hpp"
#include "cli/make/ranks.hpp"
#include "cli/make/started_mpi.hpp"
#include "cli/say.hpp"
#include "conceptual/options.hpp"
#include "conceptual/parameters.hpp"
#include "conceptual/parse.hpp"

namespace reprise::cli {
namespace {

constexpr const char* kRunner = "reprise-run";

struct RunOptions {
  conceptual::Options own;
  StartOptions start;
  std::uint64_t ranks = 0;  // 0: the least that the program's assertions allow
  bool check = false;
};

std::string mpi_for(const RunOptions& o) { return choose_mpi(o.start, kRunner, "openmpi"); }

std::int64_t ranks_for(const RunOptions& o, const conceptual::Program& program) {
  if (o.ranks > 0) return static_cast<std::int64_t>(o.ranks);
  return conceptual::least_tasks(program, o.own.words).value_or(2);
}

// What is wrong with the program or its options is said before anything is started.
void run(const RunOptions& o) {
  const conceptual::Program program = take(conceptual::read_program(o.own.file));
  for (const std::string& warning : program.warnings)
    if (o.check) say(stderr, "reprise: {}:{}\n", program.file, warning);
  const std::int64_t ranks = ranks_for(o, program);
  const conceptual::Arguments arguments =
      take(conceptual::parse_arguments(program, o.own.words, ranks));
  if (arguments.help) {
    say("{}", conceptual::help_text(program));
    return;
  }
  if (const Status status = conceptual::check_executable(program); !status)
    throw CommandError{status.error().message};
  if (o.check) {
    say("{}: {} parameters, {} statements: can be executed\n", program.file,
        program.parameters.size(), program.ids);
    return;
  }
  start({.command = "run",
         .program = kRunner,
         .what = "executor of coNCePTuaL",
         .mpi = mpi_for(o),
         .launcher = o.start.launcher,
         .ranks = static_cast<std::uint64_t>(ranks),
         .words = conceptual::words_of(o.own)});
}

void add_options(CLI::App& sub, RunOptions& o) {
  conceptual::add_options(sub, o.own);
  sub.add_option(
         "-n,--ranks", o.ranks,
         "The number of tasks; by default the least from 2 on that the program's assertions allow")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 24));
  add_start_options(sub, o.start,
                    "The MPI to run with; auto: Open MPI if reprise was built with it, otherwise "
                    "MPICH");
  sub.add_flag("--check", o.check, "Only check the program and report errors");
}

}  // namespace

std::string run_mpi(std::vector<std::string> words) {
  CLI::App app;
  RunOptions o;
  add_options(app, o);
  return reads(app, std::move(words)) ? mpi_for(o) : "";
}

void add_run(CLI::App& app) {
  auto o = std::make_shared<RunOptions>();
  CLI::App* sub = app.add_subcommand("run", "Execute a coNCePTuaL program on MPI");
  add_options(*sub, *o);
  sub->footer(
      "FILE.ncptl comes after the options of reprise run. Arguments after it are for the program; "
      "its --help\nlists them.\n\n"
      "In batch scripts, start the program yourself:\n"
      "  mpirun -n 64 reprise-run pingpong.ncptl --reps 100\n\n"
      "Examples: reprise run -n 16 pingpong.ncptl --reps 100 --logfile pingpong-%p.log\n"
      "          reprise run pingpong.ncptl --help\n"
      "          reprise record --mpi mpich -o pingpong.reprise -- reprise run --mpi mpich -n 2 "
      "pingpong.ncptl");
  sub->callback([o, sub] {
    conceptual::take_words(*sub, o->own);
    run(*o);
  });
}

}  // namespace reprise::cli
