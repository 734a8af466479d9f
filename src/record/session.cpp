#include "record/session.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <stdexcept>

#include "base/hash.hpp"
#include "record/claim.hpp"
#include "record/code_reader.hpp"
#include "record/flat_log.hpp"
#include "record/float_guard.hpp"
#include "record/gather.hpp"
#include "record/guard.hpp"
#include "record/part_file.hpp"
#include "record/request_homes.hpp"
#include "trace/file.hpp"
#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::record {

std::atomic<Session*> g_session{nullptr};
std::atomic<bool> g_paused{false};
std::atomic<bool> g_records_posix{false};

namespace {

// How long the end of a process waits for a thread that is in the recorder.
constexpr std::chrono::seconds kPatience{1};

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
      checkpoints_(options.checkpoints, began_ns_) {
  PMPI_Comm_rank(own_, &rank_);
  PMPI_Comm_size(own_, &size_);
#ifndef SMPI_H  // one process, one command
  output_ = claim_output(options.output, environment("REPRISE_CLAIMS"), own_);
#endif
  run_ = name_run(own_);
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
  stream().timer.start(clock);
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
  streams_.back()->timer.start(clock);
  return *streams_.back();
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
  return std::ranges::none_of(streams_, [](const auto& s) { return s->busy != 0; });
}

void Session::collect_stream(Stream& stream, compress::Process& out) const {
  out.own.callpaths.merge(stream.callpaths.table());
  compress::FoldedStream& folded = out.streams.emplace_back(stream.folder.finish());
  std::vector<compress::SiteName>& names = out.names.emplace_back();
  for (const compress::FoldedSite& site : folded.sites) {
    const std::string function(trace::function(site.key.function).name);
    names.push_back({function, stream.callpaths.hashes()[site.key.callpath]});
    const auto totals = stream.sizes.find(site.key);
    if (totals != stream.sizes.end()) out.own.sizes[names.back()].merge(totals->second);
  }
  out.own.graph.merge(compress::FlowGraph(folded, names));
  if (!is_timing()) return;
  const double ns_per_tick = clock.ns_per_tick();
  std::vector<compress::FoldedTimes> times = stream.times.finish(ns_per_tick);
  for (std::size_t i = 0; i < times.size(); ++i) folded.sites[i].times = std::move(times[i]);
  const double remainder = ns_per_tick * static_cast<double>(stream.timer.remainder());
  out.own.timing.recorder += static_cast<std::uint64_t>(std::max(0.0, remainder));
}

// REQUIRES: no stream changes meanwhile, and no signal reads them.
compress::Process Session::collect() {
  compress::Process p;
  p.rank = static_cast<std::uint64_t>(rank_);
  p.ranks = static_cast<std::uint64_t>(size_);
  p.run = run_;
  p.mpi = mpi_;
  p.date = began_;
  for (const auto& stream : streams_) collect_stream(*stream, p);
  for (const Members& m : comms.members()) p.comms.push_back({m.rank, m.remote_size});
  for (const Members& m : windows.members()) p.windows.push_back({m.rank, m.remote_size});
  p.own.comms = comms.names();
  p.own.threads = std::max<std::uint64_t>(1, streams_.size());
  p.own.duration = (system_ns() - began_ns_) / 1000;
  p.own.losses = losses_;
  if (const std::uint64_t n = failures_.load()) p.own.losses["calls for which memory ran out"] += n;
  if (const std::uint64_t n = other_files_.load())
    p.own.losses["POSIX calls on files that were not opened by a recorded call"] += n;
  if (const std::uint64_t n = other_threads_.load())
    p.own.losses["POSIX calls of threads that call no MPI"] += n;
  if (options.average_sizes) p.own.options = "--average-sizes";
  p.own.timing.mode = options.times.mode;
  p.own.timing.clock = clock.name();
  p.own.times_kept = options.times_kept;
  return p;
}

compress::Process Session::collect_undisturbed() {
  for (const auto& stream : streams_) stream->busy = 1;
  compress::Process process = collect();
  for (const auto& stream : streams_) stream->busy = 0;
  deliver_delayed_signal();
  return process;
}

void Session::report_unwritten(const Status& status) const {
  std::fprintf(stderr, "reprise: %s\n", status.error().message.c_str());
  // An empty file tells `reprise record` what happened.
  if (std::FILE* mark = std::fopen((output_ + ".partial").c_str(), "wb")) std::fclose(mark);
}

bool Session::write_merged(std::optional<compress::Process> process) {
  const auto trace = gather(std::move(process), own_);
  Status written;
  if (trace) {
    const NoFileSizeSignal no_signal;
    written = trace::write_trace(*trace, output_);
    if (!written) report_unwritten(written);
  }
  return first_failed(!written, own_) < 0;
}

bool Session::write_own(compress::Process process) {
  const NoFileSizeSignal no_signal;
  std::vector<compress::Process> only;
  only.push_back(std::move(process));
  trace::Trace trace = compress::merge_processes(std::move(only), read_code);
  for (trace::Loss& l : trace.losses) {
    if (l.what == compress::kLeftNothing) l.what = "ranks with traces of their own";
  }
  const Status written = trace::write_trace(trace, output_ + "." + std::to_string(rank_));
  if (first_failed(!written, own_) == rank_) report_unwritten(written);
  return static_cast<bool>(written);
}

void Session::finish(int log_error) {
  checkpoints_.stop();  // MPI_Finalize itself is a call that ends
  std::optional<compress::Process> process;
  try {
    process = collect_undisturbed();
  } catch (const std::exception&) {  // the other ranks wait for this one all the same
  }
  if (first_failed(log_error != 0, own_) == rank_) {
    std::fprintf(stderr, "reprise: the plain log is cut short (%s)\n", std::strerror(log_error));
  }
  if (!options.merge && !process) throw std::runtime_error("no memory");
  const bool written =
      options.merge ? write_merged(std::move(process)) : write_own(std::move(*process));
  if (written) remove_part_file(output_, static_cast<std::uint64_t>(rank_));
  comms.close();
  close_channel(own_, model_);
}

bool Session::end_world(bool has_sessions) {
  if (model_ == MpiModel::sessions || first_failed(has_sessions, own_) < 0) return true;
  close_channel(own_, model_);
  own_ = MPI_COMM_NULL;
  return false;
}

void Session::take_checkpoint_if_due() noexcept {
  try {
    const std::uint64_t begin = system_ns();
    if (!checkpoints_.due(begin)) return;
    const FloatGuard guard;
    compress::Process process = collect();
    process.own.losses[compress::kCutShort] = 1;
    flush_flat_log();
    // If it cannot be written the run may still end well, and whoever writes next says why not.
    (void)write_part_file(process, output_);
    checkpoints_.taken(begin, system_ns());
  } catch (const std::exception&) {  // no memory: the last checkpoint stays
  }
}

void Session::abandon() noexcept {
  const FloatGuard guard;
  checkpoints_.stop();
  try {
    write_part(collect_undisturbed(), output_);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "reprise: rank %d is lost (%s)\n", rank_, e.what());
  }
}

void Session::abandon_among_threads() noexcept {
  std::unique_lock lock(mutex, std::defer_lock);
  if (multithreaded && !lock.try_lock_for(kPatience)) {
    std::fprintf(stderr,
                 "reprise: rank %d ends while another thread is in the recorder: what it did since "
                 "the last checkpoint is lost\n",
                 rank_);
    return;
  }
  abandon();
}

namespace {

// What of MPI this process has open.
struct Open {
  bool world = false;
  int sessions = 0;
};
Open g_open;
#if MPI_VERSION >= 4
// Sessions may come and go on several threads. Held through collective calls: on the other
// processes, too, only one thread makes them.
std::mutex g_opening;
#define REPRISE_OPENING const std::lock_guard opening(g_opening)
#else
#define REPRISE_OPENING static_cast<void>(0)
#endif

void begin(MpiModel model) {
  if (const Session* known = g_session.load(); known && !known->is_of_caller()) return lose_all();
  Options options = options_from_environment();
  if (options.output.empty() || g_session.load()) return;
  const MPI_Comm channel = open_channel(model);
  if (channel == MPI_COMM_NULL) {
    std::fputs("reprise: no communicator of all processes can be made: nothing is recorded\n",
               stderr);
    return close_channel(channel, model);
  }
  // Never deleted: threads that outlive MPI_Finalize may still look at it.
  auto* session = new Session(std::move(options), channel, model);
  if (const std::string folder = environment("REPRISE_FLAT"); !folder.empty())
    open_flat_log(folder + session->job(), channel);
  g_session.store(session, std::memory_order_release);
  guard_session(session);
}

void end() {
  const int log_error = close_flat_log();
  // From here on calls are not recorded, but a signal still finds the session.
  Session* session = g_session.exchange(nullptr);
  if (!session) return;
  try {
    session->finish(log_error);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "reprise: no trace of all ranks can be written (%s)\n", e.what());
    session->abandon();
  }
  guard_session(nullptr);
  discard_measured();
}

}  // namespace

void begin_session() {
  const FloatGuard guard;
  REPRISE_OPENING;
  g_open.world = true;
  begin(MpiModel::world);
}

void end_session() {
  const FloatGuard guard;
  REPRISE_OPENING;
  g_open.world = false;
  Session* session = g_session.load();
#if MPI_VERSION >= 4
  const bool has_sessions = g_open.sessions > 0;
  if (session && !session->end_world(has_sessions) && !has_sessions) return abandon_session();
  if (has_sessions) return;
#endif
  if (session) end();
}

void begin_session_model() {
  const FloatGuard guard;
  REPRISE_OPENING;
  ++g_open.sessions;
  begin(MpiModel::sessions);
}

void end_session_model() {
  const FloatGuard guard;
  REPRISE_OPENING;
  if (--g_open.sessions > 0 || g_open.world) return;
  Session* session = g_session.load();
  if (session) session->is_alone() ? abandon_session() : end();
}

void abandon_session() noexcept {
  flush_flat_log();
  Session* session = g_session.exchange(nullptr);
  guard_session(nullptr);
  if (!session) return;
  session->abandon();
  discard_measured();
}

void control_session(int level) { g_paused.store(level == 0); }

}  // namespace reprise::record
