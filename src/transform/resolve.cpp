#include "transform/resolve.hpp"

#include "transform/resolve/rewrite.hpp"
#include "transform/schedule.hpp"

namespace reprise::transform {

using trace::Trace;

namespace {

Error damage() { return Error{"the trace is damaged (a value in it makes no sense)"}; }

Result<std::vector<Resolution>> take_recorded(const Trace& trace, WildcardCounts& counts) {
  std::vector<Resolution> out;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    auto one = recorded_matches(trace, s, counts);
    if (!one) return one.error();
    out.push_back(std::move(*one));
  }
  return out;
}

bool rewrite(Trace& trace, const std::vector<Resolution>& resolutions) {
  Rewriter rewriter(trace);
  for (const Resolution& r : resolutions) {
    if (!rewriter.add(r)) return false;
  }
  auto columns = rewriter.finish();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!columns[c].empty()) trace.calls[c].columns = std::move(columns[c]);
  }
  return true;
}

}  // namespace

Result<Resolved> resolve(Trace trace, const ResolveOptions& options) {
  Resolved out;
  const bool is_wild = has_wildcards(trace);
  const bool takes_first = options.matching == Matching::first;
  if (!is_wild && !options.check) {
    out.trace = std::move(trace);
    return out;
  }
  out.walked = true;
  std::vector<Resolution> resolutions;
  if (!takes_first) {
    auto recorded = take_recorded(trace, out.counts);
    if (!recorded) return recorded.error();
    resolutions = std::move(*recorded);
  }
  if (takes_first || options.check) {
    if (Status able = can_schedule(trace); !able) {
      return Error{able.error().message +
                   (takes_first ? "; take the recorded matches" : "; leave the check out")};
    }
    auto scheduled =
        schedule(trace, {.eager = options.eager, .resolved = takes_first ? nullptr : &resolutions});
    if (!scheduled) return scheduled.error();
    if (scheduled->deadlock) {
      out.deadlock = std::move(scheduled->deadlock);
      return out;
    }
    if (options.orders > 0 && is_wild) {
      auto explored = explore(trace, {.eager = options.eager, .orders = options.orders});
      if (!explored) return explored.error();
      out.explored = std::move(*explored);
      if (out.explored->deadlock) {
        out.deadlock = out.explored->deadlock;
        return out;
      }
    }
    if (takes_first) {
      resolutions = std::move(scheduled->resolutions);
      out.counts = scheduled->counts;
    }
  }
  if (is_wild && !rewrite(trace, resolutions)) return damage();
  out.trace = std::move(trace);
  return out;
}

}  // namespace reprise::transform
