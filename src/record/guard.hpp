// Processes that end early: one that is terminated, crashes or exits without MPI_Finalize saves its
// part, and then ends as it would have without the recorder.
#pragma once

#include <csignal>

namespace reprise::record {

class Session;

// The session to save when the process ends early; null: none. The first call takes over the
// signals that end a process, where the application has not done so; their former handlers run
// afterwards.
void guard_session(Session* session);

// Provides an alternate signal stack, for handlers on the calling thread after a stack overflow.
void provide_signal_stack();

extern volatile std::sig_atomic_t g_delayed_signal;
void deliver_signal_now();

// Handles a signal that came while a thread was in the recorder.
inline void deliver_delayed_signal() {
  if (g_delayed_signal != 0) deliver_signal_now();
}

}  // namespace reprise::record
