#include "extrapolate/times/rank_profile.hpp"

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"
#include "trace/times/bin.hpp"

namespace reprise::extrapolate {
namespace {

constexpr std::size_t kMostEnds = 4;
constexpr int kRounds = 8;          // of levels and ratios by turns
constexpr double kExplained = 0.5;  // of the variance, that a rule must explain
constexpr double kNothing = 1e-6;   // of the mean: deviations that are none
constexpr std::size_t kQuantiles = RankProfile::kQuantiles;
constexpr std::size_t kPositions = 256;  // told apart where ranks are many
constexpr std::uint64_t kMany = 4096;
constexpr std::uint64_t kStride = 38;  // kQuantiles by the golden ratio: near ones are far apart

using trace::real;

// Where a rank stands, 0 to 1.
double position(std::uint64_t rank, std::uint64_t ranks) {
  if (ranks < 2) return 0;
  const double share = real(rank) / real(ranks - 1);
  if (ranks <= kMany) return share;
  return std::min(std::floor(share * kPositions), kPositions - 1.0) / (kPositions - 1.0);
}

// Between values at equal distances.
double interpolate(const std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), values.size() - 1);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - std::floor(place));
}

}  // namespace

RankProfile::RankProfile(std::span<const RankTimes> runs) {
  if (runs.empty()) return;
  const RankTimes& largest = runs.back();
  const double all = misses(largest);
  if (runs.size() > 1 && all > kNothing) {
    double least = kExplained * all * all;
    RankProfile best;
    for (const Rule rule : {Rule::part, Rule::ends, Rule::position}) {
      RankProfile tried;
      tried.learn(rule, runs.first(runs.size() - 1));
      const double left = tried.misses(largest);
      if (left * left >= least) continue;
      least = left * left;
      best.rule_ = rule;
    }
    if (best.rule_ != Rule::even) learn(best.rule_, runs);
  }
  keep_spread(largest);
}

// Ratios under a rule, and levels of the runs, by turns; of positions those of the largest run.
void RankProfile::learn(Rule rule, std::span<const RankTimes> runs) {
  rule_ = rule;
  if (rule == Rule::position) {
    const RankTimes& run = runs.back();
    ratios_.assign(run.counts.size(), 1);
    const double mean = RankProfile().level(run);
    for (std::size_t r = 0; r < ratios_.size() && mean > 0; ++r) {
      // Ranks that never come here are as the one before them.
      ratios_[r] = run.counts[r] > 0 ? run.sums[r] / real(run.counts[r]) / mean
                   : r > 0           ? ratios_[r - 1]
                                     : 1;
    }
    return;
  }
  ends_ = std::clamp<std::size_t>(runs.front().counts.size() / 2, 1, kMostEnds);
  for (const RankTimes& run : runs) {
    for (const Part& p : run.parts) parts_.emplace(p, parts_.size());
  }
  ratios_.assign(rule == Rule::ends ? 2 * ends_ + 1 : parts_.size(), 1);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> spent(ratios_.size(), 0), expected(ratios_.size(), 0);
    for (const RankTimes& run : runs) {
      const double here = level(run);
      if (here <= 0) continue;
      for (std::size_t r = 0; r < run.counts.size(); ++r) {
        const std::size_t i = index_of(r, run.counts.size(), run.parts[r]);
        spent[i] += run.sums[r] / here;
        expected[i] += real(run.counts[r]);
      }
    }
    for (std::size_t i = 0; i < ratios_.size(); ++i) {
      if (expected[i] > 0) ratios_[i] = spent[i] / expected[i];
    }
  }
}

// The ratio's index; behind the end for a part that is not known.
std::size_t RankProfile::index_of(std::uint64_t rank, std::uint64_t ranks, const Part& part) const {
  if (rule_ == Rule::part) {
    const auto found = parts_.find(part);
    return found == parts_.end() ? ratios_.size() : found->second;
  }
  if (rank < ends_ && 2 * rank < ranks) return rank;
  if (ranks - rank <= ends_) return ends_ + (ranks - rank - 1);
  return 2 * ends_;
}

double RankProfile::ratio(std::uint64_t rank, std::uint64_t ranks, const Part& part) const {
  if (rule_ == Rule::even) return 1;
  if (rule_ == Rule::position) return interpolate(ratios_, position(rank, ranks));
  const std::size_t i = index_of(rank, ranks, part);
  return i < ratios_.size() ? ratios_[i] : 1;
}

double RankProfile::level(const RankTimes& run) const {
  double spent = 0, expected = 0;
  for (std::size_t r = 0; r < run.counts.size(); ++r) {
    spent += run.sums[r];
    if (run.counts[r] > 0) {
      expected += real(run.counts[r]) * ratio(r, run.counts.size(), run.parts[r]);
    }
  }
  return expected > 0 ? spent / expected : 0;
}

// The deviation of ranks from what the profile says, over the mean.
double RankProfile::misses(const RankTimes& run) const {
  const double here = level(run);
  if (here <= 0) return 0;
  double squares = 0, executions = 0;
  for (std::size_t r = 0; r < run.counts.size(); ++r) {
    if (run.counts[r] == 0) continue;
    const double n = real(run.counts[r]);
    const double off = run.sums[r] / n / here - ratio(r, run.counts.size(), run.parts[r]);
    squares += n * off * off;
    executions += n;
  }
  return std::sqrt(squares / executions);
}

void RankProfile::keep_spread(const RankTimes& run) {
  const double here = level(run);
  if (here <= 0 || misses(run) <= kNothing) return;
  std::vector<double> all;
  for (std::size_t r = 0; r < run.counts.size(); ++r) {
    if (run.counts[r] == 0) continue;
    const double expected = here * ratio(r, run.counts.size(), run.parts[r]);
    if (expected > 0) all.push_back(run.sums[r] / real(run.counts[r]) / expected);
  }
  if (all.size() < 2) return;
  std::ranges::sort(all);
  double sum = 0;
  for (std::size_t i = 0; i < kQuantiles; ++i) {
    // In the middle of equal shares of the ranks.
    const double place = (static_cast<double>(i) + 0.5) / kQuantiles;
    const auto rank = static_cast<std::size_t>(place * static_cast<double>(all.size()));
    spread_.push_back(all[rank]);
    sum += all[rank];
  }
  for (double& q : spread_) q *= kQuantiles / sum;
}

double RankProfile::left_over(std::uint64_t rank, std::uint64_t key) const {
  if (spread_.empty()) return 1;
  // Quantiles in an order that spreads any few neighbors evenly, from a place that the key tells.
  const std::uint64_t place = (rank + mix(key) % kQuantiles) % kQuantiles;
  return spread_[place * kStride % kQuantiles];
}

}  // namespace reprise::extrapolate
