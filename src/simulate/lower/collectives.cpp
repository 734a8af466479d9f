// Lowering: collectives, as the messages of an algorithm or in one piece.
#include "simulate/collectives/exchanges.hpp"
#include "simulate/lower/lowerer.hpp"

namespace reprise::simulate {

Status Lowerer::collective() {
  if (!place_) return unknown("a communicator");
  const std::shared_ptr<const Group>& group = place_->group;
  if (group->is_inter()) return collective_meeting();
  CollectiveCall call = described();
  if (Status ok = checked(); !ok) return ok;
  if (call.size <= 1) return nothing_collective();
  if (machine_.collectives == CollectiveModel::dimemas) return collective_meeting();
  const Algorithm algorithm = machine_.algorithms[static_cast<std::size_t>(call.kind)];
  if (s_.keep == Keep::inner) {
    out_.add({std::move(call), algorithm, group});
    return {};
  }
  // Several may be under way.
  const auto number = static_cast<std::int64_t>(++place_->collectives);
  return fork([&] { out_.add({std::move(call), algorithm, group, number}); });
}

Status Lowerer::nothing_collective() {
  if (s_.keep != Keep::inner) add({.what = Do::null, .keep = s_.keep});
  return {};
}

CollectiveCall Lowerer::described() {
  CollectiveCall call;
  call.kind = *s_.collective;
  call.rank = place_->rank;
  call.size = static_cast<std::int64_t>(place_->group->size);
  call.is_vector = s_.is_vector;
  if (s_.root >= 0) {
    call.root = scalar(s_.root);
    if (call.root < 0 || call.root >= call.size) {
      is_bad_peer_ = true;
      return call;
    }
  }
  const bool at_root = s_.root < 0 || call.root == call.rank;
  switch (call.kind) {
    case Collective::barrier: break;
    case Collective::bcast: call.bytes = sizes_.block(f_.payloads.data()); break;
    case Collective::gather:
      call.bytes = at_root && !s_.is_vector ? sizes_.block(s_.received) : sizes_.block(s_.sent);
      break;
    case Collective::scatter:
      if (at_root && s_.is_vector) {
        call.sent = sizes_.blocks(s_.sent);
      } else {
        call.bytes = at_root ? sizes_.block(s_.sent) : sizes_.block(s_.received);
      }
      break;
    case Collective::allgather:
    case Collective::alltoall: call.bytes = sizes_.block(s_.received); break;
    case Collective::allgatherv: call.sent = sizes_.blocks(s_.received); break;
    case Collective::alltoallv:
    case Collective::alltoallw:
      call.sent = sizes_.blocks(s_.sent);
      call.received = sizes_.blocks(s_.received);
      break;
    case Collective::reduce_scatter:
      if (s_.is_vector) {
        call.sent = sizes_.blocks(s_.received);
        if (call.sent.empty()) call.sent = sizes_.blocks(s_.sent);
      } else {
        call.bytes = sizes_.block(s_.received);
      }
      break;
    case Collective::reduce:
    case Collective::allreduce:
    case Collective::scan: call.bytes = sizes_.reduced(s_.sent ? s_.sent : s_.received); break;
  }
  for (const auto* pieces : {&call.sent, &call.received}) {
    if (!pieces->empty() && std::ssize(*pieces) != call.size) is_bad_peer_ = true;
  }
  return call;
}

// In one piece, after the models of Dimemas.
Status Lowerer::collective_meeting() {
  const auto peers = static_cast<std::int64_t>(place_->group->peers());
  MeetingCall meeting = meeting_of(*place_);
  meeting.cost = machine_.dimemas[static_cast<std::size_t>(*s_.collective)];
  meeting.kind = *s_.collective;
  if (s_.root >= 0 && !place_->group->is_inter()) meeting.is_root = scalar(s_.root) == place_->rank;
  meeting.sent = sizes_.total(s_.sent, peers);
  meeting.received = sizes_.total(s_.received, peers);
  if (Status ok = sized(); !ok) return ok;
  return meet(std::move(meeting));
}

MeetingCall Lowerer::meeting_of(Place& place) const {
  MeetingCall meeting;
  meeting.group = place.group->id;
  meeting.number = ++place.collectives;
  meeting.of = place.group;
  meeting.rank_in = place.rank;
  meeting.is_root = place.rank == 0;
  meeting.expected =
      place.group->is_inter() ? place.group->size + place.group->others.size() : place.group->size;
  return meeting;
}

Status Lowerer::meet(MeetingCall meeting) {
  out_.is_lasting = false;
  const auto at = static_cast<std::uint32_t>(out_.meetings.size());
  out_.meetings.push_back(std::move(meeting));
  add({.what = Do::meet, .keep = s_.keep, .first = at});
  if (s_.keep == Keep::inner) wait_inner();
  return {};
}

void Lowerer::exchanges(const Exchanges& all, const Place& place, std::int64_t tag) {
  for (GroupCollective& c : plan_exchanges(all, machine_, place, tag)) out_.add(std::move(c));
}

Status Lowerer::neighbor() {
  if (!place_) return unknown("a communicator");
  const Group& group = *place_->group;
  const mpi::Neighbors neighbors = neighbors_of(group, place_->rank);
  std::vector<std::int64_t> sent = sizes_.blocks(s_.sent);
  const trace::Payload* p = sizes_.describing(s_.sent);
  if (p && p->blocks != trace::Blocks::listed)
    sent.assign(neighbors.destinations.size(), sizes_.block(s_.sent));
  if (Status ok = sized(); !ok) return ok;
  if (s_.keep == Keep::inner) {
    plan_neighbors(neighbors, sent, group, 0, out_.actions);
    return {};
  }
  const auto number = static_cast<std::int64_t>(++place_->collectives);
  return fork([&] { plan_neighbors(neighbors, sent, group, number, out_.actions); });
}

}  // namespace reprise::simulate
