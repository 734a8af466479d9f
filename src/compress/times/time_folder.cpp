#include "compress/times/time_folder.hpp"

#include <utility>

namespace reprise::compress {

using trace::Path;
using trace::TimeMode;

namespace {

// A site as arrivals name it.
std::int64_t as_arrival(std::uint32_t from) {
  return from == Path::kStart ? 0 : static_cast<std::int64_t>(from) + 1;
}

}  // namespace

void FoldedTimes::encode(ByteWriter& out) const {
  communicate.encode(out);
  out.varint(paths.size());
  for (const FoldedPath& p : paths) {
    out.varint(p.from);
    p.compute.encode(out);
    out.varint(p.modes.size());
    for (const FoldedMode& m : p.modes) m.encode(out);
    p.mode_of.encode(out);
    p.blocks.encode(out);
  }
  arrivals.encode(out);
}

FoldedTimes FoldedTimes::decode(ByteReader& in) {
  FoldedTimes t;
  t.communicate = trace::Histogram::decode(in);
  t.paths.resize(in.count(5));
  for (FoldedPath& p : t.paths) {
    p.from = static_cast<std::uint32_t>(in.varint());
    p.compute = FoldedMode::decode(in);
    p.modes.resize(in.count());
    for (FoldedMode& m : p.modes) m = FoldedMode::decode(in);
    p.mode_of = trace::Series::decode(in);
    p.blocks = TimeBlocks::decode(in);
  }
  t.arrivals = trace::Series::decode(in);
  return t;
}

void TimeFolder::add(std::uint32_t from, std::uint32_t to, StepTimes times) {
  if (to >= sites_.size()) sites_.resize(to + 1);
  if (options_.mode == TimeMode::histogram) from = Path::kAny;
  Site& site = sites_[to];
  if (site.path == kNoPath || paths_[site.path].from != from) {
    take_arrivals(site);
    site.path = find_or_add(from, to);
  }
  if (site.executions++ == 0) {
    site.communicate = trace::Histogram(options_.bins_kept(), options_.smoothing);
  }
  site.communicate.add(times.communicate);
  PathState& path = paths_[site.path];
  const bool was_whole = std::exchange(path.is_whole, false);
  path.compute.add(times.compute);
  if (options_.mode == TimeMode::paths) path.blocks.add(times.compute);
  path.is_whole = was_whole;
}

std::uint32_t TimeFolder::find_or_add(std::uint32_t from, std::uint32_t to) {
  const std::uint64_t key = std::uint64_t{from} << 32 | to;
  const std::uint32_t known = path_of_.find(key);
  if (known != kNoPath) return known;
  const auto index = static_cast<std::uint32_t>(paths_.size());
  paths_.push_back(
      {from, to, ModeFolder(options_.bins_kept(), options_.smoothing, ticks_per_ns_), {}, true});
  path_of_.set(key, index);
  return index;
}

// Brings the arrivals up to the present.
void TimeFolder::take_arrivals(Site& site) const {
  if (site.path == kNoPath || site.given_up || options_.mode == TimeMode::histogram) return;
  site.given_up = true;  // until the arrivals have been appended
  site.arrivals.append(as_arrival(paths_[site.path].from), site.executions - site.arrivals.size());
  if (site.arrivals.terms() <= kMaxTerms) {
    site.given_up = false;
  } else {
    site.arrivals = {};
  }
}

std::vector<FoldedTimes> TimeFolder::finish(double ns_per_tick) {
  const auto in_ns = [ns_per_tick](trace::Histogram h) {
    if (ns_per_tick != 1) h.scale(ns_per_tick);
    return h;
  };
  const auto mode_in_ns = [&in_ns, ns_per_tick](FoldedMode m) {
    m.times = in_ns(std::move(m.times));
    m.sample.scale(ns_per_tick);
    return m;
  };
  std::vector<FoldedTimes> out;
  for (Site& site : sites_) {
    FoldedTimes& folded = out.emplace_back();
    folded.communicate = in_ns(site.communicate);
    take_arrivals(site);
    if (!site.given_up) folded.arrivals = site.arrivals.finish();
  }
  for (PathState& p : paths_) {
    FoldedMode whole = p.compute.whole();
    if (whole.times.empty()) continue;  // memory ran out
    FoldedPath& path = out[p.to].paths.emplace_back();
    path.from = p.from;
    path.compute = mode_in_ns(std::move(whole));
    if (options_.mode != TimeMode::paths || !p.is_whole) continue;
    path.blocks = p.blocks.finish();
    path.blocks.scale(ns_per_tick);
    const std::vector<FoldedMode> modes = p.compute.modes();
    if (modes.size() < 2) continue;
    for (const FoldedMode& m : modes) path.modes.push_back(mode_in_ns(m));
    p.is_whole = false;
    path.mode_of = p.compute.mode_of();
    p.is_whole = true;
  }
  return out;
}

}  // namespace reprise::compress
