#include "mpi/communicators/groups.hpp"

#include <numeric>

#include "base/hash.hpp"
#include "mpi/arguments.hpp"
#include "mpi/communicators/topology.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {

using trace::Event;
using trace::Kind;
namespace traits = trace::traits;

namespace {

// Keeps keys of different classes of objects distinct.
enum Salt : std::uint64_t { kCommSalt = 1, kMembersSalt, kWindowSalt, kFileSalt, kPartSalt };

constexpr std::uint64_t kWorldKey = mix(kCommSalt);

// Whether the communicator that an event creates has members outside the parent. The processes that
// MPI_Comm_spawn starts have no trace: only the callers count.
bool is_by_members(const Event& event) {
  if (!(event.function->traits & traits::kCollective)) return true;
  return (event.function->traits & traits::kInter) && scalar_named(event, "comm") == trace::kNone;
}

// Whether the call opens a file, unlike MPI_File_get_view, which creates other objects from one.
bool opens_file(const Event& event) {
  constexpr std::uint32_t kOpens = traits::kCreate | traits::kIo | traits::kCollective;
  return (event.function->traits & kOpens) == kOpens;
}

Group find_in(const std::unordered_map<std::int64_t, Group>& groups, std::int64_t id) {
  const auto found = groups.find(id);
  return found == groups.end() ? Group{} : found->second;
}

}  // namespace

Groups::Groups(GroupNames& names, trace::Membership world) : names_(&names), communicators_(world) {
  comms_[trace::kWorld] = {kWorldKey, kWorldKey, kWorldKey, world.rank, world.size, false};
  const std::uint64_t self = combine(kWorldKey, static_cast<std::uint64_t>(world.rank));
  comms_[trace::kSelf] = {self, self, self, 0, 1, false};
}

Group Groups::comm(CommId id) const { return find_in(comms_, number_of(id)); }

std::vector<Group> Groups::made(const Event& event) const {
  std::vector<Group> out;
  for (const trace::MadeGroup& m : trace::made_groups(event))
    out.push_back(find_in(m.kind == Kind::comm ? comms_ : windows_, m.id));
  if (opens_file(event)) out.push_back(find_in(files_, scalar_of(event, Kind::file)));
  return out;
}

Group Groups::of(const Event& event) const {
  const std::uint32_t does = event.function->traits;
  if (does & (traits::kInit | traits::kFinalize)) return comm(CommId{trace::kWorld});
  // The members of the new communicator take part, who need not be all members of the parent.
  if ((does & traits::kCreate) && is_by_members(event)) {
    const auto made = trace::made_column(*event.function, Kind::comm);
    if (made) return comm(CommId{event.scalars[*made]});
  }
  if ((does & traits::kIo) && !(does & traits::kCreate))
    return find_in(files_, scalar_of(event, Kind::file));
  const int where = event.function->communicator;
  if (where < 0) return {};
  const auto column = static_cast<std::size_t>(where);
  if (event.function->scalars[column].kind != Kind::window)
    return comm(CommId{event.scalars[column]});
  return find_in(windows_, event.scalars[column]);
}

void Groups::learn(const Event& event) {
  if (!(event.function->traits & traits::kCreate)) return;
  learn_processes(event);
  for (const trace::MadeGroup& made : trace::made_groups(event)) {
    if (made.kind == Kind::comm) {
      learn_comm(event, made);
      continue;
    }
    windows_[made.id] = made_on_comm(event, kWindowSalt);
  }
  communicators_.learn(event);
  if (opens_file(event)) files_[scalar_of(event, Kind::file)] = made_on_comm(event, kFileSalt);
}

// A window or a file has the members of its communicator.
Group Groups::made_on_comm(const Event& event, std::uint64_t salt) {
  Group out = comm(CommId{scalar_of(event, Kind::comm)});
  out.key = combine(combine(out.key, salt), creations_[out.key]++);
  return out;
}

// Learns the groups of all processes and of this one, and those derived from them. A single stream
// does not know the groups of other communicators.
void Groups::learn_processes(const Event& event) {
  processes_.learn(event);
  if (!gives_group(*event.function)) return;
  const std::int64_t group = scalar_of(event, Kind::group);
  std::optional<CommId> of = process_set(event);
  if (event.function->name == "MPI_Comm_group") of = CommId{scalar_named(event, "comm")};
  if (of == CommId{trace::kWorld}) {
    processes_.add(group, [size = comm(*of).size] {
      Members all(static_cast<std::size_t>(size));
      std::iota(all.begin(), all.end(), 0);
      return all;
    });
  } else if (of == CommId{trace::kSelf}) {
    const auto rank = static_cast<std::uint32_t>(comm(CommId{trace::kWorld}).rank);
    processes_.add(group, [rank] { return Members{rank}; });
  } else {
    processes_.forget(group);
  }
}

// A key that the members of a group of processes share, and no other group has; 0 if they are not
// known.
std::uint64_t Groups::key_of_processes(std::int64_t group) {
  const Members* members = processes_.members(group);
  if (!members) return 0;
  return hash_bytes(members->data(), members->size() * sizeof(Members::value_type)) | 1;
}

void Groups::learn_comm(const Event& event, const trace::MadeGroup& made) {
  const auto id = static_cast<std::uint64_t>(made.id);
  const Communicator& parent = communicators_.of(event);
  const Group on = comm(CommId{scalar_of(event, Kind::comm)});
  Group out{.rank = made.membership.rank, .size = made.membership.size};
  out.is_inter = makes_inter(*event.function, parent.is_inter);
  out.key = is_by_members(event) ? combine(combine(kWorldKey, kMembersSalt), id)
                                 : combine(combine(on.key, id), part_key(event, parent, on, made));
  const bool is_new_pair = (event.function->traits & traits::kInter) != 0;
  std::uint64_t side = is_new_pair ? on.key : on.side;
  if (const std::int64_t local = scalar_named(event, "local_group"); local != trace::kNone) {
    side = key_of_processes(local);
    // The members of each side are not known.
    if (side == 0) return void(comms_[made.id] = {});
  }
  const bool has_those_of_parent =
      !out.is_inter && on.is_known() && makes_duplicate(*event.function);
  out.members = has_those_of_parent ? on.members : out.key;
  out.side = out.is_inter ? combine(out.key, side) : out.members;
  comms_[made.id] = out;
}

// Distinguishes the parts that a creation makes; 0 if it makes only one.
std::uint64_t Groups::part_key(const Event& event, const Communicator& parent, const Group& on,
                               const trace::MadeGroup& made) {
  const std::int64_t color = scalar_named(event, "color");
  if (color != trace::kNone) return combine(kPartSalt, static_cast<std::uint64_t>(color));
  if (const auto* remain = list_named(event, "remain_dims")) {
    if (!parent.grid.empty()) {
      const std::int64_t part = dropped_coordinates(parent.grid, *remain, parent.membership.rank);
      return combine(kPartSalt, static_cast<std::uint64_t>(part));
    }
  }
  if (made.membership.size == parent.membership.size || parent.is_inter ||
      (event.function->traits & traits::kIntra)) {
    return 0;
  }
  const std::uint64_t parts = combine(combine(on.key, static_cast<std::uint64_t>(made.id)),
                                      static_cast<std::uint64_t>(made.membership.size));
  return combine(combine(kPartSalt, parts), names_->occurrence(parts, Rank{made.membership.rank}));
}

}  // namespace reprise::mpi
