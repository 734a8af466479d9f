#include "model/samples.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

#include "base/hash.hpp"

namespace reprise::model {
namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  // Uniform in [0, 1).
  double next() { return static_cast<double>((state_ = mix(state_)) >> 11) * 0x1p-53; }
  std::size_t below(std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(next() * static_cast<double>(n)));
  }

 private:
  std::uint64_t state_;
};

double between(const Range& range, double share) {
  return range.low * std::pow(range.high / range.low, share);
}

// One number from each of n equal parts of [0, 1), in random order; or n from anywhere.
std::vector<double> shares(Random& random, std::size_t n, bool one_from_each) {
  std::vector<double> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = one_from_each ? (static_cast<double>(i) + random.next()) / static_cast<double>(n)
                           : random.next();
  }
  for (std::size_t i = n; i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
  return out;
}

}  // namespace

std::vector<Sample> draw(const SamplingOptions& o) {
  Random random(mix(o.seed));
  const auto latencies = shares(random, o.samples, o.latin_hypercube);
  const auto bandwidths = shares(random, o.samples, o.latin_hypercube);
  const auto ratios = shares(random, o.samples, o.latin_hypercube);
  std::vector<Sample> out(o.samples);
  for (std::size_t i = 0; i < o.samples; ++i) {
    // As a machine has it: in whole picoseconds.
    out[i].latency = std::round(between(o.latency, latencies[i]) * 1e12) * 1e-12;
    out[i].inverse_bandwidth = 1 / between(o.bandwidth, bandwidths[i]);
    out[i].cpu_ratio = between(o.cpu_ratio, ratios[i]);
  }
  return out;
}

simulate::Machine with_network(const simulate::Machine& machine, const simulate::Wire& wire) {
  simulate::Machine out = machine;
  out.set_latency(wire.latency);
  out.set_inverse_bandwidth(wire.inverse_bandwidth);
  return out;
}

Status simulate_at(const trace::Trace& trace, const simulate::Machine& machine,
                   const SamplingOptions& options, std::vector<Sample>& points) {
  std::atomic<std::size_t> next{0}, done{0};
  std::mutex mutex;
  std::optional<Error> error;
  const auto fail = [&](Error e) {
    const std::lock_guard lock(mutex);
    if (!error) error = std::move(e);
    next = points.size();
  };
  const auto work = [&] {
    for (std::size_t i = next++; i < points.size(); i = next++) {
      Sample& s = points[i];
      simulate::Machine here =
          with_network(machine, {std::llround(s.latency * 1e12), s.inverse_bandwidth * 1e12});
      here.cpu_ratio *= s.cpu_ratio;
      const auto out = simulate::simulate(trace, here, {});
      if (!out) return fail(out.error());
      if (!out->blocked.empty()) {
        return fail({std::string(kDeadlock)});
      }
      s.time = static_cast<double>(out->end.time) * 1e-12;
      s.beta = static_cast<double>(out->end.latencies);
      s.gamma = static_cast<double>(out->end.bytes);
      s.alpha = (s.time - s.beta * s.latency - s.gamma * s.inverse_bandwidth) * s.cpu_ratio;
      if (options.progress) options.progress(++done);
    }
  };
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> others;
  for (unsigned w = 1; w < (options.workers ? options.workers : cores); ++w)
    others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
  if (error) return *error;
  return {};
}

}  // namespace reprise::model
