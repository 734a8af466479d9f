#include "record/calls/call.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "record/calls/float_guard.hpp"
#include "record/lifetime/session_lifetime.hpp"
#include "trace/calls/predefined.hpp"

namespace reprise::record {

using trace::kNone;

void* find_real(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (!found) {
    // Nothing sensible can follow: the program calls what its MPI library does not have.
    std::fprintf(stderr,
                 "reprise: %s cannot be called (the MPI library does not have it); link the "
                 "program with the "
                 "MPI library that it was compiled for\n",
                 name);
    std::abort();
  }
  return found;
}

namespace {

// Calls that are recorded even while recording is paused: what they make or set outlives the pause.
constexpr std::uint32_t kLasting =
    trace::traits::kCreate | trace::traits::kFree | trace::traits::kPersistent |
    trace::traits::kCancel | trace::traits::kState | trace::traits::kInit |
    trace::traits::kFinalize | trace::traits::kAbort | trace::traits::kControl;

}  // namespace

Call::Call(FunctionNumber function, void* caller, void* frame) noexcept {
  Session* session = g_session.load(std::memory_order_acquire);
  if (!session || !session->is_of_caller()) session = session_of_caller();
  if (!session) return;
  try {
    Stream& stream = session->stream();
    if (stream.depth > 0 && (stream.busy || stream.callers.is_part_of_call(caller))) return;
    if (stream.broken) {
      // The recorder's own calls, and those within a call, are none of the program.
      if (!stream.callers.beneath(caller)) session->lose_to_failure();
      return;
    }
    key_.function = static_cast<trace::FunctionId>(function);
    open(*session, stream, caller, frame);
  } catch (...) {
    if (session_) {
      fail();
    } else {
      session->lose_to_failure();
    }
  }
}

Call::Call(FunctionNumber function, OfProgram, void* caller, void* frame) noexcept {
  Session* session = g_session.load(std::memory_order_acquire);
  if (!session || !g_records_posix.load(std::memory_order_relaxed)) return;
  Stream* stream = session->known_stream();
  if (!stream) {
    if (!Callers::is_beneath(caller)) session->lose_to_other_thread();
    return;
  }
  try {
    if (stream->depth > 0 || stream->callers.beneath(caller)) return;
    if (stream->broken) {
      session->lose_to_failure();
      return;
    }
    key_.function = static_cast<trace::FunctionId>(function);
    open(*session, *stream, caller, frame);
  } catch (...) {
    if (session_) {
      fail();
    } else {
      session->lose_to_failure();
    }
  }
}

void Call::open(Session& session, Stream& stream, void* caller, void* frame) {
  const trace::Function& f = trace::function(key_.function);
  if (g_paused.load(std::memory_order_relaxed)) aside_ = "calls while recording was paused";
  if (stream.depth > 0) aside_ = "calls in MPI callbacks";
  traits_ = f.traits;
  kept_ = (traits_ & kLasting) != 0;
  // What passes within another call is no time of this one; what passes in one that is left out is
  // no computation.
  bounds_computation_ = session.is_timing() && stream.depth == 0;
  timed_ = bounds_computation_ && (aside_ == nullptr || kept_);
  if (bounds_computation_) stream.timer.enter(session.clock, session.active);
  if (stream.depth == stream.frames.size()) stream.frames.push_back(std::make_unique<CallFrame>());
  frame_ = stream.frames[stream.depth].get();
  session_ = &session;
  stream_ = &stream;
  ++stream.depth;
  session.enter(stream);
  if (stream.broken) [[unlikely]]
    return fail();
  const std::uint64_t unwinds = stream.callpaths.unwinds();
  key_.callpath = stream.callpaths.find(caller, frame);
  unusual_ = stream.callpaths.unwinds() != unwinds;
  scalars_ = f.scalars.size();
  frame_->record.assign(scalars_, kNone);
  frame_->waited.clear();
}

Call::~Call() {
  if (!session_) return;
  if (--stream_->depth == 0) stream_->note_end();
  session_->leave(*stream_);
  // MPI's clock may not be asked once MPI has ended, and no call follows.
  const bool is_last = g_session.load(std::memory_order_relaxed) != session_;
  if (!bounds_computation_ || is_last) return;
  if (timed_) {
    stream_->timer.leave(session_->clock, session_->active);
  } else {
    stream_->timer.resume(session_->clock, session_->active);
  }
}

void Call::begin() {
  if (stream_->depth == 1 && !failed_) stream_->note_begin(key_, frame_->record);
  session_->leave(*stream_);
  if (timed_) stream_->timer.begin(session_->clock, unusual_);
  if (stream_->depth == 1) discard_measured();
}

void Call::end() {
  if (timed_) stream_->timer.returned(session_->clock);
  session_->enter(*stream_);
  if (stream_->broken && !failed_) [[unlikely]]
    fail();
}

// What was half done cannot be undone: the stream ends here.
void Call::fail() noexcept {
  failed_ = true;
  stream_->broken = true;
  session_->lose_to_failure();
}

void Call::commit() {
  const FloatGuard guard;
  settle(true);
  if ((traits_ & trace::traits::kCancel) && !frame_->waited.empty()) {
    const PendingRequests::Place& place = frame_->waited[0];
    if (place.table) place.table->mark_cancel(place, true);
  }
  if (traits_ & trace::traits::kStart) {
    for (const PendingRequests::Place& place : frame_->waited) {
      if (place.table) place.table->mark_started(place, aside_ == nullptr);
    }
  }
  if (aside_ && !kept_ && !ended_) return session_->lose(aside_);
  ended_ = false;
  const trace::Function& f = trace::function(key_.function);
  frame_->record[0] = std::exchange(stream_->polls, 0);
  if (session_->options.average_sizes && compress::SizeTotals::apply_to(key_.function)) {
    stream_->sizes[key_].take(key_.function, frame_->record);
  }
  const compress::Step step = stream_->folder.add(key_, {scalars_, f.lists.size()}, frame_->record);
  stream_->note_calls();
  if (session_->is_timing()) {
    CallTimer& timer = stream_->timer;
    stream_->times.add(step.from, step.to,
                       {.compute = timed_ ? timer.take_compute() : 0,
                        .communicate = timed_ ? timer.take_communicate() : 0});
  }
}

void Call::failed() {
  settle(false);
  session_->lose("calls that returned an error");
}

void Call::unsuccessful() {
  if (aside_) return session_->lose(aside_);
  ++stream_->polls;
  if (!stream_->slot) return;
  stream_->slot->polls = static_cast<std::uint64_t>(stream_->polls);
  stream_->note_polling();
}

UnknownCall::UnknownCall(const void* caller) noexcept {
  Session* session = g_session.load(std::memory_order_acquire);
  if (!session || !session->is_of_caller()) session = session_of_caller();
  if (!session) return;
  Stream* entered = nullptr;
  try {
    Stream& stream = session->stream();
    if (stream.depth > 0 && (stream.busy || stream.callers.is_part_of_call(caller))) return;
    session->enter(stream);
    entered = &stream;
    if (stream.broken) {
      session->lose_to_failure();
    } else {
      session->lose("calls of functions that this recorder does not know");
    }
  } catch (...) {
    session->lose_to_failure();
  }
  if (entered) session->leave(*entered);
}

}  // namespace reprise::record
