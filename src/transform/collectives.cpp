#include "transform/collectives.hpp"
#include "mpi/collectives.hpp"

#include "base/hash.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::transform {

using trace::Cursor;
using trace::Trace;

namespace {

struct Folding {
  trace::SeriesFolder calls, roots;
  std::int64_t size = 0;
};

// The number of processes that take part; 0 for an inter-communicator, where it is not known.
std::int64_t members_of(const mpi::Group& group) { return group.is_inter ? 0 : group.size; }

void add_member(std::uint64_t stream, const Folding& folding, GroupCollectives& out) {
  MemberClass member{folding.calls.finish(), folding.roots.finish(), folding.calls.size(), stream};
  out.size = folding.size;
  // Members are many and classes few, but for programs in which every rank goes its own way: then
  // the last classes are the likely ones, and a class too many does no harm.
  constexpr std::size_t kLookBack = 64;
  const std::size_t n = out.classes.size();
  for (std::size_t i = n; i-- > (n > kLookBack ? n - kLookBack : 0);) {
    if (out.classes[i] == member) {
      out.class_of[stream] = static_cast<std::uint32_t>(i);
      return;
    }
  }
  out.class_of[stream] = static_cast<std::uint32_t>(n);
  out.classes.push_back(std::move(member));
}

}  // namespace

Result<Collectives> find_collectives(const Trace& trace) {
  Collectives out;
  mpi::GroupNames names;
  for (std::uint64_t stream = 0; stream < trace.streams(); ++stream) {
    mpi::Groups groups(names, trace::in_world(trace, stream));
    std::unordered_map<std::uint64_t, Folding> folding;
    Cursor cursor(trace, stream);
    while (cursor.next()) {
      const trace::Event& event = cursor.event();
      groups.learn(event);
      if (!mpi::is_collective(*event.function)) continue;
      const mpi::Group group = groups.of(event);
      if (!group.is_known()) continue;
      Folding& f = folding[group.key];
      f.size = members_of(group);
      f.calls.append(event.call);
      f.roots.append(mpi::root_of(event));
    }
    if (cursor.damaged()) return Error{"the trace is damaged (a value in it makes no sense)"};
    for (const auto& [key, f] : folding) add_member(stream, f, out[key]);
  }
  return out;
}

}  // namespace reprise::transform
