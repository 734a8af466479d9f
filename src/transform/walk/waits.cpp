#include "transform/walk/waits.hpp"

#include <algorithm>
#include <unordered_set>

#include "trace/values/special.hpp"
#include "transform/walk/rank_walk.hpp"

namespace reprise::transform {
namespace {

bool is_collective(const Operation& o) { return o.kind == Operation::Kind::collective; }
bool is_from_any(const Operation& o) { return !is_collective(o) && o.peer == trace::kAnySource; }
mpi::Side side_of(const Operation& message) { return {message.members, message.side}; }

const Waiting* next_of(const Deadlock& d, const Waiting& w) {
  return w.reason().peer ? d.find(*w.reason().peer) : nullptr;
}

// The ranks from one that waits to the first that is not blocked or among `known`.
std::vector<std::uint64_t> way_from(const Deadlock& d, const Waiting& start,
                                    const std::unordered_set<std::uint64_t>& known) {
  std::vector<std::uint64_t> way;
  std::unordered_set<std::uint64_t> on_way;
  for (const Waiting* at = &start; at && !known.contains(at->rank); at = next_of(d, *at)) {
    way.push_back(at->rank);
    if (!on_way.insert(at->rank).second) break;
  }
  return way;
}

void find_cycles(Deadlock& d) {
  std::unordered_set<std::uint64_t> known, leads_there;
  for (const Waiting& start : d.waiting) {
    std::vector<std::uint64_t> way = way_from(d, start, known);
    if (way.empty()) continue;
    known.insert(way.begin(), way.end());
    const auto begin = std::ranges::find(way, way.back());
    const bool is_cycle = begin != way.end() - 1;
    const Waiting* next = next_of(d, *d.find(way.back()));
    if (!is_cycle && (!next || !leads_there.contains(next->rank))) continue;
    leads_there.insert(way.begin(), way.end());
    if (!is_cycle) continue;
    std::vector<std::uint64_t>& cycle = d.cycles.emplace_back(begin, way.end() - 1);
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
  }
  std::ranges::sort(d.cycles);
  for (const auto& cycle : d.cycles) {
    for (const std::uint64_t rank : cycle) leads_there.erase(rank);
  }
  d.behind_cycles.assign(leads_there.begin(), leads_there.end());
  std::ranges::sort(d.behind_cycles);
}

}  // namespace

const Waiting* Deadlock::find(std::uint64_t rank) const {
  const auto found = std::ranges::lower_bound(waiting, rank, {}, &Waiting::rank);
  return found != waiting.end() && found->rank == rank ? &*found : nullptr;
}

Waits::Waits(const std::vector<std::unique_ptr<RankWalk>>& ranks, const Operations& operations,
             const mpi::Directory& directory, const Meetings& meetings)
    : ranks_(ranks),
      operations_(operations),
      directory_(directory),
      meetings_(meetings),
      nodes_(ranks.size() + 1) {
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const RankWalk& walk = *ranks_[r];
    if (!walk.is_blocked()) {
      if (!walk.is_finalized()) set_going(r, kNone);
      continue;
    }
    const std::vector<std::uint32_t> awaited = walk.awaited();
    nodes_[r].needed = walk.awaits_any() ? 1 : std::ssize(awaited);
    for (const std::uint32_t o : awaited) {
      const std::uint32_t node = add_node(operations_[o]);
      nodes_[node].dependents.push_back(r);
    }
  }
  set_going(unknown_node(), kNone);  // assumed; behind those of which it is known
  find_going();
  find_reasons_of_collectives();
}

void Waits::set_going(std::uint32_t node, std::uint32_t by) {
  nodes_[node].goes_on = going_.size();
  nodes_[node].by = by;
  going_.push_back(node);
}

void Waits::find_going() {
  for (std::size_t k = 0; k < going_.size(); ++k) {
    for (const std::uint32_t dependent : nodes_[going_[k]].dependents) {
      if (--nodes_[dependent].needed == 0) set_going(dependent, going_[k]);
    }
  }
}

void Waits::find_reasons_of_collectives() {
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    if (goes_on(r)) continue;
    for (const std::uint32_t d : nodes_[r].dependents) {
      if (d > unknown_node() && nodes_[d].by == kNone) nodes_[d].by = r;
    }
  }
}

std::uint32_t Waits::add_node(const Operation& o) {
  if (is_collective(o)) return add_meeting(o);
  if (is_from_any(o)) return add_senders(side_of(o));
  return node_of(o);
}

std::uint32_t Waits::add_meeting(const Operation& collective) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  const auto [entry, is_new] =
      meeting_nodes_.try_emplace(meeting_key(collective.group, collective.position), number);
  if (!is_new) return entry->second;
  const std::vector<std::uint64_t> needed = missing(collective);
  nodes_.emplace_back().needed = std::ssize(needed);
  for (const std::uint64_t r : needed) nodes_[r].dependents.push_back(number);
  if (needed.empty()) set_going(number, kNone);
  return number;
}

std::uint32_t Waits::add_senders(mpi::Side senders) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  const auto [entry, is_new] =
      senders_nodes_.try_emplace(std::pair(senders.members, senders.side), number);
  if (!is_new) return entry->second;
  nodes_.emplace_back().needed = 1;
  directory_.for_each(senders, [&](std::uint64_t r) { nodes_[r].dependents.push_back(number); });
  if (!directory_.knows_all(senders)) nodes_[unknown_node()].dependents.push_back(number);
  return number;
}

// The node of an operation. REQUIRES: it was added.
std::uint32_t Waits::node_of(const Operation& o) const {
  if (is_collective(o)) return meeting_nodes_.at(meeting_key(o.group, o.position));
  if (is_from_any(o)) return senders_nodes_.at({o.members, o.side});
  const auto peer = directory_.find(side_of(o), mpi::Rank{o.peer});
  return peer ? static_cast<std::uint32_t>(*peer) : unknown_node();
}

std::vector<std::uint64_t> Waits::missing(const Operation& collective) const {
  std::vector<std::uint64_t> came, out;
  const auto meeting = meetings_.find(meeting_key(collective.group, collective.position));
  if (meeting == meetings_.end()) return out;
  for (const std::uint32_t o : meeting->second) came.push_back(operations_[o].rank);
  std::ranges::sort(came);
  directory_.for_each(collective.members, [&](std::uint64_t r) {
    if (!std::ranges::binary_search(came, r)) out.push_back(r);
  });
  return out;
}

// A rank that ends the operation; if it never ends, a rank that prevents it.
std::optional<std::uint64_t> Waits::peer_of(const Operation& o) const {
  std::uint32_t node = node_of(o);
  if (is_from_any(o) && !goes_on(node)) {
    // No possible sender goes on: one that is blocked is a better reason than one that has ended.
    return directory_.find_if(
        side_of(o), [&](std::uint64_t r) { return r != o.rank && ranks_[r]->is_blocked(); });
  }
  if (node > unknown_node()) node = nodes_[node].by;
  return node < unknown_node() ? std::optional<std::uint64_t>(node) : std::nullopt;
}

Awaited Waits::awaited(std::uint32_t operation, std::uint32_t call) const {
  const Operation& o = operations_[operation];
  Awaited out{Awaited::For::message, peer_of(o), call, is_from_any(o)};
  if (is_collective(o)) {
    out.what = Awaited::For::collective;
    out.operation = o.call;
  } else if (o.kind == Operation::Kind::message) {
    out.what = Awaited::For::receiver;
  }
  return out;
}

Waiting Waits::waiting(std::uint64_t rank) const {
  const RankWalk& walk = *ranks_[rank];
  std::vector<std::uint32_t> operations = walk.awaited();
  // Of several that are all awaited, a send is the last to be a reason: MPI may have buffered it.
  if (!walk.awaits_any()) {
    std::ranges::stable_sort(operations, {}, [&](std::uint32_t number) {
      return operations_[number].kind == Operation::Kind::message;
    });
  }
  const auto is_reason = [&](std::uint32_t number) {
    const std::uint32_t node = node_of(operations_[number]);
    if (!goes_on(rank)) return !goes_on(node);
    return !walk.awaits_any() || node == nodes_[rank].by;
  };
  std::ranges::rotate(operations, std::ranges::find_if(operations, is_reason));
  if (!walk.awaits_any()) operations.resize(1);
  Waiting out{rank, walk.call(), {}};
  for (const std::uint32_t o : operations) out.any_of.push_back(awaited(o, walk.call()));
  return out;
}

Deadlock Waits::deadlock() const {
  Deadlock out;
  for (std::uint64_t r = 0; r < ranks_.size(); ++r) {
    if (ranks_[r]->is_blocked()) {
      out.waiting.push_back(waiting(r));
    } else {
      out.not_blocked.push_back(r);
    }
  }
  find_cycles(out);
  return out;
}

}  // namespace reprise::transform
