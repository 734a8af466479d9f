#include "report/engine/recorded_run.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "report/engine/regular_part.hpp"
#include "trace/series/series_sum.hpp"

namespace reprise::report {

using trace::Item;

namespace {

// Zones of a block that are told apart before the rest is halved.
constexpr std::size_t kMostZones = 64;
// Zones that are kept for a stream; then they are worked out anew.
constexpr std::size_t kMostRunsKept = 200'000;

}  // namespace

// Passes of an item that all take the same, or, if there is but one, several that do not.
struct RecordedRun::Zone {
  std::uint64_t first = 0;   // pass
  std::uint64_t inside = 1;  // passes of the item in one of the zone
  Picoseconds times = 1;     // of the zone
  Shares one;
  Picoseconds length = 0;  // of one
  bool is_expanded = false;
  std::vector<Block> children;
};

struct RecordedRun::Block {
  const Item* item = nullptr;
  std::vector<Zone> zones;
  Picoseconds length = 0;
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

// How many passes from `pass` on take the same as that one, of `passes` at most; at least one.
std::uint64_t RecordedRun::uniform_passes(const Item& item, std::uint64_t pass,
                                          std::uint64_t passes) {
  if (item.is_call()) {
    return std::clamp<std::uint64_t>(regular_part(tree_->compute(item.call), pass, 1), 1, passes);
  }
  std::uint64_t out = passes;
  // Items below, with their passes in the first pass and how many of them there are.
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
  look(look, item, pass, 1);
  return std::max<std::uint64_t>(1, out);
}

RecordedRun::Block RecordedRun::block_of(const Item& item, std::uint64_t begin, std::uint64_t end) {
  Block out;
  out.item = &item;
  for (std::uint64_t pass = begin; pass < end;) {
    Zone& zone = out.zones.emplace_back();
    zone.first = pass;
    if (out.zones.size() < kMostZones || end - pass == 1) {
      zone.times = static_cast<Picoseconds>(uniform_passes(item, pass, end - pass));
      zone.one = shares_of(item, pass, pass + 1);
      pass += static_cast<std::uint64_t>(zone.times);
    } else {
      zone.inside = end - pass;
      zone.one = shares_of(item, pass, end);
      pass = end;
    }
    zone.length = length_of(zone.one);
    out.length += zone.times * zone.length;
  }
  zones_ += out.zones.size();
  return out;
}

void RecordedRun::expand(const Item& item, Zone& zone) {
  zone.is_expanded = true;
  if (zone.inside > 1) {
    const std::uint64_t middle = zone.first + zone.inside / 2;
    zone.children.push_back(block_of(item, zone.first, middle));
    zone.children.push_back(block_of(item, middle, zone.first + zone.inside));
    return;
  }
  for (const Item& b : item.body) {
    const std::uint64_t begin = passes_of(b, zone.first), end = passes_of(b, zone.first + 1);
    if (begin < end) zone.children.push_back(block_of(b, begin, end));
  }
}

void RecordedRun::visit_block(Block& block, Picoseconds at, Window window, Visitor& visitor) {
  for (Zone& zone : block.zones) {
    const Picoseconds length = zone.times * zone.length;
    if (at >= window.to || visitor.is_full()) return;
    if (at + length > window.from) visit_zone(*block.item, zone, at, window, visitor);
    at += length;
  }
}

void RecordedRun::visit_zone(const Item& item, Zone& zone, Picoseconds at, Window window,
                             Visitor& visitor) {
  Picoseconds left = zone.times;
  // Passes before the window.
  if (at < window.from && zone.length > 0) {
    const Picoseconds skipped = std::min(left, (window.from - at) / zone.length);
    at += skipped * zone.length;
    left -= skipped;
  }
  while (left > 0 && at < window.to && !visitor.is_full()) {
    const Picoseconds room = at >= window.from ? visitor.whole_until(at) - at : 0;
    const Picoseconds whole =
        zone.length > 0 ? std::min(left, room / zone.length) : (room > 0 ? left : 0);
    if (whole > 0) {
      visitor.passes(at, at + whole * zone.length, zone.one, whole);
      at += whole * zone.length;
      left -= whole;
      continue;
    }
    if (item.is_call() && zone.inside == 1) {
      const Picoseconds communicate = tree_->communicate(item.call);
      visitor.span({item.call, at, zone.length - communicate, communicate});
    } else {
      if (!zone.is_expanded) expand(item, zone);
      Picoseconds child = at;
      for (Block& b : zone.children) {
        if (child + b.length > window.from || b.length == 0) visit_block(b, child, window, visitor);
        child += b.length;
      }
    }
    at += zone.length;
    --left;
  }
}

void RecordedRun::visit(Picoseconds from, Picoseconds to, Visitor& visitor) {
  if (!root_ || zones_ > kMostRunsKept) {
    zones_ = 0;
    root_ = std::make_unique<Block>(block_of(trace_.root, 0, passes_of(trace_.root, 1)));
  }
  visit_block(*root_, 0, {from, to}, visitor);
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
