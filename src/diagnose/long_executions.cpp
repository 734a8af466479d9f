#include "diagnose/long_executions.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::diagnose {
namespace {

using analyze::TimeGroup;

// A share that no pattern of a program's steps has: one in fifty.
constexpr double kFew = 0.02;
// Of so many executions a single one is few.
constexpr double kEnoughForOne = 4;

// Executions of a stream by one path: those that take longest, and the rest.
struct Tail {
  double all = 0;              // executions
  double taken = 0, time = 0;  // those that take longest, and their time [ns]
  double mean_of_rest = 0;     // [ns]

  double share() const { return taken / all; }
  // What they take longer than as many of the others.
  double excess() const { return time - taken * mean_of_rest; }
  bool is_few() const {
    return taken < all && (share() <= kFew || (taken <= 1 && all >= kEnoughForOne));
  }
};

// What the executions of a stream but the longest one take in the mean [ns]: exactly if the trace
// has what the stream spent; otherwise as those of its class do, and no more than what it spent
// allows for, which is known to a step.
double mean_of_others(const trace::DeltaTimes& times, std::uint64_t stream, const trace::Bin& all,
                      double longest) {
  const double by_class =
      (static_cast<double>(all.sum) - longest) / static_cast<double>(all.count - 1);
  const auto own = static_cast<double>(times.count_of(stream));
  if (times.sums.empty() || own < 2) return by_class;
  const double most =
      (times.sum_of(stream) + static_cast<double>(times.sum_step) - longest) / (own - 1);
  return times.sum_step == 0 ? most : std::min(by_class, most);
}

// The longest execution is known exactly, and on which stream it was.
std::optional<Tail> longest_one(const trace::DeltaTimes& times, std::uint64_t stream) {
  const trace::Histogram* const histogram = times.class_for(stream);
  if (times.max_stream != stream || !histogram) return std::nullopt;
  const trace::Bin all = histogram->total();
  const auto longest = static_cast<double>(times.total().max);
  if (all.count < 2) return std::nullopt;
  const double rest = mean_of_others(times, stream, all, longest);
  return Tail{.all = static_cast<double>(times.count_of(stream)),
              .taken = 1,
              .time = longest,
              .mean_of_rest = std::max(static_cast<double>(all.min), rest)};
}

// By the bins of its class, with the share of them that the stream has.
std::optional<Tail> tail_of(const trace::DeltaTimes& times, std::uint64_t stream, double excess) {
  const trace::Histogram* const histogram = times.class_for(stream);
  const auto count = static_cast<double>(times.count_of(stream));
  if (!histogram || count <= 0 || histogram->empty()) return std::nullopt;
  trace::Bin rest = histogram->total();
  const double own = count / static_cast<double>(rest.count);
  Tail out{.all = count};
  const std::vector<trace::Bin> bins = histogram->bins();
  for (std::size_t i = bins.size(); i-- > 0;) {
    out.taken += static_cast<double>(bins[i].count) * own;
    out.time += static_cast<double>(bins[i].sum) * own;
    if (!out.is_few()) return std::nullopt;
    rest.count -= bins[i].count;
    rest.sum -= bins[i].sum;
    out.mean_of_rest = rest.mean();
    if (out.excess() >= excess) return out;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LongExecutions> long_executions(const Experiment& experiment, std::uint32_t call,
                                              std::uint64_t stream, Picoseconds excess) {
  // From recorded nanoseconds to simulated time.
  const double scale =
      static_cast<double>(simulate::kPicosecondsPerNanosecond) / experiment.machine().cpu_ratio;
  const double half = static_cast<double>(excess) / 2 / scale;
  for (const trace::Path& path : experiment.trace().times[call].paths) {
    auto tail = longest_one(path.compute, stream);
    if (!tail || !tail->is_few() || tail->excess() < half)
      tail = tail_of(path.compute, stream, half);
    if (!tail) continue;
    return LongExecutions{
        .groups = {{.ranks = {}, .share = tail->share(), .mean = tail->time / tail->taken},
                   {.ranks = {}, .share = 1 - tail->share(), .mean = tail->mean_of_rest}},
        .excess = std::llround(tail->excess() * scale)};
  }
  return std::nullopt;
}

std::vector<TimeGroup> longest_and_others(const trace::Histogram& histogram) {
  trace::Bin others = histogram.total(), longest;
  const auto all = static_cast<double>(others.count);
  const std::vector<trace::Bin> bins = histogram.bins();
  for (std::size_t i = bins.size(); i-- > 1;) {
    if (static_cast<double>(longest.count + bins[i].count) > kFew * all) break;
    longest.count += bins[i].count;
    longest.sum += bins[i].sum;
  }
  if (longest.count == 0) return {};
  others.count -= longest.count;
  others.sum -= longest.sum;
  return {{.ranks = {}, .share = static_cast<double>(longest.count) / all, .mean = longest.mean()},
          {.ranks = {}, .share = static_cast<double>(others.count) / all, .mean = others.mean()}};
}

}  // namespace reprise::diagnose
