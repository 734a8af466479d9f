#include "compress/check.hpp"

#include <algorithm>

#include "trace/cursors/call_cursor.hpp"
#include "trace/file/file.hpp"
#include "trace/file/unfinished.hpp"

namespace reprise::compress {

using trace::Path;
using trace::Series;

namespace {

// More calls of a stream are damage: they are walked one by one, and at ten million a second, which
// no program makes, these are two hours of them.
constexpr std::uint64_t kMaxCalls = std::uint64_t{1} << 36;

// Whether there are n values, none less than 0 or greater than `most`. Cost: O(runs).
bool are_within(const Series& series, std::uint64_t n, std::int64_t most) {
  for (trace::SeriesCursor c(series); n > 0;) {
    const std::int64_t first = c.peek();
    if (c.at_end() || first < 0 || first > most) return false;
    const std::uint64_t taken = std::min(n, c.peek_count());
    const auto step = static_cast<std::uint64_t>(c.step());
    if (step != 0 && taken > 1) {
      const bool up = c.step() > 0;
      const auto room = static_cast<std::uint64_t>(up ? most - first : first);
      if (taken - 1 > room / (up ? step : -step)) return false;
    }
    c.skip(taken);
    n -= taken;
  }
  return true;
}

// Whether the successors lead from site to site as often as each of them says it was executed, and
// each site has been followed as often as it says.
bool is_walkable(const FoldedStream& stream) {
  std::uint64_t left = 0;
  std::vector<std::uint64_t> executions, followed;
  std::vector<trace::SeriesCursor> successors;
  for (const FoldedSite& site : stream.sites) {
    if (site.executions > stream.calls - left) return false;
    left += site.executions;
    executions.push_back(site.executions);
    followed.push_back(site.followed);
    successors.emplace_back(site.successors);
  }
  if (left != stream.calls) return false;
  if (left == 0) return stream.sites.empty();
  std::uint64_t at = 0, taken = 1;
  for (;;) {
    if (executions[at] < taken) return false;
    executions[at] -= taken;
    left -= taken;
    if (left == 0) return std::ranges::all_of(followed, [](std::uint64_t n) { return n == 0; });
    trace::SeriesCursor& c = successors[at];
    if (c.at_end() || c.peek() < 0 || c.peek() >= std::ssize(stream.sites)) return false;
    const auto next = static_cast<std::uint64_t>(c.peek());
    taken = next == at && c.step() == 0 ? std::min(left, c.peek_count()) : 1;
    if (followed[at] < taken) return false;
    followed[at] -= taken;
    c.skip(taken);
    at = next;
  }
}

// Whether all blocks but the last are full, and their sum does not overflow.
bool are_possible(const TimeBlocks& blocks, std::uint64_t executions) {
  constexpr auto kMostTime = static_cast<std::int64_t>(trace::Histogram::kMostTime) /
                             static_cast<std::int64_t>(BlockFolder::kMaxBlocks);
  if (blocks.bins.empty()) return true;
  for (const trace::Bin& b : blocks.bins) {
    const std::uint64_t count = std::min(blocks.width, executions);
    if (count == 0 || b.count != count || b.sum > kMostTime) return false;
    if (b.min < -kMostTime || b.max > kMostTime) return false;
    executions -= count;
  }
  return executions == 0;
}

// Whether the bounded terms, and one pass of an unbounded one, are within the first n values.
bool has_terms_within(const Series& series, std::uint64_t n) {
  for (const trace::Term& t : series.terms()) {
    const std::uint64_t passes = t.count == trace::kUnbounded ? 1 : t.count;
    if (t.period == 0 || passes > n / t.period) return false;
    n -= passes * t.period;
  }
  return true;
}

// Whether each execution has one of the path's modes. This also bounds the passes of nested repeats
// with steps, which RunsTest visits one by one.
bool are_modes_possible(const FoldedPath& path, std::uint64_t executions) {
  if (path.modes.empty()) return true;
  return path.modes.size() <= ModeFolder::kMaxModes && has_terms_within(path.mode_of, executions) &&
         are_within(path.mode_of, executions, std::ssize(path.modes) - 1);
}

bool has_possible_times(const FoldedSite& site, std::size_t sites) {
  const FoldedTimes& times = site.times;
  const std::uint64_t taken = times.communicate.total().count;
  if (taken > site.executions) return false;
  for (const FoldedPath& p : times.paths) {
    if (p.from >= sites && p.from != Path::kStart && p.from != Path::kAny) return false;
    const std::uint64_t by_path = p.compute.times.total().count;
    if (by_path > site.executions) return false;
    if (!are_possible(p.blocks, by_path) || !are_modes_possible(p, by_path)) return false;
  }
  return times.arrivals.empty() ||
         are_within(times.arrivals, taken, static_cast<std::int64_t>(sites));
}

std::string problem_of_site(const FoldedSite& site, std::size_t sites) {
  const trace::Function& f = trace::function(site.key.function);
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    const Series& values = site.columns[c];
    if (!values.is_unbounded() && values.length() < site.executions) return "too few values";
  }
  for (std::size_t c = f.scalars.size(); c < site.columns.size(); c += 2) {
    if (!are_within(site.columns[c], site.executions, trace::kMaxList))
      return "an impossible length of a list";
  }
  if (!has_possible_times(site, sites)) return "impossible times";
  return {};
}

std::string problem_of_agreement(const Agreement& own) {
  for (std::uint32_t s = 0; s < own.graph.size(); ++s) {
    const SiteName& name = own.graph.name(s);
    if (!trace::find_function(name.function)) return "an unknown function";
    if (!own.callpaths.has(name.callpath)) return "a call path that is not there";
  }
  return {};
}

// The record of a call that did not return has all scalars and, of its lists, those that are whole.
std::string problem_of_tail(const Tail& tail, const CallpathTable& callpaths) {
  if (tail.signal > static_cast<std::uint64_t>(trace::kExited) || tail.is_signal_elsewhere > 1)
    return "an impossible signal";
  if (!tail.is_in_call) return {};
  if (!callpaths.has(tail.callpath)) return "a call path that is not there";
  const trace::Function& f = trace::function(tail.function);
  std::size_t at = f.scalars.size();
  if (tail.record.size() < at) return "too few values";
  for (std::size_t l = 0; l < f.lists.size() && at < tail.record.size(); ++l) {
    const std::int64_t n = tail.record[at++];
    if (n < 0 || static_cast<std::uint64_t>(n) > tail.record.size() - at)
      return "an impossible length of a list";
    at += static_cast<std::size_t>(n);
  }
  return at == tail.record.size() ? "" : "too many values";
}

}  // namespace

std::string problem_of(const Process& p) {
  if (p.rank >= p.ranks) return "an impossible rank";
  if (p.own.threads != std::max<std::size_t>(1, p.streams.size()))
    return "an impossible number of threads";
  if (p.tails.size() > p.own.threads) return "an impossible number of threads";
  if (p.ranks > trace::kMaxStreams / p.own.threads) return "an impossible number of ranks";
  std::string problem = problem_of_agreement(p.own);
  for (std::size_t t = 0; t < p.streams.size() && problem.empty(); ++t) {
    const FoldedStream& stream = p.streams[t];
    if (!std::ranges::all_of(p.names[t], [&](const SiteName& n) { return p.own.graph.has(n); }))
      return "a call site that is not there";
    if (stream.calls > kMaxCalls) return "more calls than a run makes";
    if (!is_walkable(stream)) return "an impossible order of calls";
    for (std::size_t i = 0; i < stream.sites.size() && problem.empty(); ++i) {
      problem = problem_of_site(stream.sites[i], stream.sites.size());
    }
  }
  for (const Tail& t : p.tails) {
    if (problem.empty()) problem = problem_of_tail(t, p.own.callpaths);
  }
  return problem;
}

}  // namespace reprise::compress
