#include "analyze/ends.hpp"

#include "analyze/executions.hpp"

namespace reprise::analyze {

Ends ends_of(const trace::Trace& trace) {
  Executions executions(trace);
  std::vector<char> calls(trace.ranks, 0), finalizes(trace.ranks, 0);
  const auto visit = [&](const trace::Item& item, const auto& self) -> void {
    for (const trace::Item& b : item.body) self(b, self);
    if (!item.is_call()) return;
    const auto id = trace.calls[item.call].function;
    const bool ends = trace::ends_mpi(trace::function(id));
    for (const std::uint64_t s : executions.entering(item)) {
      calls[s / trace.threads] = 1;
      if (ends) finalizes[s / trace.threads] = 1;
    }
  };
  visit(trace.root, visit);
  Ends out;
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    if (!calls[r]) out.silent.push_back(r);
    if (calls[r] && !finalizes[r]) out.cut_short.push_back(r);
  }
  return out;
}

}  // namespace reprise::analyze
