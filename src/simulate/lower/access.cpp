// Lowering: one-sided communication.
#include "simulate/lower/lowerer.hpp"
#include "trace/values/special.hpp"

namespace reprise::simulate {
namespace {

// Tags in the context of collectives: those have 0 and above.
constexpr std::int64_t kWindowTag = -2;
constexpr std::int64_t kExposedTag = -3;
constexpr std::int64_t kCompletedTag = -4;
constexpr std::int64_t kTags = 2;  // for each window

// Bit 3 of the assertions: MPI_MODE_NOPRECEDE (spec/mpi.spec).
constexpr std::int64_t kNonePrecede = 8;

}  // namespace

Status Lowerer::fence() {
  if (!place_) return unknown("a window");
  const Windows& windows = machine_.windows;
  const bool frees = f_.traits & trace::traits::kFree;
  const std::int64_t assertions = frees ? 0 : scalar(s_.assertion);
  const bool is_first = assertions >= 0 && (assertions & kNonePrecede);
  if (!frees && !is_first) exchanges(windows.fence_begins, *place_, kWindowTag);
  add({.what = Do::settle, .number = scalar(s_.window)});
  exchanges(frees ? windows.free : windows.fence_ends, *place_, kWindowTag);
  return {};
}

// An access, and its request if it makes one.
Action Lowerer::access_action(std::int64_t bytes, std::int64_t latencies) {
  return {.what = Do::put,
          .keep = Keep::inner,
          .peer = peer_of(scalar(s_.peer)),
          .bytes = bytes,
          .number = scalar(s_.window),
          .count = static_cast<std::uint32_t>(latencies)};
}

Status Lowerer::access() {
  if (!place_) return unknown("a window");
  const Windows& windows = machine_.windows;
  const std::int64_t sent = sizes_.block(s_.sent), received = sizes_.block(s_.received);
  const bool changes = s_.access != CallShape::Access::plain;
  const bool fetches = s_.received != nullptr;
  if (changes && fetches && windows.atomics_lock) {
    lock_action(Do::lock, LockKind::atomic);
    add(access_action(received, windows.fetch_latencies));
    out_.actions.back().first = 1;
    // What compares may leave it at that.
    if (s_.access == CallShape::Access::accumulate && sent > 0) {
      add(access_action(sent, 1));
      out_.actions.back().first = 1;
    }
    lock_action(Do::unlock, LockKind::atomic);
    if (s_.keep != Keep::inner) add({.what = Do::null, .keep = s_.keep});
    return checked();
  }
  Action action = access_action(sent + received, fetches ? windows.fetch_latencies : 1);
  action.keep = s_.keep;
  action.first = changes && windows.accumulate_waits && s_.keep == Keep::inner;
  add(action);
  return checked();
}

void Lowerer::lock_action(Action::Do what, LockKind kind) {
  add({.what = what,
       .peer = peer_of(scalar(s_.peer)),
       .number = static_cast<std::int64_t>(place_->id),
       .first = static_cast<std::uint32_t>(kind)});
}

Status Lowerer::lock() {
  if (!place_) return unknown("a window");
  // Of all processes at once: these are shared, and stand in nobody's way.
  if (s_.peer < 0) return {};
  const bool is_exclusive = scalar(s_.lock_type) == kLockExclusive;
  const std::uint32_t peer = peer_of(scalar(s_.peer));
  objects_.set_lock(place_->id, peer, is_exclusive);
  out_.is_lasting = false;
  lock_action(Do::lock, is_exclusive ? LockKind::exclusive : LockKind::shared);
  return checked();
}

Status Lowerer::settle() {
  add({.what = Do::settle, .number = scalar(s_.window)});
  if (!s_.unlocks || s_.peer < 0 || !place_) return {};
  out_.is_lasting = false;
  const auto is_exclusive = objects_.take_lock(place_->id, peer_of(scalar(s_.peer)));
  if (is_exclusive) lock_action(Do::unlock, *is_exclusive ? LockKind::exclusive : LockKind::shared);
  return checked();
}

// MPI_Win_post and MPI_Win_start: the processes of the group learn that they may, and wait for it.
// MPI_Win_complete and MPI_Win_wait: the same when it is over. Each is an empty message.
Status Lowerer::epoch() {
  if (!place_) return unknown("a window");
  out_.is_lasting = false;
  using Epoch = CallShape::Epoch;
  const bool begins = s_.epoch == Epoch::post || s_.epoch == Epoch::start;
  const bool exposes = s_.epoch == Epoch::post || s_.epoch == Epoch::wait;
  const std::int64_t window = scalar(s_.window);
  if (begins) objects_.set_epoch(window, exposes, scalar(s_.group));
  const std::vector<std::uint32_t>* others = objects_.epoch(window, exposes);
  if (!others) {
    add({.what = Do::settle, .number = window});
    return {};
  }
  const bool sends = s_.epoch == Epoch::post || s_.epoch == Epoch::complete;
  const std::uint32_t context = place_->group->collective_context();
  const std::int64_t tag =
      (begins ? kExposedTag : kCompletedTag) - kTags * static_cast<std::int64_t>(place_->serial);
  for (const std::uint32_t process : *others) {
    if (process == objects_.rank()) continue;
    // Buffered: these never wait for their receive, whatever the eager threshold.
    add({.what = sends ? Do::send : Do::receive,
         .mode = SendMode::buffered,
         .starts_up = s_.epoch == Epoch::complete,
         .peer = process,
         .context = context,
         .tag = tag,
         .number = window});
  }
  wait_inner();
  if (!begins) add({.what = Do::settle, .number = window});
  return {};
}

}  // namespace reprise::simulate
