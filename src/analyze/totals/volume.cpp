#include "analyze/totals/volume.hpp"

#include <algorithm>
#include <limits>

#include "mpi/collectives.hpp"
#include "mpi/payloads/payload_sizes.hpp"
#include "trace/values/special.hpp"

namespace reprise::analyze {

using trace::Blocks;
using trace::Event;
using trace::Part;
using trace::Payload;
using trace::Where;

namespace {

bool applies(const Payload& p, const Event& event, const mpi::Communicator& comm) {
  if (p.buffer >= 0 && event.scalars[p.buffer] == trace::kNone) return false;
  if (p.peer < 0) return true;
  const std::int64_t peer = event.scalars[p.peer];
  if (peer == trace::kProcNull) return false;
  if (p.where == Where::everywhere) return true;
  return mpi::is_root(comm, peer) == (p.where == Where::root);
}

// Whether the call has memory there, and no payload before this one is of the same memory.
bool is_given(const Payload& p, const Event& event) {
  const auto same = [&](const Payload& other) { return other.buffer == p.buffer; };
  return p.buffer >= 0 && !trace::is_special(event.scalars[p.buffer]) &&
         &*std::ranges::find_if(event.function->payloads, same) == &p;
}

// How many blocks of one count there are; -1: unknown.
std::int64_t blocks_of(const Payload& p, Part part, const mpi::Communicator& comm,
                       Counting counting) {
  if (part == Part::own) return 1;
  const auto blocks_for = [&](const std::vector<std::int64_t>& neighbors) -> std::int64_t {
    if (!comm.has_topology) return -1;
    return counting == Counting::given ? std::ssize(neighbors) : mpi::count_present(neighbors);
  };
  switch (p.blocks) {
    case Blocks::one:
    case Blocks::listed:
    case Blocks::partitions: return 1;
    case Blocks::members: return comm.is_known() ? comm.membership.size : -1;
    case Blocks::sources: return blocks_for(comm.neighbors.sources);
    case Blocks::destinations: return blocks_for(comm.neighbors.destinations);
  }
  return -1;
}

mpi::Bytes bytes_of(const Payload& p, Part part, const Event& event, const Objects& objects,
                    Counting counting) {
  const mpi::Communicator& comm = objects.comms.of(event);
  const mpi::PayloadSizes sizes(event, objects.types);
  if (p.blocks == Blocks::listed) {
    if (part == Part::own) return sizes.listed(p, static_cast<std::size_t>(comm.membership.rank));
    const bool for_neighbors =
        counting == Counting::moved && (event.function->traits & trace::traits::kNeighbor) != 0;
    const std::vector<std::int64_t>& neighbors = p.direction == trace::Direction::sent
                                                     ? comm.neighbors.destinations
                                                     : comm.neighbors.sources;
    mpi::Bytes total(0);
    for (std::size_t i = 0; i < event.lists[p.count].size(); ++i) {
      const bool is_nobody = i < neighbors.size() && neighbors[i] == trace::kProcNull;
      if (!for_neighbors || !is_nobody) total += sizes.listed(p, i);
    }
    return total;
  }
  const mpi::Bytes one = sizes.counted(p);
  if (one == mpi::Bytes(0)) return one;
  const std::int64_t blocks = blocks_of(p, part, comm, counting);
  return blocks < 0 ? mpi::Bytes::unknown() : one * blocks;
}

// Adds what fits. False: it does not.
bool add(std::uint64_t more, std::uint64_t& sum) {
  if (more > std::numeric_limits<std::uint64_t>::max() - sum) return false;
  sum += more;
  return true;
}

}  // namespace

Volume& Volume::operator+=(const Volume& other) {
  unknown += other.unknown;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!add(other.bytes[i], bytes[i])) ++unknown;
  }
  return *this;
}

Volume Volume::operator*(std::uint64_t times) const {
  Volume out = *this;
  out.unknown *= times;
  for (std::uint64_t& b : out.bytes) {
    const bool fits = times == 0 || b <= std::numeric_limits<std::uint64_t>::max() / times;
    b = fits ? b * times : 0;
    if (!fits) out.unknown += times;
  }
  return out;
}

bool Objects::learn(const Event& event) {
  const bool same_types = types.learn(event);
  return comms.learn(event) && same_types;
}

Volume volume_of(const Event& event, const Objects& objects, Counting counting) {
  Volume out;
  const bool is_moved = counting == Counting::moved;
  for (const Payload& p : event.function->payloads) {
    if (is_moved ? !applies(p, event, objects.comms.of(event)) : !is_given(p, event)) continue;
    const bool elsewhere = p.in_place >= 0 && event.scalars[p.buffer] == trace::kInPlace;
    const Payload& holds = elsewhere ? event.function->payloads[p.in_place] : p;
    const Part part = !is_moved || (elsewhere && p.blocks != Blocks::one) ? Part::all
                      : elsewhere                                         ? Part::own
                                                                          : p.part;
    const mpi::Bytes bytes = bytes_of(holds, part, event, objects, counting);
    if (!bytes.is_known() || !add(static_cast<std::uint64_t>(bytes.count()), out[p.direction]))
      out.unknown = 1;
  }
  return out;
}

}  // namespace reprise::analyze
