#include "analyze/times/timing_tree.hpp"

#include <algorithm>
#include <cmath>

#include "base/contract.hpp"
#include "trace/series/series.hpp"
#include "trace/series/series_map.hpp"
#include "trace/series/series_sum.hpp"

namespace reprise::analyze {

using trace::CallTimes;
using trace::DeltaTimes;
using trace::Item;
using trace::Series;
using trace::wrapping_add;
using trace::wrapping_mul;
using trace::wrapping_sub;

namespace {

constexpr double kPsPerNs = 1000;

Picoseconds mean_of(const DeltaTimes& times, std::uint64_t stream) {
  const std::uint64_t n = times.count_of(stream);
  return n == 0 ? 0 : std::llround(kPsPerNs * times.sum_of(stream) / static_cast<double>(n));
}

// Over all paths.
Picoseconds mean_compute(const CallTimes& times, std::uint64_t stream) {
  double sum = 0, n = 0;
  for (const trace::Path& p : times.paths) {
    sum += p.compute.sum_of(stream);
    n += static_cast<double>(p.compute.count_of(stream));
  }
  return n == 0 ? 0 : std::llround(kPsPerNs * sum / n);
}

// The arrivals that a stream follows.
Series arrivals_of(const CallTimes& times, std::uint64_t stream) {
  const Series* series = times.arrivals.series_of(stream);
  return series ? *series : Series::constant(times.arrivals.constant_of(stream));
}

}  // namespace

TimingTree::TimingTree(const trace::Trace& trace, std::uint64_t stream)
    : trace_(trace), stream_(stream) {
  REPRISE_REQUIRE(trace.times.size() == trace.calls.size());
  for (const CallTimes& times : trace.times) {
    CallClock& clock = calls_.emplace_back();
    clock.communicate = mean_of(times.communicate, stream);
    for (const trace::Path& p : times.paths) clock.by_path.push_back(mean_of(p.compute, stream));
    if (!times.knows_arrivals()) {
      std::ranges::fill(clock.by_path, mean_compute(times, stream));
    }
    if (times.paths.size() < 2 || !times.knows_arrivals()) {
      clock.compute = Series::constant(clock.by_path.empty() ? 0 : clock.by_path.front());
      continue;
    }
    clock.compute = trace::map_values(
        arrivals_of(times, stream), times.communicate.count_of(stream), [&](std::int64_t path) {
          const bool known = path >= 0 && path < std::ssize(clock.by_path);
          return known ? clock.by_path[static_cast<std::size_t>(path)] : 0;
        });
  }
  total_ = of_item(trace.root, 1);
}

Picoseconds TimingTree::compute_by(std::uint32_t call, std::size_t path) const {
  return calls_[call].by_path[path];
}

Picoseconds TimingTree::of_call(std::uint32_t call, std::uint64_t executions) const {
  const CallClock& clock = calls_[call];
  return wrapping_add(trace::sum_of(clock.compute, executions),
                      wrapping_mul(clock.communicate, executions));
}

// How often an item was passed within the first `passes` of the body around it.
std::uint64_t TimingTree::passes_of(const Item& item, std::uint64_t passes) const {
  return static_cast<std::uint64_t>(trace::sum_of(item.trips, stream_, passes));
}

// What an item took within the first `passes` of the body around it.
Picoseconds TimingTree::of_item(const Item& item, std::uint64_t passes) const {
  return of_body(item, passes_of(item, passes));
}

// What the first `passes` of an item took.
Picoseconds TimingTree::of_body(const Item& item, std::uint64_t passes) const {
  if (passes == 0) return 0;
  if (item.is_call()) return of_call(item.call, passes);
  Picoseconds sum = 0;
  for (const Item& b : item.body) sum = wrapping_add(sum, of_item(b, passes));
  return sum;
}

// The last pass in [begin, end) of an item that begins at t or before, as its body counts time;
// regula falsi first, which finds it at once where passes take alike.
std::uint64_t TimingTree::find_pass(const Item& item, std::uint64_t begin, std::uint64_t end,
                                    Picoseconds t) const {
  std::uint64_t low = begin, high = end;  // low begins at t or before, high behind it
  Picoseconds low_time = of_body(item, low), high_time = of_body(item, high);
  for (int step = 0; high - low > 1; ++step) {
    std::uint64_t middle = low + (high - low) / 2;
    if (step % 3 != 2 && high_time > low_time) {
      const double share = (static_cast<double>(t) - static_cast<double>(low_time)) /
                           (static_cast<double>(high_time) - static_cast<double>(low_time));
      const auto guess =
          static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(high - low));
      // One to the side, in turns, so that both bounds close in on a guess that is right.
      middle = std::clamp(low + guess + (step % 3 == 1 ? 1 : 0), low + 1, high - 1);
    }
    const Picoseconds time = of_body(item, middle);
    (time <= t ? low : high) = middle;
    (time <= t ? low_time : high_time) = time;
  }
  return low;
}

Moment TimingTree::at(Picoseconds t) const {
  Moment out;
  if (t < 0 || t >= total_) return out;
  const Item* item = &trace_.root;
  std::uint64_t begin = 0, end = passes_of(*item, 1);  // passes of the item to look in
  Picoseconds passed = 0;                              // from the begin of the run to pass `begin`
  while (begin < end) {
    // Time within an item is counted from its very first pass.
    const Picoseconds before = of_body(*item, begin);
    const std::uint64_t pass =
        find_pass(*item, begin, end, wrapping_add(wrapping_sub(t, passed), before));
    passed = wrapping_add(passed, wrapping_sub(of_body(*item, pass), before));
    if (item->is_call()) {
      out.found = true;
      out.call = item->call;
      out.execution = pass;
      out.begin = passed;
      out.communicate = calls_[item->call].communicate;
      out.compute = wrapping_sub(
          wrapping_sub(of_call(item->call, pass + 1), of_call(item->call, pass)), out.communicate);
    }
    if (end - begin > 1 || !item->is_call())
      out.iterations.push_back({item, pass - begin, end - begin, pass});
    if (out.found) return out;
    const Item* next = nullptr;
    for (const Item& b : item->body) {
      const Picoseconds length = wrapping_sub(of_item(b, pass + 1), of_item(b, pass));
      if (wrapping_sub(t, passed) < length) {
        next = &b;
        break;
      }
      passed = wrapping_add(passed, length);
    }
    if (!next) return out;  // the trace is damaged
    begin = passes_of(*next, pass);
    end = passes_of(*next, pass + 1);
    item = next;
  }
  return out;
}

}  // namespace reprise::analyze
