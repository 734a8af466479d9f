#include "write/times/mode_means.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "trace/series/series_folder.hpp"
#include "trace/series/series_map.hpp"
#include "write/rounded.hpp"

namespace reprise::write::times {
namespace {

using trace::DeltaTimes;
using trace::Histogram;
using trace::Path;

// Groups of executions that explain less of the variation are no better than drawing from all.
constexpr double kOfModes = 0.5;
// From this concordance on, the same executions are long on all streams.
constexpr double kSame = 0.9;
constexpr double kUnits = 1000;  // of shares

// The stream whose modes stand for those of each of the call. Where the same executions are long on
// all, those that follow a pattern of their own owe it to noise.
Streams models_of(const Path& path, const Streams& streams) {
  if (path.compute.concordance < kSame || path.mode_of.classes.size() < 2) return streams;
  std::map<std::pair<std::int64_t, std::uint64_t>, Streams> by_pattern;
  for (const std::uint64_t s : streams)
    by_pattern[{path.mode_of.by_stream.at(s), path.compute.count_of(s)}].push_back(s);
  const auto most = std::ranges::max_element(
      by_pattern, {}, [](const auto& of_pattern) { return of_pattern.second.size(); });
  Streams out;
  for (const std::uint64_t s : streams) {
    const bool is_own = path.mode_of.by_stream.at(s) == most->first.first ||
                        path.compute.count_of(s) != most->first.second;
    out.push_back(is_own ? s : most->second.front());
  }
  return out;
}

// By mode: whether classes of streams differ noticeably in it.
std::vector<bool> differ_by_class(const Path& path, const Streams& models, const Noticed& noticed) {
  std::vector<bool> out;
  for (const DeltaTimes& mode : path.modes) {
    const double mean = mode.total().mean();
    out.push_back(std::ranges::any_of(models, [&](std::uint64_t s) {
      const Histogram* h = mode.class_for(s);
      return h && noticed.matters(static_cast<double>(mode.count_of(s)) *
                                  std::abs(h->total().mean() - mean));
    }));
  }
  return out;
}

}  // namespace

ModeMeans mode_means(const Path& path, const Streams& streams, const Noticed& noticed) {
  ModeMeans out;
  out.models = models_of(path, streams);
  const std::vector<bool> by_class = differ_by_class(path, out.models, noticed);
  double within = 0, between = 0;  // squared distances from means [ns^2]
  for (const DeltaTimes& mode : path.modes) {
    for (const Histogram& h : mode.classes) within += h.total().squares;
  }
  double told = 0;  // of the distances within, by what streams take in all
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const std::uint64_t s = out.models[i];
    std::vector<double>& means = out.means.emplace_back();
    double n = 0, sum = 0, squares = 0;
    for (std::size_t m = 0; m < path.modes.size(); ++m) {
      const Histogram* h = path.modes[m].class_for(s);
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
    out.are_noticed |= noticed.matters(std::sqrt(std::max(0.0, n * apart)));
    const double share = path.compute.sum_of(streams[i]) / sum - 1;
    told += squares * share * share;
  }
  out.left = std::clamp(1 - told / std::max(1.0, within), 0.0, 1.0);
  out.are_noticed &= between > kOfModes * (between + within);
  return out;
}

trace::Value means_by_execution(const Path& path, const ModeMeans& modes, const Streams& streams,
                                std::uint64_t all) {
  std::uint64_t most = 0;
  for (const std::uint64_t s : streams) most = std::max(most, path.compute.count_of(s));
  std::map<std::pair<std::int64_t, std::vector<double>>, std::int64_t> known;
  std::vector<std::int64_t> class_of(all);
  trace::Value out;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const std::uint64_t s = modes.models[i];
    if (path.compute.count_of(s) == 0) continue;
    const trace::Series* series = path.mode_of.series_of(s);
    const std::int64_t pattern = path.mode_of.by_stream.empty() ? 0 : path.mode_of.by_stream.at(s);
    const auto [found, is_new] =
        known.try_emplace({pattern, modes.means[i]}, static_cast<std::int64_t>(out.classes.size()));
    class_of[streams[i]] = found->second;
    if (!is_new) continue;
    const auto mean = [&](std::int64_t mode) {
      const auto m = static_cast<std::size_t>(mode);
      return static_cast<std::int64_t>(m < modes.means[i].size() ? rounded(modes.means[i][m], 4)
                                                                 : 0);
    };
    out.classes.push_back(series ? trace::map_values(*series, most, mean)
                                 : trace::Series::constant(mean(pattern)));
  }
  out.by_stream = trace::fold_numbers(class_of);
  return out;
}

Numbers shares(const Path& path, const ModeMeans& modes, const Streams& streams,
               const Noticed& noticed) {
  Numbers factors;
  bool differ = false;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const double expected = modes.sums[i];
    const double own = expected > 0 ? path.compute.sum_of(streams[i]) : 0;
    differ |= noticed.matters(std::abs(own - expected));
    factors.push_back(expected > 0 ? std::llround(kUnits * own / expected) : 0);
  }
  return differ ? by_stream(streams, factors) : Numbers{};
}

}  // namespace reprise::write::times
