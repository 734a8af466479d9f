#include "diagnose/long_executions.hpp"

#include <algorithm>

namespace reprise::diagnose {
namespace {

using analyze::TimeGroup;

constexpr double kFew = 0.02;
// Of so many executions a single one is few.
constexpr double kEnoughForOne = 4;

// Executions of a stream by one path, and those that were taken from its end.
struct Tail {
  double all = 0, all_time = 0;      // [ns]
  double taken = 0, taken_time = 0;  // [ns]

  double share() const { return taken / all; }
  double mean() const { return taken_time / taken; }
  double mean_of_rest() const { return (all_time - taken_time) / (all - taken); }
  // What the taken ones take longer than as many of the others.
  double excess() const { return taken_time - taken * mean_of_rest(); }
  bool is_few() const {
    return taken < all && (share() <= kFew || (taken <= 1 && all >= kEnoughForOne));
  }
};

// The longest execution is known exactly, and on which stream it was.
std::optional<Tail> longest_one(const trace::DeltaTimes& times, std::uint64_t stream) {
  const auto count = static_cast<double>(times.count_of(stream));
  if (times.max_stream != stream || count < 2) return std::nullopt;
  return Tail{.all = count,
              .all_time = times.sum_of(stream),
              .taken = 1,
              .taken_time = static_cast<double>(times.total().max)};
}

// By the bins of its class, with the share of them that the stream has.
std::optional<Tail> tail_of(const trace::DeltaTimes& times, std::uint64_t stream, double excess) {
  const trace::Histogram* const histogram = times.class_for(stream);
  const auto count = static_cast<double>(times.count_of(stream));
  if (!histogram || count <= 0 || histogram->empty()) return std::nullopt;
  const trace::Bin total = histogram->total();
  const double own = count / static_cast<double>(total.count);
  Tail out{.all = count, .all_time = static_cast<double>(total.sum) * own};
  const std::vector<trace::Bin> bins = histogram->bins();
  for (std::size_t i = bins.size(); i-- > 0;) {
    out.taken += static_cast<double>(bins[i].count) * own;
    out.taken_time += static_cast<double>(bins[i].sum) * own;
    if (!out.is_few()) return std::nullopt;
    if (out.excess() >= excess) return out;
  }
  return std::nullopt;
}

}  // namespace

std::vector<TimeGroup> long_executions(const trace::Trace& trace, std::uint32_t call,
                                       std::uint64_t stream, Picoseconds excess) {
  const double half =
      static_cast<double>(excess) / 2 / static_cast<double>(simulate::kPicosecondsPerNanosecond);
  for (const trace::Path& path : trace.times[call].paths) {
    auto tail = longest_one(path.compute, stream);
    if (!tail || !tail->is_few() || tail->excess() < half)
      tail = tail_of(path.compute, stream, half);
    if (!tail) continue;
    return {{.ranks = {}, .share = tail->share(), .mean = tail->mean()},
            {.ranks = {}, .share = 1 - tail->share(), .mean = tail->mean_of_rest()}};
  }
  return {};
}

}  // namespace reprise::diagnose
