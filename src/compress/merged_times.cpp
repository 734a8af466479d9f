#include "compress/merged_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trace/series_folder.hpp"
#include "trace/series_map.hpp"
#include "trace/special.hpp"

namespace reprise::compress {

using trace::Bin;
using trace::CallTimes;
using trace::DeltaTimes;
using trace::Histogram;
using trace::Path;
using trace::Series;
using trace::Value;

namespace {

// Streams whose means are this close resemble each other: what each of them spent is kept exactly
// anyway, and below the second figure it is the clock that one would tell apart.
constexpr double kAlike = 0.1;          // of the larger mean
constexpr double kAlikeAbsolute = 1e3;  // [ns]

double distance(const Histogram& a, const Histogram& b) {
  const double x = a.total().mean(), y = b.total().mean();
  const double gap = std::abs(x - y), scale = std::max(std::abs(x), std::abs(y));
  return gap <= kAlikeAbsolute ? 0 : gap / scale;
}

template <class Number>
Series by_stream(const std::vector<Number>& numbers) {
  trace::SeriesFolder folder;
  for (const Number n : numbers) folder.append(static_cast<std::int64_t>(n));
  return folder.finish();
}

}  // namespace

MergedDelta::MergedDelta(Histogram histogram, Concordance concordance)
    : concordance_(std::move(concordance)) {
  const Bin total = histogram.total();
  counts_.push_back(total.count);
  sums_.push_back(total.sum);
  class_of_.push_back(total.count == 0 ? kNoClass : 0);
  min_.value = total.min;
  max_.value = total.max;
  if (total.count > 0) classes_.push_back(std::move(histogram));
}

MergedDelta MergedDelta::absent(std::uint64_t n) {
  MergedDelta d;
  d.counts_.assign(n, 0);
  d.sums_.assign(n, 0);
  d.class_of_.assign(n, kNoClass);
  return d;
}

void MergedDelta::append(const MergedDelta& next) {
  if (!next.classes_.empty()) {
    if (classes_.empty() || next.min_.value < min_.value) {
      min_ = {next.min_.value, next.min_.stream + streams()};
    }
    if (classes_.empty() || next.max_.value > max_.value) {
      max_ = {next.max_.value, next.max_.stream + streams()};
    }
  }
  const std::vector<std::uint8_t> number = add_classes(next.classes_);
  for (const std::uint8_t c : next.class_of_) {
    class_of_.push_back(c == kNoClass ? kNoClass : number[c]);
  }
  counts_.insert(counts_.end(), next.counts_.begin(), next.counts_.end());
  sums_.insert(sums_.end(), next.sums_.begin(), next.sums_.end());
  concordance_.merge(next.concordance_);
}

// Adds classes, and unites those that are alike, or the closest while there are too many. Returns
// the number here of each added class.
std::vector<std::uint8_t> MergedDelta::add_classes(const std::vector<Histogram>& more) {
  std::vector<std::uint8_t> number(classes_.size() + more.size());
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = static_cast<std::uint8_t>(i);
  const auto own = static_cast<std::ptrdiff_t>(classes_.size());
  classes_.insert(classes_.end(), more.begin(), more.end());
  unite_classes(number);
  for (std::uint8_t& c : class_of_) {
    if (c != kNoClass) c = number[c];
  }
  number.erase(number.begin(), number.begin() + own);
  return number;
}

// `number` follows where each class goes.
void MergedDelta::unite_classes(std::vector<std::uint8_t>& number) {
  while (classes_.size() > 1) {
    std::size_t a = 0, b = 1;
    double least = distance(classes_[0], classes_[1]);
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      for (std::size_t j = i + 1; j < classes_.size(); ++j) {
        const double d = distance(classes_[i], classes_[j]);
        if (d >= least) continue;
        least = d;
        a = i;
        b = j;
      }
    }
    if (least > kAlike && classes_.size() <= kMaxStreamClasses) return;
    classes_[a].merge(classes_[b]);
    classes_.erase(classes_.begin() + static_cast<std::ptrdiff_t>(b));
    for (std::uint8_t& n : number) {
      if (n == b) {
        n = static_cast<std::uint8_t>(a);
      } else if (n > b) {
        --n;
      }
    }
  }
}

std::uint64_t MergedDelta::most_executions() const {
  return counts_.empty() ? 0 : std::ranges::max(counts_);
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
  out.counts = by_stream(counts_);
  if (per_stream == TimesPerStream::classes_and_sums) out.sums = by_stream(sums_);
  if (out.classes.size() == 1) return out;
  // A stream that never came this way is put with the one before it.
  std::vector<std::uint8_t> present = class_of_;
  std::uint8_t before = 0;
  for (std::uint8_t& c : present) c = before = c == kNoClass ? before : c;
  out.class_of = by_stream(present);
  return out;
}

void MergedDelta::encode(ByteWriter& out) const {
  out.varint(classes_.size());
  for (const Histogram& h : classes_) h.encode(out);
  out.varint(streams());
  for (std::uint64_t s = 0; s < streams(); ++s) {
    out.varint(counts_[s]);
    if (counts_[s] == 0) continue;
    out.signed_varint(sums_[s]);
    out.byte(class_of_[s]);
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
  for (std::size_t s = 0; s < streams && !in.failed(); ++s) {
    d.counts_[s] = in.varint();
    if (d.counts_[s] == 0) continue;
    d.sums_[s] = in.signed_varint();
    d.class_of_[s] = in.byte();
    if (d.class_of_[s] >= d.classes_.size()) in.fail("a class of streams that is not there");
  }
  for (Extreme* e : {&d.min_, &d.max_}) {
    e->value = in.signed_varint();
    e->stream = in.varint();
  }
  d.concordance_ = Concordance::decode(in);
  return d;
}

MergedTimes::MergedTimes(const FoldedTimes& times, const std::vector<std::uint32_t>& site_of)
    : communicate_(times.communicate, {}) {
  const auto in_tree = [&site_of](std::uint32_t site) {
    return site < site_of.size() ? site_of[site] : site;
  };
  for (const FoldedPath& p : times.paths) {
    Concordance concordance(p.sample, p.compute.total().mean());
    paths_.emplace(in_tree(p.from), MergedDelta(p.compute, std::move(concordance)));
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

void MergedTimes::append(const MergedTimes& next) {
  const std::uint64_t here = communicate_.streams(), there = next.communicate_.streams();
  communicate_.append(next.communicate_);
  for (const auto& [from, delta] : next.paths_) {
    paths_.try_emplace(from, MergedDelta::absent(here)).first->second.append(delta);
  }
  for (auto& [from, delta] : paths_) {
    if (delta.streams() == here) delta.append(MergedDelta::absent(there));
  }
  arrivals_.append(next.arrivals_);
  arrivals_known_ = arrivals_known_ && next.arrivals_known_;
}

CallTimes MergedTimes::finish(const std::vector<std::uint32_t>& call_of,
                              TimesPerStream per_stream) const {
  CallTimes out;
  out.communicate = communicate_.finish(per_stream);
  std::map<std::int64_t, std::int64_t> path_of;  // by arrival
  for (const auto& [from, delta] : paths_) {
    const bool is_site = from < call_of.size();
    path_of[from == Path::kStart ? 0 : std::int64_t{from} + 1] = std::ssize(out.paths);
    out.paths.push_back({is_site ? call_of[from] : from, delta.finish(per_stream)});
  }
  out.arrivals = Value::constant(out.paths.size() < 2 ? 0 : trace::kNone);
  if (out.paths.size() < 2 || !arrivals_known_) return out;
  const auto path = [&path_of](std::int64_t from) { return path_of[from]; };
  Value arrivals = arrivals_.finish();
  for (Series& s : arrivals.classes) s = trace::map_values(s, communicate_.most_executions(), path);
  if (arrivals.classes.empty()) {
    arrivals.by_stream = trace::map_values(arrivals.by_stream, communicate_.streams(), path);
  }
  ByteWriter size;
  arrivals.encode(size);
  if (size.size() <= CallTimes::kMaxArrivals) out.arrivals = std::move(arrivals);
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
    t.paths_[from] = MergedDelta::decode(in);
  }
  t.arrivals_ = StreamValues::decode(in);
  t.arrivals_known_ = in.byte() != 0;
  return t;
}

}  // namespace reprise::compress
