#include "report/engine/recorded_run.hpp"

#include <algorithm>
#include <numeric>

#include "base/contract.hpp"
#include "report/engine/regular_part.hpp"
#include "trace/series/series_sum.hpp"

namespace reprise::report {

using trace::Item;

namespace {

// Zones of a block that are told apart before the rest is halved.
constexpr std::size_t kMostZones = 64;
// From so many zones on, a block whose zones are short so far counts as irregular, and is halved.
constexpr std::size_t kShortZones = 4;

// The last of several, in order of time, that begins at `t` or before. The one that was found last
// and the next are tried first, since moments are mostly asked for in order.
// REQUIRES: there is one, and the first begins at 0.
template <class T>
T& last_before(std::vector<T>& all, std::uint32_t& recent, Picoseconds t) {
  const auto holds = [&](std::size_t k) {
    return all[k].begin <= t && (k + 1 == all.size() || t < all[k + 1].begin);
  };
  if (recent < all.size() && holds(recent)) return all[recent];
  if (recent + 1 < all.size() && holds(recent + 1)) return all[++recent];
  const auto behind = std::upper_bound(all.begin() + 1, all.end(), t,
                                       [](Picoseconds at, const T& x) { return at < x.begin; });
  recent = static_cast<std::uint32_t>(behind - all.begin() - 1);
  return all[recent];
}

}  // namespace

// A group of passes of an item, and how often it repeats.
struct RecordedRun::Zone {
  std::uint64_t first = 0;   // pass
  std::uint64_t inside = 1;  // passes of the item in one group
  Picoseconds times = 1;     // groups
  Shares one;                // group
  Picoseconds length = 0;    // of one group
  Picoseconds begin = 0;     // since its block began
  Shares before;             // in its block
  std::vector<Block> children;
  std::uint32_t recent = 0;  // child
  bool is_expanded = false;
};

struct RecordedRun::Block {
  const Item* item = nullptr;
  std::vector<Zone> zones;
  Picoseconds length = 0;
  Picoseconds begin = 0;     // since its group began
  Shares before;             // in its group
  std::uint32_t recent = 0;  // zone
};

RecordedRun::RecordedRun(const trace::Trace& trace, const CallKinds& kinds, std::uint64_t stream)
    : trace_(trace),
      kinds_(kinds),
      stream_(stream),
      tree_(std::make_unique<analyze::TimingTree>(trace, stream)) {}

RecordedRun::~RecordedRun() = default;
RecordedRun::RecordedRun(RecordedRun&&) noexcept = default;

// How often an item was passed within the first `passes` of the body around it.
std::uint64_t RecordedRun::passes_of(const Item& item, std::uint64_t passes) const {
  return static_cast<std::uint64_t>(trace::sum_of(item.trips, stream_, passes));
}

CallTime RecordedRun::executions(std::uint32_t call, std::uint64_t first) const {
  return {first, trace::sum_of(tree_->compute(call), first),
          trace::wrapping_mul(tree_->communicate(call), first)};
}

Shares RecordedRun::shares_of(const Item& item, std::uint64_t begin, std::uint64_t end) const {
  Shares out;
  if (begin >= end) return out;
  if (item.is_call()) {
    const CallTime before = executions(item.call, begin), after = executions(item.call, end);
    const bool is_selected = kinds_.selected[item.call];
    out.add(Kind::compute, after.compute - before.compute, is_selected);
    out.add(kinds_.kinds[item.call], after.communicate - before.communicate, is_selected);
    return out;
  }
  for (const Item& b : item.body) out.add(shares_of(b, passes_of(b, begin), passes_of(b, end)));
  return out;
}

Picoseconds RecordedRun::length_of(const Shares& shares) const {
  Picoseconds sum = 0;
  for (const Picoseconds k : shares.kinds) sum += k;
  return sum;
}

// How many consecutive groups of so many passes, the first from `pass` on, take the same times in
// the same order; at least one, `most` at most.
std::uint64_t RecordedRun::equal_groups(const Item& item, std::uint64_t pass, std::uint64_t group,
                                        std::uint64_t most) {
  std::uint64_t out = most;
  if (item.is_call()) {
    out = std::min(out, regular_part(tree_->compute(item.call), pass, group) / group);
    return std::max<std::uint64_t>(1, out);
  }
  // Items below, with their passes in the first group and how many of them there are.
  const auto look = [&](auto&& self, const Item& body, std::uint64_t first,
                        std::uint64_t each) -> void {
    if (each == 0 || out <= 1) return;
    for (const Item& b : body.body) {
      out = std::min(out, regular_part(b.trips, stream_, first, each) / each);
      const std::uint64_t begin = passes_of(b, first);
      const std::uint64_t own = passes_of(b, first + each) - begin;
      if (own == 0) continue;
      if (b.is_call()) {
        out = std::min(out, regular_part(tree_->compute(b.call), begin, own) / own);
      } else {
        self(self, b, begin, own);
      }
      if (out <= 1) return;
    }
  };
  look(look, item, pass, group);
  return std::max<std::uint64_t>(1, out);
}

// A number of passes after which those from `pass` on may repeat: the least common multiple of the
// periods of the series below, as of that pass; 1 if it is more than `most`. It is a guess, which
// equal_groups() confirms or not.
std::uint64_t RecordedRun::period_at(const Item& item, std::uint64_t pass, std::uint64_t most) {
  std::uint64_t period = 1;
  std::vector<const Item*> nest;
  // Makes the period a multiple of that of a series over the passes of the innermost item; false if
  // there are no such passes, or the period is too long.
  const auto include = [&](const trace::Series* series) {
    std::uint64_t begin = pass, end = pass + period;
    for (const Item* i : nest) begin = passes_of(*i, begin), end = passes_of(*i, end);
    if (end <= begin) return false;
    if (!series) return true;
    const std::uint64_t own = repeat_period(*series, begin);
    period *= own / std::gcd(own, end - begin);
    return period <= most;
  };
  const auto look = [&](auto&& self, const Item& body) -> void {
    for (const Item& b : body.body) {
      if (!include(b.trips.series_of(stream_))) return;
      nest.push_back(&b);
      if (b.is_call()) {
        include(&tree_->compute(b.call));
      } else {
        self(self, b);
      }
      nest.pop_back();
    }
  };
  if (item.is_call()) {
    period = repeat_period(tree_->compute(item.call), pass);
  } else {
    look(look, item);
  }
  return period <= most ? period : 1;
}

// The zone that begins at `pass`, of passes before `end`.
RecordedRun::Zone RecordedRun::zone_at(const Item& item, std::uint64_t pass, std::uint64_t end) {
  Zone out;
  out.first = pass;
  const std::uint64_t passes = end - pass;
  std::uint64_t times = equal_groups(item, pass, 1, passes);
  if (times < passes / 2) {
    const std::uint64_t period = period_at(item, pass, passes / 2);
    if (period > 1) {
      const std::uint64_t groups = equal_groups(item, pass, period, passes / period);
      if (groups > 1 && groups * period > times) {
        out.inside = period;
        times = groups;
      }
    }
  }
  out.times = static_cast<Picoseconds>(times);
  return out;
}

RecordedRun::Block RecordedRun::block_of(const Item& item, std::uint64_t begin, std::uint64_t end) {
  Block out;
  out.item = &item;
  for (std::uint64_t pass = begin; pass < end;) {
    Zone& zone = out.zones.emplace_back(zone_at(item, pass, end));
    pass += zone.inside * static_cast<std::uint64_t>(zone.times);
    const std::size_t zones = out.zones.size();
    const bool is_irregular =
        zones >= kShortZones && pass < end && (pass - begin) / zones < (end - begin) / kMostZones;
    if (!is_irregular && (zones < kMostZones || pass == end)) continue;
    out.zones.resize(1);
    out.zones[0].first = begin;
    out.zones[0].inside = end - begin;
    out.zones[0].times = 1;
    break;
  }
  Shares before;
  for (Zone& zone : out.zones) {
    zone.one = shares_of(item, zone.first, zone.first + zone.inside);
    zone.length = length_of(zone.one);
    zone.begin = out.length;
    zone.before = before;
    before.add(zone.one, zone.times);
    out.length += zone.times * zone.length;
  }
  zones_ += out.zones.size();
  return out;
}

void RecordedRun::expand(const Item& item, Zone& zone) {
  zone.is_expanded = true;
  Picoseconds length = 0;
  Shares before;
  const auto append = [&](const Item& of, std::uint64_t begin, std::uint64_t end) {
    Block& block = zone.children.emplace_back(block_of(of, begin, end));
    block.begin = length;
    block.before = before;
    length += block.length;
    before.add(block.zones.back().before).add(block.zones.back().one, block.zones.back().times);
  };
  if (zone.inside > 1) {
    const std::uint64_t middle = zone.first + zone.inside / 2;
    append(item, zone.first, middle);
    append(item, middle, zone.first + zone.inside);
    return;
  }
  for (const Item& b : item.body) {
    const std::uint64_t begin = passes_of(b, zone.first), end = passes_of(b, zone.first + 1);
    if (begin < end) append(b, begin, end);
  }
}

RecordedRun::Block& RecordedRun::root() {
  if (!root_) root_ = std::make_unique<Block>(block_of(trace_.root, 0, passes_of(trace_.root, 1)));
  return *root_;
}

void RecordedRun::list_block(Block& block, Picoseconds at, Window window, SpanList& out) {
  for (Zone& zone : block.zones) {
    const Picoseconds length = zone.times * zone.length;
    if (at >= window.to || out.is_full()) return;
    if (at + length > window.from) list_zone(*block.item, zone, at, window, out);
    at += length;
  }
}

void RecordedRun::list_zone(const Item& item, Zone& zone, Picoseconds at, Window window,
                            SpanList& out) {
  Picoseconds left = zone.times;
  // Groups before the window.
  if (at < window.from && zone.length > 0) {
    const Picoseconds skipped = std::min(left, (window.from - at) / zone.length);
    at += skipped * zone.length;
    left -= skipped;
  }
  for (; left > 0 && at < window.to && !out.is_full(); --left) {
    if (item.is_call() && zone.inside == 1) {
      const Picoseconds communicate = tree_->communicate(item.call);
      out.add({item.call, at, zone.length - communicate, communicate});
    } else {
      if (!zone.is_expanded) expand(item, zone);
      for (Block& b : zone.children) {
        const Picoseconds child = at + b.begin;
        if (child + b.length > window.from || b.length == 0) list_block(b, child, window, out);
      }
    }
    at += zone.length;
  }
}

void RecordedRun::list(Picoseconds from, Picoseconds to, SpanList& out) {
  list_block(root(), 0, {from, to}, out);
}

Shares RecordedRun::shares_until(Picoseconds t) {
  Shares out;
  Block* block = &root();
  while (t > 0 && !block->zones.empty()) {
    Zone& zone = last_before(block->zones, block->recent, t);
    const Item& item = *block->item;
    out.add(zone.before);
    t -= zone.begin;
    if (zone.length <= 0) break;
    const Picoseconds whole = std::min(zone.times, t / zone.length);
    out.add(zone.one, whole);
    t -= whole * zone.length;
    if (whole == zone.times || t <= 0) break;
    if (item.is_call() && zone.inside == 1) {
      const bool is_selected = kinds_.selected[item.call];
      const Picoseconds compute = zone.length - tree_->communicate(item.call);
      out.add(Kind::compute, std::min(t, compute), is_selected);
      if (t > compute) out.add(kinds_.kinds[item.call], t - compute, is_selected);
      break;
    }
    if (!zone.is_expanded) expand(item, zone);
    if (zone.children.empty()) break;
    block = &last_before(zone.children, zone.recent, t);
    out.add(block->before);
    t -= block->begin;
  }
  return out;
}

void RecordedRun::add_passes(const Item& item, std::uint64_t passes,
                             std::vector<CallTime>& out) const {
  if (item.is_call()) {
    out[item.call] = executions(item.call, passes);
    return;
  }
  for (const Item& b : item.body) add_passes(b, passes_of(b, passes), out);
}

std::vector<CallTime> RecordedRun::until(Picoseconds t) const {
  std::vector<CallTime> out(trace_.calls.size());
  if (t <= 0) return out;
  const analyze::Moment moment = tree_->at(t);
  if (!moment.found) {
    add_passes(trace_.root, passes_of(trace_.root, 1), out);
    return out;
  }
  for (std::size_t level = 0; level < moment.iterations.size(); ++level) {
    const auto& [item, index, trips, pass] = moment.iterations[level];
    if (item->is_call()) break;
    const Item* next =
        level + 1 < moment.iterations.size() ? moment.iterations[level + 1].item : nullptr;
    // What stands before the way down has completed the present pass.
    bool is_before = true;
    for (const Item& b : item->body) {
      if (&b == next || (b.is_call() && b.call == moment.call)) {
        is_before = false;
        continue;
      }
      add_passes(b, passes_of(b, is_before ? pass + 1 : pass), out);
    }
  }
  CallTime& present = out[moment.call];
  present = executions(moment.call, moment.execution);
  present.compute += std::min(moment.compute, t - moment.begin);
  if (moment.is_in_mpi(t)) {
    ++present.calls;
    present.communicate += t - moment.begin - moment.compute;
  }
  return out;
}

}  // namespace reprise::report
