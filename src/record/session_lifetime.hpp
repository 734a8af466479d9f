// When a process records: from MPI_Init or its first MPI_Session_init to the end of the last of
// them.
#pragma once

#include <atomic>

namespace reprise::record {

class Session;

// The session of this process; null before MPI_Init or the first MPI_Session_init, after the end of
// the last of them, and when not recording.
extern std::atomic<Session*> g_session;
extern std::atomic<bool> g_paused;
// This recorder stands before functions of POSIX too, and the process is no forked one.
extern std::atomic<bool> g_records_posix;

void begin_session();
void end_session();
// The same for MPI_Session_init and MPI_Session_finalize.
void begin_session_model();
void end_session_model();
void abandon_session() noexcept;
void control_session(int level);

}  // namespace reprise::record
