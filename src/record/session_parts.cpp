// What a session has recorded so far, as parts: at checkpoints, and where the process ends early.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>

#include "record/core_wait.hpp"
#include "record/flat_log.hpp"
#include "record/float_guard.hpp"
#include "record/guard.hpp"
#include "record/session.hpp"

namespace reprise::record {
namespace {

// How long the end of a process waits for a thread that is in the recorder.
constexpr std::chrono::seconds kLockTimeout{1};
// The same for the watcher: the thread may be about to wait for the watcher.
constexpr std::chrono::milliseconds kWatcherLockTimeout{10};

}  // namespace

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

// The process without its streams.
compress::Process Session::describe() const {
  compress::Process p;
  p.rank = static_cast<std::uint64_t>(rank_);
  p.ranks = static_cast<std::uint64_t>(size_);
  p.run = run_;
  p.mpi = mpi_;
  p.date = began_;
  p.own.callpaths_kept = options.callpaths;
  return p;
}

// The process with the streams so far. REQUIRES: no stream changes meanwhile, and no signal reads
// them.
compress::Process Session::collect() {
  compress::Process p = describe();
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
  if (!kIsOneProcess) p.own.timing.core_wait = core_wait_ns() - core_wait_before_;
  p.own.timing.precision = options.times.precision_in_millionths();
  p.own.times_kept = options.times_kept;
  return p;
}

compress::Process Session::collect_undisturbed() {
  for (const auto& stream : streams_) stream->become_busy();
  compress::Process process = collect();
  for (const auto& stream : streams_) stream->come_to_rest();
  deliver_delayed_signal();
  return process;
}

// By thread, the call that it is in. For parts without slots in a file.
std::vector<compress::Tail> Session::tails() const {
  std::vector<compress::Tail> out;
  for (const auto& stream : streams_) {
    out.emplace_back();
    if (stream->slot) {
      out.back() = compress::PartLayout::tail_of(*stream->slot, stream->folder.calls(),
                                                 stream->callpaths.table());
    }
  }
  if (part_.header() && !out.empty()) compress::PartLayout::set_signal(*part_.header(), out);
  return out;
}

void Session::take_checkpoint() noexcept {
  try {
    const FloatGuard guard;
    flush_flat_log();
    // A failure is not reported: the run may still end well, and else the next write fails
    // likewise.
    (void)part_.write(collect().encode(), output_.part());
  } catch (const std::exception&) {  // no memory: the last checkpoint stays
  }
}

void Session::note_waiting(std::uint64_t now) {
  using State = compress::PartLayout::State;
  part_.note_time(now);
  longest_wait_ = 0;
  // Other threads may add streams. The one that ends the session has the lock, and waits for the
  // watcher.
  const std::unique_lock lock(mutex, kWatcherLockTimeout);
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
    const Status written = part_.write(process.encode(), output_.part());
    if (!written)
      std::fprintf(stderr, "reprise: %s; merge the parts of the other ranks\n",
                   written.error().message.c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr,
                 "reprise: rank %d leaves no part (%s); merge the parts of the other ranks\n",
                 rank_, e.what());
  }
}

void Session::note_signal(int signal) noexcept {
  const Stream* stream = known_stream();
  part_.note_signal(signal, stream ? stream->slot : nullptr);
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
  if (multithreaded && !lock.try_lock_for(kLockTimeout)) {
    report_unsaved();
    return;
  }
  save();
}

void Session::report_unsaved() const noexcept {
  std::fprintf(stderr,
               "reprise: the calls of rank %d since its last checkpoint are lost (the process ends "
               "while another thread is in the recorder); merge the parts for what came before\n",
               rank_);
}

}  // namespace reprise::record
