// Lives that end early: a process that is told to stop, crashes or exits without MPI_Finalize
// leaves what it recorded behind, and then ends just as it would have.
#pragma once

#include <csignal>

namespace reprise::record {

class Session;

// The session to save when the process ends early; null: none. The first call takes over the
// signals that end a process, where the application has not done so; their former handlers run
// afterwards.
void guard_session(Session* session);

// Lets handlers run on the calling thread when its stack has overflowed.
void provide_signal_stack();

extern volatile std::sig_atomic_t g_delayed_signal;
void deliver_signal_now();

// A signal that came while the recorder was at work is dealt with when it is at rest.
inline void deliver_delayed_signal() {
  if (g_delayed_signal != 0) deliver_signal_now();
}

}  // namespace reprise::record
