// The recording of one process: what its threads share, from MPI_Init to MPI_Finalize.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "compress/process.hpp"
#include "record/calls/active_time.hpp"
#include "record/calls/clock.hpp"
#include "record/calls/core_wait.hpp"
#include "record/calls/stream.hpp"
#include "record/lifetime/guard.hpp"
#include "record/lifetime/hold.hpp"
#include "record/lifetime/part_file.hpp"
#include "record/lifetime/watcher.hpp"
#include "record/merge/channel.hpp"
#include "record/merge/output.hpp"
#include "record/objects/communicators.hpp"
#include "record/objects/handles.hpp"
#include "record/objects/pending.hpp"
#include "record/objects/windows.hpp"
#include "record/options.hpp"
#include "record/smpi/smpi.hpp"

namespace reprise::record {

class Session {
 public:
  // `channel`: of the recorder's own, over all processes; opened for that model. No messages.
  Session(Options options, MPI_Comm channel, MpiModel model);

  // Claims the output, names the run and creates the part of this process. The result is that of
  // this process. Collective over the channel.
  Status open() noexcept;
  // Starts the watcher and the clock of the run. REQUIRES: open() has succeeded in all processes.
  void start() noexcept;
  // After a failure to begin in any process: leaves nothing behind.
  void withdraw() noexcept;

  // The stream of the calling thread.
  Stream& stream();
  // The same, or null where the thread has called no MPI.
  Stream* known_stream();

  // A pending request of another stream than `mine`: the one whose handle lives at `now` or, if
  // `is_moved`, one with that handle that the program keeps elsewhere.
  PendingRequests::Place find_elsewhere(std::uint64_t handle, const Home& now, const Stream& mine,
                                        bool is_moved);
  std::size_t threads() const { return streams_.size(); }
  // Begins a look-up in the requests of all streams but `mine`.
  void begin_lookup_elsewhere(const Stream& mine);

  // Ends the recording: writes the trace or, if that fails, keeps the parts. `log_error` is the
  // errno of the flat log of this rank, 0 if it is complete; `ended`: when MPI was told to end.
  // Collective over the world.
  void finish(int log_error, const Instant& ended) noexcept;
  // MPI_Finalize begins. False if the channel belongs to the world and some process still has MPI
  // sessions open: then the channel is closed and each process is alone. Collective over the world.
  bool end_world(bool has_sessions);
  bool is_alone() const { return own_ == MPI_COMM_NULL; }
  // The calling thread enters the recorder, and leaves it: in between nobody reads the streams, and
  // signals wait.
  void enter(Stream& stream);
  void leave(Stream& stream);

  // Writes the part of this process, which `reprise merge` reads, with the calls that threads are
  // in. Reports why it cannot. False if that takes too long or, without a watcher, if a thread does
  // not leave the recorder in time: a second attempt would fail likewise. For threads that are not
  // in the recorder, in handlers of signals too.
  bool save(Occasion occasion) noexcept;
  // Saves for the last time.
  void abandon() noexcept;
  // A signal that ends the process has come to the calling thread, or that calls exit
  // (trace::kExited). For handlers of signals.
  void note_signal(int signal) noexcept;
  // The program has handled or ignored it.
  void forget_signal(int signal) noexcept { part_.forget_signal(signal); }
  // See PartFile::survive().
  bool survive(const void* address) { return part_.survive(address); }

  // Saves as save() does, on the calling thread.
  bool save_here(Occasion occasion, unsigned seconds) noexcept;
  // Writes the part. False if that fails, which is not reported: the run may still end well, and
  // else the next write fails likewise. REQUIRES: the streams are held.
  bool write_checkpoint() noexcept { return static_cast<bool>(write_part(false)); }
  // Notes in the slots for how long their calls have lasted. Called once a second; `now` [ns].
  void note_waiting(std::uint64_t now);
  std::uint64_t calls_begun() const;                            // as of the last note_waiting()
  std::uint64_t longest_wait() const { return longest_wait_; }  // of the present calls [s]

  // Whether no thread is in the recorder. REQUIRES: the lock.
  bool at_rest() const;

  void lose(const char* what) { ++losses_[what]; }
  // A call that was not recorded because memory ran out.
  void lose_to_failure() noexcept { failures_.fetch_add(1, std::memory_order_relaxed); }

  // A POSIX call on a file that no recorded call opened.
  void lose_to_other_file() noexcept { other_files_.fetch_add(1, std::memory_order_relaxed); }
  // A POSIX call in a thread that has called no MPI.
  void lose_to_other_thread() noexcept { other_threads_.fetch_add(1, std::memory_order_relaxed); }

  // What the name of this job's trace adds to that of the first one.
  std::string job() const { return output_.path().substr(options.output.size()); }

  // Whether this records the calling rank: ranks that share a process may share a library, which
  // then calls the recorder of one of them, whichever rank runs.
  bool is_of_caller() const { return caller_ == present_caller(); }

  // Whether times are recorded.
  bool is_timing() const { return options.times.mode != trace::TimeMode::none; }

  Handles groups, types, ops, files, mpi_sessions;
  Communicators comms;
  Windows windows;
  Watcher watcher;
  const Options options;
  const Clock clock;
  ActiveTime active;       // by that clock
  std::timed_mutex mutex;  // held while a call is recorded, if threads may call at once
  bool multithreaded = false;
  Gate gate;  // into the recorder

 private:
  bool is_so_anywhere(bool here);
  compress::Process describe() const;
  void give_way(Stream& stream);
  bool take_lock();
  void lock(Stream& stream);
  void unlock(Stream& stream);
  static void raise_delayed(Stream& stream);
  compress::Process collect();
  Result<compress::Process> collect_held() noexcept;
  Status write_part(bool has_tails) noexcept;
  void stop_recording() noexcept;
  bool report_unsaved(const char* why) const noexcept;  // returns false
  std::vector<compress::Tail> tails() const;

  void predefine();
  Stream& add_stream();
  void collect_stream(Stream& stream, compress::Process& out) const;

  int rank_ = 0, size_ = 1;
  std::int64_t caller_ = present_caller();
  MPI_Comm own_ = MPI_COMM_NULL;  // the channel; null once it is closed
  MpiModel model_;                // that the channel was opened for
  std::vector<std::unique_ptr<Stream>> streams_;
  std::mutex names_mutex_;  // of the call paths in the part
  std::map<std::string, std::uint64_t> losses_;
  std::atomic<std::uint64_t> failures_{0}, other_files_{0}, other_threads_{0};
  std::string program_, mpi_;
  std::int64_t began_ = 0;      // [s since 1970]
  std::uint64_t began_ns_ = 0;  // [ns]
  Instant started_;             // when MPI_Init returned to the program
  Instant ended_;               // when MPI was told to end; 0 ns: not yet
  Run run_;
  PartFile part_;
  Output output_;
  // As the watcher saw them last, by stream: calls begun and completed.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen_;
  std::uint64_t longest_wait_ = 0;
};

inline void Session::enter(Stream& stream) {
  stream.become_busy();
  // What a holder looks at after it holds the streams is stored before.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (gate.is_closed()) [[unlikely]]
    give_way(stream);
  if (multithreaded) lock(stream);
}

inline void Session::leave(Stream& stream) {
  if (stream.has_lock) unlock(stream);
  stream.come_to_rest();
  // A handler on this thread that saw it busy has stored the signal before this.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (stream.delayed_signal.load(std::memory_order_relaxed) != 0) [[unlikely]]
    raise_delayed(stream);
}

}  // namespace reprise::record
