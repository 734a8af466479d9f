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
#include "record/channel.hpp"
#include "record/clock.hpp"
#include "record/communicators.hpp"
#include "record/handles.hpp"
#include "record/options.hpp"
#include "record/output.hpp"
#include "record/part_file.hpp"
#include "record/pending.hpp"
#include "record/smpi.hpp"
#include "record/stream.hpp"
#include "record/watcher.hpp"
#include "record/windows.hpp"

namespace reprise::record {

class Session {
 public:
  // `channel`: of the recorder's own, over all processes; opened for that model.
  Session(Options options, MPI_Comm channel, MpiModel model);

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
  // errno of the flat log of this rank, 0 if it is complete. Throws std::runtime_error if the
  // ranks' streams could not be merged. Collective over the world.
  void finish(int log_error);
  // MPI_Finalize begins. False if the channel belongs to the world and some process still has MPI
  // sessions open: then the channel is closed and each process is alone. Collective over the world.
  bool end_world(bool has_sessions);
  bool is_alone() const { return own_ == MPI_COMM_NULL; }
  // Waits until the watcher no longer holds all streams. For a thread that has become busy.
  void give_way(Stream& stream) const;
  // Stops the watcher and writes the part of this process, which `reprise merge` reads.
  void abandon() noexcept;
  // The same while other threads may be recording calls.
  void abandon_among_threads() noexcept;
  void report_unsaved() const noexcept;
  // The same from a handler of signals, on whatever stack there is.
  void abandon_from_handler() noexcept;
  // A signal that ends the process has come to the calling thread. For handlers of signals.
  void note_signal(int signal) noexcept;
  // See PartFile::survive().
  bool survive(const void* address) { return part_.survive(address); }

  // For the watcher. save() writes the part with the calls that threads are in; take_checkpoint()
  // without them. REQUIRES of both: the watcher holds all streams.
  void save() noexcept;
  void take_checkpoint() noexcept;
  // Notes in the slots for how long their calls have lasted. Called once a second; `now` [ns].
  void note_waiting(std::uint64_t now);
  std::uint64_t calls_begun() const;                            // as of the last note_waiting()
  std::uint64_t longest_wait() const { return longest_wait_; }  // of the present calls [s]

  // Whether no call is being recorded, so that the streams can be read.
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
  std::timed_mutex mutex;  // held while a call is recorded, if threads may call at once
  bool multithreaded = false;

 private:
  bool is_so_anywhere(bool here);
  compress::Process describe() const;
  compress::Process collect();
  compress::Process collect_undisturbed();
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
  std::string mpi_;
  std::int64_t began_ = 0;              // [s since 1970]
  std::uint64_t began_ns_ = 0;          // [ns]
  std::uint64_t core_wait_before_ = 0;  // [ns]
  std::uint64_t run_ = 0;               // the name of this run
  PartFile part_;
  Output output_;
  // As the watcher saw them last, by stream: calls begun and completed.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen_;
  std::uint64_t longest_wait_ = 0;
};

}  // namespace reprise::record
