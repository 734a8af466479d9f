// Lowering: communicators, windows and files come to be.
#include <algorithm>
#include <string_view>

#include "mpi/communicators/communicators.hpp"
#include "simulate/collectives/exchanges.hpp"
#include "simulate/lower/lowerer.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::simulate {
namespace {

// Meetings that no communicator numbers: above the numbers of all groups.
constexpr std::uint64_t kByWhatIsMade = std::uint64_t{1} << 40;

bool is_first_side(const Group& group) { return group.members < group.others; }

bool is_grid_of(const std::vector<std::int64_t>& dims, std::uint64_t size) {
  std::uint64_t left = size;
  for (const std::int64_t d : dims) {
    if (d < 1 || static_cast<std::uint64_t>(d) > left) return false;
    left /= static_cast<std::uint64_t>(d);
  }
  return true;
}

}  // namespace

// Of groups alone: those meet who get it.
Status Lowerer::make_of_groups(MeetingCall& meeting, Entry& entry) {
  const auto column = std::ranges::find(f_.scalars, trace::Kind::group, &trace::Column::kind);
  const auto* local =
      objects_.groups().members(scalar(static_cast<int>(column - f_.scalars.begin())));
  if (!local || local->empty()) return unknown("a group");
  entry.local = *std::ranges::min_element(*local);
  meeting.group = kByWhatIsMade + 1;
  meeting.number = static_cast<std::uint64_t>(entry.id);
  meeting.expected = static_cast<std::uint64_t>(entry.size);
  if (s_.creates_inter) meeting.expected += local->size();
  return {};
}

Status Lowerer::make_comm() {
  const bool is_of_groups = s_.comm < 0 && s_.group >= 0;
  if (is_of_groups) place_ = objects_.comm(trace::kWorld);
  if (!place_) return unknown("a communicator");
  out_.is_lasting = false;
  const std::int64_t id = scalar(s_.made);
  auto entry = std::make_shared<Entry>();
  entry->process = objects_.rank();
  entry->id = trace::is_special(id) ? -1 : id;
  entry->rank = scalar(s_.made + 1);
  entry->size = scalar(s_.made + 2);
  entry->local = place_->group->id;
  const bool parent_is_inter = place_->group->is_inter();
  const bool is_inter = mpi::makes_inter(f_, parent_is_inter);
  if (s_.color >= 0) entry->part = scalar(s_.color);
  // The two sides of an inter-communicator's group share its number.
  if (parent_is_inter) entry->local = 2 * entry->local + (is_first_side(*place_->group) ? 0 : 1);
  MeetingCall meeting;
  if (is_of_groups) {
    if (entry->id < 0) return {};
    if (Status ok = make_of_groups(meeting, *entry); !ok) return ok;
  } else if (s_.creates_inter && f_.communicator >= 0 && s_.tag >= 0) {
    // MPI_Intercomm_create: two groups meet that have nothing in common but what they make.
    meeting.group = kByWhatIsMade;
    meeting.number = static_cast<std::uint64_t>(id);
    meeting.expected = place_->group->size + static_cast<std::uint64_t>(entry->size);
  } else if (!(f_.traits & trace::traits::kCollective)) {
    if (entry->id < 0) return {};  // MPI_Comm_create_group: members only
    meeting.group = kByWhatIsMade + 1;
    meeting.number = static_cast<std::uint64_t>(id);
    meeting.expected = static_cast<std::uint64_t>(entry->size);
  } else {
    meeting = meeting_of(*place_);
  }
  meeting.cost = {{machine_.making.steps, SizeRule::max}, {}};
  meeting.sent = kExchanged;
  meeting.made = entry->id;
  meeting.makes = is_inter ? Makes::inter_comm : Makes::comm;
  if (!is_of_groups) find_topology(*entry, meeting);
  const bool is_member = entry->id >= 0 && !is_inter;
  meeting.entry = std::move(entry);
  if (s_.color >= 0 || s_.remain >= 0) exchanges(machine_.making.split, *place_, 0);
  if (Status ok = meet(std::move(meeting)); !ok) return ok;
  // What members of a communicator do first in it is a part of a call that waits for them alone.
  if (is_member && s_.keep == Keep::inner && !machine_.making.communicator.empty())
    add({.what = Do::enter, .number = id});
  return {};
}

void Lowerer::find_topology(Entry& entry, MeetingCall& meeting) const {
  if (s_.dims >= 0) {
    if (is_grid_of(list(s_.dims), place_->group->size))
      meeting.grid = {list(s_.dims), list(s_.periods)};
  } else if (s_.remain >= 0 && !place_->group->grid.dims.empty()) {
    meeting.grid = mpi::sub_grid(place_->group->grid, list(s_.remain));
    entry.part = mpi::dropped_coordinates(place_->group->grid, list(s_.remain), place_->rank);
  } else if (s_.graph_index >= 0 || s_.sources >= 0) {
    entry.neighbors = mpi::named_neighbors(e_, entry.rank);
    entry.edges = mpi::named_edges(e_);
  } else if (mpi::makes_duplicate(f_)) {
    meeting.grid = place_->group->grid;
    if (!place_->group->neighbors.empty())
      entry.neighbors = place_->group->neighbors[static_cast<std::size_t>(place_->rank)];
  }
}

// Windows and files take over the group of their communicator.
Status Lowerer::make_on_comm(Makes makes) {
  if (!place_) return unknown("a communicator");
  MeetingCall meeting = meeting_of(*place_);
  meeting.cost = {{machine_.making.steps, SizeRule::max}, {}};
  meeting.sent = kExchanged;
  meeting.makes = makes;
  meeting.made = s_.made >= 0 ? scalar(s_.made) : scalar(s_.file);
  if (Status ok = meet(std::move(meeting)); !ok) return ok;
  exchanges(makes == Makes::window ? machine_.making.window : machine_.file_exchanges, *place_, 0);
  return {};
}

}  // namespace reprise::simulate
