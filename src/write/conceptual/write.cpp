#include "write/conceptual/write.hpp"

#include <map>

#include "analyze/ends.hpp"
#include "base/contract.hpp"
#include "base/escape.hpp"
#include "base/printable.hpp"
#include "conceptual/print.hpp"
#include "program/build.hpp"
#include "program/grid/choose_grid.hpp"
#include "write/conceptual/body.hpp"
#include "write/conceptual/calls/law_calls.hpp"
#include "write/conceptual/calls/step_calls.hpp"
#include "write/conceptual/calls/true_calls.hpp"
#include "write/conceptual/open.hpp"
#include "write/unwritable.hpp"

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

// `missing`: what the trace lacks of the run, if it was cut short.
std::string head(const trace::Trace& trace, const std::string& trace_name,
                 const std::vector<std::string>& missing, const TaskOperations& operations,
                 bool has_calls) {
  std::string out =
      broken_lines({"# ", "#   "}, "The communication of " + in_conceptual_comment(trace_name) +
                                       ": " + in_conceptual_comment(trace.program));
  for (const std::string& line : missing) out += "# The run: " + line + ".\n";
  out += "# Written by reprise generate; ";
  out += has_calls ? "compile it with coNCePTuaL 1.5 and its C+MPI back end, c_mpi.\n"
                   : "run it with reprise run, or any coNCePTuaL 1.5.\n";
  out += listed(operations, operations.called,
                "MPI functions that the language lacks, called by BACKEND EXECUTES:");
  out += listed(operations, operations.changed,
                "MPI functions that the language lacks, replaced by others (docs/conceptual.md):");
  out += listed(operations, operations.left_out, "Left out, since the language has no equivalent:");
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

// The whole text. `assertions` come first.
std::string whole(const trace::Trace& trace, const std::string& trace_name,
                  const std::vector<std::string>& missing, const TaskOperations& operations,
                  const BodyWriter& writer, const Parameters& parameters,
                  const Statements& assertions, const Statements& measured) {
  std::string out = head(trace, trace_name, missing, operations, writer.has_calls());
  if (writer.rounds())
    out +=
        "# In COMPUTE FOR, a term with MOD rounds nanoseconds to whole microseconds so that the "
        "mean of all executions is kept.\n";
  if (writer.all_receive())
    out += "# TASKS t SUCH THAT t >= 0 are all tasks: ALL TASKS cannot receive in the language.\n";
  out += "\nREQUIRE LANGUAGE VERSION \"1.5\".\n\n";
  out += ast::print_parameters(parameters.declarations());
  if (writer.has_calls()) out += "\n" + call_declarations() + "\n";
  return out + ast::print_statements(assertions) + ast::print_statements(parameters.assertions()) +
         "\n" + ast::print_statements(measured);
}

// `suggestion`: if it has none.
std::string text_of(const Unwritable& u, const std::string& suggestion) {
  const std::string to_do = u.suggestion.value_or(suggestion);
  return u.reason + (to_do.empty() ? "" : "; " + to_do);
}

}  // namespace

Result<std::string> write(const trace::Trace& trace, const std::string& trace_name,
                          Substitutes substitutes, times::Detail detail) {
  try {
    auto tasks = task_trace(trace, substitutes, detail);
    if (!tasks) return tasks.error();
    const program::Program program = program::explain(
        tasks->trace,
        {.terms = [&](std::uint32_t c) -> const program::Terms& { return tasks->steps[c].columns; },
         .extents = program::choose_grid(trace),
         .has_functions = false,
         .counts_trips = true});
    Parameters parameters;
    Names names;
    Values values(program, names);
    StepCalls calls(*tasks, trace, values);
    BodyWriter writer(program, trace, calls, names, values, parameters);
    Statements assertions, statements;
    assertions.push_back(asserted(trace.ranks));
    statements.push_back(measured(writer.run()));
    return whole(trace, trace_name, analyze::describe_missing_end(trace), tasks->operations, writer,
                 parameters, assertions, statements);
  } catch (const Unwritable& e) {
    return Error{text_of(e, "take --language c")};
  }
}

Result<std::string> write(const program::Program& program, std::span<const Sample> samples,
                          const std::string& trace_name, Substitutes substitutes) {
  REPRISE_REQUIRE(program.domain && !samples.empty());
  try {
    OpenNumbers numbers(program);
    Parameters parameters;
    for (std::size_t p = 0; p < program.sizes.size(); ++p) {
      const std::string& name = program.sizes[p];
      parameters.add(parameter_of(name), name, "The size " + name + " of the problem",
                     samples.back().sizes[p]);
    }
    Names names([&](const std::string& variable) { return numbers.least(variable); });
    Values values(program, names);
    const Samples known(samples, program, names, numbers, substitutes);
    LawCalls calls(program, known, substitutes, names, values);
    BodyWriter writer(program, *program.trace, calls, names, values, parameters);
    Statements statements;
    statements.push_back(measured(numbers.defined(writer.run())));
    return whole(*program.trace, trace_name, {}, known.found(), writer, parameters,
                 numbers.assertions(), statements);
  } catch (const Unwritable& e) {
    return Error{"this scalable trace cannot be written in coNCePTuaL: " +
                 text_of(e, "take --language c, or make a trace with reprise extrapolate")};
  }
}

}  // namespace reprise::write::conceptual
