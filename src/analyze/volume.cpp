#include "analyze/volume.hpp"

#include <algorithm>
#include <limits>

#include "mpi/payload_sizes.hpp"
#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::analyze {

using trace::Blocks;
using trace::Event;
using trace::Kind;
using trace::Part;
using trace::Payload;
using trace::Where;

namespace {

const Objects::Comm kNoComm;

const std::vector<std::int64_t>* list_named(const Event& event, std::string_view name) {
  const auto lists = event.function->lists;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    if (lists[l].name == name) return &event.lists[l];
  }
  return nullptr;
}

bool applies(const Payload& p, const Event& event, const Objects::Comm& comm) {
  if (p.buffer >= 0 && event.scalars[p.buffer] == trace::kNone) return false;
  if (p.peer < 0) return true;
  const std::int64_t peer = event.scalars[p.peer];
  if (peer == trace::kProcNull) return false;
  if (p.where == Where::everywhere) return true;
  const bool at_root = comm.is_inter ? peer == trace::kRoot : peer == comm.membership.rank;
  return at_root == (p.where == Where::root);
}

// Whether the call has memory there, and no payload before this one is of the same memory.
bool is_given(const Payload& p, const Event& event) {
  const auto same = [&](const Payload& other) { return other.buffer == p.buffer; };
  return p.buffer >= 0 && !trace::is_special(event.scalars[p.buffer]) &&
         &*std::ranges::find_if(event.function->payloads, same) == &p;
}

// How many blocks of one count there are; -1: unknown.
std::int64_t blocks_of(const Payload& p, Part part, const Objects::Comm& comm, Counting counting) {
  if (part == Part::own) return 1;
  const bool on_grid = p.blocks == Blocks::sources || p.blocks == Blocks::destinations;
  if (on_grid && counting == Counting::given && !comm.is_null.empty())
    return std::ssize(comm.is_null);
  switch (p.blocks) {
    case Blocks::one:
    case Blocks::listed:
    case Blocks::partitions: return 1;
    case Blocks::members: return comm.membership.size > 0 ? comm.membership.size : -1;
    case Blocks::sources: return comm.sources;
    case Blocks::destinations: return comm.destinations;
  }
  return -1;
}

mpi::Bytes bytes_of(const Payload& p, Part part, const Event& event, const Objects& objects,
                    Counting counting) {
  const Objects::Comm& comm = objects.comm_of(event);
  const mpi::PayloadSizes sizes(event, objects.types());
  if (p.blocks == Blocks::listed) {
    if (part == Part::own) return sizes.listed(p, static_cast<std::size_t>(comm.membership.rank));
    const bool on_grid =
        counting == Counting::moved && (event.function->traits & trace::traits::kNeighbor) != 0;
    mpi::Bytes total(0);
    for (std::size_t i = 0; i < event.lists[p.count].size(); ++i) {
      if (on_grid && i < comm.is_null.size() && comm.is_null[i]) continue;
      total += sizes.listed(p, i);
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

bool Objects::Comm::operator==(const Comm& o) const {
  return membership.rank == o.membership.rank && membership.size == o.membership.size &&
         is_inter == o.is_inter && sources == o.sources && destinations == o.destinations &&
         grid == o.grid;
}

Objects::Objects(std::int64_t rank, std::int64_t ranks) {
  comms_[trace::kWorld] = {.membership = {rank, ranks}};
  comms_[trace::kSelf] = {.membership = {0, 1}};
}

bool Objects::learn(const Event& event) {
  bool agrees = types_.learn(event);
  for (const trace::MadeGroup& made : trace::made_groups(event)) {
    if (made.kind != Kind::comm) continue;
    const Comm& parent = comm_of(event);
    // What is not known yet may be an inter-communicator, or have a topology.
    agrees &= parent.membership.size > 0 || event.function->communicator < 0;
    Comm comm{.membership = made.membership};
    comm.is_inter = (event.function->traits & trace::traits::kInter) ||
                    (parent.is_inter && !(event.function->traits & trace::traits::kIntra));
    find_neighbors(event, parent, comm);
    const auto [entry, is_new] = comms_.emplace(made.id, comm);
    agrees &= is_new || entry->second == comm;
    entry->second = comm;
  }
  return agrees;
}

// Reads off a creation's arguments who the neighbours are.
void Objects::find_neighbors(const Event& event, const Comm& parent, Comm& made) const {
  const auto columns = event.function->scalars;
  const auto* remain = list_named(event, "remain_dims");
  if (const auto* dims = list_named(event, "dims"); dims || (remain && !parent.grid.dims.empty())) {
    const auto* periods = list_named(event, "periods");
    made.grid = dims ? Grid{*dims, periods ? *periods : std::vector<std::int64_t>()}
                     : sub_grid(parent.grid, *remain);
    made.is_null = null_neighbors(made.grid, made.membership.rank);
    made.sources = made.destinations = std::ranges::count(made.is_null, false);
  } else if (const auto* index = list_named(event, "index")) {
    const auto own = static_cast<std::size_t>(made.membership.rank);
    if (own >= index->size()) return;
    made.sources = made.destinations =
        trace::wrapping_sub((*index)[own], own > 0 ? (*index)[own - 1] : 0);
  } else if (const auto* sources = list_named(event, "sources")) {
    // With `degrees` each process may name edges of any other: only all of them together know.
    const auto* destinations = list_named(event, "destinations");
    if (!destinations || list_named(event, "degrees")) return;
    made.sources = std::ssize(*sources);
    made.destinations = std::ssize(*destinations);
  } else if (columns.size() == 5 && columns[1].kind == Kind::comm &&
             event.function->lists.empty()) {
    // Nothing but a communicator goes in: a duplicate, which has its original's topology.
    made.grid = parent.grid;
    made.is_null = parent.is_null;
    made.sources = parent.sources;
    made.destinations = parent.destinations;
  }
}

const Objects::Comm& Objects::comm(std::int64_t id) const {
  const auto found = comms_.find(id);
  return found == comms_.end() ? kNoComm : found->second;
}

const Objects::Comm& Objects::comm_of(const Event& event) const {
  const int where = event.function->communicator;
  if (where < 0) return kNoComm;
  const auto column = static_cast<std::size_t>(where);
  if (event.function->scalars[column].kind != Kind::comm) return kNoComm;
  return comm(event.scalars[column]);
}

Volume volume_of(const Event& event, const Objects& objects, Counting counting) {
  Volume out;
  const bool is_moved = counting == Counting::moved;
  for (const Payload& p : event.function->payloads) {
    if (is_moved ? !applies(p, event, objects.comm_of(event)) : !is_given(p, event)) continue;
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
