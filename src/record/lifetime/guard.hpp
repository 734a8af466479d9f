// The end of the recording of a process. One that is terminated, crashes or exits without
// MPI_Finalize saves its part, and then ends as it would have without the recorder.
//
// A process is recording, saving or done. One thread takes it from recording to saving, and by then
// has left the recorder itself. Meanwhile a signal that terminates the process is delayed, and
// other threads that fault or would end the recording wait. Afterwards the process is done, or
// recording again if the program has handled the signal. In a process that is done signals take
// their course.
//
// A terminating signal that comes to a thread in the recorder is delayed until the thread leaves
// it. A fault there is one of the recorder's: nothing is saved but what the last checkpoint has.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <iterator>

namespace reprise::record {

class Session;
struct Stream;

// Recording begins. The first call takes over the signals that end a process. Those that terminate
// it stay the application's where it handles or ignores them; a handler of faults is called after
// the part is saved.
void guard_session(Session& session);
// Takes the process from recording to saving. False if it was done. REQUIRES: the calling thread is
// not in the recorder.
bool begin_saving();
// Takes the process from saving to done, and lets a delayed signal come.
void end_saving();
// The session has ended: the process is done, unless it has others, and its signals are the
// application's again.
void release_session(Session& session);

// Provides an alternate signal stack, for handlers on the calling thread after a stack overflow.
void provide_signal_stack();

enum class Phase : std::int32_t { recording, saving, done };

struct EndingState {
  Phase phase = Phase::done;
  pid_t saver = 0;  // the thread that saves
};

// Why a part is saved before MPI_Finalize.
enum class Occasion : int {
  end,             // exit or MPI_Abort
  fatal_signal,    // which ends the process: nothing is recorded after it
  handled_signal,  // the application handles it
};

// What the recorders of a process share.
struct Ending {
  static constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGSEGV,
                                     SIGBUS,  SIGFPE, SIGILL, SIGABRT};

  std::atomic<EndingState> state{EndingState{}};
  static_assert(decltype(state)::is_always_lock_free);
  std::atomic<pid_t> process{0};  // one that it forks has nothing to save
  std::atomic<int> delayed{0};    // a terminating signal that came meanwhile; 0: none
  // When a part may be saved for a signal that the program handles: this takes no more of the time
  // than checkpoints do [ns].
  std::atomic<std::uint64_t> affordable{0};
  void (*handler)(int, siginfo_t*, void*) = nullptr;  // of the recorder; null: none is installed
  struct sigaction former[std::size(kSignals)]{};     // of the application
};

// What differs where several ranks share a process, for the functions above.
namespace guarded {

Ending& ending();
void add(Session& session);
bool remove(Session& session);  // whether others remain
// The stream of the thread that is in the recorder: the calling one or, where ranks take turns on
// one thread, any. Null: none.
Stream* busy_stream();
// Whether the calling thread is one of the recorder's own.
bool is_own_thread();
void note_signal(int signal, bool is_fault);
void note_exit();  // of the process; not known of ranks that share one
void save(Occasion occasion);
// The process goes on after a signal that was noted.
void forget_signal(int signal);
// The program has handled or ignored a signal. See Gate::close_for_handler().
void leave_handler();
bool survive(const void* address);  // See PartFile::survive().

}  // namespace guarded

}  // namespace reprise::record
