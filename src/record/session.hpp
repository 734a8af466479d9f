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
#include "record/clock.hpp"
#include "record/communicators.hpp"
#include "record/gather.hpp"
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

  // A pending request that another stream than `mine` made: the one whose handle lives at `now` or,
  // if it was moved there, one with that handle.
  PendingRequests::Place find_elsewhere(std::uint64_t handle, const Home& now, const Stream& mine,
                                        bool is_moved);
  std::size_t threads() const { return streams_.size(); }
  // Begins a look-up in the requests of all streams but `mine`.
  void begin_lookup_elsewhere(const Stream& mine);

  // Writes the trace of all ranks. Collective over the world. `log_error` is the errno of the plain
  // log of this rank, 0 if it is whole.
  void finish(int log_error);
  // The world ends. False: this process or another one has sessions open, and the channel is of
  // the world, so that from now on each process is on its own. Collective over the world.
  bool end_world(bool has_sessions);
  bool is_alone() const { return own_ == MPI_COMM_NULL; }
  // The watcher holds all streams: a thread that has become busy waits until it is done.
  void give_way(Stream& stream) const;
  // Writes what this process has done so far to a file of its own, which `reprise merge` reads.
  void abandon() noexcept;
  // The same while other threads may be recording calls.
  void abandon_among_threads() noexcept;
  void report_unsaved() const noexcept;
  // The same from a handler of signals, on whatever stack there is.
  void abandon_from_handler() noexcept;
  // A signal that ends the process has come to the calling thread. For handlers of signals.
  void note_signal(int signal) noexcept;
  // A page of the part cannot be had any more.
  bool survive(const void* address) { return part_.survive(address); }

  // For the watcher. REQUIRES of the first two: it holds all streams.
  void save() noexcept;
  void take_checkpoint() noexcept;
  void note_waiting(std::uint64_t now);
  std::uint64_t calls_begun() const;
  std::uint64_t longest_wait() const { return longest_wait_; }  // of the calls under way [s]

  // No call is being recorded: what has been recorded can be read.
  bool at_rest() const;

  void lose(const char* what) { ++losses_[what]; }
  // A call that the recorder failed to keep, for want of memory.
  void lose_to_failure() noexcept { failures_.fetch_add(1, std::memory_order_relaxed); }

  // A call of POSIX on a file that was opened otherwise than by a recorded call.
  void lose_to_other_file() noexcept { other_files_.fetch_add(1, std::memory_order_relaxed); }
  // A call of POSIX in a thread that has called no MPI.
  void lose_to_other_thread() noexcept { other_threads_.fetch_add(1, std::memory_order_relaxed); }

  // What the name of this job's trace adds to that of the first one.
  std::string job() const { return output_.path().substr(options.output.size()); }

  // Whether the caller is the rank that this records: ranks that live in one process may share a
  // library, which then calls the recorder of one of them whichever runs.
  bool is_of_caller() const { return caller_ == present_caller(); }

  // The deltas of calls are kept.
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
  compress::Process collect();
  compress::Process collect_undisturbed();
  std::vector<compress::Tail> tails() const;

  void predefine();
  Stream& add_stream();
  void collect_stream(Stream& stream, compress::Process& out) const;

  int rank_ = 0, size_ = 1;
  std::int64_t caller_ = present_caller();
  MPI_Comm own_ = MPI_COMM_NULL;  // for the recorder's messages; null if there can be none any more
  MpiModel model_;                // by which that was opened
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
