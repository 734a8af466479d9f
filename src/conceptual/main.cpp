// reprise-run-MPI: executes a coNCePTuaL program under a launcher.
//
//   mpirun -n 4 reprise-run-openmpi FILE.ncptl --reps 10
#include <mpi.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "conceptual/execute.hpp"
#include "conceptual/mpi_machine.hpp"
#include "conceptual/parser.hpp"

namespace {

using namespace reprise;

// Every rank finds the same problem; the first says it.
int problem(std::int64_t task, const Error& error) {
  if (task == 0) std::fprintf(stderr, "reprise: %s\n", error.message.c_str());
  return error.kind == Error::Kind::usage ? 2 : 1;
}

int run(conceptual::MpiMachine& machine, const std::vector<std::string>& words) {
  const std::int64_t task = machine.task();
  if (words.empty()) {
    return problem(task, {"no program is given; say reprise-run FILE.ncptl", Error::Kind::usage});
  }
  std::ifstream in(words.front());
  if (!in) {
    return problem(task, {words.front() + " cannot be read (is it there?); give a program"});
  }
  std::ostringstream text;
  text << in.rdbuf();
  const auto program = conceptual::parse_program(text.str(), words.front());
  if (!program) return problem(task, program.error());
  const auto arguments =
      conceptual::read_arguments(*program, {words.begin() + 1, words.end()}, machine.tasks());
  if (!arguments) return problem(task, arguments.error());
  if (arguments->wants_help) {
    if (task == 0) machine.print("parameters:\n" + conceptual::describe_parameters(*program));
    return 0;
  }
  const Status done = conceptual::execute(*program, *arguments, machine, words.front());
  if (done) return 0;
  // One rank alone may have come to it: the others would wait for ever.
  std::fprintf(stderr, "reprise: task %lld: %s\n", static_cast<long long>(task),
               done.error().message.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  {
    conceptual::MpiMachine machine;
    status = run(machine, {argv + 1, argv + argc});
  }
  MPI_Finalize();
  return status;
}
