#include "transform/draw/exchange_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace reprise::transform {

using trace::DrawnExchange;

namespace {

using Numbers = std::vector<std::int64_t>;

// Means of equal shares of a distribution that are kept: a line of a program.
constexpr std::size_t kMostShares = 16;
// Rounds that alternate between this many kinds of messages.
constexpr std::size_t kMostFlows = 4;
// More kinds of rounds have to improve the fit by this much (L1 distance of shares of ranks).
constexpr double kNearer = 0.1;
// From this share of the variance of loads on, some ranks have more than others each time.
constexpr double kOfRanks = 0.5;
// Variance of equal loads due to rounding.
constexpr double kNoVariance = 1e-12;

// The means of equal shares of the numbers, with rounding errors carried over.
Numbers shares_of(Numbers all, std::size_t most) {
  std::ranges::sort(all);
  if (all.front() == all.back()) return {all.front()};
  const std::size_t n = std::min(all.size(), most);
  Numbers out;
  double rest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t first = i * all.size() / n, end = (i + 1) * all.size() / n;
    const auto sum = std::accumulate(all.begin() + static_cast<std::ptrdiff_t>(first),
                                     all.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    rest += sum / static_cast<double>(end - first);
    out.push_back(static_cast<std::int64_t>(std::max(0.0, std::floor(rest + 0.5))));
    rest -= static_cast<double>(out.back());
  }
  return out;
}

// How many messages ranks send and receive.
struct Loads {
  std::vector<double> senders, receivers;
  double messages = 0;

  explicit Loads(std::size_t ranks) : senders(ranks), receivers(ranks) {}
  void add(const StretchMessage& m) {
    ++senders[static_cast<std::size_t>(m.sender)];
    ++receivers[static_cast<std::size_t>(m.receiver)];
    ++messages;
  }
  void add(const Loads& other) {
    for (std::size_t r = 0; r < senders.size(); ++r) {
      senders[r] += other.senders[r];
      receivers[r] += other.receivers[r];
    }
    messages += other.messages;
  }
  double distance(const Loads& other) const {
    double out = 0;
    for (std::size_t r = 0; r < senders.size(); ++r) {
      out += std::abs(senders[r] / messages - other.senders[r] / other.messages) +
             std::abs(receivers[r] / messages - other.receivers[r] / other.messages);
    }
    return out / 2;
  }
};

// How many kinds of messages the rounds have in turn.
std::size_t flows_of(const std::vector<Loads>& rounds) {
  std::vector<double> apart;
  for (std::size_t n = 1; n <= std::min(kMostFlows, rounds.size()); ++n) {
    std::vector<Loads> flows(n, Loads(rounds.front().senders.size()));
    for (std::size_t r = 0; r < rounds.size(); ++r) flows[r % n].add(rounds[r]);
    double sum = 0, messages = 0;
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      sum += rounds[r].messages * rounds[r].distance(flows[r % n]);
      messages += rounds[r].messages;
    }
    apart.push_back(sum / messages);
  }
  const double least = *std::ranges::min_element(apart);
  const auto found = std::ranges::find_if(apart, [&](double a) { return a <= least + kNearer; });
  return static_cast<std::size_t>(found - apart.begin()) + 1;
}

// Whether the ranks that send or receive much change between executions.
bool do_move(const std::vector<Loads>& times) {
  if (times.size() < 2) return false;
  const std::size_t ranks = times.front().senders.size();
  std::vector<double> means(ranks, 0);
  double all = 0;  // variance over ranks, summed over times
  const auto variance = [&](const std::vector<double>& v) {
    const double mean = std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(ranks);
    double out = 0;
    for (const double x : v) out += (x - mean) * (x - mean);
    return out;
  };
  std::size_t counted = 0;
  for (const Loads& t : times) {
    if (t.messages == 0) continue;
    std::vector<double> share(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
      share[r] = (t.senders[r] + t.receivers[r]) / t.messages;
      means[r] += share[r];
    }
    all += variance(share);
    ++counted;
  }
  if (counted < 2 || all < kNoVariance) return false;
  for (double& m : means) m /= static_cast<double>(counted);
  return variance(means) < kOfRanks * all / static_cast<double>(counted);
}

Numbers whole(const std::vector<double>& loads) {
  Numbers out;
  for (const double l : loads) out.push_back(std::llround(l));
  return out;
}

}  // namespace

DrawnExchange model_of(const Stretch& stretch, std::uint64_t ranks, Drawing drawing) {
  std::vector<Loads> rounds, times;
  Numbers messages;
  for (const auto& time : stretch.times) {
    messages.push_back(std::ssize(time));
    times.emplace_back(ranks);
    for (const StretchMessage& m : time) {
      if (rounds.size() <= m.round) rounds.resize(m.round + 1, Loads(ranks));
      rounds[m.round].add(m);
      times.back().add(m);
    }
  }
  const std::size_t most = drawing == Drawing::mean ? 1 : kMostShares;
  DrawnExchange out;
  out.moves = do_move(times);
  out.messages = shares_of(messages, most);
  for (const Loads& r : rounds) out.rounds.push_back(std::llround(r.messages));
  if (out.rounds.size() == 1) out.rounds = {1};
  const std::size_t flows = flows_of(rounds);
  std::vector<Loads> loads(flows, Loads(ranks));
  std::vector<Numbers> sizes(flows);
  std::vector<double> pairs(flows, 0);
  for (std::size_t t = 0; t < stretch.times.size(); ++t) {
    // Starts at the busiest rank if it changes between executions.
    std::vector<std::size_t> order(ranks), place(ranks);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (out.moves)
      std::ranges::stable_sort(order, std::greater(), [&](std::size_t r) {
        return times[t].senders[r] + times[t].receivers[r];
      });
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::set<std::tuple<std::size_t, std::int64_t, std::int64_t>> met;
    for (const StretchMessage& m : stretch.times[t]) {
      const std::size_t f = m.round % flows;
      loads[f].add({static_cast<std::int64_t>(place[static_cast<std::size_t>(m.sender)]),
                    static_cast<std::int64_t>(place[static_cast<std::size_t>(m.receiver)])});
      sizes[f].push_back(m.bytes);
      pairs[f] += met.insert({m.round, m.sender, m.receiver}).second;
    }
  }
  for (std::size_t f = 0; f < flows; ++f) {
    out.flows.push_back({whole(loads[f].senders), whole(loads[f].receivers),
                         shares_of(sizes[f], most),
                         std::max<std::int64_t>(1, std::llround(loads[f].messages / pairs[f]))});
  }
  return out;
}

}  // namespace reprise::transform
