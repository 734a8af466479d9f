#include "record/session.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <string_view>
#include <thread>

#include "record/channel.hpp"
#include "record/code_reader.hpp"
#include "record/core_wait.hpp"
#include "record/guard.hpp"
#include "record/request_homes.hpp"
#include "record/session_lifetime.hpp"
#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::record {

namespace {

// How long MPI_Finalize waits for the other processes before this one takes a checkpoint [ns].
constexpr std::uint64_t kPeerTimeout = 1'000'000'000;

// "Open MPI v4.1.4, package: ..." and "MPICH Version:\t4.0.2\n..." without what follows.
std::string describe_version(std::string_view version) {
  std::string out;
  for (const char c : version.substr(0, version.find_first_of(",\n"))) {
    if (c == '\t') {
      out += ' ';
    } else if (c != ':') {
      out += c;
    }
  }
  return out;
}

}  // namespace

Session::Session(Options o, MPI_Comm channel, MpiModel model)
    : groups(1),
      types(trace::kFirstMadeType),
      ops(trace::kFirstMadeOp),
      files(0),
      mpi_sessions(0),
      comms(channel),
      options(std::move(o)),
      clock(options.clock),
      own_(channel),
      model_(model),
      began_(std::time(nullptr)),
      began_ns_(system_ns()),
      core_wait_before_(core_wait_ns()),
      output_(options, part_, channel) {
  PMPI_Comm_rank(own_, &rank_);
  PMPI_Comm_size(own_, &size_);
  const Run run = name_run(own_);
  run_ = run.name;
  // Each session may have threads of its own.
  int level = MPI_THREAD_MULTIPLE;
  if (model == MpiModel::world) PMPI_Query_thread(&level);
  // Threads that take turns in MPI need not do so in files.
  multithreaded = level == MPI_THREAD_MULTIPLE || g_records_posix.load();
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  mpi_ = describe_version(version);
  predefine();
  part_.describe(describe(), began_ns_);
  stream().timer.start(clock);
  if (rank_ == 0) report_missing_reader();
  if (options.checkpoints) watcher.start(*this, began_ns_ - std::min(run.age, began_ns_));
}

void Session::predefine() {
#define REPRISE_OP(name) ops.predefine(handle_bits(MPI_Op(name)), op++);
#define REPRISE_DATATYPE(name, size) types.predefine(handle_bits(MPI_Datatype(name)), type++);
  std::int64_t type = 0, op = 0;
#define REPRISE_DATATYPE_OF(name, symbol) \
  types.predefine(handle_bits(MPI_Datatype(::dlsym(RTLD_DEFAULT, symbol))), type++);
#include "predefined_here.inc"
  groups.predefine(handle_bits(MPI_GROUP_EMPTY), trace::kEmptyGroup);
}

#ifdef SMPI_H

// Ranks are threads of SimGrid's there, and have none of their own.
Stream& Session::stream() { return streams_.empty() ? add_stream() : *streams_.front(); }
Stream* Session::known_stream() { return streams_.empty() ? nullptr : streams_.front().get(); }

#else

namespace {

thread_local Stream* t_stream = nullptr;
thread_local const Session* t_owner = nullptr;  // of the stream

}  // namespace

Stream& Session::stream() {
  if (t_owner != this) {
    const std::lock_guard lock(mutex);
    t_stream = &add_stream();
    t_owner = this;
  }
  return *t_stream;
}

Stream* Session::known_stream() { return t_owner == this ? t_stream : nullptr; }

#endif

Stream& Session::add_stream() {
  streams_.push_back(std::make_unique<Stream>(static_cast<int>(streams_.size()), options));
  Stream& stream = *streams_.back();
  stream.slot = part_.add_slot();
  // Paths may be found by several threads at a time; slots are told of those of their own.
  stream.callpaths.set_listener([this](const compress::CallpathTable& table) {
    const std::lock_guard lock(names_mutex_);
    part_.note_callpath(table);
  });
  stream.timer.start(clock);
#ifndef SMPI_H
  provide_signal_stack();
#endif
  return stream;
}

PendingRequests::Place Session::find_elsewhere(std::uint64_t handle, const Home& now,
                                               const Stream& mine, bool is_moved) {
  ProgramMemory memory(nullptr);
  for (const auto& stream : streams_) {
    if (stream.get() == &mine) continue;
    PendingRequests& requests = stream->requests;
    const PendingRequests::Place place =
        is_moved ? requests.find_moved(handle, {now.address, now.is_fortran, {}}, memory)
                 : requests.find_at(handle, now.address, memory);
    if (place.table) return place;
  }
  return {};
}

void Session::begin_lookup_elsewhere(const Stream& mine) {
  for (const auto& stream : streams_) {
    if (stream.get() != &mine) stream->requests.begin_lookup();
  }
}

bool Session::at_rest() const {
  return std::ranges::none_of(
      streams_, [](const auto& s) { return s->busy.load(std::memory_order_acquire); });
}

void Session::give_way(Stream& stream) const {
  do {
    stream.come_to_rest();
    while (watcher.holds()) std::this_thread::sleep_for(std::chrono::microseconds(20));
    stream.become_busy();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } while (watcher.holds());
}

// Whether `here` holds in any process. Other processes may never come here: a process that waits
// for them for longer takes a checkpoint, which the watcher cannot do while this thread is in the
// recorder. Collective.
bool Session::is_so_anywhere(bool here) {
  const int mine = here ? 1 : 0;
  int any = 0, is_known = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Iallreduce(&mine, &any, 1, MPI_INT, MPI_MAX, own_, &request);
  const std::uint64_t limit = system_ns() + kPeerTimeout;
  PMPI_Test(&request, &is_known, MPI_STATUS_IGNORE);
  while (!is_known && system_ns() < limit) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    PMPI_Test(&request, &is_known, MPI_STATUS_IGNORE);
  }
  // Without being in a call of the program it is not alone with what it would write.
  const Stream* stream = known_stream();
  if (!is_known && options.checkpoints && stream && stream->busy) take_checkpoint();
  if (!is_known) PMPI_Wait(&request, MPI_STATUS_IGNORE);
  return any != 0;
}

bool Session::end_world(bool has_sessions) {
  if (model_ == MpiModel::sessions || !is_so_anywhere(has_sessions)) return true;
  close_channel(own_, model_);
  own_ = MPI_COMM_NULL;
  return false;
}

void Session::finish(int log_error) {
  watcher.stop();
  std::optional<compress::Process> process;
  // Until there is a trace of all ranks, each has what it recorded in its part.
  std::vector<std::uint8_t> encoded;
  bool is_written = false;
  try {
    process = collect_undisturbed();
    if (!kIsOneProcess) {
      encoded = process->encode();
      is_written = static_cast<bool>(part_.write(encoded, output_.part()));
    }
  } catch (const std::exception&) {  // the other ranks wait for this one all the same
  }
  if (first_failed(log_error != 0, own_) == rank_) {
    std::fprintf(stderr, "reprise: the flat log is cut short (%s); record again with more space\n",
                 std::strerror(log_error));
  }
  if (output_.write(std::move(process))) {
    part_.remove(output_.part());
  } else {
    output_.keep_part(is_written, encoded);
  }
  comms.close();
  close_channel(own_, model_);
}

}  // namespace reprise::record
