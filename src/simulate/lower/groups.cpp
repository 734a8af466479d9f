#include "simulate/lower/groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <tuple>

namespace reprise::simulate {
namespace {

using Members = std::vector<const Entry*>;

// Puts the processes of one new communicator in order. Several that cannot be told apart by what
// their processes say are filled one after the other. False: ranks are missing, or twice there.
bool put_in_order(Members& members, std::uint64_t size) {
  if (size == 0 || members.size() % size != 0) return false;
  std::vector<std::uint64_t> taken(size);
  Members out(members.size());
  for (const Entry* e : members) {
    if (e->rank < 0 || static_cast<std::uint64_t>(e->rank) >= size) return false;
    const std::uint64_t nth = taken[static_cast<std::uint64_t>(e->rank)]++;
    const std::uint64_t at = nth * size + static_cast<std::uint64_t>(e->rank);
    if (at >= out.size() || out[at]) return false;
    out[at] = e;
  }
  members = std::move(out);
  return true;
}

std::vector<mpi::Neighbors> neighbors_of(std::span<const Entry* const> members) {
  std::vector<mpi::Neighbors> out;
  const auto size = members.size();
  bool any = false;
  for (const Entry* e : members) {
    out.push_back(e->neighbors);
    any |= !e->neighbors.empty();
  }
  for (const Entry* e : members) {
    for (const mpi::Edge& edge : e->edges) {
      const auto from = static_cast<std::uint64_t>(edge.source);
      const auto to = static_cast<std::uint64_t>(edge.destination);
      if (from >= size || to >= size) continue;
      out[from].destinations.push_back(edge.destination);
      out[to].sources.push_back(edge.source);
      any = true;
    }
  }
  if (!any) out.clear();
  return out;
}

class Former {
 public:
  Former(const std::vector<Entry>& entries, std::uint32_t& next_id)
      : entries_(entries), next_id_(next_id) {
    formed_.groups.resize(entries.size());
  }

  void form_intra() {
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Members> parts;
    for (const Entry& e : entries_) {
      if (e.id >= 0) parts[{e.id, e.part, e.size}].push_back(&e);
    }
    for (auto& [key, members] : parts) {
      const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, std::get<2>(key)));
      if (!put_in_order(members, size)) {
        formed_.agrees = false;
        continue;
      }
      for (std::size_t i = 0; i < members.size(); i += size) {
        const std::span<const Entry* const> part(members.data() + i, size);
        auto group = make(part);
        group->neighbors = neighbors_of(part);
        for (const Entry* e : part) give(*e, group);
      }
    }
  }

  void form_inter() {
    std::map<std::pair<std::int64_t, std::int64_t>, std::map<std::uint32_t, Members>> pairs;
    for (const Entry& e : entries_) {
      if (e.id >= 0) pairs[{e.id, e.part}][e.local].push_back(&e);
    }
    for (auto& [key, sides] : pairs) {
      formed_.agrees &= sides.size() == 2;
      if (sides.size() != 2) continue;
      Members& one = sides.begin()->second;
      Members& other = std::next(sides.begin())->second;
      if (!put_in_order(one, one.size()) || !put_in_order(other, other.size())) {
        formed_.agrees = false;
        continue;
      }
      const auto first = make(one), second = make(other);
      second->id = first->id;
      first->others = second->members;
      second->others = first->members;
      for (const Entry* e : one) give(*e, first);
      for (const Entry* e : other) give(*e, second);
    }
  }

  Formed take() { return std::move(formed_); }

 private:
  std::shared_ptr<Group> make(std::span<const Entry* const> members) {
    auto group = std::make_shared<Group>();
    group->id = next_id_++;
    group->size = members.size();
    for (const Entry* e : members) group->members.push_back(e->process);
    return group;
  }

  void give(const Entry& e, const std::shared_ptr<Group>& group) {
    formed_.groups[static_cast<std::size_t>(&e - entries_.data())] = group;
  }

  const std::vector<Entry>& entries_;
  std::uint32_t& next_id_;
  Formed formed_;
};

}  // namespace

Formed form_groups(const std::vector<Entry>& entries, bool is_inter, std::uint32_t& next_id) {
  Former former(entries, next_id);
  if (is_inter) {
    former.form_inter();
  } else {
    former.form_intra();
  }
  return former.take();
}

std::vector<std::uint32_t> Group::listed() const {
  if (!is_world) return members;
  std::vector<std::uint32_t> out(size);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

mpi::Neighbors neighbors_of(const Group& group, std::int64_t rank) {
  if (!group.neighbors.empty()) return group.neighbors[static_cast<std::size_t>(rank)];
  return mpi::grid_neighbors(group.grid, rank);
}

}  // namespace reprise::simulate
