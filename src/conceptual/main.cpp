// reprise-run-openmpi and the like: one rank of a coNCePTuaL program, started by an MPI launcher.
#include <mpi.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "conceptual/execute.hpp"
#include "conceptual/log_file.hpp"
#include "conceptual/mpi_machine.hpp"
#include "conceptual/options.hpp"
#include "conceptual/parameters.hpp"
#include "conceptual/parse.hpp"

namespace reprise::conceptual {
namespace {

// What ends a run before it has begun; `status` 0: it was asked to.
struct Leave {
  std::string message;
  int status = 1;
};

constexpr unsigned kPatience = 1;  // [s]

Options parse(int argc, char** argv) {
  CLI::App app{
      "Runs a coNCePTuaL program as one rank of many.\n\n"
      "reprise-run [OPTIONS] FILE.ncptl [OPTIONS OF THE PROGRAM]",
      "reprise-run"};
  Options options;
  add_options(app, options);
  app.footer(
      "FILE.ncptl --help lists what the program takes. `reprise run` starts the launcher "
      "itself. docs/run.md tells what is executed.\n\n"
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

void take(const Status& status) {
  if (!status) throw Leave{status.error().message};
}

// Whether no rank has anything to say; else rank 0 says what the first of them has. Unseen by
// recorders, as all that is not the program's. Returns the status to leave with, or -1.
int agree(const Leave& leave, int rank, int ranks) {
  int mine = leave.message.empty() ? ranks : rank, first = ranks;
  PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == ranks) return -1;
  int head[2] = {leave.status, static_cast<int>(leave.message.size())};
  PMPI_Bcast(head, 2, MPI_INT, first, MPI_COMM_WORLD);
  std::string text = leave.message;
  text.resize(static_cast<std::size_t>(head[1]));
  PMPI_Bcast(text.data(), head[1], MPI_CHAR, first, MPI_COMM_WORLD);
  if (rank == 0) {
    std::fprintf(head[0] ? stderr : stdout, head[0] ? "reprise-run: %s\n" : "%s", text.c_str());
    std::fflush(stdout);
  }
  return head[0];
}

std::string mpi_name() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(text, &length);
  const std::string all(text, static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of(",\n"));
}

// A rank cannot go on. What all find, rank 0 says, and all leave; what some find, they say, after
// giving rank 0 the time to do so if it is among them, and end the others.
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
    if (rank != 0) {
      ::sleep(kPatience);
      message = "rank " + std::to_string(rank) + ": " + message;
    }
    std::fprintf(stderr, "reprise-run: %s\n", message.c_str());
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
  Leave leave{{}, 0};
  Options options;
  Program program;
  Arguments arguments;
  Facts facts;
  LogFile log({}, {});
  try {
    options = parse(argc, argv);
    program = take(read_program(options.file));
    arguments = take(parse_arguments(program, options.words, ranks));
    if (arguments.help) throw Leave{help_text(program), 0};
    facts = facts_of(program, arguments, mpi_name(), rank, ranks);
    log = LogFile(log_path(arguments.log_file, rank),
                  log_prologue(facts, arguments.comments, program.source));
    if (program.columns > 0) take(log.prepare(options.force));
  } catch (const Leave& e) {
    leave = e;
  }
  if (const int status = agree(leave, rank, ranks); status >= 0) {
    MPI_Finalize();
    return status;
  }
  if (rank == 0) {
    for (const std::string& warning : program.warnings)
      std::fprintf(stderr, "reprise-run: %s:%s\n", program.file.c_str(), warning.c_str());
  }
  return execute(program, arguments, options, machine, log, facts);
}

}  // namespace
}  // namespace reprise::conceptual

int main(int argc, char** argv) {
  try {
    return reprise::conceptual::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "reprise-run: an unexpected error (%s); please report it\n", e.what());
    return 1;
  }
}
