#include "record/session.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "record/calls/core_wait.hpp"
#include "record/lifetime/guard.hpp"
#include "record/lifetime/hold.hpp"
#include "record/lifetime/session_lifetime.hpp"
#include "record/merge/attempt.hpp"
#include "record/merge/channel.hpp"
#include "record/merge/code_reader.hpp"
#include "record/objects/request_homes.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::record {

namespace {

// Between two looks at whether the lock will ever be free.
constexpr std::chrono::milliseconds kLockPause{10};

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

// The command line of this process, as `record` has that of a run: words with blanks between them.
std::string command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string out;
  for (std::string word; std::getline(in, word, '\0');) out += (out.empty() ? "" : " ") + word;
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
      started_(present_instant()),
      output_(options, part_, channel) {
  PMPI_Comm_rank(own_, &rank_);
  PMPI_Comm_size(own_, &size_);
  // Each session may have threads of its own.
  int level = MPI_THREAD_MULTIPLE;
  if (model == MpiModel::world) PMPI_Query_thread(&level);
  // Threads that take turns in MPI need not do so in files.
  multithreaded = level == MPI_THREAD_MULTIPLE || g_records_posix.load();
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  program_ = command_line();
  mpi_ = describe_version(version);
  predefine();
}

Status Session::open() noexcept {
  Status claimed = output_.claim();
  run_ = name_run(own_);
  if (!claimed) return claimed;
  Hold::prepare();
  if (rank_ == 0 && part_.is_moved()) {
    std::fprintf(stderr,
                 "reprise: until the run ends, the part of rank 0 is %s, and maybe those of others "
                 "likewise on their nodes (%s cannot be written); free space for the trace\n",
                 part_.path().c_str(), output_.path().c_str());
  }
  return attempt([&] {
    part_.describe(describe(), began_ns_);
    stream();
    if (rank_ == 0) report_missing_reader();
  });
}

void Session::start() noexcept {
  started_ = present_instant();
  if (options.checkpoints) watcher.start(*this, began_ns_ - std::min(run_.age, began_ns_));
}

void Session::withdraw() noexcept {
  output_.withdraw();
  comms.close();
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
    if (!take_lock()) throw std::runtime_error("saving takes too long");
    const std::lock_guard lock(mutex, std::adopt_lock);
    t_stream = &add_stream();
    t_owner = this;
  }
  return *t_stream;
}

Stream* Session::known_stream() { return t_owner == this ? t_stream : nullptr; }

#endif

Stream& Session::add_stream() {
  streams_.push_back(std::make_unique<Stream>(static_cast<int>(streams_.size()), options, clock));
  Stream& stream = *streams_.back();
  stream.slot = part_.add_slot();
  // Paths may be found by several threads at a time; slots are told of those of their own.
  stream.callpaths.set_listener([this](const compress::CallpathTable& table) {
    const std::lock_guard lock(names_mutex_);
    part_.note_callpath(table);
  });
  stream.timer.start(clock, active);
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

// False if who has the lock is stuck.
bool Session::take_lock() {
  while (!gate.is_given_up()) {
    if (mutex.try_lock() || mutex.try_lock_for(kLockPause)) return true;
  }
  return false;
}

void Session::lock(Stream& stream) {
  while (take_lock()) {
    stream.has_lock = true;
    if (!gate.is_closed()) return;
    unlock(stream);
    give_way(stream);
  }
}

void Session::unlock(Stream& stream) {
  stream.has_lock = false;
  mutex.unlock();
}

void Session::raise_delayed(Stream& stream) { ::raise(stream.delayed_signal.exchange(0)); }

// Waits until the gate is open or given up.
void Session::give_way(Stream& stream) {
  do {
    stream.come_to_rest();
    gate.wait();
    stream.become_busy();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } while (gate.is_closed() && !gate.is_given_up());
}

// Whether `here` holds in any process. Collective.
bool Session::is_so_anywhere(bool here) {
  const int mine = here ? 1 : 0;
  int any = 0;
  PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, own_);
  return any != 0;
}

bool Session::end_world(bool has_sessions) {
  if (model_ == MpiModel::sessions || !is_so_anywhere(has_sessions)) return true;
  close_channel(own_, model_);
  own_ = MPI_COMM_NULL;
  return false;
}

void Session::finish(int log_error, const Instant& ended) noexcept {
  watcher.stop();
  ended_ = ended;
  // Until there is a trace of all ranks, each has what it recorded in its part.
  std::vector<std::uint8_t> encoded;
  bool is_written = false;
  const auto write_part = [&](const compress::Process& process) {
    encoded = process.encode();
    is_written = static_cast<bool>(part_.write(encoded));
  };
  Result<compress::Process> process = collect_held();
  // What fails is tried again if the part is needed.
  if (process && !kIsOneProcess) (void)attempt([&] { write_part(*process); });
  if (!kIsOneProcess) end_saving();
  const Status log = log_error == 0 ? Status() : error_of(std::strerror(log_error));
  if (const auto failure = first_failure(log, own_); failure && failure->rank == rank_) {
    std::fprintf(stderr, "reprise: the flat log is cut short (%s); record again with more space\n",
                 failure->why.c_str());
  }
  if (output_.write(std::move(process))) {
    part_.remove();
  } else {
    if (encoded.empty() && !kIsOneProcess) {
      (void)attempt([&] {
        if (const Result<compress::Process> again = collect_held()) write_part(*again);
      });
    }
    output_.keep_part(is_written, encoded);
  }
  comms.close();
  close_channel(own_, model_);
}

}  // namespace reprise::record
