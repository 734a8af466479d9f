#include "transform/blocked.hpp"

#include <string>
#include <utility>

#include "trace/cursors/cursor.hpp"
#include "trace/file/unfinished.hpp"
#include "transform/align.hpp"
#include "transform/schedule.hpp"

namespace reprise::transform {
namespace {

// A rank without any recorded call: the others may wait for anything that it did.
std::optional<std::uint64_t> silent_rank(const trace::Trace& trace) {
  for (std::uint64_t rank = 0; rank < trace.ranks; ++rank) {
    bool has_calls = false;
    for (std::uint64_t t = 0; t < trace.threads && !has_calls; ++t)
      has_calls = trace::Cursor(trace, rank * trace.threads + t).next();
    if (!has_calls) return rank;
  }
  return std::nullopt;
}

}  // namespace

Result<Blocked> blocked_at_end(const trace::Trace& trace) {
  const auto unfinished = trace::unfinished_of(trace);
  if (unfinished && unfinished->missing != trace::Value::constant(0))
    return Error{"calls after the last checkpoint are missing"};
  Blocked out{trace::with_unfinished(trace), std::nullopt, std::nullopt};
  if (const auto rank = silent_rank(out.trace))
    return Error{"nothing is known of rank " + std::to_string(*rank)};
  auto conflict = find_conflict(out.trace);
  if (!conflict) return conflict.error();
  out.mismatch = *conflict;
  if (out.mismatch) return out;
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
