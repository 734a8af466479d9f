#include "extrapolate/times/delta_times.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "compress/times/merged_times.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/series/series_map.hpp"
#include "trace/series/series_sum.hpp"
#include "trace/times/bin.hpp"
#include "trace/times/make_histogram.hpp"

namespace reprise::extrapolate {
namespace {

using OfBin = HistogramFields::OfBin;
using trace::Bin;
using trace::DeltaTimes;
using trace::Series;

// Up to so many ranks each gets its own share of what rules leave over. On more, sums that follow
// no rule would take the larger part of the trace.
constexpr std::uint64_t kMostApart = 4096;
// Ratios are told apart to this share; what is left is as good as equal.
constexpr double kRatioSteps = 512;
constexpr double kAlike = 0.1;          // as the recorder has it (compress/times/merged_times.cpp)
constexpr double kAlikeAbsolute = 1e3;  // [ns]
constexpr double kMostTime = 0x1p61;    // [ns]

using trace::real;

// 0 for what is no number.
std::int64_t whole(double ns) { return ns > 0 ? std::llround(std::min(ns, kMostTime)) : 0; }

// a + b * n, or the most that can be said.
std::int64_t add_times(std::int64_t a, std::int64_t b, std::uint64_t n) {
  const double sum = static_cast<double>(a) + static_cast<double>(b) * real(n);
  return sum < kMostTime ? a + b * static_cast<std::int64_t>(n) : std::llround(kMostTime);
}

// Ranks that take about as long.
struct Group {
  double ratio = 0;  // mean, by executions
  double executions = 0;
};

// Neighbors become one until there are few and they lie apart, as the recorder does with classes.
std::vector<Group> group(const std::map<std::int64_t, Group>& ratios, double mean) {
  std::vector<Group> out;
  for (const auto& [step, g] : ratios) out.push_back(g);
  while (out.size() > 1) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < out.size(); ++i) {
      const double gap = out[i + 1].ratio - out[i].ratio;
      const double distance = gap * mean <= kAlikeAbsolute ? 0 : gap / out[i + 1].ratio;
      if (distance >= least) continue;
      least = distance;
      best = i;
    }
    if (least > kAlike && out.size() <= compress::kMaxStreamClasses) break;
    Group &a = out[best], &b = out[best + 1];
    const double all = a.executions + b.executions;
    a.ratio = (a.ratio * a.executions + b.ratio * b.executions) / all;
    a.executions = all;
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  return out;
}

// So many executions, by the shares of the bins: the largest remainders are rounded up.
std::vector<std::uint64_t> dealt(const std::vector<double>& shares, std::uint64_t executions) {
  std::vector<std::uint64_t> out;
  std::vector<std::pair<double, std::size_t>> remainders;
  std::uint64_t given = 0;
  for (std::size_t b = 0; b < shares.size(); ++b) {
    const double exact = shares[b] * real(executions);
    const std::uint64_t n = std::min(static_cast<std::uint64_t>(exact), executions - given);
    out.push_back(n);
    given += n;
    remainders.emplace_back(real(n) - exact, b);
  }
  // Shares add up to one but for their rounding, which may be many executions.
  const std::uint64_t each = (executions - given) / out.size();
  for (std::uint64_t& n : out) n += each;
  given += each * out.size();
  std::ranges::sort(remainders);
  for (std::size_t i = 0; given < executions; ++given, ++i) {
    ++out[remainders[i % remainders.size()].second];
  }
  return out;
}

// A histogram of `executions` values that add up to `sum` [ns].
trace::Histogram histogram_of(const TimeLaw& law, const std::vector<double>& fields,
                              std::uint64_t executions, std::int64_t sum) {
  const double mean = static_cast<double>(sum) / real(executions);
  const double of_law = fields[HistogramFields::kMean];
  const double ratio = of_law > 0 ? mean / of_law : 0;
  const std::vector<std::uint64_t> counts = dealt(law.shares, executions);
  std::vector<Bin> bins;
  std::int64_t left = sum;
  double expected_left = 0;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    expected_left += real(counts[b]) * fields[HistogramFields::index(b, OfBin::mean)];
  }
  for (std::size_t b = 0; b < counts.size(); ++b) {
    if (counts[b] == 0) continue;
    const auto field = [&](OfBin f) { return ratio * fields[HistogramFields::index(b, f)]; };
    const double expected = real(counts[b]) * fields[HistogramFields::index(b, OfBin::mean)];
    Bin& bin = bins.emplace_back();
    bin.count = counts[b];
    // A share of what is left, so that the last bin makes the sum exact.
    bin.sum = expected_left > 0 ? whole(static_cast<double>(left) * expected / expected_left) : 0;
    bin.sum = std::min(bin.sum, left);
    left -= bin.sum;
    expected_left = std::max(0.0, expected_left - expected);
    bin.min = whole(std::floor(field(OfBin::min)));
    bin.max = whole(std::ceil(field(OfBin::max)));
    bin.squares = real(bin.count) * field(OfBin::deviation) * field(OfBin::deviation);
  }
  if (!bins.empty()) bins.back().sum += left;
  return trace::make_histogram(std::move(bins));
}

}  // namespace

DeltaMaker::DeltaMaker(std::span<const std::uint32_t> class_of, std::span<const double> point,
                       bool keeps_rank_sums)
    : ranks_(class_of.size()),
      point_(point.begin(), point.end()),
      keeps_rank_sums_(keeps_rank_sums) {
  for (const std::uint32_t c : class_of) {
    if (runs_.empty() || runs_.back().first != c) runs_.emplace_back(c, 0);
    ++runs_.back().second;
  }
}

std::vector<DeltaMaker::Stretch> DeltaMaker::stretches_of(
    const TimeLaw& law, double mean, const std::vector<std::uint64_t>& counts) const {
  std::vector<Stretch> out;
  const auto put = [&](std::uint64_t streams, std::uint64_t count, double ratio) {
    if (!out.empty() && out.back().count == count && (count == 0 || out.back().ratio == ratio)) {
      out.back().streams += streams;
      return;
    }
    out.push_back({streams, count, ratio, whole(real(count) * mean * ratio)});
  };
  const RankProfile& profile = law.profile;
  const bool apart = ranks_ <= kMostApart && !profile.spread().empty();
  const bool by_class = !apart && (profile.rule() == RankProfile::Rule::even ||
                                   profile.rule() == RankProfile::Rule::part);
  std::uint64_t rank = 0;
  for (const auto& [c, streams] : runs_) {
    if (by_class || counts[c] == 0) {
      put(streams, counts[c], counts[c] == 0 ? 1 : profile.ratio(rank, ranks_, parts_[c]));
      rank += streams;
      continue;
    }
    for (const std::uint64_t end = rank + streams; rank < end; ++rank) {
      const double left_over = apart ? profile.left_over(rank, law.order) : 1;
      put(1, counts[c], profile.ratio(rank, ranks_, parts_[c]) * left_over);
    }
  }
  return out;
}

DeltaTimes DeltaMaker::assemble(const TimeLaw& law, const std::vector<Stretch>& stretches) const {
  DeltaTimes out;
  const std::vector<double> fields = fields_of(law);
  std::map<std::int64_t, Group> ratios;
  for (const Stretch& s : stretches) {
    if (s.count == 0) continue;
    Group& g = ratios[std::llround(s.ratio * kRatioSteps)];
    const double more = real(s.count) * real(s.streams);
    g.ratio = (g.ratio * g.executions + s.ratio * more) / (g.executions + more);
    g.executions += more;
  }
  if (ratios.empty()) return out;
  const std::vector<Group> groups = group(ratios, fields[HistogramFields::kMean]);
  const auto group_of = [&](double ratio) {
    const auto nearest = std::ranges::min_element(
        groups, {}, [&](const Group& g) { return std::abs(g.ratio - ratio); });
    return static_cast<std::size_t>(nearest - groups.begin());
  };
  trace::SeriesFolder counts, sums, classes;
  std::vector<std::uint64_t> executions(groups.size(), 0);
  std::vector<std::int64_t> spent(groups.size(), 0);
  std::vector<std::uint64_t> number(stretches.size());
  double least = 0, most = 0;
  std::uint64_t rank = 0;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const Stretch& s = stretches[i];
    counts.append(static_cast<std::int64_t>(s.count), s.streams);
    sums.append(s.sum, s.streams);
    if (s.count > 0) {
      number[i] = group_of(s.ratio);
      executions[number[i]] += s.count * s.streams;
      spent[number[i]] = add_times(spent[number[i]], s.sum, s.streams);
      if (least == 0 || s.ratio < least) {
        least = s.ratio;
        out.min_stream = rank;
      }
      if (s.ratio > most) {
        most = s.ratio;
        out.max_stream = rank;
      }
    } else if (i > 0) {
      number[i] = number[i - 1];  // a stream that never came is put with the one before it
    }
    rank += s.streams;
  }
  // Groups that no stream is nearest to are none.
  std::vector<std::int64_t> class_of(groups.size(), 0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    class_of[g] = std::ssize(out.classes);
    if (executions[g] == 0) continue;
    out.classes.push_back(histogram_of(law, fields, executions[g], spent[g]));
  }
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    classes.append(class_of[number[i]], stretches[i].streams);
  }
  if (out.classes.size() > 1) out.class_of = classes.finish();
  out.counts = counts.finish();
  if (keeps_rank_sums_) out.sums = sums.finish();
  out.concordance = law.concordance;
  return out;
}

std::vector<double> DeltaMaker::fields_of(const TimeLaw& law) const {
  const std::uint32_t site = law.delta.site;
  return law.fields_at(point_of(law, point_, site < sizes_.size() ? sizes_[site] : CallSize()));
}

DeltaTimes DeltaMaker::make(const TimeLaw& law, const std::vector<std::uint64_t>& counts) {
  const double mean = fields_of(law)[HistogramFields::kMean];
  const std::vector<Stretch> stretches = stretches_of(law, mean, counts);
  for (const Stretch& s : stretches) spent_ += real(s.streams) * static_cast<double>(s.sum);
  return assemble(law, stretches);
}

DeltaTimes DeltaMaker::make_mode(const TimeLaw& law, std::size_t mode,
                                 const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> of_mode;
  for (const std::uint64_t n : counts) {
    const Series is_mode = trace::map_values(law.mode_of, n, [&](std::int64_t m) -> std::int64_t {
      return m == static_cast<std::int64_t>(mode) ? 1 : 0;
    });
    of_mode.push_back(n == 0 ? 0 : static_cast<std::uint64_t>(trace::sum_of(is_mode, n)));
  }
  const double mean = fields_of(law.modes[mode])[HistogramFields::kMean];
  DeltaTimes out = assemble(law.modes[mode], stretches_of(law.modes[mode], mean, of_mode));
  out.sums = {};
  return out;
}

}  // namespace reprise::extrapolate
