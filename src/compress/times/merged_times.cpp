#include "compress/times/merged_times.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "compress/times/encoded_size.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/series/series_map.hpp"
#include "trace/values/special.hpp"

namespace reprise::compress {

using trace::Bin;
using trace::CallTimes;
using trace::DeltaTimes;
using trace::Histogram;
using trace::Path;
using trace::real;
using trace::Series;
using trace::Value;

namespace {

// What the clock tells apart [ns].
constexpr double kAlikeAbsolute = 1e3;

// Computation that is worth some bytes to be replayed in its order [ns], and how many, where modes
// are the program's, or there are but so many executions; some more for each stream where modes
// last for several executions, which differ by stream. Else they are noise, which takes as little
// as arrivals do.
constexpr double kLong = 1e4;
constexpr std::size_t kMaxModeBytes = 512, kModeBytesOfStream = 16;
constexpr std::uint64_t kFewExecutions = 32;
// Blocks take the place of modes if they leave at most so much of the variance that these leave:
// modes tell the very executions.
constexpr double kOfModes = 0.25;

MergedDelta merged(const FoldedMode& mode) {
  return {mode.times, Concordance(mode.sample, mode.times.total().mean())};
}

// `number`: of what is kept of a stream.
template <class OfStream, class Number>
Series by_stream(const std::vector<OfStream>& streams, Number&& number) {
  trace::SeriesFolder folder;
  for (const OfStream& s : streams) folder.append(static_cast<std::int64_t>(number(s)));
  return folder.finish();
}

}  // namespace

double distance_of_means(double a, double b) {
  const double gap = std::abs(a - b), scale = std::max(std::abs(a), std::abs(b));
  return gap <= kAlikeAbsolute ? 0 : gap / scale;
}

MergedDelta::MergedDelta(Histogram histogram, Concordance concordance)
    : concordance_(std::move(concordance)) {
  const Bin total = histogram.total();
  streams_.push_back({total.count, total.sum, total.count == 0 ? kNoClass : std::uint8_t{0}});
  min_.value = total.min;
  max_.value = total.max;
  if (total.count > 0) classes_.push_back(std::move(histogram));
}

MergedDelta MergedDelta::absent(std::uint64_t n) {
  MergedDelta d;
  d.streams_.resize(n);
  return d;
}

void MergedDelta::append(MergedDelta&& next) {
  if (!next.classes_.empty()) {
    if (classes_.empty() || next.min_.value < min_.value) {
      min_ = {next.min_.value, next.min_.stream + streams()};
    }
    if (classes_.empty() || next.max_.value > max_.value) {
      max_ = {next.max_.value, next.max_.stream + streams()};
    }
  }
  const std::vector<std::uint8_t> number = add_classes(std::move(next.classes_));
  for (OfStream s : next.streams_) {
    if (s.number != kNoClass) s.number = number[s.number];
    streams_.push_back(s);
  }
  concordance_.merge(next.concordance_);
}

// Adds classes, and unites those that are alike, or the closest while there are too many. Returns
// the number here of each added class.
std::vector<std::uint8_t> MergedDelta::add_classes(std::vector<Histogram> more) {
  std::vector<std::uint8_t> number(classes_.size() + more.size());
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = static_cast<std::uint8_t>(i);
  const auto own = static_cast<std::ptrdiff_t>(classes_.size());
  classes_.insert(classes_.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  unite_classes(number);
  for (OfStream& s : streams_) {
    if (s.number != kNoClass) s.number = number[s.number];
  }
  number.erase(number.begin(), number.begin() + own);
  return number;
}

// `number` follows where each class goes.
void MergedDelta::unite_classes(std::vector<std::uint8_t>& number) {
  std::vector<double> means;
  for (const Histogram& h : classes_) means.push_back(h.mean());
  const auto distance = [&means](std::size_t a, std::size_t b) {
    return distance_of_means(means[a], means[b]);
  };
  unite_closest(classes_.size(), number, distance, [this, &means](std::size_t a, std::size_t b) {
    classes_[a].merge(classes_[b]);
    classes_.erase(classes_.begin() + static_cast<std::ptrdiff_t>(b));
    means.erase(means.begin() + static_cast<std::ptrdiff_t>(b));
    means[a] = classes_[a].mean();
  });
}

std::uint64_t MergedDelta::most_executions() const {
  std::uint64_t most = 0;
  for (const OfStream& s : streams_) most = std::max(most, s.count);
  return most;
}

std::uint64_t MergedDelta::executions() const {
  std::uint64_t n = 0;
  for (const OfStream& s : streams_) n += s.count;
  return n;
}

Bin MergedDelta::of_stream(std::uint64_t stream) const {
  const OfStream& s = streams_[stream];
  if (s.count == 0) return {};
  Bin out = classes_[s.number].total();
  out.squares *= real(s.count) / real(out.count);
  out.count = s.count;
  out.sum = s.sum;
  return out;
}

double MergedDelta::squares() const {
  double sum = 0;
  for (const Histogram& h : classes_) sum += h.total().squares;
  return sum;
}

DeltaTimes MergedDelta::finish(TimesPerStream per_stream) const {
  DeltaTimes out;
  if (classes_.empty()) return out;
  out.classes = classes_;
  if (per_stream == TimesPerStream::nothing) {
    for (std::size_t c = 1; c < classes_.size(); ++c) out.classes.front().merge(classes_[c]);
    out.classes.resize(1);
  }
  out.min_stream = min_.stream;
  out.max_stream = max_.stream;
  out.concordance = concordance_.share();
  out.counts = by_stream(streams_, [](const OfStream& s) { return s.count; });
  if (per_stream == TimesPerStream::classes_and_sums) {
    out.sums = by_stream(streams_, [](const OfStream& s) { return s.sum; });
  }
  if (out.classes.size() == 1) return out;
  // A stream that never came this way is put with the one before it.
  out.class_of = by_stream(streams_, [before = std::uint8_t{0}](const OfStream& s) mutable {
    return before = s.number == kNoClass ? before : s.number;
  });
  return out;
}

void MergedDelta::encode(ByteWriter& out) const {
  out.varint(classes_.size());
  for (const Histogram& h : classes_) h.encode(out);
  out.varint(streams());
  for (const OfStream& s : streams_) {
    out.varint(s.count);
    if (s.count == 0) continue;
    out.signed_varint(s.sum);
    out.byte(s.number);
  }
  for (const Extreme& e : {min_, max_}) {
    out.signed_varint(e.value);
    out.varint(e.stream);
  }
  concordance_.encode(out);
}

MergedDelta MergedDelta::decode(ByteReader& in) {
  MergedDelta d;
  std::vector<Histogram> classes(in.count());
  for (Histogram& h : classes) h = Histogram::decode(in);
  const std::size_t streams = in.count();
  d = absent(streams);
  d.classes_ = std::move(classes);
  for (OfStream& s : d.streams_) {
    s.count = in.varint();
    if (s.count == 0) continue;
    s.sum = in.signed_varint();
    s.number = in.byte();
    if (s.number >= d.classes_.size()) in.fail("a class of streams that is not there");
  }
  for (Extreme* e : {&d.min_, &d.max_}) {
    e->value = in.signed_varint();
    e->stream = in.varint();
  }
  d.concordance_ = Concordance::decode(in);
  return d;
}

MergedPath::MergedPath(const FoldedPath& path)
    : all_(merged(path.compute)), mode_of_(Series::constant(0)), blocks_(path.blocks) {
  if (path.modes.empty()) return;
  for (const FoldedMode& m : path.modes) modes_.push_back(merged(m));
  mode_of_ = StreamValues(path.mode_of);
}

MergedPath MergedPath::absent(std::uint64_t streams) {
  MergedPath p;
  p.all_ = MergedDelta::absent(streams);
  p.blocks_ = MergedBlocks::absent(streams);
  p.mode_of_ = StreamValues::absent(streams);
  return p;
}

void MergedPath::append(MergedPath&& next) {
  // To a path with modes, one without is one of the first mode only.
  const std::size_t modes = std::max(modes_.size(), next.modes_.size());
  if (modes > 0 && modes_.empty()) modes_ = {all_};
  modes_.resize(modes, MergedDelta::absent(streams()));
  for (std::size_t m = 0; m < modes; ++m) {
    const bool is_single = next.modes_.empty() && m == 0;
    modes_[m].append(is_single                ? MergedDelta(next.all_)
                     : m < next.modes_.size() ? std::move(next.modes_[m])
                                              : MergedDelta::absent(next.streams()));
  }
  blocks_.append(std::move(next.blocks_));
  all_.append(std::move(next.all_));
  mode_of_.append(std::move(next.mode_of_));
}

void MergedPath::count_runs(std::uint32_t from, std::uint32_t to, PathRuns& runs) const {
  runs.add(from, to, {mode_of_.finish(), all_.most_executions()});
}

Path MergedPath::finish(std::uint32_t from, TimesPerStream per_stream, bool do_modes_last) && {
  Path out;
  out.from = from;
  out.compute = all_.finish(per_stream);
  if (per_stream == TimesPerStream::nothing) return out;
  const bool is_long = out.compute.total().mean() >= kLong;
  Modes modes = finish_modes(is_long, do_modes_last);
  if (is_long) {
    Modes blocks = std::move(blocks_).finish(all_, kMaxModeBytes);
    const bool are_better = modes.times.empty() || blocks.left < kOfModes * modes.left;
    if (!blocks.times.empty() && are_better) modes = std::move(blocks);
  }
  out.modes = std::move(modes.times);
  out.mode_of = std::move(modes.mode_of);
  return out;
}

Modes MergedPath::finish_modes(bool is_long, bool do_modes_last) {
  Modes out;
  if (modes_.empty()) return out;
  Value mode_of = std::move(mode_of_).finish();
  const std::uint64_t executions = all_.most_executions();
  const bool is_worth_more = is_long && (executions <= kFewExecutions || do_modes_last ||
                                         is_pattern({mode_of, executions}, streams()));
  std::size_t most = is_worth_more ? kMaxModeBytes : CallTimes::kMaxArrivals;
  if (is_long && do_modes_last) most += kModeBytesOfStream * streams();
  if (encoded_size(mode_of) > most) return out;
  for (const MergedDelta& m : modes_) {
    out.left += m.squares();
    out.times.push_back(m.finish(TimesPerStream::classes));
  }
  out.mode_of = std::move(mode_of);
  return out;
}

void MergedPath::encode(ByteWriter& out) const {
  all_.encode(out);
  out.varint(modes_.size());
  for (const MergedDelta& m : modes_) m.encode(out);
  mode_of_.encode(out);
  blocks_.encode(out);
}

MergedPath MergedPath::decode(ByteReader& in) {
  MergedPath p;
  p.all_ = MergedDelta::decode(in);
  p.modes_.resize(in.count());
  for (MergedDelta& m : p.modes_) m = MergedDelta::decode(in);
  p.mode_of_ = StreamValues::decode(in);
  p.blocks_ = MergedBlocks::decode(in);
  return p;
}

MergedTimes::MergedTimes(const FoldedTimes& times, const std::vector<std::uint32_t>& site_of)
    : communicate_(times.communicate, {}) {
  const auto in_tree = [&site_of](std::uint32_t site) {
    return site < site_of.size() ? site_of[site] : site;
  };
  for (const FoldedPath& p : times.paths) {
    paths_.emplace(in_tree(p.from), MergedPath(p));
  }
  arrivals_known_ = !times.arrivals.empty() || times.communicate.empty();
  if (!times.arrivals.empty()) {
    const auto arrival_in_tree = [&](std::int64_t from) -> std::int64_t {
      return from == 0 ? 0 : std::int64_t{in_tree(static_cast<std::uint32_t>(from - 1))} + 1;
    };
    arrivals_ = StreamValues(
        trace::map_values(times.arrivals, times.communicate.total().count, arrival_in_tree));
  }
}

MergedTimes MergedTimes::absent(std::uint64_t streams) {
  MergedTimes t;
  t.communicate_ = MergedDelta::absent(streams);
  t.arrivals_ = StreamValues::absent(streams);
  return t;
}

void MergedTimes::append(MergedTimes&& next) {
  const std::uint64_t here = communicate_.streams(), there = next.communicate_.streams();
  communicate_.append(std::move(next.communicate_));
  for (auto& [from, delta] : next.paths_) {
    paths_.try_emplace(from, MergedPath::absent(here)).first->second.append(std::move(delta));
  }
  for (auto& [from, delta] : paths_) {
    if (delta.streams() == here) delta.append(MergedPath::absent(there));
  }
  arrivals_.append(std::move(next.arrivals_));
  arrivals_known_ = arrivals_known_ && next.arrivals_known_;
}

// NOLINTNEXTLINE(bugprone-easily-swappable-parameters)
std::vector<CallTimes> finish_times(std::vector<MergedTimes> sites,
                                    const std::vector<std::uint32_t>& order,
                                    const std::vector<std::uint32_t>& call_of,
                                    TimesPerStream per_stream) {
  PathRuns runs;
  for (const std::uint32_t site : order) {
    for (const auto& [from, path] : sites[site].paths_) path.count_runs(from, site, runs);
  }
  std::vector<CallTimes> out;
  for (const std::uint32_t site : order) {
    out.push_back(std::move(sites[site]).finish(site, call_of, per_stream, runs));
    sites[site] = {};
  }
  return out;
}

CallTimes MergedTimes::finish(std::uint32_t site, const std::vector<std::uint32_t>& call_of,
                              TimesPerStream per_stream, const PathRuns& runs) && {
  CallTimes out;
  out.communicate = communicate_.finish(per_stream);
  std::map<std::int64_t, std::int64_t> path_of;  // by arrival
  for (auto& [from, delta] : paths_) {
    const bool is_site = from < call_of.size();
    path_of[from == Path::kStart ? 0 : std::int64_t{from} + 1] = std::ssize(out.paths);
    out.paths.push_back(std::move(delta).finish(is_site ? call_of[from] : from, per_stream,
                                                runs.are_few(from, site)));
  }
  out.arrivals = Value::constant(out.paths.size() < 2 ? 0 : trace::kNone);
  if (out.paths.size() < 2 || !arrivals_known_) return out;
  const auto path = [&path_of](std::int64_t from) { return path_of[from]; };
  Value arrivals = std::move(arrivals_).finish();
  for (Series& s : arrivals.classes) s = trace::map_values(s, communicate_.most_executions(), path);
  if (arrivals.classes.empty()) {
    arrivals.by_stream = trace::map_values(arrivals.by_stream, communicate_.streams(), path);
  }
  if (encoded_size(arrivals) <= CallTimes::kMaxArrivals) out.arrivals = std::move(arrivals);
  return out;
}

void MergedTimes::encode(ByteWriter& out) const {
  communicate_.encode(out);
  out.varint(paths_.size());
  for (const auto& [from, delta] : paths_) {
    out.varint(from);
    delta.encode(out);
  }
  arrivals_.encode(out);
  out.byte(arrivals_known_);
}

MergedTimes MergedTimes::decode(ByteReader& in) {
  MergedTimes t;
  t.communicate_ = MergedDelta::decode(in);
  for (std::size_t n = in.count(2); n > 0 && !in.failed(); --n) {
    const auto from = static_cast<std::uint32_t>(in.varint());
    t.paths_[from] = MergedPath::decode(in);
  }
  t.arrivals_ = StreamValues::decode(in);
  t.arrivals_known_ = in.byte() != 0;
  return t;
}

}  // namespace reprise::compress
