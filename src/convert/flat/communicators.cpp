#include "convert/flat/communicators.hpp"

#include "trace/calls/predefined.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::convert {

Result<FlatComms> FlatComms::of(const trace::Trace& trace) {
  if (trace.threads > 1)
    return Error{"ranks have several threads; the format would need to tell them apart"};
  struct Made {
    mpi::Group group, parent;
  };
  std::vector<Made> made;  // in the order in which ranks make them, each once
  std::unordered_map<std::uint64_t, std::size_t> known;
  mpi::Directory directory;
  mpi::GroupNames names;
  bool has_inter = false;
  FlatComms out;
  for (std::uint64_t rank = 0; rank < trace.ranks; ++rank) {
    mpi::Groups groups(names, trace::in_world(trace, rank));
    directory.add_predefined(groups, rank);
    if (rank == 0) known.emplace(groups.comm(mpi::CommId{trace::kWorld}).key, kWorld);
    out.index_.emplace(groups.comm(mpi::CommId{trace::kSelf}).key, kSelf);
    for (trace::Cursor cursor(trace, rank); cursor.next();) {
      const trace::Event& event = cursor.event();
      groups.learn(event);
      for (const trace::MadeGroup& m : trace::made_groups(event)) {
        if (m.kind != trace::Kind::comm) continue;
        directory.add_made(groups, event, rank);
        const mpi::Group group = groups.comm(mpi::CommId{m.id});
        has_inter = has_inter || group.is_inter;
        if (!group.is_known() || !known.emplace(group.key, made.size() + 2).second) continue;
        const int on = event.function->communicator;
        const mpi::Group parent =
            on < 0 ? mpi::Group{}
                   : groups.comm(mpi::CommId{event.scalars[static_cast<std::size_t>(on)]});
        made.push_back({group, parent});
      }
    }
  }
  if (has_inter) return Error{"it has inter-communicators, which are not exported"};
  out.index_.insert(known.begin(), known.end());
  out.list_.resize(2);
  out.list_[kSelf].parent = kSelf;
  for (std::uint32_t rank = 0; rank < trace.ranks; ++rank)
    out.list_[kWorld].members.push_back(rank);
  for (const Made& m : made) {
    FlatComm& comm = out.list_.emplace_back();
    const std::size_t parent = out.index(m.parent);
    comm.parent = parent == kSelf || parent + 1 >= out.list_.size() ? kWorld : parent;
    directory.for_each(m.group.members, [&](std::uint64_t rank) {
      comm.members.push_back(static_cast<std::uint32_t>(rank));
    });
  }
  return out;
}

std::size_t FlatComms::index(const mpi::Group& group) const {
  const auto found = index_.find(group.key);
  return found == index_.end() ? kWorld : found->second;
}

}  // namespace reprise::convert
