#include "cli/extrapolate/made_trace.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/extrapolate/extrapolate_report.hpp"
#include "cli/extrapolate/reach_report.hpp"
#include "cli/say.hpp"
#include "cli/write.hpp"
#include "extrapolate/verify/reach.hpp"

namespace reprise::cli {

using nlohmann::ordered_json;
using trace::Trace;

Trace verified(Trace made, const extrapolate::Excuses& excuses, bool json) {
  const extrapolate::Verdict verdict = extrapolate::verify(made, excuses);
  for (const std::string& what : verdict.left_out) say(stderr, "not verified: {}\n", what);
  if (verdict.contradictions.empty()) return made;
  if (json) {
    const auto contradictions = contradictions_json(verdict.contradictions);
    say_json(ordered_json{{"contradictions", contradictions}});
  }
  throw CommandError{contradictions_text(verdict.contradictions)};
}

void write_made(Trace made, const std::string& program, const extrapolate::Scalable& laws,
                std::span<const Trace> traces, const std::string& output) {
  for (const std::string& what : approximations(laws, traces)) {
    say(stderr, "reprise: approximate: {}\n", what);
  }
  const auto ranks = static_cast<std::int64_t>(made.ranks);
  say_reach(laws, traces, ranks);
  const std::string& why = laws.times.why_none;
  if (!why.empty() &&
      std::ranges::any_of(traces, [](const Trace& t) { return !t.times.empty(); })) {
    say(stderr, "reprise: the new trace has no times ({}); record all inputs alike\n", why);
  }
  write_output(std::move(made), extrapolate::describe_origin(laws.ranks, ranks, program),
               output.empty() ? "extrapolated.reprise" : output);
}

}  // namespace reprise::cli
