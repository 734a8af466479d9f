#include "write/times/computations.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "write/rounded.hpp"
#include "write/times/class_means.hpp"
#include "write/times/mode_means.hpp"

namespace reprise::write::times {
namespace {

using trace::Bin;
using trace::DeltaTimes;
using trace::Path;

using Paths = std::vector<const Path*>;

class Finder {
 public:
  Finder(const trace::Trace& trace, const std::vector<std::uint32_t>& sites, Detail detail)
      : trace_(trace),
        sites_(sites),
        detail_(detail),
        noticed_(trace),
        site_of_(trace.calls.size(), kStart) {
    for (std::size_t i = 0; i < sites.size(); ++i)
      site_of_[sites[i]] = static_cast<std::int64_t>(i);
  }

  Computations run() {
    Computations out;
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      if (sites_[i] >= trace_.times.size()) continue;
      if (trace::begins_mpi(trace::function(trace_.calls[sites_[i]].function))) continue;
      for (Computation& c : of_call(sites_[i])) {
        c.site = static_cast<std::int64_t>(i);
        out.all.push_back(std::move(c));
      }
    }
    out.spreads = distributions_.all();
    out.overlaps = overlaps();
    return out;
  }

 private:
  std::vector<std::uint64_t> counts_of(const std::vector<const DeltaTimes*>& times) const {
    std::vector<std::uint64_t> counts;
    for (const std::uint64_t s : streams_) {
      counts.push_back(0);
      for (const DeltaTimes* t : times) counts.back() += t->count_of(s);
    }
    return counts;
  }

  std::uint64_t most_of(const DeltaTimes& times) const {
    return std::ranges::max(counts_of({&times}));
  }

  static std::vector<const DeltaTimes*> times_of(const Paths& paths) {
    std::vector<const DeltaTimes*> out;
    for (const Path* p : paths) out.push_back(&p->compute);
    return out;
  }

  bool has_noticed_modes(const Path& path) const {
    return !path.modes.empty() && mode_means(path, streams_, noticed_).are_noticed;
  }

  std::vector<Computation> of_call(std::uint32_t call) {
    streams_.clear();
    Paths paths;
    Bin all;
    for (const Path& p : trace_.times[call].paths) {
      const Bin total = p.compute.total();
      if (total.count == 0) continue;
      all.add(total);
      paths.push_back(&p);
    }
    for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
      if (std::ranges::any_of(paths, [&](const Path* p) { return p->compute.count_of(s) > 0; }))
        streams_.push_back(s);
    }
    if (streams_.empty()) return {};
    if (detail_ != Detail::full) return {of_classes(call, all.mean())};
    if (paths.size() == 1) return {of_path(*paths[0])};
    std::ranges::stable_sort(paths, {}, [](const Path* p) { return p->compute.total().count; });
    bool differ = false, matter = false;
    for (const Path* p : paths) {
      const auto n = static_cast<double>(most_of(p->compute));
      differ |= noticed_.matters(n * std::abs(p->compute.total().mean() - all.mean()));
      matter |= noticed_.matters(n * all.mean());
      differ = differ || has_noticed_modes(*p);
    }
    if (!differ) {
      if (matter) return {of_delta(times_of(paths))};
      return {{.ns = rounded(all.mean(), 4)}};
    }
    return of_paths(std::move(paths));
  }

  // One mean for each class of ranks, or for all.
  Computation of_classes(std::uint32_t call, double mean) const {
    Computation out{.ns = rounded(mean, 4)};
    const std::vector<double> means = class_means(trace_, call, detail_);
    Numbers of_streams;
    bool differ = false;
    for (const std::uint64_t s : streams_) {
      of_streams.push_back(static_cast<std::int64_t>(rounded(means[s], 4)));
      differ |= of_streams.back() != of_streams.front();
    }
    if (differ) out.by_rank = by_stream(streams_, of_streams);
    return out;
  }

  // The paths that nobody tells apart are one, which comes last.
  std::vector<Computation> of_paths(Paths paths) {
    const Paths same = alike(paths);
    if (same.size() > 1) {
      std::erase_if(paths, [&](const Path* p) { return std::ranges::find(same, p) != same.end(); });
      paths.push_back(same.back());
    }
    std::vector<Computation> out;
    for (const Path* p : paths) {
      const bool is_last = p == paths.back();
      Computation c = is_last && same.size() > 1 ? of_delta(times_of(same)) : of_path(*p);
      if (!is_last) c.from = p->from < site_of_.size() ? site_of_[p->from] : kStart;
      out.push_back(std::move(c));
    }
    return out;
  }

  // Those of the paths whose times nobody tells apart, on the way of all of them.
  Paths alike(Paths paths) const {
    std::uint64_t executions = 0;
    for (const Path* p : paths) executions += most_of(p->compute);
    std::erase_if(paths, [&](const Path* p) {
      const bool varies = std::ranges::any_of(p->compute.classes, [&](const trace::Histogram& h) {
        return noticed_.is_noise_noticed(executions, h.total().deviation());
      });
      return varies || has_noticed_modes(*p);
    });
    while (!paths.empty()) {
      Bin all;
      for (const Path* p : paths) all.add(p->compute.total());
      const auto apart = [&](const Path* p) {
        return static_cast<double>(most_of(p->compute)) *
               std::abs(p->compute.total().mean() - all.mean());
      };
      double sum = 0;
      for (const Path* p : paths) sum += apart(p);
      if (!noticed_.matters(sum)) break;
      paths.erase(std::ranges::max_element(paths, {}, apart));
    }
    return paths;
  }

  // What each stream takes in all is known: of what a class varies by, that of a stream's own [ns].
  double own_deviation(const DeltaTimes& times, const trace::Histogram& of_class) const {
    const Bin total = of_class.total();
    double streams = 0, between = 0;  // squared distances of their means [ns^2]
    for (const std::uint64_t s : streams_) {
      if (times.class_for(s) != &of_class) continue;
      const auto n = static_cast<double>(times.count_of(s));
      const double apart = times.sum_of(s) / n - total.mean();
      between += n * apart * apart;
      ++streams;
    }
    const auto n = static_cast<double>(total.count);
    if (n <= streams) return total.deviation();
    return std::min(total.deviation(),
                    std::sqrt(std::max(0.0, total.squares - between) / (n - streams)));
  }

  // Of several deltas as of one.
  Computation of_delta(const std::vector<const DeltaTimes*>& times) {
    Computation out;
    Bin all;
    for (const DeltaTimes* t : times) all.add(t->total());
    if (all.count == 0) return out;
    const DeltaTimes& most =
        **std::ranges::max_element(times, {}, [](const DeltaTimes* t) { return t->total().count; });
    std::map<const trace::Histogram*, double> deviations;
    for (const trace::Histogram& h : most.classes) deviations[&h] = own_deviation(most, h);
    const std::vector<std::uint64_t> counts = counts_of(times);
    std::vector<Source> sources;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const trace::Histogram* h = most.class_for(streams_[i]);
      const double left = 1 - 1 / static_cast<double>(std::max<std::uint64_t>(1, counts[i]));
      sources.push_back({h, h ? std::sqrt(left) * deviations[h] : 0, counts[i]});
    }
    out.drawn = distributions_.draws(sources, streams_, most.is_concordant(), noticed_);
    out.ns = rounded(all.mean(), 4);
    out.by_rank = by_rank(times, all.mean());
    return out;
  }

  // The mean of each stream; empty: nobody tells them apart.
  Numbers by_rank(const std::vector<const DeltaTimes*>& times, double mean) const {
    Numbers means;
    bool differ = false;
    for (const std::uint64_t s : streams_) {
      double n = 0, sum = 0;
      for (const DeltaTimes* t : times) {
        if (t->count_of(s) == 0) continue;
        n += static_cast<double>(t->count_of(s));
        sum += t->sum_of(s);
      }
      const double own = n > 0 ? sum / n : mean;
      differ |= noticed_.matters(n * std::abs(own - mean));
      means.push_back(static_cast<std::int64_t>(rounded(own, 3)));
    }
    return differ ? by_stream(streams_, means) : Numbers{};
  }

  Computation of_path(const Path& path) {
    if (path.modes.empty()) return of_delta({&path.compute});
    const ModeMeans modes = mode_means(path, streams_, noticed_);
    if (!modes.are_noticed) return of_delta({&path.compute});
    Computation out;
    out.ns = rounded(path.compute.total().mean(), 4);
    out.by_execution = means_by_execution(path, modes, streams_, trace_.streams());
    out.executions = most_of(path.compute);
    out.shares = shares(path, modes, streams_, noticed_);
    // A stream draws from the mode that takes most of what it takes.
    const std::vector<std::uint64_t> counts = counts_of({&path.compute});
    std::vector<Source> sources;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::uint64_t s = modes.models[i];
      const DeltaTimes& most = *std::ranges::max_element(
          path.modes, {}, [&](const DeltaTimes& m) { return m.count_of(s) > 0 ? m.sum_of(s) : 0; });
      const trace::Histogram* h = most.class_for(s);
      sources.push_back({h, h ? std::sqrt(modes.left) * h->total().deviation() : 0, counts[i]});
    }
    out.drawn = distributions_.draws(sources, streams_, false, noticed_);
    return out;
  }

  // The call that most often comes next on a path with computation that matters.
  std::vector<Overlap> overlaps() const {
    std::vector<Overlap> out;
    for (std::size_t i = 0; i < sites_.size() && !trace_.times.empty(); ++i) {
      const std::uint32_t traits = trace::function(trace_.calls[sites_[i]].function).traits;
      if (!(traits & trace::traits::kComplete) || (traits & trace::traits::kPoll)) continue;
      std::optional<std::uint32_t> best;
      double most = 0, mean = 0;
      for (std::uint32_t c = 0; c < trace_.times.size(); ++c) {
        const Path* p = trace_.times[c].path_from(sites_[i]);
        if (!p || p->from != sites_[i]) continue;
        const Bin total = p->compute.total();
        const auto sum = static_cast<double>(total.sum);
        if (sum <= most || !noticed_.matters(sum / static_cast<double>(trace_.streams()))) continue;
        most = sum;
        mean = total.mean();
        best = c;
      }
      if (best && site_of_[*best] >= 0)
        out.push_back({static_cast<std::int64_t>(i), site_of_[*best], rounded(mean, 4)});
    }
    return out;
  }

  const trace::Trace& trace_;
  const std::vector<std::uint32_t>& sites_;
  Detail detail_;
  Noticed noticed_;
  std::vector<std::int64_t> site_of_;  // by call
  Streams streams_;                    // of the call that is looked at, ascending
  Distributions distributions_;
};

}  // namespace

Computations find_computations(const trace::Trace& trace, const std::vector<std::uint32_t>& sites,
                               Detail detail) {
  return Finder(trace, sites, detail).run();
}

}  // namespace reprise::write::times
