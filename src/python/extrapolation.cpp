// The trace of a program on many ranks from traces on few.
#include <pybind11/stl.h>

#include <algorithm>
#include <map>

#include "cli/command.hpp"
#include "cli/extrapolate/extrapolate_options.hpp"
#include "cli/extrapolate/extrapolate_report.hpp"
#include "cli/extrapolate/reach_report.hpp"
#include "cli/open_trace.hpp"
#include "extrapolate/values/instantiate.hpp"
#include "extrapolate/verify/reach.hpp"
#include "extrapolate/verify/verify.hpp"
#include "python/trace.hpp"

namespace reprise::python {

namespace py = pybind11;
using cli::CommandError;

namespace {

struct Wanted {
  std::int64_t ranks = 0;
  std::vector<std::int64_t> grid;  // the dimension that varies fastest first
  std::map<std::string, std::vector<std::int64_t>> parameters;  // a value for each input
  std::map<std::string, std::int64_t> at;
  std::string time_model;
  bool approximate = false;
};

extrapolate::Request request_of(const Wanted& w) {
  extrapolate::Request out;
  out.ranks = w.ranks;
  out.grid = w.grid;
  out.times = cli::time_model_of(w.time_model);
  out.exactness =
      w.approximate ? extrapolate::Exactness::approximate : extrapolate::Exactness::required;
  for (const auto& [name, values] : w.parameters)
    out.parameters.push_back({name, values, w.at.at(name)});
  return out;
}

// The trace, and what is to be said about it.
struct Made {
  trace::Trace trace;
  std::vector<std::string> warnings;
};

Made made_from(const std::vector<trace::Trace>& traces, const std::vector<std::string>& names,
               const extrapolate::Request& request) {
  const auto inferred = cli::take(extrapolate::infer_program(traces, names, request));
  if (!inferred.refused.empty())
    throw CommandError{cli::refusals_text(inferred.refused, traces) + "\n" +
                       cli::grids_text(inferred.program.grids, request.ranks)};
  Made out{cli::take(extrapolate::instantiate(inferred.program, traces, request)), {}};
  const auto verdict = extrapolate::verify(out.trace, extrapolate::excuses_of(traces));
  if (!verdict.contradictions.empty())
    throw CommandError{cli::contradictions_text(verdict.contradictions)};
  for (const std::string& what : verdict.left_out) out.warnings.push_back("not verified: " + what);
  for (const std::string& what : cli::approximations(inferred.program, traces))
    out.warnings.push_back("approximate: " + what);
  for (std::string& text : cli::reach_warnings(inferred.program, traces, request.ranks))
    out.warnings.push_back(std::move(text));
  const auto largest = std::ranges::max_element(traces, {}, &trace::Trace::ranks);
  out.trace.program =
      extrapolate::describe_origin(inferred.program.ranks, request.ranks, largest->program);
  return out;
}

py::tuple extrapolated(const std::vector<Trace>& inputs, const Wanted& wanted) {
  std::vector<std::string> warnings;
  std::shared_ptr<const trace::Trace> content;
  std::string name;
  {
    const py::gil_scoped_release others_run;
    std::vector<trace::Trace> traces;
    std::vector<std::string> names;
    for (const Trace& t : inputs) {
      traces.push_back(*t.content);
      names.push_back(t.name);
    }
    cli::require_bounded(traces);
    Made made = made_from(traces, names, request_of(wanted));
    name = made.trace.program;
    content = std::make_shared<const trace::Trace>(std::move(made.trace));
    warnings = std::move(made.warnings);
  }
  return py::make_tuple(Trace{content, name}, warnings);
}

}  // namespace

void add_extrapolation(py::module_& module) {
  module.def("extrapolate", [](const std::vector<Trace>& inputs, std::int64_t ranks,
                               const std::vector<std::int64_t>& grid,
                               const std::map<std::string, std::vector<std::int64_t>>& parameters,
                               const std::map<std::string, std::int64_t>& at,
                               const std::string& time_model, bool approximate) {
    return extrapolated(inputs, {ranks, grid, parameters, at, time_model, approximate});
  });
}

}  // namespace reprise::python
