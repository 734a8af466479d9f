// reprise fit: from traces on few ranks to the laws themselves.
#include <fmt/core.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/extrapolate/extrapolate_options.hpp"
#include "cli/extrapolate/extrapolate_report.hpp"
#include "cli/look/blocked_report.hpp"
#include "cli/open_trace.hpp"
#include "cli/progress.hpp"
#include "cli/say.hpp"
#include "cli/write.hpp"
#include "scalable/codec.hpp"
#include "scalable/fit.hpp"

namespace reprise::cli {
namespace {

using trace::Trace;

struct FitOptions : LawOptions {
  std::string output = "scalable.reprise";
  bool force = false;
};

// Why there are no laws for all of what the inputs are a few of.
[[noreturn]] void refuse(const scalable::Fitted& fitted, const std::vector<Trace>& inputs) {
  const std::string where = fmt::format("the laws were tried on {} ranks: ", fitted.ranks);
  if (!fitted.refused.empty()) throw CommandError{where + refusals_text(fitted.refused, inputs)};
  if (!fitted.contradictions.empty()) {
    throw CommandError{where + contradictions_text(fitted.contradictions)};
  }
  throw CommandError{where + fitted.differs +
                     "; add traces on other numbers of ranks, or extrapolate to single numbers"};
}

void run(const FitOptions& o) {
  if (o.inputs.size() < 2) {
    throw CommandError{
        "one trace is not enough to find laws (a law needs two or more); record the program on "
        "other numbers of ranks",
        2};
  }
  const extrapolate::Request request{
      .times = time_model_of(o.time_model),
      .parameters = declared_parameters(o.parameters, {}, o.inputs.size()),
      .exactness =
          o.approximate ? extrapolate::Exactness::approximate : extrapolate::Exactness::required,
      .patterns = read_patterns(o.patterns)};
  check_output(o.output, o.force);
  const std::vector<Trace> traces = open_traces(o.inputs);
  SharedCores cores;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    warn_of_unfinished(traces[i], o.inputs[i]);
    cores.add(traces[i], o.inputs[i]);
  }
  if (o.time_model != "none") cores.warn();
  Elapsed elapsed("finding laws");
  const scalable::Fitted fitted = take(scalable::fit(traces, o.inputs, request));
  elapsed.end();
  if (!fitted.trace) refuse(fitted, traces);
  for (const std::string& what : approximations(fitted.trace->program, traces)) {
    say(stderr, "reprise: approximate: {}\n", what);
  }
  Trace out = scalable::encode(*fitted.trace);
  const std::string program = out.program;
  write_output(std::move(out), program, o.output);
}

}  // namespace

void add_fit(CLI::App& app) {
  auto o = std::make_shared<FitOptions>();
  CLI::App* sub = app.add_subcommand(
      "fit", "Fit laws to traces: make a scalable trace, for any number of ranks");
  add_law_options(*sub, *o);
  sub->add_option("-o,--output", o->output, "The scalable trace to write")->capture_default_str();
  sub->add_flag("--force", o->force, "Overwrite an existing output");
  sub->footer(
      "`reprise show` prints the laws, `reprise info` the numbers of ranks for which they hold, "
      "and\n`reprise extrapolate app.reprise --ranks P` makes the trace for one of these "
      "numbers.\n\nExample: reprise fit t6.reprise t8.reprise t12.reprise t20.reprise -o "
      "app.reprise");
  sub->callback([o] { run(*o); });
}

}  // namespace reprise::cli
