#include "simulate/lower/compute_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace reprise::simulate {
namespace {

using trace::DeltaTimes;
using trace::Path;

Picoseconds to_picoseconds(double ns) {
  const double ps = ns * static_cast<double>(kPicosecondsPerNanosecond);
  return ps > 0 && ps < 9e18 ? std::llround(ps) : 0;
}

// Of each stream [ns]; 0 where it never came this way. Cost: O(streams + terms).
std::vector<double> means_of(const DeltaTimes& times, std::uint64_t streams) {
  std::vector<double> out(streams);
  if (times.classes.empty()) return out;
  std::vector<double> of_class;
  for (const trace::Histogram& h : times.classes) of_class.push_back(h.total().mean());
  trace::SeekCursor classes(times.class_of), counts(times.counts), sums(times.sums);
  for (std::uint64_t s = 0; s < streams; ++s) {
    const auto c = static_cast<std::uint64_t>(classes.next());
    const auto count = static_cast<double>(counts.next()), sum = static_cast<double>(sums.next());
    if (count <= 0) continue;
    const double estimate = of_class[c < of_class.size() ? c : 0];
    out[s] = times.sums.empty()    ? estimate
             : times.sum_step == 0 ? sum / count
                                   : estimate + sum * static_cast<double>(times.sum_step) / count;
  }
  return out;
}

std::vector<Picoseconds> scaled(const std::vector<double>& means, const std::vector<double>& by) {
  std::vector<Picoseconds> out;
  out.reserve(means.size());
  for (std::size_t s = 0; s < means.size(); ++s)
    out.push_back(to_picoseconds(means[s] * (by.empty() ? 1 : by[s])));
  return out;
}

// What the modes of a path must be multiplied with so that they add up to what the path took.
std::vector<double> corrections(const Path& path, std::uint64_t streams) {
  std::vector<double> of_modes(streams), counts(streams), out(streams, 1);
  for (const DeltaTimes& mode : path.modes) {
    const std::vector<double> means = means_of(mode, streams);
    trace::SeekCursor count(mode.counts);
    for (std::uint64_t s = 0; s < streams; ++s) {
      const auto n = static_cast<double>(std::max<std::int64_t>(0, count.next()));
      of_modes[s] += n * means[s];
      counts[s] += n;
    }
  }
  const std::vector<double> all = means_of(path.compute, streams);
  for (std::uint64_t s = 0; s < streams; ++s) {
    if (of_modes[s] > 0) out[s] = all[s] * counts[s] / of_modes[s];
  }
  return out;
}

void multiply(std::vector<Picoseconds>& spans, const std::vector<double>& factors) {
  for (std::size_t s = 0; s < spans.size(); ++s)
    spans[s] = std::llround(static_cast<double>(spans[s]) * factors[s]);
}

void limit(std::vector<Picoseconds>& spans, const std::vector<Picoseconds>& most) {
  for (std::size_t s = 0; s < spans.size(); ++s) spans[s] = std::min(spans[s], most[s]);
}

}  // namespace

ComputeTimes::ComputeTimes(const trace::Trace& trace, Compute kind, std::uint64_t seed,
                           Factors factors, Limits limits,
                           std::optional<std::uint32_t> only_sampled)
    : trace_(trace),
      kind_(kind),
      seed_(seed),
      only_sampled_(only_sampled),
      calls_(trace.calls.size()),
      factors_(std::move(factors)),
      limits_(std::move(limits)) {
  factors_.resize(calls_.size());
  limits_.resize(calls_.size());
  durations_.resize(trace.calls.size());
  if (trace.times.empty()) {
    kind_ = Compute::none;
    return;
  }
  for (std::size_t c = 0; c < trace.calls.size(); ++c) {
    const trace::CallTimes& times = trace.times[c];
    const trace::Bin duration = times.communicate.total();
    durations_[c] = duration.count ? to_picoseconds(duration.mean()) : 0;
    for (const Path& path : times.paths) {
      PathMeans& out = calls_[c].emplace_back();
      out.from = path.from;
      out.all.by_stream = scaled(means_of(path.compute, trace.streams()), {});
      if (path.modes.empty()) continue;
      const std::vector<double> by = corrections(path, trace.streams());
      for (const DeltaTimes& mode : path.modes)
        out.modes.push_back({scaled(means_of(mode, trace.streams()), by)});
    }
  }
  for (std::size_t c = 0; c < factors_.size(); ++c) {
    if (factors_[c].empty()) continue;
    for (PathMeans& path : calls_[c]) {
      multiply(path.all.by_stream, factors_[c]);
      for (Means& mode : path.modes) multiply(mode.by_stream, factors_[c]);
    }
  }
  for (std::size_t c = 0; c < limits_.size(); ++c) {
    if (limits_[c].empty()) continue;
    for (PathMeans& path : calls_[c]) {
      limit(path.all.by_stream, limits_[c]);
      for (Means& mode : path.modes) limit(mode.by_stream, limits_[c]);
    }
  }
}

Picoseconds ComputeTimes::total(std::uint64_t stream) const {
  double ns = 0;
  for (const trace::CallTimes& times : trace_.times) {
    for (const Path& path : times.paths) ns += path.compute.sum_of(stream);
  }
  return to_picoseconds(ns);
}

Picoseconds StreamTimes::next(std::uint32_t call) {
  const std::uint32_t from = std::exchange(previous_, call);
  if (times_->kind_ == Compute::none) return 0;
  const auto& paths = times_->calls_[call];
  const auto found = std::ranges::find_if(
      paths, [&](const auto& p) { return p.from == from || p.from == Path::kAny; });
  if (found == paths.end()) return 0;
  const PathTo of{call, static_cast<std::uint32_t>(found - paths.begin())};
  if (times_->is_sampled(call)) return drawn(of);
  if (found->modes.empty()) return found->all.by_stream[stream_];
  return found->modes[mode_of(of)].by_stream[stream_];
}

std::uint64_t StreamTimes::mode_of(PathTo of) {
  const Path& p = path(of);
  std::uint64_t mode = 0;
  if (const trace::Series* series = p.mode_of.series_of(stream_)) {
    auto known = std::ranges::find(patterns_, of, &Pattern::of);
    if (known == patterns_.end()) {
      patterns_.push_back({of, trace::SeekCursor(*series)});
      known = patterns_.end() - 1;
    }
    mode = static_cast<std::uint64_t>(known->modes.next());
  } else {
    mode = static_cast<std::uint64_t>(p.mode_of.constant_of(stream_));
  }
  return mode < p.modes.size() ? mode : 0;
}

Picoseconds StreamTimes::drawn(PathTo of) {
  auto known = std::ranges::find(draws_, of, &Draw::of);
  if (known == draws_.end()) {
    draws_.push_back({of, trace::PathDraw(path(of), stream_, {times_->seed_, of.call})});
    known = draws_.end() - 1;
  }
  const std::vector<double>& factors = times_->factors_[of.call];
  const std::vector<Picoseconds>& most = times_->limits_[of.call];
  const Picoseconds drawn =
      to_picoseconds(known->draw.next() * (factors.empty() ? 1 : factors[stream_]));
  return most.empty() ? drawn : std::min(drawn, most[stream_]);
}

StreamTimes::Mark StreamTimes::mark() const {
  Mark out;
  for (const Pattern& p : patterns_) out.push_back(p.modes.position());
  return out;
}

std::uint64_t StreamTimes::repeats(const Mark& before, std::uint64_t limit) const {
  if (!draws_.empty()) return 0;
  if (before.size() != patterns_.size()) return 0;
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    const std::uint64_t from = before[i], now = patterns_[i].modes.position();
    if (now == from) continue;
    const std::uint64_t until = patterns_[i].modes.periodic_until(from, now);
    if (until == trace::SeekCursor::kForever) continue;
    limit = std::min(limit, until <= now ? 0 : (until - now) / (now - from));
  }
  return limit;
}

void StreamTimes::leap(const Mark& before, std::uint64_t times) {
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    trace::SeekCursor& modes = patterns_[i].modes;
    const std::uint64_t gained = modes.position() - before[i];
    if (gained > 0) modes.seek(modes.position() + times * gained);
  }
}

}  // namespace reprise::simulate
