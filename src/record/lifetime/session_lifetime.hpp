// When a process records: from MPI_Init or its first MPI_Session_init to the end of the last of
// them.
#pragma once

#include <atomic>

namespace reprise::record {

class Session;

// The session of this process; null before MPI_Init or the first MPI_Session_init, after the end of
// the last of them, and when not recording.
extern std::atomic<Session*> g_session;
extern std::atomic<bool> g_paused;  // by MPI_Pcontrol(0)
// Whether POSIX functions are recorded; not in a process that was forked.
extern std::atomic<bool> g_records_posix;

void begin_session();        // after MPI_Init
void end_session();          // before MPI_Finalize
void begin_session_model();  // after MPI_Session_init
void end_session_model();    // before MPI_Session_finalize
// Ends the recording of this process alone and keeps its part, as before MPI_Abort.
void abandon_session() noexcept;
void control_session(int level);  // MPI_Pcontrol: 0 pauses, others resume

}  // namespace reprise::record
