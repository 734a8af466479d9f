#include "extrapolate/times/time_samples.hpp"

#include <map>

namespace reprise::extrapolate {
namespace {

using trace::DeltaTimes;
using trace::Histogram;
using trace::Path;

// One delta in one run, as the calls of the site make it up.
struct Gathered {
  DeltaSample sample;
  Histogram histogram;
  double concordance = 0;       // weighted by executions
  const Path* modes = nullptr;  // the one path that has modes, if there is but one
  std::size_t parts = 0;
};

std::uint64_t count_of(const DeltaSample& s) {
  std::uint64_t n = 0;
  for (const std::uint64_t c : s.counts) n += c;
  return n;
}

// The classes of one delta in one histogram.
Histogram histogram_of(const DeltaTimes& times, RankClasses classes) {
  Histogram out;
  const double mean = times.total().mean();
  for (Histogram h : times.classes) {
    const double own = h.total().mean();
    if (classes == RankClasses::brought_to_one_mean && own > 0 && mean > 0) h.scale(mean / own);
    out.merge(h);
  }
  return out;
}

class Sampler {
 public:
  Sampler(const Aligned& inputs, std::span<const trace::Trace> traces, RankClasses classes)
      : inputs_(inputs), traces_(traces), classes_(classes) {}

  std::vector<DeltaSamples> run() {
    for (std::size_t r = 0; r < inputs_.runs.size(); ++r) sample_run(r);
    std::map<std::uint32_t, std::size_t> paths;  // of each site
    for (const auto& [delta, samples] : deltas_) {
      paths[delta.site] += delta.what == Delta::What::compute && delta.from != Path::kAny ? 1 : 0;
    }
    std::vector<DeltaSamples> out;
    for (auto& [delta, samples] : deltas_) {
      const bool over_paths = delta.what == Delta::What::compute && delta.from == Path::kAny;
      if (!over_paths || paths[delta.site] != 1) out.push_back(std::move(samples));
    }
    return out;
  }

 private:
  void sample_run(std::size_t r) {
    const Run& run = inputs_.runs[r];
    const trace::Trace& trace = traces_[run.input];
    std::map<Delta, Gathered> gathered;
    for (std::uint32_t call = 0; call < trace.times.size(); ++call) {
      const std::uint32_t site = run.site_of_call[call];
      if (site == Run::kNoSite) continue;
      const trace::CallTimes& times = trace.times[call];
      add(times.communicate, {site, Delta::What::communicate, Path::kAny}, trace.ranks, gathered);
      for (const Path& p : times.paths) {
        const bool is_call = p.from < run.site_of_call.size();
        const std::uint32_t from = is_call ? run.site_of_call[p.from] : p.from;
        if (is_call && from == Run::kNoSite) continue;
        const Delta delta{site, Delta::What::compute, from};
        add(p.compute, delta, trace.ranks, gathered);
        if (gathered.contains(delta)) gathered.at(delta).modes = p.modes.empty() ? nullptr : &p;
        if (from != Path::kAny) {
          add(p.compute, {site, Delta::What::compute, Path::kAny}, trace.ranks, gathered);
        }
      }
    }
    for (auto& [delta, g] : gathered) finish(r, delta, g);
  }

  void add(const DeltaTimes& times, const Delta& delta, std::uint64_t ranks,
           std::map<Delta, Gathered>& gathered) const {
    if (times.classes.empty()) return;
    Gathered& g = gathered[delta];
    ++g.parts;
    g.sample.counts.resize(ranks);
    g.sample.sums.resize(ranks);
    for (std::uint64_t s = 0; s < ranks; ++s) {
      g.sample.counts[s] += times.count_of(s);
      g.sample.sums[s] += times.sum_of(s);
    }
    g.histogram.merge(histogram_of(times, classes_));
    g.concordance += times.concordance * static_cast<double>(times.total().count);
  }

  DeltaSample finished(std::size_t r, Gathered& g) const {
    const std::uint64_t n = count_of(g.sample);
    g.sample.run = r;
    g.sample.bins = g.histogram.bins();
    g.sample.concordance = n > 0 ? g.concordance / static_cast<double>(n) : 0;
    return std::move(g.sample);
  }

  void finish(std::size_t r, const Delta& delta, Gathered& g) {
    DeltaSamples& out = deltas_[delta];
    const bool is_first = out.runs.empty();
    out.delta = delta;
    out.runs.push_back(finished(r, g));
    if (is_first) {
      take_modes(r, g, out);
    } else {
      add_modes(r, g, out);
    }
  }

  // The pattern of modes, if it is one for all ranks.
  static const trace::Series* pattern_of(const Gathered& g) {
    if (g.parts != 1 || g.modes == nullptr || g.modes->mode_of.classes.size() != 1) return nullptr;
    return &g.modes->mode_of.classes.front();
  }

  void take_modes(std::size_t r, const Gathered& g, DeltaSamples& out) {
    const trace::Series* pattern = pattern_of(g);
    if (pattern == nullptr) return;
    out.mode_of = *pattern;
    out.modes.resize(g.modes->modes.size());
    put_modes(r, g, out);
  }

  void add_modes(std::size_t r, const Gathered& g, DeltaSamples& out) {
    if (out.modes.empty()) return;
    const trace::Series* pattern = pattern_of(g);
    const bool same =
        pattern != nullptr && *pattern == out.mode_of && g.modes->modes.size() == out.modes.size();
    if (same) return put_modes(r, g, out);
    out.modes.clear();
    out.mode_of = {};
  }

  void put_modes(std::size_t r, const Gathered& g, DeltaSamples& out) {
    for (std::size_t m = 0; m < out.modes.size(); ++m) {
      std::map<Delta, Gathered> mode;
      add(g.modes->modes[m], out.delta, static_cast<std::uint64_t>(inputs_.runs[r].ranks), mode);
      out.modes[m].delta = out.delta;
      for (auto& [delta, gathered] : mode) out.modes[m].runs.push_back(finished(r, gathered));
    }
  }

  const Aligned& inputs_;
  std::span<const trace::Trace> traces_;
  RankClasses classes_;
  std::map<Delta, DeltaSamples> deltas_;
};

}  // namespace

double DeltaSample::mean() const {
  double sum = 0;
  for (const double s : sums) sum += s;
  const std::uint64_t n = count_of(*this);
  return n > 0 ? sum / static_cast<double>(n) : 0;
}

std::vector<DeltaSamples> sample_times(const Aligned& inputs, std::span<const trace::Trace> traces,
                                       RankClasses classes) {
  return Sampler(inputs, traces, classes).run();
}

}  // namespace reprise::extrapolate
