#include "generate/c_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "generate/rounded.hpp"
#include "trace/series_folder.hpp"
#include "trace/series_map.hpp"

namespace reprise::generate {

using trace::Bin;
using trace::DeltaTimes;
using trace::Path;

namespace {

// A table for all ranks is worth more than a number: what it tells of one has to matter so much
// more.
constexpr double kOfOneRank = 1;
// Groups of executions that explain less of the variation are no better than drawing from all.
constexpr double kOfModes = 0.5;
// From this concordance on, the same executions are long on all streams.
constexpr double kSame = 0.9;

// Four digits are more than a machine repeats.
std::string ns_text(double ns) { return fmt::format("{:.0f}", rounded(ns, 4)); }

// What is long at first is not so again later.
Reading settling() {
  Reading out;
  out.settles = true;
  return out;
}

// Executions by stream of the point.
std::vector<std::uint64_t> counts_of(const std::vector<const DeltaTimes*>& times,
                                     const Point& point) {
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t s : point.streams) {
    counts.push_back(0);
    for (const DeltaTimes* t : times) counts.back() += t->count_of(s);
  }
  return counts;
}

std::uint64_t most_of(const DeltaTimes& times, const Point& point) {
  return std::ranges::max(counts_of({&times}, point));
}

std::vector<const DeltaTimes*> times_of(const std::vector<const Path*>& paths) {
  std::vector<const DeltaTimes*> out;
  for (const Path* p : paths) out.push_back(&p->compute);
  return out;
}

// What each stream takes in all is known: of what a class varies by, that of a stream's own [ns].
double own_deviation(const DeltaTimes& times, const trace::Histogram& of_class,
                     const Point& point) {
  const Bin total = of_class.total();
  double streams = 0, between = 0;  // squared distances of their means [ns^2]
  for (const std::uint64_t s : point.streams) {
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

}  // namespace

ComputeTimes::ComputeTimes(const trace::Trace& trace, Values& values, Source& source,
                           const Detail& detail, std::function<std::size_t(std::uint32_t)> site)
    : trace_(trace),
      values_(values),
      source_(source),
      site_(std::move(site)),
      detail_(detail),
      draws_(values, source) {
  // A sum for each of a few streams tells enough.
  const std::uint64_t step = std::max<std::uint64_t>(1, trace.streams() / 64);
  for (std::uint64_t s = 0; s < trace.streams(); s += step) {
    double sum = 0;
    for (const trace::CallTimes& t : trace.times) {
      for (const Path& p : t.paths) {
        if (p.compute.count_of(s) > 0) sum += p.compute.sum_of(s);
      }
    }
    budget_ = std::max(budget_, sum);
  }
  // Beside the run as a whole, what is computed in a moment is not seen.
  budget_ = std::max(budget_, 1e3 * static_cast<double>(trace.duration));
}

std::string ComputeTimes::by_rank(const std::vector<const DeltaTimes*>& times, double mean,
                                  std::uint32_t call, Point& point) {
  std::vector<std::int64_t> means;
  bool differ = false;
  for (const std::uint64_t s : point.streams) {
    double n = 0, sum = 0;
    for (const DeltaTimes* t : times) {
      n += static_cast<double>(t->count_of(s));
      sum += t->sum_of(s);
    }
    const double own = n > 0 ? sum / n : mean;
    differ |= matters(kOfOneRank * n * std::abs(own - mean));
    means.push_back(static_cast<std::int64_t>(rounded(own, 3)));
  }
  if (!differ) return ns_text(mean);
  return values_.by_stream(point.streams, means, {}, fmt::format("NS_{}", site_(call)));
}

std::string ComputeTimes::delta(const std::vector<const DeltaTimes*>& times, const Paths& by,
                                std::uint32_t call, Point& point) {
  Bin all;
  for (const DeltaTimes* t : times) all.add(t->total());
  if (all.count == 0) return "0";
  const DeltaTimes& most =
      **std::ranges::max_element(times, {}, [](const DeltaTimes* t) { return t->total().count; });
  const std::vector<std::uint64_t> counts = counts_of(times, point);
  std::map<const trace::Histogram*, double> deviations;
  for (const trace::Histogram& h : most.classes) deviations[&h] = own_deviation(most, h, point);
  std::vector<Drawn> drawn;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const trace::Histogram* h = most.class_for(point.streams[i]);
    const double left = 1 - 1 / static_cast<double>(std::max<std::uint64_t>(1, counts[i]));
    drawn.push_back({h, h ? std::sqrt(left) * deviations[h] : 0});
  }
  if (times.size() == 1) {
    if (const auto text = listed_by_value(most, drawn, by, call, point)) return *text;
  }
  const std::string spread =
      draws_.at(site_(call), drawn, counts, noticed(), most.concordance > 0.5, point);
  // Who draws, draws around a mean of its own.
  if (spread.empty()) {
    if (const auto text = listed_by_rank(times, by, call, point)) return *text;
  }
  const std::string mean = by_rank(times, all.mean(), call, point);
  return spread.empty() ? mean : spread + " * " + mean;
}

// The stream whose modes stand for those of each of the point. Where the same executions are long
// on all, those that follow a pattern of their own owe it to noise.
Streams ComputeTimes::models(const Path& path, const Point& point) {
  if (path.compute.concordance < kSame || path.mode_of.classes.size() < 2) return point.streams;
  std::map<std::pair<std::int64_t, std::uint64_t>, Streams> by_pattern;
  for (const std::uint64_t s : point.streams)
    by_pattern[{path.mode_of.by_stream.at(s), path.compute.count_of(s)}].push_back(s);
  const auto most = std::ranges::max_element(
      by_pattern, {}, [](const auto& streams) { return streams.second.size(); });
  Streams out;
  for (const std::uint64_t s : point.streams) {
    const bool same = path.mode_of.by_stream.at(s) == most->first.first ||
                      path.compute.count_of(s) != most->first.second;
    out.push_back(same ? s : most->second.front());
  }
  return out;
}

ComputeTimes::Groups ComputeTimes::groups(const Path& path, const Point& point) const {
  Groups out;
  out.models = models(path, point);
  std::vector<bool> by_class;
  double within = 0, between = 0;  // squared distances from means [ns^2]
  for (const DeltaTimes& mode : path.modes) {
    for (const trace::Histogram& h : mode.classes) within += h.total().squares;
    const double mean = mode.total().mean();
    by_class.push_back(std::ranges::any_of(out.models, [&](std::uint64_t s) {
      const trace::Histogram* h = mode.class_for(s);
      return h &&
             matters(static_cast<double>(mode.count_of(s)) * std::abs(h->total().mean() - mean));
    }));
  }
  double told = 0;  // of the distances within, by what streams take in all
  for (const std::uint64_t s : out.models) {
    std::vector<double>& means = out.means.emplace_back();
    double n = 0, sum = 0, squares = 0;
    for (std::size_t m = 0; m < path.modes.size(); ++m) {
      const trace::Histogram* h = path.modes[m].class_for(s);
      const auto times = static_cast<double>(path.modes[m].count_of(s));
      means.push_back(!h ? 0 : by_class[m] ? h->total().mean() : path.modes[m].total().mean());
      n += times;
      sum += times * means.back();
      squares += times * means.back() * means.back();
    }
    out.sums.push_back(sum);
    if (sum <= 0) continue;
    const double apart = squares - sum * sum / n;
    between += apart;
    out.differ |= matters(std::sqrt(std::max(0.0, n * apart)));
    const double share = path.compute.sum_of(point.streams[out.sums.size() - 1]) / sum - 1;
    told += squares * share * share;
  }
  out.left = std::clamp(1 - told / std::max(1.0, within), 0.0, 1.0);
  out.differ &= between > kOfModes * (between + within);
  return out;
}

std::string ComputeTimes::shares(const Path& path, const Groups& groups, std::uint32_t call,
                                 Point& point) {
  constexpr double kUnits = 1000;
  std::vector<std::int64_t> factors;
  bool differ = false;
  for (std::size_t i = 0; i < point.streams.size(); ++i) {
    const double expected = groups.sums[i];
    const double own = expected > 0 ? path.compute.sum_of(point.streams[i]) : 0;
    differ |= matters(kOfOneRank * std::abs(own - expected));
    factors.push_back(expected > 0 ? std::llround(kUnits * own / expected) : 0);
  }
  if (!differ) return "";
  return fmt::format(
      " * {} / {}.",
      values_.by_stream(point.streams, factors, {}, fmt::format("SHARE_{}", site_(call))), kUnits);
}

trace::Value ComputeTimes::group_means(const Path& path, const Groups& groups,
                                       const Point& point) const {
  const std::uint64_t most = most_of(path.compute, point);
  std::map<std::pair<std::int64_t, std::vector<double>>, std::int64_t> known;
  std::vector<std::int64_t> class_of(trace_.streams());
  trace::Value out;
  for (std::size_t i = 0; i < point.streams.size(); ++i) {
    const std::uint64_t s = groups.models[i];
    if (path.compute.count_of(s) == 0) continue;
    const trace::Series* series = path.mode_of.series_of(s);
    const std::int64_t pattern = path.mode_of.by_stream.empty() ? 0 : path.mode_of.by_stream.at(s);
    const auto [found, is_new] = known.try_emplace({pattern, groups.means[i]},
                                                   static_cast<std::int64_t>(out.classes.size()));
    class_of[point.streams[i]] = found->second;
    if (!is_new) continue;
    const auto mean = [&](std::int64_t mode) {
      const auto m = static_cast<std::size_t>(mode);
      return static_cast<std::int64_t>(m < groups.means[i].size() ? rounded(groups.means[i][m], 4)
                                                                  : 0);
    };
    out.classes.push_back(series ? trace::map_values(*series, most, mean)
                                 : trace::Series::constant(mean(pattern)));
  }
  if (out.classes.size() == 1) return out;
  trace::SeriesFolder fold;
  for (const std::int64_t c : class_of) fold.append(c);
  out.by_stream = fold.finish();
  return out;
}

std::string ComputeTimes::path(const Path& path, bool is_only, std::uint32_t call, Point& point) {
  if (path.modes.empty())
    return delta({&path.compute}, is_only ? Paths() : Paths{&path}, call, point);
  const Groups found = groups(path, point);
  if (!found.differ) return delta({&path.compute}, is_only ? Paths() : Paths{&path}, call, point);
  const trace::Value means = group_means(path, found, point);
  const std::string name = fmt::format("NS_{}", site_(call));
  const auto usual = listed_by_execution(path, is_only, means, call, point);
  std::string mean;
  if (usual) {
    mean = *usual;
  } else if (is_only) {
    mean = values_.at(means, point, settling(), name);
  } else {
    // Groups go by how often this path was taken, which is counted as it is asked.
    Streams takers;
    for (const std::uint64_t s : point.streams) {
      if (path.compute.count_of(s) > 0) takers.push_back(s);
    }
    const Place counted = Place::counted();
    const std::string counter = fmt::format("by_path_{}", counters_ + 1);
    Point own{takers, [&](std::uint64_t s) { return path.compute.count_of(s); }, counted,
              counter + "++"};
    own.goes_on = point.goes_on;
    mean = values_.at(means, own, settling(), name);
    if (own.is_counted) {
      source_.counter(counter);
      ++counters_;
    }
  }
  // A stream draws from the mode that takes most of what it takes, or of what is not listed.
  std::vector<Drawn> drawn;
  for (const std::uint64_t s : found.models) {
    const DeltaTimes& most = *std::ranges::max_element(path.modes, {}, [&](const DeltaTimes& m) {
      return usual ? static_cast<double>(m.count_of(s)) : m.sum_of(s);
    });
    const trace::Histogram* h = most.class_for(s);
    drawn.push_back({h, h ? std::sqrt(found.left) * h->total().deviation() : 0});
  }
  const std::string spread =
      draws_.at(site_(call), drawn, counts_of({&path.compute}, point), noticed(), false, point);
  return fmt::format("{}{}{}", spread.empty() ? "" : spread + " * ", operand(mean),
                     usual ? "" : shares(path, found, call, point));
}

ComputeTimes::Paths ComputeTimes::alike(Paths paths, const Point& point) const {
  std::uint64_t executions = 0;
  for (const Path* p : paths) executions += most_of(p->compute, point);
  std::erase_if(paths, [&](const Path* p) {
    const bool varies = std::ranges::any_of(p->compute.classes, [&](const trace::Histogram& h) {
      return Draws::is_noticed(executions, h.total().deviation(), noticed());
    });
    return varies || (!p->modes.empty() && groups(*p, point).differ);
  });
  while (!paths.empty()) {
    Bin all;
    for (const Path* p : paths) all.add(p->compute.total());
    const auto apart = [&](const Path* p) {
      return static_cast<double>(most_of(p->compute, point)) *
             std::abs(p->compute.total().mean() - all.mean());
    };
    double sum = 0;
    for (const Path* p : paths) sum += apart(p);
    if (!matters(sum)) break;
    paths.erase(std::ranges::max_element(paths, {}, apart));
  }
  return paths;
}

std::string ComputeTimes::before(std::uint32_t call, Point& point) {
  if (trace_.times.empty()) return "0";
  Bin all;
  std::vector<const Path*> paths;
  for (const Path& p : trace_.times[call].paths) {
    const Bin total = p.compute.total();
    if (total.count == 0) continue;
    all.add(total);
    paths.push_back(&p);
  }
  if (paths.empty()) return "0";
  if (paths.size() == 1) return path(*paths[0], true, call, point);
  std::ranges::stable_sort(paths, {}, [](const Path* p) { return p->compute.total().count; });
  bool differ = false, matter = false;
  for (const Path* p : paths) {
    const auto n = static_cast<double>(most_of(p->compute, point));
    differ |= matters(n * std::abs(p->compute.total().mean() - all.mean()));
    matter |= matters(n * all.mean());
    differ = differ || (!p->modes.empty() && groups(*p, point).differ);
  }
  if (!differ) {
    return matter ? delta(times_of(paths), {}, call, point) : ns_text(all.mean());
  }
  // Those that nobody tells apart are one, which comes last.
  const Paths same = alike(paths, point);
  if (same.size() > 1) {
    std::erase_if(paths, [&](const Path* p) { return std::ranges::find(same, p) != same.end(); });
    paths.push_back(same.back());
  }
  std::vector<std::string> times;
  for (const Path* p : paths)
    times.push_back(same.size() > 1 && p == same.back() ? delta(times_of(same), same, call, point)
                                                        : path(*p, false, call, point));
  std::string out;
  for (std::size_t i = 0; i + 1 < paths.size(); ++i) {
    if (times[i] == times.back()) continue;
    const std::uint32_t from = paths[i]->from;
    source_.need("from");
    out += from < trace_.calls.size() ? fmt::format("from({}) ? {} : ", site_(from), times[i])
                                      : fmt::format("from(SITES) ? {} : ", times[i]);
  }
  return out + times.back();
}

std::optional<ComputeTimes::Next> ComputeTimes::after(std::uint32_t call) const {
  std::optional<Next> best;
  double most = 0;
  for (std::uint32_t c = 0; c < trace_.times.size(); ++c) {
    const Path* p = trace_.times[c].path_from(call);
    if (!p || p->from != call) continue;
    const Bin total = p->compute.total();
    const auto sum = static_cast<double>(total.sum);
    if (sum <= most || !matters(sum / static_cast<double>(trace_.streams()))) continue;
    most = sum;
    best = Next{c, ns_text(total.mean())};
  }
  return best;
}

}  // namespace reprise::generate
