#include "diagnose/experiment.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::diagnose {

Picoseconds Experiment::least() const {
  return std::max<Picoseconds>(
      1, std::llround(options_.least_share * static_cast<double>(run_.end.time)));
}

std::vector<Picoseconds> Experiment::computed(std::uint32_t call) const {
  std::vector<Picoseconds> out;
  for (const auto& calls : run_.accounts) out.push_back(calls[call].compute);
  return out;
}

std::uint64_t Experiment::busiest(std::uint32_t call, const Ranks& ranks) const {
  std::uint64_t out = ranks.front() * trace_.threads;
  for (const std::uint64_t rank : ranks) {
    for (std::uint64_t s = rank * trace_.threads; s < (rank + 1) * trace_.threads; ++s) {
      if (run_.accounts[s][call].compute > run_.accounts[out][call].compute) out = s;
    }
  }
  return out;
}

Ranks Experiment::ranks_at(std::uint32_t call) const {
  Ranks out;
  for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
    const std::uint64_t rank = s / trace_.threads;
    if (executes(s, call) && (out.empty() || out.back() != rank)) out.push_back(rank);
  }
  return out;
}

simulate::Options Experiment::plain_options() const {
  simulate::Options out = options_.simulation;
  out.paths = out.delays = false;
  out.observer = nullptr;
  return out;
}

Result<Picoseconds> Experiment::saves(const simulate::Factors& factors) const {
  simulate::Options changed = plain_options();
  changed.factors = factors;
  const auto there = simulate::simulate(trace_, machine_, changed);
  if (!there) return there.error();
  return there->blocked.empty() ? run_.end.time - there->end.time : 0;
}

Result<Picoseconds> Experiment::time_on(const simulate::Machine& machine) const {
  const auto there = simulate::simulate(trace_, machine, plain_options());
  if (!there) return there.error();
  return there->blocked.empty() ? there->end.time : run_.end.time;
}

std::optional<Picoseconds> Experiment::time_drawn(std::optional<std::uint32_t> only,
                                                  const simulate::Limits& limits) const {
  // Some seconds.
  constexpr std::uint64_t kMostDrawn = 20'000'000;
  if (run_.calls > kMostDrawn) return std::nullopt;
  simulate::Options drawn = plain_options();
  drawn.compute = simulate::Compute::sampled;
  drawn.only_sampled = only;
  drawn.limits = limits;
  const auto there = simulate::simulate(trace_, machine_, drawn);
  if (!there || !there->blocked.empty()) return std::nullopt;
  return there->end.time;
}

void cap(simulate::Factors& factors, const Experiment& experiment, std::uint32_t call,
         Picoseconds level) {
  const std::vector<Picoseconds> computed = experiment.computed(call);
  factors.resize(experiment.trace().calls.size());
  std::vector<double>& of_call = factors[call];
  of_call.resize(computed.size(), 1.0);
  for (std::size_t s = 0; s < computed.size(); ++s) {
    if (computed[s] > level)
      of_call[s] =
          static_cast<double>(std::max<Picoseconds>(0, level)) / static_cast<double>(computed[s]);
  }
}

Ranks notable_ranks(const std::vector<double>& by_stream, std::uint64_t threads) {
  constexpr double kNotable = 0.1;
  Ranks out;
  const double most = by_stream.empty() ? 0 : *std::ranges::max_element(by_stream);
  for (std::uint64_t s = 0; s < by_stream.size(); ++s) {
    if (by_stream[s] <= 0 || by_stream[s] < kNotable * most) continue;
    if (out.empty() || out.back() != s / threads) out.push_back(s / threads);
  }
  return out;
}

}  // namespace reprise::diagnose
