// Lowering: point-to-point messages.
#include <algorithm>

#include "simulate/lower/lowerer.hpp"

#include "mpi/requests/matching.hpp"
#include "trace/values/special.hpp"

namespace reprise::simulate {

Action Lowerer::send_action() {
  const bool is_partitioned = s_.is_partitioned && s_.sent;
  const std::int64_t partitions = is_partitioned ? e_.scalars[s_.sent->partitions] : 0;
  return {.what = Do::send,
          .mode = s_.mode,
          .keep = s_.keep,
          .peer = peer_of(scalar(s_.peer)),
          .context = place_ ? place_->group->context() : 0,
          .tag = scalar(s_.tag) + (is_partitioned ? mpi::kPartitionedTags : 0),
          .bytes = sizes_.block(s_.sent),
          .count = static_cast<std::uint32_t>(std::max<std::int64_t>(0, partitions))};
}

Status Lowerer::send() {
  if (!place_) return unknown("a communicator");
  add(send_action());
  if (s_.keep == Keep::inner) wait_inner();
  return checked();
}

// The source and the tag of a receive: those that the recorded run met, if that is asked for.
Action Lowerer::receive_action() {
  std::int64_t source = scalar(s_.source);
  std::int64_t tag = scalar(s_.receive_tag >= 0 ? s_.receive_tag : s_.tag);
  const bool is_wild = source == trace::kAnySource || tag == trace::kAnyTag;
  if (is_wild && options_.matching == Matching::recorded && s_.keep != Keep::persistent) {
    mpi::Match met{mpi::Match::Kind::unknown, 0, 0};
    if (s_.matched_source >= 0) {
      met = {mpi::Match::Kind::message, scalar(s_.matched_source), scalar(s_.matched_tag)};
    } else if (ahead_) {
      met = ahead_->next();
      out_.is_lasting = false;
    }
    if (met.kind == mpi::Match::Kind::message) {
      if (!trace::is_special(met.source)) source = met.source;
      if (!trace::is_special(met.tag)) tag = met.tag;
    }
  }
  return {.what = Do::receive,
          .keep = s_.keep,
          .peer = source == trace::kAnySource ? kAnyone : peer_of(source),
          .context = place_ ? place_->group->context() : 0,
          .tag = tag == trace::kAnyTag ? kAnyTag
                                       : tag + (s_.is_partitioned ? mpi::kPartitionedTags : 0),
          .group = place_ ? place_->group.get() : nullptr};
}

Status Lowerer::receive() {
  if (!place_) return unknown("a communicator");
  Action action = receive_action();
  action.starts_up = s_.keep == Keep::inner;
  add(action);
  if (s_.keep == Keep::inner) wait_inner();
  return checked();
}

Status Lowerer::exchange() {
  if (!place_) return unknown("a communicator");
  Action sent = send_action(), received = receive_action();
  sent.keep = received.keep = Keep::inner;
  const auto both = [&] {
    add(received);
    add(sent);
    wait_inner();
  };
  if (s_.keep == Keep::inner) {
    both();
  } else if (Status ok = fork(both); !ok) {
    return ok;
  }
  return checked();
}

Status Lowerer::probe() {
  if (!place_) return unknown("a communicator");
  Action action = receive_action();
  action.what = s_.family == Family::match ? Do::match : Do::probe;
  if (action.peer == kNobody && s_.family == Family::probe) return checked();
  add(action);
  return checked();
}

Status Lowerer::claim() {
  add({.what = Do::claim, .keep = s_.keep, .number = scalar(s_.message)});
  if (s_.keep == Keep::inner) wait_inner();
  return {};
}

}  // namespace reprise::simulate
