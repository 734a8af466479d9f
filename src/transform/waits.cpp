#include "transform/waits.hpp"

#include <algorithm>

#include "trace/special.hpp"
#include "transform/rank_walk.hpp"

namespace reprise::transform {
namespace {

bool is_collective(const Operation& o) { return o.kind == Operation::Kind::collective; }
bool is_from_any(const Operation& o) { return !is_collective(o) && o.peer == trace::kAnySource; }
mpi::Side side_of(const Operation& message) { return {message.group, message.side}; }

}  // namespace

Waits::Waits(const std::vector<std::unique_ptr<RankWalk>>& ranks, const Operations& operations,
             const mpi::Directory& directory, const Meetings& meetings)
    : ranks_(ranks),
      operations_(operations),
      directory_(directory),
      meetings_(meetings),
      nodes_(ranks.size()) {
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const RankWalk& walk = *ranks_[r];
    if (!walk.is_blocked()) {
      if (!walk.is_finalized()) set_going(r);
      continue;
    }
    const std::vector<std::uint32_t> awaited = walk.awaited();
    nodes_[r].needed = walk.awaits_any() ? 1 : std::ssize(awaited);
    for (const std::uint32_t o : awaited) {
      const std::uint32_t node = node_of(operations_[o]);
      nodes_[node].dependents.push_back(r);
    }
  }
  for (std::size_t k = 0; k < going_.size(); ++k) {
    for (std::size_t d = 0; d < nodes_[going_[k]].dependents.size(); ++d) {
      const std::uint32_t dependent = nodes_[going_[k]].dependents[d];
      if (--nodes_[dependent].needed == 0) set_going(dependent);
    }
  }
}

void Waits::set_going(std::uint32_t node) {
  nodes_[node].goes_on = going_.size();
  going_.push_back(node);
}

// Adds what is no rank.
std::uint32_t Waits::node_of(const Operation& o) {
  if (is_collective(o)) return meeting_node(o);
  if (is_from_any(o)) return senders_node(side_of(o));
  if (const auto peer = directory_.find(side_of(o), mpi::Rank{o.peer}))
    return static_cast<std::uint32_t>(*peer);
  nodes_.emplace_back();  // an unknown rank is assumed to go on
  set_going(static_cast<std::uint32_t>(nodes_.size() - 1));
  return going_.back();
}

std::uint32_t Waits::meeting_node(const Operation& collective) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  const auto [entry, is_new] =
      meeting_nodes_.try_emplace(meeting_key(collective.group, collective.position), number);
  if (!is_new) return entry->second;
  const std::vector<std::uint64_t> needed = missing(collective);
  nodes_.emplace_back().needed = std::ssize(needed);
  for (const std::uint64_t r : needed) nodes_[r].dependents.push_back(number);
  if (needed.empty()) set_going(number);
  return number;
}

std::uint32_t Waits::senders_node(mpi::Side senders) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  const auto [entry, is_new] =
      senders_nodes_.try_emplace(std::pair(senders.group, senders.side), number);
  if (!is_new) return entry->second;
  nodes_.emplace_back().needed = 1;
  directory_.for_each(senders, [&](std::uint64_t r) { nodes_[r].dependents.push_back(number); });
  if (!directory_.knows(senders)) set_going(number);
  return number;
}

std::vector<std::uint64_t> Waits::missing(const Operation& collective) const {
  std::vector<std::uint64_t> came, out;
  const auto meeting = meetings_.find(meeting_key(collective.group, collective.position));
  if (meeting == meetings_.end()) return out;
  for (const std::uint32_t o : meeting->second) came.push_back(operations_[o].rank);
  std::ranges::sort(came);
  directory_.for_each(collective.group, [&](std::uint64_t r) {
    if (!std::ranges::binary_search(came, r)) out.push_back(r);
  });
  return out;
}

bool Waits::ends(const Operation& o, std::uint64_t limit) const {
  const auto is_going = [&](std::uint64_t r) { return goes_on(r, limit); };
  if (is_collective(o)) return std::ranges::all_of(missing(o), is_going);
  if (is_from_any(o)) {
    const mpi::Side senders = side_of(o);
    return !directory_.knows(senders) || directory_.find_if(senders, is_going).has_value();
  }
  const auto peer = directory_.find(side_of(o), mpi::Rank{o.peer});
  return !peer || is_going(*peer);
}

// A rank by which it ends; if it never does, one by which it does not.
std::optional<std::uint64_t> Waits::peer_of(const Operation& o, std::uint64_t limit) const {
  const bool does_end = limit != kNever;
  const auto is_reason = [&](std::uint64_t r) { return goes_on(r, limit) == does_end; };
  if (is_collective(o)) {
    const std::vector<std::uint64_t> ranks = missing(o);
    const auto found = std::ranges::find_if(ranks, is_reason);
    return found == ranks.end() ? std::nullopt : std::optional(*found);
  }
  if (!is_from_any(o)) return directory_.find(side_of(o), mpi::Rank{o.peer});
  // If it never ends, no possible sender goes on: one that is blocked is a better reason than one
  // that has ended.
  return directory_.find_if(side_of(o), [&](std::uint64_t r) {
    return r != o.rank && is_reason(r) && (does_end || ranks_[r]->is_blocked());
  });
}

Waiting Waits::waiting(std::uint64_t rank) const {
  const RankWalk& walk = *ranks_[rank];
  const std::uint64_t limit = nodes_[rank].goes_on;
  const std::vector<std::uint32_t> awaited = walk.awaited();
  const auto is_decisive = [&](std::uint32_t number) {
    return ends(operations_[number], limit) == (limit != kNever);
  };
  const Operation& o =
      operations_[awaited.size() == 1 ? awaited.front()
                                      : *std::ranges::find_if(awaited, is_decisive)];
  Waiting out{Waiting::For::message, rank,        walk.call(),
              peer_of(o, limit),     walk.call(), is_from_any(o)};
  if (is_collective(o)) {
    out.what = Waiting::For::collective;
    out.operation = o.call;
  } else if (o.kind == Operation::Kind::message) {
    out.what = Waiting::For::receiver;
  }
  return out;
}

Deadlock Waits::deadlock() const {
  Deadlock out;
  std::optional<std::uint64_t> first, stuck;
  for (std::uint64_t r = 0; r < ranks_.size(); ++r) {
    if (!ranks_[r]->is_blocked()) {
      out.not_blocked.push_back(r);
      continue;
    }
    ++out.blocked;
    if (!first) first = r;
    if (!stuck && !goes_on(r, kNever)) stuck = r;
  }
  std::unordered_map<std::uint64_t, std::size_t> in_chain;
  for (auto rank = stuck ? stuck : first; rank && ranks_[*rank]->is_blocked();
       rank = out.chain.back().peer) {
    const auto [entry, is_new] = in_chain.emplace(*rank, out.chain.size());
    if (!is_new) {
      out.cycle_begin = entry->second;
      break;
    }
    out.chain.push_back(waiting(*rank));
  }
  for (std::uint64_t r = 0; r < ranks_.size() && out.others.size() < kMostOthers; ++r)
    if (ranks_[r]->is_blocked() && !in_chain.contains(r)) out.others.push_back(waiting(r));
  return out;
}

}  // namespace reprise::transform
