#include "extrapolate/verify/verify.hpp"

#include <algorithm>
#include <set>

#include "extrapolate/verify/collectives.hpp"
#include "extrapolate/verify/messages.hpp"
#include "trace/calls/places.hpp"

namespace reprise::extrapolate {
namespace {

constexpr std::uint64_t kVisits = std::uint64_t{1} << 27;  // some seconds

Findings examine(const trace::Trace& trace) {
  Findings out;
  Budget budget{std::max(kVisits, 64 * trace.ranks)};
  const Communicators communicators(trace, budget, out);
  const mpi::TypeSizes types = type_sizes(trace, budget);
  check_collectives(trace, communicators, types, budget, out);
  check_messages(trace, communicators, types, budget, out);
  return out;
}

}  // namespace

Excuses excuses_of(std::span<const trace::Trace> inputs) {
  Excuses out;
  for (const trace::Trace& input : inputs) {
    const Findings findings = examine(input);
    for (const auto& entry : findings.found()) {
      const auto& [rule, calls] = entry.first;
      for (const std::uint32_t c : calls) out.emplace(rule, trace::describe_call(input, c));
    }
  }
  return out;
}

Verdict verify(const trace::Trace& made, const Excuses& excuses) {
  const Findings findings = examine(made);
  Verdict out;
  out.left_out.assign(findings.left_out().begin(), findings.left_out().end());
  for (const auto& [key, finding] : findings.found()) {
    const auto& [rule, calls] = key;
    Contradiction c{finding.what, finding.count - 1, {}};
    for (const std::uint32_t call : calls) c.sites.push_back(trace::describe_call(made, call));
    const bool is_excused = std::ranges::any_of(c.sites, [&, &rule = rule](const std::string& s) {
      return excuses.contains({rule, s});
    });
    if (!is_excused) out.contradictions.push_back(std::move(c));
  }
  return out;
}

Verdict verify(const trace::Trace& made, std::span<const trace::Trace> inputs) {
  return verify(made, excuses_of(inputs));
}

Verdict verify(const trace::Trace& trace) { return verify(trace, Excuses{}); }

}  // namespace reprise::extrapolate
