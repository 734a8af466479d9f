// The recording of one process: what its threads share, from MPI_Init to MPI_Finalize.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compress/process.hpp"
#include "record/call_timer.hpp"
#include "record/callers.hpp"
#include "record/callpaths.hpp"
#include "record/clock.hpp"
#include "record/communicators.hpp"
#include "record/gather.hpp"
#include "record/handles.hpp"
#include "record/options.hpp"
#include "record/part_file.hpp"
#include "record/pending.hpp"
#include "record/smpi.hpp"
#include "record/watcher.hpp"
#include "record/windows.hpp"
#include "trace/functions.hpp"

namespace reprise::record {

// A call under way.
struct CallFrame {
  std::vector<std::int64_t> record;
  std::vector<PendingRequests::Place> waited;  // the requests that it is about
  std::vector<MPI_Status> statuses;            // in place of MPI_STATUSES_IGNORE
};

// What one thread of a process does.
struct Stream {
  Stream(int n, const Options& options) : number(n), times(options.times), requests(n) {}

  const int number;  // of the thread
  compress::StreamFolder folder;
  compress::TimeFolder times;
  CallTimer timer;
  std::map<compress::SiteKey, compress::SizeTotals> sizes;  // under --average-sizes
  Callpaths callpaths;
  Callers callers;
  PendingRequests requests;
  // What the thread is doing, for whoever looks when the process has ended; null: it is not kept.
  PartFile::Slot* slot = nullptr;
  // The calls under way, the outermost first: callbacks of MPI call MPI.
  std::vector<std::unique_ptr<CallFrame>> frames;
  std::int64_t polls = 0;    // unsuccessful ones since the last call
  std::size_t depth = 0;     // calls under way
  bool broken = false;       // the recorder failed here: nothing more is recorded
  std::atomic<bool> busy{};  // the recorder is at work: a signal, and the watcher, must wait

  void become_busy() { busy.store(true, std::memory_order_relaxed); }
  void come_to_rest() { busy.store(false, std::memory_order_release); }

  // Says what it is in from now on; `record` has the arguments.
  void note_begin(const compress::SiteKey& key, const std::vector<std::int64_t>& record) {
    if (!slot) return;
    using Slot = PartFile::Slot;
    note(slot->state, compress::PartLayout::State::outside);
    slot->function = static_cast<std::uint64_t>(key.function);
    slot->callpath = callpaths.hashes()[key.callpath];
    note(slot->begun, slot->begun + 1);
    note(slot->waited, 0);
    slot->before = slot->calls;
    slot->polls = static_cast<std::uint64_t>(polls);
    slot->words = std::min(record.size(), Slot::kWords);
    std::memcpy(slot->record, record.data(), 8 * slot->words);
    note(slot->state, compress::PartLayout::State::within);
  }
  void note_polling() { note(slot->state, compress::PartLayout::State::polling); }
  // Behind note_calls() and note_polling(): a process that is killed before has the call either as
  // completed or in flight.
  void note_end() {
    using State = compress::PartLayout::State;
    if (slot && slot->state == static_cast<std::uint64_t>(State::within))
      note(slot->state, State::outside);
  }
  void note_calls() {
    if (slot) note(slot->calls, folder.calls());
  }

 private:
  // In the order of the program, whenever it ends.
  template <class T>
  static void note(std::uint64_t& word, T value) {
    std::atomic_ref(word).store(static_cast<std::uint64_t>(value), std::memory_order_release);
  }
};

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
  std::string job() const { return output_.substr(options.output.size()); }

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
  void report_unwritten(const std::string& why, const std::string& elsewhere) const;
  std::vector<compress::Tail> tails() const;
  std::string keep_part(bool is_lost, std::span<const std::uint8_t> process);
  Result<bool> write_as_told(const trace::Trace& trace, std::string& path) const;
  bool write_merged(std::optional<compress::Process> process);
  bool write_own(compress::Process process);

  void predefine();
  Stream& add_stream();
  void collect_stream(Stream& stream, compress::Process& out) const;

  int rank_ = 0, size_ = 1;
  std::string unwritten_;                // why, on the rank that says it
  std::string output_ = options.output;  // of this job
  std::string claim_;                    // the file that tells `reprise record` of it; or empty
  PartFile part_;
  std::int64_t caller_ = present_caller();
  MPI_Comm own_ = MPI_COMM_NULL;  // for the recorder's messages; null if there can be none any more
  MpiModel model_;                // by which that was opened
  std::vector<std::unique_ptr<Stream>> streams_;
  std::mutex names_mutex_;  // of the call paths in the part
  std::map<std::string, std::uint64_t> losses_;
  std::atomic<std::uint64_t> failures_{0}, other_files_{0}, other_threads_{0};
  std::string mpi_;
  std::int64_t began_ = 0;      // [s since 1970]
  std::uint64_t began_ns_ = 0;  // [ns]
  std::uint64_t run_ = 0;       // the name of this run
  // As the watcher saw them last, by stream: calls begun and completed.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen_;
  std::uint64_t longest_wait_ = 0;
};

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
