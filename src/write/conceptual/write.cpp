#include "write/conceptual/write.hpp"

#include <map>

#include "base/escape.hpp"
#include "conceptual/print.hpp"
#include "program/build.hpp"
#include "program/choose_grid.hpp"
#include "write/conceptual/body.hpp"
#include "write/conceptual/true_calls.hpp"
#include "write/conceptual/unwritable.hpp"

namespace reprise::write::conceptual {
namespace {

// What became of calls, at the top of the program.
std::string listed(const TaskOperations& operations,
                   const std::map<std::string, std::uint64_t>& calls, const std::string& head) {
  if (calls.empty()) return "";
  std::string out = "# " + head + "\n";
  for (const auto& [function, n] : calls) {
    const auto instead = operations.done_as.find(function);
    const bool is_told = instead != operations.done_as.end() && instead->second != function;
    out += "#   " + function;
    if (n > 0) out += ", " + std::to_string(n) + (n == 1 ? " call" : " calls");
    out += (is_told ? ": " + instead->second : "") + "\n";
  }
  return out;
}

std::string head(const trace::Trace& trace, const std::string& trace_name,
                 const TaskOperations& operations, bool has_calls) {
  std::string out = "# The communication of " + in_conceptual_comment(trace_name) + ": " +
                    in_conceptual_comment(trace.program) + "\n# Written by reprise generate; ";
  out += has_calls ? "compile it with coNCePTuaL 1.5 and its C+MPI back end, c_mpi.\n"
                   : "run it with reprise run, or any coNCePTuaL 1.5.\n";
  out += listed(operations, operations.called,
                "What the language lacks is called as MPI has it, by BACKEND EXECUTES:");
  out += listed(operations, operations.changed,
                "What the language lacks is done otherwise (docs/conceptual.md):");
  out +=
      listed(operations, operations.left_out, "Left out, since the language has nothing like it:");
  return out;
}

ast::Statement asserted(std::uint64_t ranks) {
  const auto n = static_cast<std::int64_t>(ranks);
  return statement(
      ast::Assert{"it runs on " + std::to_string(ranks) + " tasks",
                  relation(ast::Relation::Kind::equal, variable("num_tasks"), number(n))});
}

// The statements between the start and the end of the measurement.
ast::Statement measured(Statements body) {
  Statements all;
  all.push_back(statement(ast::Counters{task(number(0)), ast::Counters::Action::reset}));
  std::ranges::move(body, std::back_inserter(all));
  ast::Log log;
  log.source = task(number(0));
  ast::Column& time = log.columns.emplace_back();
  time.aggregate = ast::Aggregate::only_value;
  time.expr = binary(ast::Op::divide, variable("elapsed_usecs"), number(1000000));
  time.title.text = "Total time (s)";
  all.push_back(statement(std::move(log)));
  return statement(ast::Sequence{std::move(all)});
}

}  // namespace

Result<std::string> write(const trace::Trace& trace, const std::string& trace_name,
                          Substitutes substitutes) {
  try {
    auto tasks = task_trace(trace, substitutes);
    if (!tasks) return tasks.error();
    const program::Program program = program::explain(
        tasks->trace,
        {.terms = [&](std::uint32_t c) -> const program::Terms& { return tasks->steps[c].columns; },
         .extents = program::choose_grid(trace),
         .has_functions = false,
         .counts_trips = true});
    Parameters parameters;
    BodyWriter writer(program, *tasks, trace, parameters);
    Statements statements;
    statements.push_back(measured(writer.run()));
    std::string out = head(trace, trace_name, tasks->operations, writer.has_calls());
    out += "\nREQUIRE LANGUAGE VERSION \"1.5\".\n\n";
    out += ast::print_parameters(parameters.declarations());
    if (writer.has_calls()) out += "\n" + call_declarations() + "\n";
    Statements assertions;
    assertions.push_back(asserted(trace.ranks));
    out += ast::print_statements(assertions) + "\n";
    return out + ast::print_statements(statements);
  } catch (const Unwritable& e) {
    return Error{e.reason};
  }
}

}  // namespace reprise::write::conceptual
