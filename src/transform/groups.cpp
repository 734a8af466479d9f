#include "transform/groups.hpp"

#include "base/hash.hpp"
#include "trace/posix.hpp"
#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::transform {

using trace::Event;
using trace::Kind;
namespace traits = trace::traits;

namespace {

// So that keys of different classes of objects do not meet.
enum Salt : std::uint64_t { kCommSalt = 1, kMembersSalt, kWindowSalt, kFileSalt, kPartSalt };

constexpr std::uint64_t kWorldKey = mix(kCommSalt);

const std::vector<std::int64_t>* list_named(const Event& event, std::string_view name) {
  for (std::size_t l = 0; l < event.function->lists.size(); ++l) {
    if (event.function->lists[l].name == name) return &event.lists[l];
  }
  return nullptr;
}

// The first scalar of a kind, or kNone.
std::int64_t scalar_of(const Event& event, Kind kind) {
  for (std::size_t c = 0; c < event.scalars.size(); ++c) {
    if (event.function->scalars[c].kind == kind) return event.scalars[c];
  }
  return trace::kNone;
}

// What is the same for all ranks of one part of MPI_Cart_sub: the coordinates in the dimensions
// that do not remain. Row-major, as MPI has them.
std::uint64_t fixed_coordinates(const std::vector<std::int64_t>& dims,
                                const std::vector<std::int64_t>& remain, std::int64_t rank) {
  std::uint64_t hash = kPartSalt;
  for (std::size_t d = dims.size(); d-- > 0;) {
    const std::int64_t extent = dims[d] > 0 ? dims[d] : 1;
    if (d >= remain.size() || remain[d] == 0)
      hash = combine(hash, static_cast<std::uint64_t>(rank % extent));
    rank /= extent;
  }
  return hash;
}

std::vector<std::int64_t> remaining(const std::vector<std::int64_t>& dims,
                                    const std::vector<std::int64_t>& remain) {
  std::vector<std::int64_t> out;
  for (std::size_t d = 0; d < dims.size() && d < remain.size(); ++d) {
    if (remain[d] != 0) out.push_back(dims[d]);
  }
  return out;
}

// Whether the communicator that an event makes has processes that are not all of one parent's.
// Those of MPI_Comm_spawn and its like are in no trace: what counts is who calls.
bool is_by_members(const Event& event) {
  if (!(event.function->traits & traits::kCollective)) return true;
  return (event.function->traits & traits::kInter) && scalar_named(event, "comm") == trace::kNone;
}

}  // namespace

std::int64_t scalar_named(const Event& event, std::string_view name) {
  for (std::size_t c = 0; c < event.scalars.size(); ++c) {
    if (event.function->scalars[c].name == name) return event.scalars[c];
  }
  return trace::kNone;
}

Groups::Groups(GroupNames& names, std::int64_t rank, std::int64_t ranks) : names_(&names) {
  comms_[trace::kWorld] = {{kWorldKey, kWorldKey, rank, ranks, false}, {}};
  const std::uint64_t self = combine(kWorldKey, static_cast<std::uint64_t>(rank));
  comms_[trace::kSelf] = {{self, self, 0, 1, false}, {}};
}

Group Groups::comm(std::int64_t id) const {
  const auto found = comms_.find(id);
  return found == comms_.end() ? Group{} : found->second.group;
}

Group Groups::of(const Event& event) const {
  const std::uint32_t does = event.function->traits;
  if (does & (traits::kInit | traits::kFinalize)) return comm(trace::kWorld);
  // These concern the new communicator's members, who need not be all of the parent's.
  if ((does & traits::kCreate) && is_by_members(event)) {
    const auto made = trace::made_column(*event.function, Kind::comm);
    if (made) return comm(event.scalars[*made]);
  }
  if ((does & traits::kIo) && !(does & traits::kCreate)) {
    const auto found = files_.find(scalar_of(event, Kind::file));
    return found == files_.end() ? Group{} : found->second;
  }
  const int where = event.function->communicator;
  if (where < 0) return {};
  const auto column = static_cast<std::size_t>(where);
  if (event.function->scalars[column].kind != Kind::window) return comm(event.scalars[column]);
  const auto found = windows_.find(event.scalars[column]);
  return found == windows_.end() ? Group{} : found->second;
}

void Groups::learn(const Event& event) {
  if (!(event.function->traits & traits::kCreate)) return;
  for (const trace::MadeGroup& made : trace::made_groups(event)) {
    if (made.kind == Kind::comm) {
      learn_comm(event, made);
      continue;
    }
    Group parent = comm(scalar_of(event, Kind::comm));
    parent.key = combine(combine(parent.key, kWindowSalt), creations_[parent.key]++);
    parent.side = parent.key;
    windows_[made.id] = parent;
  }
  if ((event.function->traits & traits::kIo) && !trace::is_posix(*event.function)) {
    Group parent = comm(scalar_of(event, Kind::comm));
    parent.key = combine(combine(parent.key, kFileSalt), creations_[parent.key]++);
    parent.side = parent.key;
    files_[scalar_of(event, Kind::file)] = parent;
  }
}

void Groups::learn_comm(const Event& event, const trace::MadeGroup& made) {
  const std::uint32_t does = event.function->traits;
  const auto id = static_cast<std::uint64_t>(made.id);
  const auto found = comms_.find(scalar_of(event, Kind::comm));
  const Comm parent = found == comms_.end() ? Comm{} : found->second;
  Comm out;
  out.group.rank = made.membership.rank;
  out.group.size = made.membership.size;
  out.group.is_inter =
      (does & traits::kInter) || (parent.group.is_inter && !(does & traits::kIntra));
  out.group.key = is_by_members(event)
                      ? combine(combine(kWorldKey, kMembersSalt), id)
                      : combine(combine(parent.group.key, id), part_key(event, parent, made));
  out.group.side = !out.group.is_inter       ? out.group.key
                   : (does & traits::kInter) ? combine(out.group.key, parent.group.key)
                                             : combine(out.group.key, parent.group.side);
  if (const auto* remain = list_named(event, "remain_dims")) {
    out.dims = remaining(parent.dims, *remain);
  } else if (const auto* dims = list_named(event, "dims")) {
    out.dims = *dims;
  } else if (made.membership.size == parent.group.size) {
    out.dims = parent.dims;  // a duplicate has the topology of its original
  }
  comms_[made.id] = std::move(out);
}

// What tells the parts that a creation makes apart; 0 if it makes one.
std::uint64_t Groups::part_key(const Event& event, const Comm& parent,
                               const trace::MadeGroup& made) {
  const std::int64_t color = scalar_named(event, "color");
  if (color != trace::kNone) return combine(kPartSalt, static_cast<std::uint64_t>(color));
  if (const auto* remain = list_named(event, "remain_dims")) {
    if (!parent.dims.empty()) return fixed_coordinates(parent.dims, *remain, parent.group.rank);
  }
  if (made.membership.size == parent.group.size || parent.group.is_inter ||
      (event.function->traits & traits::kIntra)) {
    return 0;
  }
  const std::uint64_t parts =
      combine(combine(parent.group.key, static_cast<std::uint64_t>(made.id)),
              static_cast<std::uint64_t>(made.membership.size));
  return combine(combine(kPartSalt, parts), names_->occurrence(parts, made.membership.rank));
}

}  // namespace reprise::transform
