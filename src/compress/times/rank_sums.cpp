#include "compress/times/rank_sums.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trace/series/series_folder.hpp"

namespace reprise::compress {

using trace::DeltaTimes;
using trace::real;

namespace {

// What a rank spent at a delta is kept to a step: sums of zero steps take no space.
constexpr double kMostOff = 1;
constexpr std::size_t kMostExact = 8;  // deltas whose sums are exact, so that those of ranks are

}  // namespace

RankSums::RankSums(const trace::Trace& trace, std::vector<DeltaTimes*> deltas, double precision)
    : trace_(trace), deltas_(std::move(deltas)) {
  for (const DeltaTimes* d : deltas_) total_ += static_cast<double>(d->total().sum);
  const double share = precision * total_ / real(trace_.ranks);
  step_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share));
  spent_ = exact_sums();
}

void RankSums::round() const {
  if (spent_.empty()) return;
  const std::vector<std::size_t> order = largest_first();
  std::vector<std::size_t> exact_of, rounded;
  const std::vector<std::size_t> exact = choose_exact(order, exact_of);
  for (const std::size_t i : order) {
    if (!spent_[i].empty() && std::ranges::find(exact, i) == exact.end()) rounded.push_back(i);
  }
  std::vector<std::vector<Share>> shares;
  std::vector<double> carried(trace_.streams(), 0);
  for (const std::size_t i : rounded) shares.push_back(shares_of(i, carried));
  for (std::vector<Share>& of_delta : shares) carry(of_delta, carried);
  for (std::size_t k = 0; k < rounded.size(); ++k) {
    keep_steps(*deltas_[rounded[k]], shares[k]);
  }
  // Whatever was carried is in these.
  for (const std::size_t i : exact) {
    DeltaTimes& d = *deltas_[i];
    trace::SeriesFolder folder;
    for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
      const double over = exact_of[s] == i ? carried[s] * real(step_) : 0;
      folder.append(std::llround(std::max(0.0, spent_[i][s] + over) - d.estimate_of(s)));
    }
    d.sums = folder.finish();
    d.sum_step = 1;
  }
}

// Of each delta by stream, exactly [ns]; none if sums were declined.
std::vector<std::vector<double>> RankSums::exact_sums() const {
  std::vector<std::vector<double>> out;
  for (const DeltaTimes* d : deltas_) {
    if (d->classes.empty()) {
      out.emplace_back();
      continue;
    }
    if (d->sums.empty()) return {};
    std::vector<double>& of_delta = out.emplace_back();
    for (std::uint64_t s = 0; s < trace_.streams(); ++s) of_delta.push_back(d->sum_of(s));
  }
  return out;
}

std::vector<std::size_t> RankSums::largest_first() const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < deltas_.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, [this](std::size_t a, std::size_t b) {
    return deltas_[a]->total().sum > deltas_[b]->total().sum;
  });
  return order;
}

// Deltas whose sums stay exact: the largest that each stream has executed. `exact_of`: by stream,
// which of them takes its remainder.
std::vector<std::size_t> RankSums::choose_exact(const std::vector<std::size_t>& order,
                                                std::vector<std::size_t>& exact_of) const {
  exact_of.assign(trace_.streams(), deltas_.size());
  std::vector<std::size_t> out;
  for (const std::size_t i : order) {
    if (out.size() == kMostExact) break;
    bool is_needed = false;
    for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
      if (exact_of[s] < deltas_.size() || deltas_[i]->count_of(s) == 0) continue;
      exact_of[s] = i;
      is_needed = true;
    }
    if (is_needed) out.push_back(i);
  }
  return out;
}

bool RankSums::Share::may_keep() const { return std::max(estimate, estimate + beyond) >= 1; }

// Each rounded by itself. `carried`: by stream, what was spent and is in no sum so far [steps].
std::vector<RankSums::Share> RankSums::shares_of(std::size_t which,
                                                 std::vector<double>& carried) const {
  std::vector<Share> out;
  for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
    Share& share = out.emplace_back();
    share.estimate = deltas_[which]->estimate_of(s) / real(step_);
    share.beyond = spent_[which][s] / real(step_) - share.estimate;
    if (share.may_keep() && std::abs(share.beyond) > kMostOff) {
      share.kept = std::max(std::round(share.beyond), -std::floor(share.estimate));
    }
    carried[s] += share.beyond - share.kept;
  }
  return out;
}

// What rounding left of all deltas of a stream goes to those that are called first, no more than
// a step from what it spent there: few deltas differ between ranks then, and noise averages out
// before it takes a step.
void RankSums::carry(std::vector<Share>& shares, std::vector<double>& carried) {
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (std::abs(carried[s]) <= kMostOff || !shares[s].may_keep()) continue;
    const double more = carried[s] > 0 ? 1 : -1, kept = shares[s].kept + more;
    if (std::abs(shares[s].beyond - kept) > kMostOff || shares[s].estimate + kept < 0) continue;
    shares[s].kept = kept;
    carried[s] -= more;
  }
}

void RankSums::keep_steps(DeltaTimes& d, const std::vector<Share>& shares) const {
  trace::SeriesFolder folder;
  for (const Share& share : shares) folder.append(static_cast<std::int64_t>(share.kept));
  d.sums = folder.finish();
  d.sum_step = step_;
  if (d.sums == trace::Series::constant(0)) {
    d.sums = {};
    d.sum_step = 0;
  }
}

}  // namespace reprise::compress
