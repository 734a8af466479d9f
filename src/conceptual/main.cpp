// reprise-run-openmpi and the like: one rank of a coNCePTuaL program, started by an MPI launcher.
#include <mpi.h>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

#include "conceptual/execute.hpp"
#include "conceptual/execute/log_file.hpp"
#include "conceptual/execute/mpi_machine.hpp"
#include "conceptual/options.hpp"
#include "conceptual/parameters.hpp"
#include "conceptual/parse.hpp"

namespace reprise::conceptual {
namespace {

// Why a run ends before it begins. `status` 0: the user asked for it, as with --help.
struct Leave {
  std::string message;
  int status = 1;
};

constexpr unsigned kPatience = 5;  // [s]; on a busy machine too
// Some launchers end all ranks at once. The last line of output needs this time to arrive.
constexpr unsigned kPassingOn = 300000;  // [us]

Options parse(int argc, char** argv) {
  CLI::App app{"Runs a coNCePTuaL program as one rank of many", "reprise-run"};
  Options options;
  add_options(app, options);
  app.footer(
      "FILE.ncptl --help lists what the program takes. `reprise run` starts the launcher "
      "itself. docs/run.md describes what is executed.\n\n"
      "Example: mpirun -n 16 reprise-run pingpong.ncptl --reps 100");
  try {
    app.parse(argc, argv);
    take_words(app, options);
  } catch (const CLI::CallForHelp&) {
    throw Leave{app.help(), 0};
  } catch (const CLI::ParseError& e) {
    throw Leave{std::string(e.what()) + "; -h lists the options", 2};
  }
  return options;
}

template <class T>
T take(Result<T> result) {
  if (!result)
    throw Leave{result.error().message, result.error().kind == Error::Kind::usage ? 2 : 1};
  return std::move(*result);
}

// Leaves for a reason that all ranks find, since they read the same files. Rank 0 prints it. No
// messages are exchanged, since a recorder would see them.
int leave_together(const Leave& leave, int rank) {
  if (rank == 0) {
    std::fprintf(leave.status ? stderr : stdout, leave.status ? "reprise-run: %s\n" : "%s",
                 leave.message.c_str());
    std::fflush(stdout);
  }
  MPI_Finalize();
  return leave.status;
}

// Leaves for a reason that only some ranks may find. They print it, after giving rank 0 the time to
// print it first, and abort the others.
int leave_alone(std::string message, int rank) {
  if (rank != 0) {
    ::sleep(kPatience);
    message = "rank " + std::to_string(rank) + ": " + message;
  }
  std::fprintf(stderr, "reprise-run: %s\n", message.c_str());
  std::fflush(stderr);
  ::usleep(kPassingOn);
  PMPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

std::string mpi_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(text, &length);
  const std::string all(text, static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of(",\n"));
}

// Leaves because a rank cannot go on: together if all ranks find the problem, else alone.
int fail(const Program& program, const Problem& problem, const MpiMachine& machine) {
  const int rank = static_cast<int>(machine.rank());
  std::string message = describe(program.file, problem);
  int busy = machine.pending() > 0;
  if (problem.finders == Finders::all) {
    PMPI_Allreduce(MPI_IN_PLACE, &busy, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) std::fprintf(stderr, "reprise-run: %s\n", message.c_str());
    PMPI_Barrier(MPI_COMM_WORLD);
    if (!busy) {
      MPI_Finalize();
      return 1;
    }
  } else {
    return leave_alone(std::move(message), rank);
  }
  std::fflush(stderr);
  PMPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

int execute(const Program& program, const Arguments& arguments, const Options& options,
            MpiMachine& machine, LogFile& log, const Facts& facts) {
  Execution execution;
  execution.parameters = arguments.values;
  execution.seed = options.seed;
  execution.comment = [&](const std::string& name) { return find_fact(facts, name); };
  const auto written = [](const Status& status) {
    if (!status) throw Problem{{}, status.error().message, Finders::some};
  };
  execution.write_log = [&](const std::string& table) { written(log.append(table)); };
  try {
    Executor(program, machine, execution).run();
    written(log.finish());
  } catch (const Problem& problem) {
    return fail(program, problem, machine);
  } catch (const std::bad_alloc&) {
    return fail(program,
                {{},
                 "there is no memory for its messages (they are too large, or too many are under "
                 "way); take smaller ones",
                 Finders::some},
                machine);
  } catch (const std::length_error&) {
    return fail(program,
                {{},
                 "there is no memory for its messages (they are too large, or too many are under "
                 "way); take smaller ones",
                 Finders::some},
                machine);
  }
  MPI_Finalize();
  return 0;
}

int run(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MpiMachine machine;
  const int rank = static_cast<int>(machine.rank()), ranks = static_cast<int>(machine.ranks());
  Options options;
  Program program;
  Arguments arguments;
  try {
    options = parse(argc, argv);
  } catch (const Leave& e) {
    return leave_together(e, rank);
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(options.file, error))
    return leave_alone(options.file + " cannot be read (there is no such file); check its name",
                       rank);
  try {
    program = take(read_program(options.file));
    arguments = take(parse_arguments(program, options.words, ranks));
    if (arguments.help) throw Leave{help_text(program), 0};
    if (const Status status = check_executable(program); !status)
      throw Leave{status.error().message, 1};
  } catch (const Leave& e) {
    return leave_together(e, rank);
  }
  const Facts facts = facts_of(program, arguments, mpi_name(), rank, ranks);
  LogFile log(log_path(arguments.log_file, rank),
              log_prologue(facts, arguments.comments, program.source));
  if (program.columns > 0) {
    if (const Status status = log.prepare(options.force); !status)
      return leave_alone(status.error().message, rank);
    // Ranks may share a log file: none writes before all have removed the earlier one.
    if (options.force) MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) {
    for (const std::string& warning : program.warnings)
      std::fprintf(stderr, "reprise-run: %s:%s\n", program.file.c_str(), warning.c_str());
  }
  return execute(program, arguments, options, machine, log, facts);
}

}  // namespace
}  // namespace reprise::conceptual

// Visible, since smpirun looks for it in a library.
__attribute__((visibility("default"))) int main(int argc, char** argv) {
  try {
    return reprise::conceptual::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "reprise-run: an unexpected error (%s); please report it\n", e.what());
    return 1;
  }
}
