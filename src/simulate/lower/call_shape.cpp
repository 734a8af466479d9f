#include "simulate/lower/call_shape.hpp"
#include "mpi/collectives.hpp"
#include "mpi/communicators/process_groups.hpp"
#include "trace/calls/posix.hpp"
#include "trace/cursors/call_cursor.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace reprise::simulate {
namespace {

using trace::Function;
using trace::Kind;
namespace traits = trace::traits;
using Family = CallShape::Family;

struct KnownCollective {
  std::string_view name;
  Collective kind;
  bool is_vector;
};
constexpr KnownCollective kKnownCollectives[] = {
    {"Barrier", Collective::barrier, false},
    {"Bcast", Collective::bcast, false},
    {"Gather", Collective::gather, false},
    {"Gatherv", Collective::gather, true},
    {"Scatter", Collective::scatter, false},
    {"Scatterv", Collective::scatter, true},
    {"Allgather", Collective::allgather, false},
    {"Allgatherv", Collective::allgatherv, true},
    {"Alltoall", Collective::alltoall, false},
    {"Alltoallv", Collective::alltoallv, true},
    {"Alltoallw", Collective::alltoallw, true},
    {"Reduce", Collective::reduce, false},
    {"Allreduce", Collective::allreduce, false},
    {"Reduce_scatter_block", Collective::reduce_scatter, false},
    {"Reduce_scatter", Collective::reduce_scatter, true},
    {"Scan", Collective::scan, false},
    {"Exscan", Collective::scan, false},
};

std::optional<CallShape::Epoch> find_epoch(std::string_view what) {
  using Epoch = CallShape::Epoch;
  if (what == "post") return Epoch::post;
  if (what == "start") return Epoch::start;
  if (what == "complete") return Epoch::complete;
  if (what == "wait" || what == "test") return Epoch::wait;
  return std::nullopt;
}

CallShape::Access access_of(const Function& f) {
  using Access = CallShape::Access;
  if (f.name == "MPI_Compare_and_swap") return Access::compare;
  return std::ranges::any_of(f.scalars, [](const auto& c) { return c.kind == Kind::op; })
             ? Access::accumulate
             : Access::plain;
}

Family family_of(const Function& f) {
  const auto has = [&](std::uint32_t trait) { return (f.traits & trait) != 0; };
  if (f.name == "MPI_Request_free") return Family::free_request;
  if (f.name == "MPI_Request_get_status") return Family::query;
  // Processes that no trace has take part in these.
  for (const char* name : {"MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Comm_accept",
                           "MPI_Comm_connect", "MPI_Comm_join"}) {
    if (f.name == name) return Family::refused;
  }
  if (has(traits::kAbort)) return Family::ends;
  if (has(traits::kInit) || has(traits::kFinalize) || has(traits::kControl)) return Family::nothing;
  if (trace::is_posix(f)) return Family::own_file;
  if (has(traits::kIo)) {
    if (has(traits::kLocal) || f.name == "MPI_File_delete") return Family::nothing;
    return has(traits::kCreate) ? Family::open_file : Family::file;
  }
  if (trace::made_column(f, Kind::comm))
    return has(traits::kLocal) ? Family::nothing : Family::make_comm;
  if (trace::made_column(f, Kind::window)) return Family::make_window;
  if (has(traits::kLocal)) return Family::nothing;
  const bool is_message = has(traits::kSend | traits::kRecv);
  if (has(traits::kPartitioned) && !is_message)
    return has(traits::kPoll) ? Family::query : Family::ready;
  if (has(traits::kStart)) return Family::start;
  if (has(traits::kCancel)) return Family::cancel;
  if (has(traits::kComplete)) {
    return f.completed >= 0 ? Family::complete_any : Family::complete;
  }
  const bool takes_message =
      std::ranges::any_of(f.scalars, [](const auto& c) { return c.kind == Kind::message; });
  if (has(traits::kProbe)) return takes_message ? Family::match : Family::probe;
  if (has(traits::kRecv) && takes_message) return Family::claim;
  if (has(traits::kSend) && has(traits::kRecv)) return Family::exchange;
  if (has(traits::kSend)) return Family::send;
  if (has(traits::kRecv)) return Family::receive;
  if (has(traits::kRma)) return Family::access;
  if (f.name == "MPI_Win_fence" || f.name == "MPI_Win_free") return Family::fence;
  if (has(traits::kRmaSync)) {
    const std::string_view what = f.name.substr(8);
    if (find_epoch(what)) return Family::epoch;
    if (what.starts_with("lock")) return Family::lock;
    return what.starts_with("unlock") || what.starts_with("flush") ? Family::settle
                                                                   : Family::nothing;
  }
  if (has(traits::kFree) || has(traits::kState)) return Family::nothing;
  if (has(traits::kNeighbor)) return Family::neighbor;
  return has(traits::kCollective) ? Family::collective : Family::refused;
}

void find_scalar(CallShape& shape, const trace::Column& c, int at, bool is_made) {
  switch (c.kind) {
    case Kind::tag:
      if (c.name == "matched_tag") {
        shape.matched_tag = at;
      } else {
        (shape.tag < 0 ? shape.tag : shape.receive_tag) = at;
      }
      return;
    case Kind::peer:
      (c.name == "source" ? shape.source : c.name == "root" ? shape.root : shape.peer) = at;
      return;
    case Kind::matched: shape.matched_source = at; return;
    case Kind::color: shape.color = at; return;
    case Kind::comm: (is_made ? shape.made : shape.comm) = at; return;
    case Kind::window: (is_made ? shape.made : shape.window) = at; return;
    case Kind::file: shape.file = at; return;
    case Kind::message: shape.message = at; return;
    case Kind::group: shape.group = at; return;
    default:
      if (c.name == "assertion") shape.assertion = at;
      if (c.name == "lock_type") shape.lock_type = at;
  }
}

void find_list(CallShape& shape, const trace::Column& c, int at) {
  static constexpr std::pair<std::string_view, int CallShape::*> kLists[] = {
      {"dims", &CallShape::dims},
      {"periods", &CallShape::periods},
      {"index", &CallShape::graph_index},
      {"remain_dims", &CallShape::remain},
      {"sources", &CallShape::sources}};
  for (const auto& [name, member] : kLists) {
    if (c.name == name) shape.*member = at;
  }
}

CallShape make_shape(const Function& f) {
  CallShape shape;
  shape.family = family_of(f);
  const auto has = [&](std::uint32_t trait) { return (f.traits & trait) != 0; };
  shape.keep = has(traits::kPersistent)    ? Keep::persistent
               : has(traits::kNonblocking) ? Keep::request
                                           : Keep::inner;
  shape.mode = has(traits::kSync)       ? SendMode::synchronous
               : has(traits::kBuffered) ? SendMode::buffered
                                        : SendMode::standard;
  shape.is_partitioned = has(traits::kPartitioned);
  shape.creates_inter = has(traits::kInter);
  for (std::size_t c = 0; c < f.scalars.size(); ++c) {
    const bool is_made = trace::made_column(f, f.scalars[c].kind) == c;
    find_scalar(shape, f.scalars[c], static_cast<int>(c), is_made);
  }
  for (std::size_t l = 0; l < f.lists.size(); ++l)
    find_list(shape, f.lists[l], static_cast<int>(l));
  for (const trace::Payload& p : f.payloads) {
    const bool sent =
        p.direction == trace::Direction::sent || p.direction == trace::Direction::written;
    const trace::Payload*& known = sent ? shape.sent : shape.received;
    if (!known) known = &p;
  }
  if (f.communicator >= 0 && f.scalars[static_cast<std::size_t>(f.communicator)].kind == Kind::comm)
    shape.comm = f.communicator;
  if (shape.family == Family::access) shape.access = access_of(f);
  if (shape.family == Family::epoch) shape.epoch = *find_epoch(f.name.substr(8));
  shape.index = f.completed;
  shape.makes_group = mpi::gives_group(f);
  shape.unlocks = f.name.starts_with("MPI_Win_unlock");
  if (shape.family == Family::receive) shape.receive_tag = shape.tag;
  if (shape.family == Family::collective) {
    const std::string name = mpi::operation_name(f);
    for (const KnownCollective& k : kKnownCollectives) {
      if (k.name != name) continue;
      shape.collective = k.kind;
      shape.is_vector = k.is_vector;
    }
    if (!shape.collective) shape.family = Family::refused;
  }
  return shape;
}

}  // namespace

const CallShape& shape_of(trace::FunctionId function) {
  static const std::vector<CallShape> shapes = [] {
    std::vector<CallShape> out;
    for (const Function& f : trace::functions()) out.push_back(make_shape(f));
    return out;
  }();
  return shapes[static_cast<std::size_t>(function)];
}

}  // namespace reprise::simulate
