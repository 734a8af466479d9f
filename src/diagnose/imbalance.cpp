#include "diagnose/imbalance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "diagnose/long_executions.hpp"
#include "diagnose/waits.hpp"

namespace reprise::diagnose {
namespace {

constexpr std::size_t kMostPlacesTried = 5;
// Two classes lie apart by at least this part of the whole spread.
constexpr double kApart = 0.5;

struct Share {
  std::uint64_t stream = 0;
  Picoseconds time = 0;
};

Picoseconds mean_of(const std::vector<Share>& shares) {
  double sum = 0;
  for (const Share& s : shares) sum += static_cast<double>(s.time);
  return static_cast<Picoseconds>(sum / static_cast<double>(shares.size()));
}

RankClass class_of(std::vector<Share> shares, std::uint64_t threads) {
  RankClass out{.ranks = {}, .mean = mean_of(shares)};
  for (const Share& s : shares) out.ranks.push_back(s.stream / threads);
  std::ranges::sort(out.ranks);
  const auto rest = std::ranges::unique(out.ranks);
  out.ranks.erase(rest.begin(), rest.end());
  return out;
}

// The slowest first: two where the greatest gap between neighbors is most of the spread.
std::vector<RankClass> classes_of(std::vector<Share> shares, std::uint64_t threads) {
  std::ranges::stable_sort(shares, std::ranges::greater(), &Share::time);
  std::size_t at = 0;
  Picoseconds gap = 0;
  for (std::size_t i = 1; i < shares.size(); ++i) {
    if (shares[i - 1].time - shares[i].time <= gap) continue;
    gap = shares[i - 1].time - shares[i].time;
    at = i;
  }
  const auto spread = static_cast<double>(shares.front().time - shares.back().time);
  if (at == 0 || static_cast<double>(gap) < kApart * spread) return {class_of(shares, threads)};
  const auto middle = shares.begin() + static_cast<std::ptrdiff_t>(at);
  return {class_of({shares.begin(), middle}, threads), class_of({middle, shares.end()}, threads)};
}

std::optional<Imbalance> imbalance_before(const Experiment& experiment, std::uint32_t call) {
  const std::vector<Picoseconds> computed = experiment.computed(call);
  std::vector<Share> shares;
  for (std::uint64_t s = 0; s < computed.size(); ++s) {
    if (experiment.executes(s, call)) shares.push_back({s, computed[s]});
  }
  if (shares.size() < 2) return std::nullopt;
  Imbalance out{.call = call,
                .mean = mean_of(shares),
                .most = std::ranges::max(shares, {}, &Share::time).time,
                .slowest = {},
                .classes = {},
                .balance_saves = {},
                .minority_saves = {}};
  if (out.excess() < experiment.least()) return std::nullopt;
  std::vector<Share> slowest = shares;
  std::erase_if(slowest, [&](const Share& s) { return 10 * (out.most - s.time) > out.excess(); });
  out.slowest = class_of(std::move(slowest), experiment.trace().threads).ranks;
  out.classes = classes_of(std::move(shares), experiment.trace().threads);
  return out;
}

// Makes all that make the call compute `mean` before it.
simulate::Factors evened(const Experiment& experiment, const Imbalance& imbalance) {
  const std::vector<Picoseconds> computed = experiment.computed(imbalance.call);
  simulate::Factors out(experiment.trace().calls.size());
  for (const Picoseconds c : computed)
    out[imbalance.call].push_back(
        c > 0 ? static_cast<double>(imbalance.mean) / static_cast<double>(c) : 1);
  return out;
}

Status try_out(const Experiment& experiment, Imbalance& imbalance) {
  const auto even = experiment.saves(evened(experiment, imbalance));
  if (!even) return even.error();
  imbalance.balance_saves = *even;
  if (!imbalance.has_minority()) return {};
  simulate::Factors factors;
  cap(factors, experiment, imbalance.call, imbalance.classes[1].mean);
  const auto saved = experiment.saves(factors);
  if (!saved) return saved.error();
  imbalance.minority_saves = *saved;
  return {};
}

// The computation of each rank, that of its busiest thread [ps].
std::vector<Picoseconds> totals_of(const Experiment& experiment) {
  const std::uint64_t threads = experiment.trace().threads;
  const std::vector<Picoseconds> by_stream = simulate::computation_of(experiment.run());
  std::vector<Picoseconds> out(by_stream.size() / threads);
  for (std::uint64_t s = 0; s < by_stream.size(); ++s)
    out[s / threads] = std::max(out[s / threads], by_stream[s]);
  return out;
}

// The median of what these ranks compute in all, or of what the others do [ps].
Picoseconds median_total(const std::vector<Picoseconds>& totals, const Ranks& ranks,
                         bool of_others) {
  std::vector<Picoseconds> all;
  for (std::uint64_t r = 0; r < totals.size(); ++r) {
    if (std::ranges::binary_search(ranks, r) != of_others) all.push_back(totals[r]);
  }
  if (all.empty()) return 0;
  const auto middle = all.begin() + std::ssize(all) / 2;
  std::ranges::nth_element(all, middle);
  return *middle;
}

// The ranks that compute longer, and by how much [ps].
struct Slower {
  const Ranks& ranks;
  Picoseconds excess = 0;
};

Slower slower_of(const Imbalance& i) {
  return i.has_minority() ? Slower{i.classes[0].ranks, i.classes[0].mean - i.classes[1].mean}
                          : Slower{i.slowest, i.excess()};
}

// Whether the slower ranks compute longer than the others on the whole, or are waited for because
// of what they compute here. Ranks that make other calls than the rest also compute before other
// calls, and are slower there only: what they compute less elsewhere is offset against the wait,
// which is then less than three quarters of the difference.
bool makes_others_wait(const Experiment& experiment, const Imbalance& i,
                       const std::vector<Picoseconds>& totals,
                       const std::map<std::uint32_t, Delaying>& delaying) {
  const Slower slower = slower_of(i);
  const Picoseconds longer =
      median_total(totals, slower.ranks, false) - median_total(totals, slower.ranks, true);
  if (2 * longer >= slower.excess) return true;
  const auto waited_for = delaying.find(i.call);
  if (waited_for == delaying.end()) return false;
  const Picoseconds wait = waited_for->second.excess();
  if (wait < experiment.least() || wait < slower.excess - slower.excess / 4) return false;
  return std::ranges::any_of(
      notable_ranks(waited_for->second.by_culprit, experiment.trace().threads),
      [&](std::uint64_t rank) { return std::ranges::binary_search(slower.ranks, rank); });
}

}  // namespace

Result<std::vector<Imbalance>> imbalances_of(const Experiment& experiment) {
  std::vector<Imbalance> out;
  const std::map<std::uint32_t, Delaying> delaying = delaying_computation(experiment.run());
  const std::vector<Picoseconds> totals = totals_of(experiment);
  for (std::uint32_t c = 0; c < experiment.trace().calls.size(); ++c) {
    auto found = imbalance_before(experiment, c);
    if (found && makes_others_wait(experiment, *found, totals, delaying))
      out.push_back(std::move(*found));
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &Imbalance::excess);
  for (std::size_t i = 0; i < std::min(out.size(), kMostPlacesTried); ++i) {
    if (Status ok = try_out(experiment, out[i]); !ok) return ok.error();
  }
  return out;
}

namespace {

// Makes of an imbalance one of single long executions if the slower ranks have any. The simulated
// run may spread them over all executions of their ranks: they cost what a run that draws them
// takes longer than one in which they are as short as the others.
void tell_long_executions(const Experiment& experiment, Finding& f) {
  const trace::Trace& trace = experiment.trace();
  simulate::Limits limits(trace.calls.size());
  limits[f.call].assign(trace.streams(), std::numeric_limits<Picoseconds>::max());
  Ranks ranks = f.ranks;
  std::erase_if(ranks, [&](std::uint64_t rank) {
    const std::uint64_t stream = experiment.busiest(f.call, {rank});
    const auto found = long_executions(experiment, f.call, stream, f.excess);
    if (!found) return true;
    limits[f.call][stream] =
        std::llround(found->groups.back().mean * simulate::kPicosecondsPerNanosecond);
    return false;
  });
  if (ranks.empty()) return;
  f.kind = FindingKind::long_executions;
  f.executions =
      long_executions(experiment, f.call, experiment.busiest(f.call, ranks), f.excess)->groups;
  f.ranks = f.culprits = std::move(ranks);
  const auto with = experiment.time_drawn(f.call);
  const auto without = with ? experiment.time_drawn(f.call, limits) : std::nullopt;
  if (!without) return;
  f.cost = *with - *without;
  f.whole = *with;
  f.balances_all = false;
}

}  // namespace

void find_imbalances(const Experiment& experiment, const std::vector<Imbalance>& imbalances,
                     std::vector<Finding>& out) {
  for (const Imbalance& i : imbalances) {
    if (!i.balance_saves) continue;
    const auto& [slower, excess] = slower_of(i);
    Finding f{.kind = FindingKind::imbalance,
              .call = i.call,
              .ranks = slower,
              .cost = i.minority_saves.value_or(*i.balance_saves),
              .balances_all = !i.has_minority(),
              .cause = i.call,
              .culprits = slower,
              .excess = excess};
    tell_long_executions(experiment, f);
    if (f.cost < experiment.least()) continue;
    // What a class has that nobody else has any of is a phase of its own.
    const bool is_serial = i.has_minority() && i.classes[0].ranks.size() == 1 &&
                           20 * i.classes[1].mean < i.classes[0].mean;
    const auto known = std::ranges::find_if(out, [&](const Finding& other) {
      return other.kind == FindingKind::serial_phase && other.call == i.call;
    });
    if (is_serial && known != out.end()) continue;
    out.push_back(std::move(f));
  }
}

std::optional<double> balance_without_long_executions(const Experiment& experiment,
                                                      const std::vector<Finding>& findings) {
  std::vector<Picoseconds> totals = simulate::computation_of(experiment.run());
  bool is_any = false;
  for (const Finding& f : findings) {
    if (f.kind != FindingKind::long_executions) continue;
    for (const std::uint64_t rank : f.ranks) {
      const std::uint64_t stream = experiment.busiest(f.call, {rank});
      const auto found = long_executions(experiment, f.call, stream, f.excess);
      if (!found) continue;
      totals[stream] -= std::min(found->excess, totals[stream]);
      is_any = true;
    }
  }
  if (!is_any) return std::nullopt;
  return simulate::load_balance_of(totals);
}

}  // namespace reprise::diagnose
