#include "convert/import/communicators.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::convert {

using Kind = CommDefinition::Kind;

SourceComms::SourceComms(std::vector<CommDefinition> comms, std::uint64_t ranks)
    : comms_(std::move(comms)), ranks_(ranks) {
  for (CommIndex c = 0; c < comms_.size(); ++c) {
    is_ascending_.push_back(std::ranges::is_sorted(comms_[c].members));
    if (comms_[c].kind == Kind::world) world_ = c;
  }
  find_layers();
}

trace::Membership SourceComms::membership(CommIndex comm, std::uint32_t rank) const {
  const CommDefinition& c = comms_[comm];
  if (c.kind == Kind::world) return {rank, static_cast<std::int64_t>(ranks_)};
  if (c.kind == Kind::self) return {0, 1};
  const auto found = is_ascending_[comm] ? std::ranges::lower_bound(c.members, rank)
                                         : std::ranges::find(c.members, rank);
  if (found == c.members.end() || *found != rank) return {};
  return {found - c.members.begin(), std::ssize(c.members)};
}

bool SourceComms::has_same_members(CommIndex a, CommIndex b) const {
  const CommDefinition &x = comms_[a], &y = comms_[b];
  const auto is_all = [&](const CommDefinition& c, CommIndex index) {
    return c.kind == Kind::world ||
           (c.members.size() == ranks_ && is_ascending_[index]);  // no member comes twice
  };
  if (x.kind == Kind::world || y.kind == Kind::world) return is_all(x, a) && is_all(y, b);
  return x.kind == y.kind && x.members == y.members;
}

// Each communicator goes into the first layer of its parent that has none of its members yet:
// definitions stand in an order of ranks, not in that in which a rank made them.
void SourceComms::find_layers() {
  std::map<CommIndex, std::vector<std::size_t>> of_parent;
  std::vector<std::unordered_set<std::uint32_t>> ranks;  // by layer
  for (CommIndex c = 0; c < comms_.size(); ++c) {
    const CommDefinition& comm = comms_[c];
    if (comm.kind != Kind::made) continue;
    std::vector<std::size_t>& candidates = of_parent[comm.parent];
    const auto found = std::ranges::find_if(candidates, [&](std::size_t layer) {
      return comms_[layers_[layer].comms.front()].says_creation == comm.says_creation &&
             std::ranges::none_of(comm.members,
                                  [&](std::uint32_t r) { return ranks[layer].contains(r); });
    });
    const std::size_t layer = found == candidates.end() ? layers_.size() : *found;
    if (layer == layers_.size()) {
      candidates.push_back(layer);
      layers_.push_back({comm.parent, {}});
      ranks.emplace_back();
    }
    layers_[layer].comms.push_back(c);
    ranks[layer].insert(comm.members.begin(), comm.members.end());
  }
}

RankComms::RankComms(const SourceComms& comms, std::uint32_t rank)
    : comms_(comms),
      rank_(rank),
      number_(comms.size(), -1),
      names_(2),
      members_{{rank, static_cast<std::int64_t>(comms.ranks())}, {0, 1}} {}

std::optional<std::int64_t> RankComms::number(CommIndex comm) const {
  switch (comms_.at(comm).kind) {
    case Kind::world: return trace::kWorld;
    case Kind::self: return trace::kSelf;
    default: return number_[comm] < 0 ? std::nullopt : std::optional(number_[comm]);
  }
}

RankComms::Made RankComms::make(CommIndex parent, std::optional<CommIndex> comm) {
  const std::int64_t on = *number(parent);
  const std::uint64_t creation = children_[on]++;
  names_.push_back({.parent = on, .members = 0, .creation = creation});
  members_.emplace_back();
  if (!comm) return {on, trace::kNull, {trace::kNone, trace::kNone}, trace::kUndefined, 0};
  const trace::Membership own = membership(*comm);
  number_[*comm] = std::ssize(names_) - 1;
  members_.back() = own;
  const std::int64_t color = comms_.membership(parent, comms_.at(*comm).members.front()).rank;
  return {on, number_[*comm], own, color, own.rank};
}

std::optional<CommIndex> RankComms::own_in(const SourceComms::Layer& layer) const {
  for (const CommIndex c : layer.comms)
    if (membership(c).is_known()) return c;
  return std::nullopt;
}

std::optional<CommIndex> RankComms::next_unmarked(CommIndex parent) {
  std::size_t skip = unmarked_[parent]++;
  for (const SourceComms::Layer& layer : comms_.layers()) {
    if (layer.parent != parent || comms_.at(layer.comms.front()).says_creation) continue;
    if (skip-- == 0) return own_in(layer);
  }
  return std::nullopt;
}

}  // namespace reprise::convert
