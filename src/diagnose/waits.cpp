#include "diagnose/waits.hpp"

#include <algorithm>
#include <numeric>

#include "diagnose/long_executions.hpp"

namespace reprise::diagnose {
namespace {

constexpr std::size_t kMostTried = 8;
// Causes with less of a wait than this are not changed for what it costs.
constexpr double kMinorCause = 0.05;

std::vector<double> as_doubles(const std::vector<Picoseconds>& ps) {
  return {ps.begin(), ps.end()};
}

// The mean of what streams wait, by what they wait: who hardly waits hardly counts.
Picoseconds weighted_mean(const std::vector<Picoseconds>& waits) {
  double sum = 0, squares = 0;
  for (const auto w : waits) {
    sum += static_cast<double>(w);
    squares += static_cast<double>(w) * static_cast<double>(w);
  }
  return sum > 0 ? static_cast<Picoseconds>(squares / sum) : 0;
}

Picoseconds sum_of(const std::vector<Picoseconds>& all) {
  return std::accumulate(all.begin(), all.end(), Picoseconds{0});
}

Cause cause_of(const simulate::DelayCause& c, std::uint64_t threads) {
  return {.call = c.call,
          .is_communication = c.is_communication,
          .time = sum_of(c.by_waiter),
          .excess = weighted_mean(c.by_waiter),
          .ranks = notable_ranks(c.by_culprit, threads)};
}

// How long those that cause a wait may compute at most if nobody is to wait for them [ps].
Picoseconds level_of(const Experiment& experiment, const Cause& cause) {
  const std::uint64_t busiest = experiment.busiest(cause.call, cause.ranks);
  return experiment.computed(cause.call)[busiest] - cause.excess;
}

// The ranks that compute for longer before a call.
Ranks ranks_above(const Experiment& experiment, std::uint32_t call, Picoseconds level) {
  std::vector<double> above;
  for (const Picoseconds c : experiment.computed(call)) above.push_back(c > level ? 1 : 0);
  return notable_ranks(above, experiment.trace().threads);
}

bool is_mostly_in(const Ranks& some, const Ranks& all) {
  std::size_t both = 0;
  for (const std::uint64_t rank : some) both += std::ranges::binary_search(all, rank);
  return 2 * both > some.size();
}

struct Culprits {
  Ranks ranks;
  bool in_turn = false;
};

// Who a wait for messages is caused by: if most of those that wait would have to compute less
// themselves, by a tenth at least, all that would have to.
Culprits culprits_of_messages(const Experiment& experiment, const Wait& wait, const Cause& cause) {
  const Picoseconds level = level_of(experiment, cause);
  Ranks longer = ranks_above(experiment, cause.call, level + level / 9);
  if (level <= 0 || !is_mostly_in(wait.ranks, longer)) return {cause.ranks, false};
  return {std::move(longer), true};
}

// Who a wait at a collective is caused by: of ranks that are equally late one alone is waited for,
// and those that compute about as much count, too.
Culprits culprits_at_collective(const Experiment& experiment, const Wait& wait,
                                const Cause& cause) {
  const std::vector<Picoseconds> computed = experiment.computed(cause.call);
  const Picoseconds most = computed[experiment.busiest(cause.call, cause.ranks)];
  Picoseconds least = most;
  for (const std::uint64_t rank : cause.ranks)
    least = std::min(least, computed[experiment.busiest(cause.call, {rank})]);
  const Picoseconds level = std::max(least - least / 10 - 1, most - cause.excess / 2);
  return {ranks_above(experiment, cause.call, level), is_mostly_in(wait.ranks, cause.ranks)};
}

Culprits culprits_of(const Experiment& experiment, const Wait& wait, const Cause& cause) {
  const bool of_messages = wait.state == simulate::WaitState::late_sender ||
                           wait.state == simulate::WaitState::late_receiver;
  return of_messages ? culprits_of_messages(experiment, wait, cause)
                     : culprits_at_collective(experiment, wait, cause);
}

// What the causes may cost at most, as far as they are computation.
Picoseconds excess_of(const Wait& wait) {
  Picoseconds sum = 0;
  for (const Cause& c : wait.causes) sum += c.is_communication ? 0 : c.excess;
  return sum;
}

}  // namespace

std::vector<Wait> waits_of(const trace::Trace& trace, const simulate::Outcome& run) {
  std::vector<Wait> out;
  for (const simulate::DelaySite& site : run.delays) {
    Wait wait{.state = site.state,
              .call = site.call,
              .time = sum_of(site.by_stream),
              .most = *std::ranges::max_element(site.by_stream),
              .ranks = notable_ranks(as_doubles(site.by_stream), trace.threads),
              .causes = {}};
    for (const simulate::DelayCause& c : site.causes)
      wait.causes.push_back(cause_of(c, trace.threads));
    std::ranges::stable_sort(wait.causes, std::ranges::greater(), &Cause::time);
    out.push_back(std::move(wait));
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &Wait::time);
  return out;
}

Status find_waits(const Experiment& experiment, const std::vector<Wait>& waits,
                  std::vector<Finding>& out) {
  std::vector<const Wait*> candidates;
  for (const Wait& wait : waits) {
    if (excess_of(wait) >= experiment.least()) candidates.push_back(&wait);
  }
  std::ranges::stable_sort(candidates, std::ranges::greater(),
                           [](const Wait* w) { return excess_of(*w); });
  candidates.resize(std::min(candidates.size(), kMostTried));
  for (const Wait* const wait : candidates) {
    simulate::Factors factors;
    const Cause* main = nullptr;
    for (const Cause& c : wait->causes) {
      if (c.is_communication ||
          static_cast<double>(c.time) < kMinorCause * static_cast<double>(wait->time))
        continue;
      if (!main) main = &c;
      cap(factors, experiment, c.call, level_of(experiment, c));
    }
    if (!main) continue;
    const auto saved = experiment.saves(factors);
    if (!saved) return saved.error();
    if (*saved < experiment.least()) continue;
    Culprits culprits = culprits_of(experiment, *wait, *main);
    Finding f{.kind = kind_of(wait->state),
              .call = wait->call,
              .ranks = wait->ranks,
              .cost = *saved,
              .in_turn = culprits.in_turn,
              .cause = main->call,
              .culprits = std::move(culprits.ranks),
              .excess = main->excess};
    f.cause_share = static_cast<double>(main->time) / static_cast<double>(wait->time);
    if (auto found = long_executions(experiment, main->call,
                                     experiment.busiest(main->call, main->ranks), main->excess))
      f.executions = std::move(found->groups);
    out.push_back(std::move(f));
  }
  return {};
}

Picoseconds Delaying::excess() const { return weighted_mean(by_waiter); }

std::map<std::uint32_t, Delaying> delaying_computation(const simulate::Outcome& run) {
  std::map<std::uint32_t, Delaying> out;
  for (const simulate::DelaySite& site : run.delays) {
    for (const simulate::DelayCause& c : site.causes) {
      if (c.is_communication) continue;
      Delaying& all = out[c.call];
      all.by_waiter.resize(c.by_waiter.size());
      all.by_culprit.resize(c.by_culprit.size());
      for (std::size_t s = 0; s < c.by_waiter.size(); ++s) {
        all.by_waiter[s] += c.by_waiter[s];
        all.by_culprit[s] += c.by_culprit[s];
      }
    }
  }
  return out;
}

namespace {

// The stream that computes there alone: all others together do next to nothing. None: there are
// several.
std::optional<std::uint64_t> alone(const std::vector<Picoseconds>& computed) {
  constexpr double kNextToNothing = 0.05;
  const auto most = std::ranges::max_element(computed);
  const auto rest = static_cast<double>(sum_of(computed) - *most);
  if (rest > kNextToNothing * static_cast<double>(*most)) return std::nullopt;
  return static_cast<std::uint64_t>(most - computed.begin());
}

}  // namespace

Status find_serial_phases(const Experiment& experiment, std::vector<Finding>& out) {
  const std::uint64_t ranks = experiment.trace().ranks, threads = experiment.trace().threads;
  if (ranks < 3) return {};
  std::size_t tried = 0;
  for (const auto& [call, delaying] : delaying_computation(experiment.run())) {
    const Picoseconds excess = delaying.excess();
    if (excess < experiment.least()) continue;
    const std::vector<Picoseconds> computed = experiment.computed(call);
    const auto one = alone(computed);
    // Others compute elsewhere meanwhile if they wait for less than half of it.
    if (!one || 2 * excess < computed[*one]) continue;
    std::vector<double> waiting = as_doubles(delaying.by_waiter);
    for (double& w : waiting) w = 2 * w >= static_cast<double>(excess) ? w : 0;
    const Ranks waiters = notable_ranks(waiting, threads);
    if (2 * waiters.size() < ranks - 1) continue;
    if (++tried > kMostTried) break;
    simulate::Factors factors;
    cap(factors, experiment, call, computed[*one] - excess);
    const auto saved = experiment.saves(factors);
    if (!saved) return saved.error();
    if (*saved < experiment.least()) continue;
    out.push_back({.kind = FindingKind::serial_phase,
                   .call = call,
                   .ranks = {*one / threads},
                   .cost = *saved,
                   .cause = call,
                   .culprits = {*one / threads},
                   .excess = excess});
  }
  return {};
}

}  // namespace reprise::diagnose
