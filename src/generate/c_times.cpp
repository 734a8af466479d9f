#include "generate/c_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace reprise::generate {

using trace::Bin;
using trace::DeltaTimes;
using trace::Path;

namespace {

constexpr std::size_t kMaxBins = 8;  // of a distribution in the program
// A table for all ranks is worth more than a number: what it tells of one has to matter so much
// more.
constexpr double kOfOneRank = 1;

double mean_of(const Bin& bin) { return bin.mean(); }

// Four digits are more than a machine repeats.
std::string ns_text(double ns) {
  if (ns < 1) return "0";
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(ns)) - 3));
  return fmt::format("{:.0f}", std::round(ns / unit) * unit);
}

// For each rank three are enough.
double rounded(double ns) {
  if (ns < 1) return 0;
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(ns)) - 2));
  return std::round(ns / unit) * unit;
}

// The same distribution in fewer bins: neighbours with the fewest values are joined.
std::vector<Bin> fewer(std::vector<Bin> bins) {
  while (bins.size() > kMaxBins) {
    std::size_t least = 0;
    for (std::size_t i = 1; i + 1 < bins.size(); ++i) {
      if (bins[i].count + bins[i + 1].count < bins[least].count + bins[least + 1].count) least = i;
    }
    bins[least].add(bins[least + 1]);
    bins.erase(bins.begin() + static_cast<std::ptrdiff_t>(least) + 1);
  }
  return bins;
}

}  // namespace

ComputeTimes::ComputeTimes(const trace::Trace& trace, Values& values, Source& source,
                           std::function<std::size_t(std::uint32_t)> site)
    : trace_(trace), values_(values), source_(source), site_(std::move(site)) {
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

std::string ComputeTimes::by_rank(const DeltaTimes& times, double mean, std::uint32_t call,
                                  Point& point) {
  std::vector<std::int64_t> means;
  bool differ = false;
  for (const std::uint64_t s : point.streams) {
    const auto n = static_cast<double>(times.count_of(s));
    const double own = n > 0 ? times.sum_of(s) / n : mean;
    differ |= matters(kOfOneRank * n * std::abs(own - mean));
    means.push_back(static_cast<std::int64_t>(rounded(own)));
  }
  if (!differ) return ns_text(mean);
  return values_.by_stream(point.streams, means, {}, fmt::format("NS_{}", site_(call)));
}

std::string ComputeTimes::shape(const DeltaTimes& times, std::uint32_t call) {
  const auto largest = std::ranges::max_element(
      times.classes, {}, [](const trace::Histogram& h) { return h.total().count; });
  const Bin total = largest->total();
  const double streams = std::max(
      1.0, static_cast<double>(trace_.streams()) / static_cast<double>(times.classes.size()));
  if (total.mean() <= 0 ||
      !matters(0.2 * total.deviation() * static_cast<double>(total.count) / streams))
    return {};
  const std::vector<Bin> bins = fewer(largest->bins());
  if (bins.size() < 2) return {};
  std::string text;
  for (const Bin& b : bins)
    text += fmt::format("{}{}, {:.0f}", text.empty() ? "" : ", ", b.count,
                        1e6 * mean_of(b) / total.mean());
  const std::string name = source_.unique(fmt::format("SPREAD_{}", site_(call)));
  source_.need("drawn");
  source_.declare(fmt::format("static const long long {}[] = {{{}}};", name, text));
  return fmt::format("1e-6 * drawn({}, {}, {}, {})", name, bins.size(), site_(call),
                     times.concordance > 0.5 ? 1 : 0);
}

std::string ComputeTimes::delta(const DeltaTimes& times, std::uint32_t call, Point& point) {
  if (times.classes.empty()) return "0";
  const Bin total = times.total();
  const std::string mean = by_rank(times, total.mean(), call, point);
  const std::string spread = shape(times, call);
  return spread.empty() ? mean : spread + " * " + mean;
}

std::string ComputeTimes::path(const Path& path, bool is_only, std::uint32_t call, Point& point) {
  if (path.modes.empty()) return delta(path.compute, call, point);
  const double streams = static_cast<double>(point.streams.size());
  const Bin all = path.compute.total();
  bool differ = false;
  std::vector<std::string> texts;
  for (const DeltaTimes& mode : path.modes) {
    const Bin total = mode.total();
    differ |=
        matters(static_cast<double>(total.count) / streams * std::abs(total.mean() - all.mean()));
    texts.push_back(ns_text(total.mean()));
  }
  if (!differ) return delta(path.compute, call, point);
  const std::string name = fmt::format("MODE_{}", site_(call));
  std::string which;
  if (is_only) {
    which = values_.at(path.mode_of, point, {}, name);
  } else {
    // Modes go by how often this path was taken, which is counted as it is asked.
    Streams takers;
    for (const std::uint64_t s : point.streams) {
      if (path.compute.count_of(s) > 0) takers.push_back(s);
    }
    const Place counted = Place::counted();
    Point own{takers, [&](std::uint64_t s) { return path.compute.count_of(s); }, counted,
              fmt::format("by_path_{}++", site_(call))};
    own.goes_on = point.goes_on;
    which = values_.at(path.mode_of, own, {}, name);
    if (own.is_counted) source_.counter(own.counter.substr(0, own.counter.size() - 2));
  }
  // What each rank takes beside the mean of all.
  const std::string own = by_rank(path.compute, all.mean(), call, point);
  const std::string mean = ns_text(all.mean());
  const std::string factor = own == mean ? "" : fmt::format(" * {} / {}.", own, mean);
  return fmt::format("((double[]){{{}}})[{}]{}", fmt::join(texts, ", "), which, factor);
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
  std::ranges::stable_sort(paths, {}, [](const Path* p) { return p->compute.total().count; });
  const double streams = static_cast<double>(point.streams.size());
  bool differ = false;
  for (const Path* p : paths) {
    const Bin total = p->compute.total();
    differ |=
        matters(static_cast<double>(total.count) / streams * std::abs(total.mean() - all.mean()));
  }
  if (!differ || paths.size() == 1) {
    if (paths.size() == 1) return path(*paths[0], true, call, point);
    const Path* most = paths.back();
    // All are alike: where most come from tells what ranks take.
    return all.mean() < 1 ? "0"
           : matters(all.mean() * static_cast<double>(all.count) / streams)
               ? delta(most->compute, call, point)
               : ns_text(all.mean());
  }
  std::string out;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string time = path(*paths[i], false, call, point);
    if (i + 1 == paths.size()) return out + time;
    const std::uint32_t from = paths[i]->from;
    source_.need("from");
    out += from < trace_.calls.size() ? fmt::format("from({}) ? {} : ", site_(from), time)
                                      : fmt::format("from(SITES) ? {} : ", time);
  }
  return out;
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
