#include "transform/blocked.hpp"

#include <utility>

#include "trace/unfinished.hpp"
#include "transform/schedule.hpp"

namespace reprise::transform {

Result<Blocked> blocked_at_end(const trace::Trace& trace) {
  const auto unfinished = trace::unfinished_of(trace);
  if (unfinished && unfinished->missing != trace::Value::constant(0))
    return Error{"calls behind the last checkpoint are missing"};
  Blocked out{trace::with_unfinished(trace), std::nullopt};
  std::vector<Resolution> resolutions;
  WildcardCounts counts;
  for (std::uint64_t s = 0; s < out.trace.streams(); ++s) {
    auto one = recorded_matches(out.trace, s, counts);
    if (!one) return one.error();
    resolutions.push_back(std::move(*one));
  }
  auto scheduled =
      schedule(out.trace, {.eager = {},
                           .resolved = &resolutions,
                           .first_unfinished = static_cast<std::uint32_t>(trace.calls.size())});
  if (!scheduled) return scheduled.error();
  out.deadlock = std::move(scheduled->deadlock);
  return out;
}

}  // namespace reprise::transform
