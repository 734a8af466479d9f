#include "generate/task_whole.hpp"

#include <map>

#include "base/escape.hpp"
#include "generate/task_layout.hpp"
#include "write/conceptual/true_calls.hpp"

namespace reprise::generate {

using write::conceptual::call_declarations;
namespace {

void list(const TaskOperations& operations, const std::map<std::string, std::uint64_t>& calls,
          const std::string& head, std::string& out) {
  if (calls.empty()) return;
  out += "# " + head + "\n";
  for (const auto& [function, n] : calls) {
    const auto instead = operations.done_as.find(function);
    const bool is_told = instead != operations.done_as.end() && instead->second != function;
    out += "#   " + function;
    if (n > 0) out += ", " + std::to_string(n) + (n == 1 ? " call" : " calls");
    out += (is_told ? ": " + instead->second : "") + "\n";
  }
}

}  // namespace

std::string whole_program(const WholeProgram& parts, const std::vector<std::string>& statements) {
  const TaskOperations& o = parts.operations;
  const std::string runner = parts.has_calls
                                 ? "compile it with coNCePTuaL 1.5 and its C+MPI back end, c_mpi.\n"
                                 : "run it with reprise run, or any coNCePTuaL 1.5.\n";
  std::string out = "# The communication of " + in_conceptual_comment(parts.name) + ": " +
                    in_conceptual_comment(parts.program) + "\n" +
                    "# Written by reprise generate; " + runner;
  list(o, o.called, "What the language lacks is called as MPI has it, by BACKEND EXECUTES:", out);
  list(o, o.changed, "What the language lacks is done otherwise (docs/conceptual.md):", out);
  list(o, o.left_out, "Left out, since the language has nothing like it:", out);
  out += "\nREQUIRE LANGUAGE VERSION \"1.5\".\n\n" + parts.parameters.declarations();
  if (parts.has_calls) out += "\n" + call_declarations() + "\n";
  for (const auto& [what, condition] : parts.assertions)
    out += "ASSERT THAT \"" + what + "\" WITH " + condition + ".\n";
  std::string body = "TASK 0 RESETS ITS COUNTERS";
  if (!statements.empty()) body += " THEN\n" + joined(statements, 0);
  body += " THEN\nTASK 0 LOGS THE elapsed_usecs/1000000 AS \"Total time (s)\".\n";
  return out + "\n" + broken(body);
}

}  // namespace reprise::generate
