#include "record/session.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <thread>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "compress/rank_trace.hpp"
#include "record/claim.hpp"
#include "record/code_reader.hpp"
#include "record/flat_log.hpp"
#include "record/float_guard.hpp"
#include "record/gather.hpp"
#include "record/guard.hpp"
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
constexpr std::uint64_t kMuch = 1'000'000'000;  // for a process to wait for others at its end [ns]
// How long the watcher waits for a thread that ends and may be waiting for it.
constexpr std::chrono::milliseconds kBriefly{10};
constexpr int kMaxNames = 100'000;

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
      began_ns_(system_ns()) {
  PMPI_Comm_rank(own_, &rank_);
  PMPI_Comm_size(own_, &size_);
#ifndef SMPI_H  // one process, one command
  const Claim claim = claim_output(options, part_, own_);
  output_ = claim.output;
  claim_ = claim.file;
#endif
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
  compress::Process self;
  self.rank = static_cast<std::uint64_t>(rank_);
  self.ranks = static_cast<std::uint64_t>(size_);
  self.run = run_;
  self.date = began_;
  self.mpi = mpi_;
  self.own.callpaths_kept = options.callpaths;
  part_.describe(self, began_ns_);
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
  const double own = ns_per_tick * static_cast<double>(stream.timer.own());
  out.own.timing.recorder += static_cast<std::uint64_t>(own);
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
  p.own.timing.precision = options.times.precision_in_millionths();
  p.own.times_kept = options.times_kept;
  p.own.callpaths_kept = options.callpaths;
  return p;
}

compress::Process Session::collect_undisturbed() {
  for (const auto& stream : streams_) stream->become_busy();
  compress::Process process = collect();
  for (const auto& stream : streams_) stream->come_to_rest();
  deliver_delayed_signal();
  return process;
}

// What the threads are in, where no slots of a file say so.
std::vector<compress::Tail> Session::tails() const {
  std::vector<compress::Tail> out;
  for (const auto& stream : streams_) {
    out.emplace_back();
    if (stream->slot) {
      out.back() = compress::PartLayout::tail_of(*stream->slot, stream->folder.calls(),
                                                 stream->callpaths.table());
    }
  }
  return out;
}

void Session::give_way(Stream& stream) const {
  do {
    stream.come_to_rest();
    while (watcher.holds()) std::this_thread::sleep_for(std::chrono::microseconds(20));
    stream.become_busy();
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } while (watcher.holds());
}

// Says what becomes of a run whose trace cannot be written, once for all ranks. `elsewhere`: what
// parts begin with that the folder of the output had no room for; empty if there are none.
void Session::report_unwritten(const std::string& why, const std::string& elsewhere) const {
  std::uint64_t parts = 0;
  for (int r = 0; r < size_; ++r) {
    parts += ::access(part_path(output_, static_cast<std::uint64_t>(r)).c_str(), F_OK) == 0;
  }
  std::string where, words;
  if (parts > 0) {
    where = std::to_string(parts) + " of " + std::to_string(size_) + " parts remain";
    words = " " + output_ + ".part-*";
  }
  if (!elsewhere.empty()) {
    where += (where.empty() ? "parts" : ", others") + std::string(" are ") + elsewhere +
             "RANK, each on its node";
    words += " " + elsewhere + "*";
  }
  const std::string remains = words.empty() ? "no part of it remains"
                                            : where +
                                                  ", of which a trace is made by\n"
                                                  "  reprise merge -o " +
                                                  output_ + words;
  std::fprintf(stderr, "reprise: %s; %s\n", why.c_str(), remains.c_str());
  note_failure(claim_);
}

// The trace at its place, or, where another file has taken that and is not to be replaced, beside
// it. False: that is where it is.
Result<bool> Session::write_as_told(const trace::Trace& trace, std::string& path) const {
  if (options.replace) {
    const Status written = trace::write_trace(trace, path);
    if (!written) return written.error();
    return true;
  }
  for (int n = 1; n < kMaxNames; ++n) {
    path = n == 1 ? output_ : output_ + ".job-" + std::to_string(n);
    const auto written = trace::write_new_trace(trace, path);
    if (!written) return written.error();
    if (*written) return n == 1;
  }
  return Error{"the trace " + output_ + " cannot be written (there are too many beside it)"};
}

bool Session::write_merged(std::optional<compress::Process> process) {
  const auto trace = gather(std::move(process), own_);
  bool failed = false;
  if (trace) {
    const NoFileSizeSignal no_signal;
    std::string path = output_;
    const auto written = write_as_told(*trace, path);
    failed = !written;
    if (failed) {
      unwritten_ = written.error().message;
    } else if (!*written) {
      std::fprintf(stderr,
                   "reprise: %s was written by somebody else while the program ran, and stays as "
                   "it is; the trace is %s\n",
                   output_.c_str(), path.c_str());
      note_claim(claim_, path);
    }
  }
  return first_failed(failed, own_) < 0;
}

bool Session::write_own(compress::Process process) {
  const NoFileSizeSignal no_signal;
  const trace::Trace trace = compress::trace_of(std::move(process), read_code);
  const std::string path = output_ + "." + std::to_string(rank_);
  std::string why;
  if (options.replace) {
    const Status written = trace::write_trace(trace, path);
    if (!written) why = written.error().message;
  } else {
    const auto written = trace::write_new_trace(trace, path);
    if (!written) {
      why = written.error().message;
    } else if (!*written) {
      why = path + " was written by somebody else while the program ran, and stays as it is";
    }
  }
  const int first = first_failed(!why.empty(), own_);
  if (first == rank_) unwritten_ = why;
  return first < 0;
}

// Where the part has gone or is not whole, as on a full disk, there may be room elsewhere.
// Collective. What the names of such parts begin with; empty if there are none.
std::string Session::keep_part(bool is_lost, std::span<const std::uint8_t> process) {
  const char* folder = std::getenv("TMPDIR");
  const std::string name = output_.substr(output_.rfind('/') + 1);
  const std::string path = part_path((folder && *folder ? folder : "/tmp") + ("/" + name),
                                     static_cast<std::uint64_t>(rank_));
  const NoFileSizeSignal no_signal;
  const bool is_kept = is_lost && write_file(path, process, {.is_synced = false});
  if (is_kept) part_.remove(part_path(output_, static_cast<std::uint64_t>(rank_)));
  if (first_failed(is_kept, own_) < 0) return {};
  return path.substr(0, path.rfind('-') + 1);
}

void Session::finish(int log_error) {
  watcher.stop();
  const std::string part = part_path(output_, static_cast<std::uint64_t>(rank_));
  std::optional<compress::Process> process;
  // Until there is a trace of all ranks, each has what it recorded in its part.
  std::vector<std::uint8_t> encoded;
  bool is_kept = false;
  try {
    process = collect_undisturbed();
    if (!kIsOneProcess) {
      encoded = process->encode();
      is_kept = static_cast<bool>(part_.write(encoded, part));
    }
  } catch (const std::exception&) {  // the other ranks wait for this one all the same
  }
  if (first_failed(log_error != 0, own_) == rank_) {
    std::fprintf(stderr, "reprise: the flat log is cut short (%s); record again with more space\n",
                 std::strerror(log_error));
  }
  if (!options.merge && !process) throw std::runtime_error("no memory");
  const bool written =
      options.merge ? write_merged(std::move(process)) : write_own(std::move(*process));
  if (written) {
    part_.remove(part);
  } else {
    const std::string elsewhere =
        kIsOneProcess ? "" : keep_part(!is_kept || !part_.remains(part), encoded);
    if (!unwritten_.empty()) report_unwritten(unwritten_, elsewhere);
  }
  comms.close();
  close_channel(own_, model_);
}

// Whether it is so in any process. Others may never come here: whoever waits for them writes down
// what it has. The watcher cannot, as this thread is in the recorder. Collective.
bool Session::is_so_anywhere(bool here) {
  const int mine = here ? 1 : 0;
  int any = 0, is_known = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Iallreduce(&mine, &any, 1, MPI_INT, MPI_MAX, own_, &request);
  const std::uint64_t limit = system_ns() + kMuch;
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

void Session::take_checkpoint() noexcept {
  try {
    const FloatGuard guard;
    flush_flat_log();
    // If it cannot be written the run may still end well, and whoever writes next says why not.
    (void)part_.write(collect().encode(), part_path(output_, static_cast<std::uint64_t>(rank_)));
  } catch (const std::exception&) {  // no memory: the last checkpoint stays
  }
}

void Session::note_waiting(std::uint64_t now) {
  using State = compress::PartLayout::State;
  part_.note_time(now);
  longest_wait_ = 0;
  // Threads may come. The one that ends the session has the lock, and waits for the watcher.
  const std::unique_lock lock(mutex, kBriefly);
  if (!lock) return;
  seen_.resize(streams_.size());
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    PartFile::Slot* slot = streams_[i]->slot;
    if (!slot) continue;
    const auto get = [](std::uint64_t& word) {
      return std::atomic_ref(word).load(std::memory_order_relaxed);
    };
    const std::pair<std::uint64_t, std::uint64_t> was = seen_[i];
    seen_[i] = {get(slot->begun), get(slot->calls)};
    const auto state = static_cast<State>(get(slot->state));
    const bool is_same = (state == State::within && was.first == seen_[i].first) ||
                         (state == State::polling && was.second == seen_[i].second);
    const std::uint64_t waited = is_same ? get(slot->waited) + 1 : 0;
    std::atomic_ref(slot->waited).store(waited, std::memory_order_relaxed);
    longest_wait_ = std::max(longest_wait_, waited);
  }
}

std::uint64_t Session::calls_begun() const {
  std::uint64_t sum = 0;
  for (const auto& [begun, completed] : seen_) sum += begun;
  return sum;
}

void Session::save() noexcept {
  const FloatGuard guard;
  try {
    compress::Process process = collect_undisturbed();
    process.tails = tails();
    const Status written = part_.write(process.encode(), part_path(output_, process.rank));
    if (!written) std::fprintf(stderr, "reprise: %s\n", written.error().message.c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "reprise: rank %d leaves nothing (%s); merge the parts of the others\n",
                 rank_, e.what());
  }
}

void Session::abandon() noexcept {
  watcher.stop();
  save();
}

void Session::abandon_from_handler() noexcept {
  if (!watcher.save()) save();
}

void Session::abandon_among_threads() noexcept {
  watcher.stop();
  std::unique_lock lock(mutex, std::defer_lock);
  if (multithreaded && !lock.try_lock_for(kPatience)) {
    report_unsaved();
    return;
  }
  save();
}

void Session::report_unsaved() const noexcept {
  std::fprintf(stderr,
               "reprise: what rank %d did since its last checkpoint is lost (it ends while another "
               "thread is in the recorder)\n",
               rank_);
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
  // All ranks of one process end at once, and whoever ends them can save them all.
  if (kIsOneProcess) options.checkpoints = false;
  const MPI_Comm channel = open_channel(model);
  if (channel == MPI_COMM_NULL) {
    std::fputs(
        "reprise: nothing is recorded (MPI makes no communicator of all processes: there is "
        "no process set mpi://WORLD)\n",
        stderr);
    return close_channel(channel, model);
  }
  int rank = 0;
  PMPI_Comm_rank(channel, &rank);
  for (const std::string& refused : options.refused) {
    if (rank == 0) std::fprintf(stderr, "reprise: %s\n", refused.c_str());
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
    std::fprintf(stderr, "reprise: no trace of all ranks was written (%s); merge their parts\n",
                 e.what());
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
