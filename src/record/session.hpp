// The recording of one process: what its threads share, from MPI_Init to MPI_Finalize.
#pragma once

#include <mpi.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compress/process.hpp"
#include "record/callpaths.hpp"
#include "record/checkpoints.hpp"
#include "record/clock.hpp"
#include "record/handles.hpp"
#include "record/pending.hpp"
#include "record/smpi.hpp"
#include "trace/functions.hpp"

namespace reprise::record {

struct Options {
  std::string output;  // where the trace goes; empty: nothing is recorded
  CallpathMode callpaths = CallpathMode::full;
  bool merge = true;  // else a trace for each rank
  bool average_sizes = false;
  compress::TimeOptions times;
  compress::TimesPerStream times_kept = compress::TimesPerStream::classes_and_sums;
  std::string clock = "auto";
  bool checkpoints = true;  // so that a rank that is killed leaves something
};

// What one thread of a process does.
struct Stream {
  Stream(int n, const Options& options)
      : number(n), times(options.times), callpaths(options.callpaths) {}

  const int number;  // of the thread
  compress::StreamFolder folder;
  compress::TimeFolder times;
  CallTimer timer;
  std::map<compress::SiteKey, compress::SizeTotals> sizes;  // under --average-sizes
  Callpaths callpaths;
  PendingRequests requests;
  std::vector<std::int64_t> record;     // of the call under way
  std::int64_t polls = 0;               // unsuccessful ones since the last call
  std::vector<std::uint32_t> waited;    // requests that the call under way is about, by slot
  std::vector<MPI_Status> statuses;     // in place of MPI_STATUSES_IGNORE
  int depth = 0;                        // calls under way: MPI libraries call MPI
  volatile std::sig_atomic_t busy = 0;  // the recorder is at work: a signal must wait
};

// A communicator or window as this process knows it.
struct Members {
  std::int64_t id = 0;
  std::int64_t rank = 0;
  std::int64_t size = 0;         // of the local group
  std::int64_t remote_size = 0;  // of the group that peers are ranks of
  bool inter = false;
};

// How processes that share a new communicator come to the same name for it.
enum class CreatedBy {
  all_of,   // every process of a parent takes part: the k-th creation on it
  members,  // only those in it: the k-th creation with these members
};

class Session {
 public:
  explicit Session(Options options);

  // The stream of the calling thread.
  Stream& stream();

  std::int64_t comm(MPI_Comm comm) { return members(comm).id; }
  const Members& members(MPI_Comm comm);
  std::int64_t add_comm(MPI_Comm comm, CreatedBy rule, MPI_Comm parent, bool usable);
  void free_comm(MPI_Comm comm);

  const Members& window_members(MPI_Win win);
  std::int64_t add_window(MPI_Win win);
  void free_window(MPI_Win win);

  // Writes the trace of all ranks. Collective over the world. `log_error` is the errno of the plain
  // log of this rank, 0 if it is whole.
  void finish(int log_error);
  // A call is over and the recorder at work on this thread alone: takes a checkpoint if one is due.
  void look_at_clock() {
    if (checkpoints_.look()) take_checkpoint_if_due();
  }
  // Writes what this process has done so far to a file of its own, which `reprise merge` reads.
  void abandon() noexcept;
  // No call is being recorded: what has been recorded can be read.
  bool at_rest() const;

  void lose(const char* what) { ++losses_[what]; }

  // Whether the caller is the rank that this records: ranks that live in one process may share a
  // library, which then calls the recorder of one of them whichever runs.
  bool is_of_caller() const { return caller_ == present_caller(); }

  // The deltas of calls are kept.
  bool is_timing() const { return options.times.mode != trace::TimeMode::none; }

  Handles groups, types, ops, files;
  const Options options;
  const Clock clock;
  std::mutex mutex;  // held while a call is recorded, if threads may call at once
  bool multithreaded = false;

 private:
  compress::Process collect();
  compress::Process collect_undisturbed();
  void take_checkpoint_if_due() noexcept;
  void report_unwritten(const Status& status) const;
  bool write_merged(compress::Process process);
  bool write_own(compress::Process process);

  void predefine();
  void measure(MPI_Comm comm, Members& m);
  static std::uint64_t hash_members(MPI_Comm comm);
  Stream& add_stream();
  void collect_stream(Stream& stream, compress::Process& out) const;

  int rank_ = 0, size_ = 1;
  std::int64_t caller_ = present_caller();
  MPI_Comm own_ = MPI_COMM_NULL;  // for the recorder's messages
  std::vector<std::unique_ptr<Stream>> streams_;
  std::map<std::uint64_t, Members> comms_, windows_;
  std::uint64_t last_comm_handle_ = 0;
  const Members* last_comm_ = nullptr;
  std::vector<compress::CommName> comm_names_;  // by id; world and self first
  std::vector<Members> comm_members_;           // by id
  std::map<std::pair<std::int64_t, std::uint64_t>, std::uint64_t> creations_;
  std::vector<Members> window_by_id_;
  Handles window_numbers_{0};
  std::map<std::string, std::uint64_t> losses_;
  std::string mpi_;
  std::int64_t began_ = 0;      // [s since 1970]
  std::uint64_t began_ns_ = 0;  // [ns]
  std::uint64_t run_ = 0;       // the name of this run
  Checkpoints checkpoints_;
};

// The session of this process; null before MPI_Init, after MPI_Finalize and when not recording.
extern std::atomic<Session*> g_session;
extern std::atomic<bool> g_paused;

void begin_session();
void end_session();
void abandon_session() noexcept;
void control_session(int level);

}  // namespace reprise::record
