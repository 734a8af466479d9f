// What a session has recorded so far, as parts: at checkpoints, and where the process ends early.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <ranges>

#include "record/calls/core_wait.hpp"
#include "record/calls/float_guard.hpp"
#include "record/flat/flat_log.hpp"
#include "record/lifetime/hold.hpp"
#include "record/lifetime/signal_message.hpp"
#include "record/lifetime/time_limit.hpp"
#include "record/merge/attempt.hpp"
#include "record/session.hpp"

namespace reprise::record {
namespace {

// How long the watcher waits for the lock: the thread that has it may be about to wait for the
// watcher.
constexpr std::chrono::milliseconds kWatcherLockTimeout{10};
// How long saving may take in a handler of signals, and at exit or MPI_Abort, which a handler of
// the program may call [s].
constexpr unsigned kSaveLimit = 20, kEndLimit = 120;

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
  for (std::size_t i = 0; i < std::min(times.size(), folded.sites.size()); ++i)
    folded.sites[i].times = std::move(times[i]);
  const double own = ns_per_tick * static_cast<double>(stream.timer.own());
  out.own.timing.recorder += static_cast<std::uint64_t>(own);
}

// The process without its streams.
compress::Process Session::describe() const {
  compress::Process p;
  p.rank = static_cast<std::uint64_t>(rank_);
  p.ranks = static_cast<std::uint64_t>(size_);
  p.run = run_.name;
  p.program = program_;
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
  const Instant until = ended_.ns != 0 ? ended_ : present_instant();
  p.own.duration = (until.ns - std::min(started_.ns, until.ns)) / 1000;
  p.own.losses = losses_;
  std::uint64_t failures = failures_.load();
  for (std::size_t i = 0; i < streams_.size(); ++i)
    failures += streams_[i]->folder.calls() - p.streams[i].calls;
  if (const std::uint64_t n = failures) p.own.losses["calls for which memory ran out"] += n;
  if (const std::uint64_t n = other_files_.load())
    p.own.losses["POSIX calls on files that were not opened by a recorded call"] += n;
  if (const std::uint64_t n = other_threads_.load())
    p.own.losses["POSIX calls of threads that call no MPI"] += n;
  if (options.average_sizes) p.own.options = "--average-sizes";
  p.own.timing.mode = options.times.mode;
  p.own.timing.clock = clock.name();
  if (!kIsOneProcess)
    p.own.timing.core_wait = until.core_wait - std::min(started_.core_wait, until.core_wait);
  p.own.timing.precision = options.times.precision_in_millionths();
  p.own.times_kept = options.times_kept;
  return p;
}

Result<compress::Process> Session::collect_held() noexcept {
  const Hold hold(*this);
  if (!hold) return error_of("another thread is in the recorder");
  return attempt([&] { return collect(); });
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
  if (!part_.pages().empty() && !out.empty()) compress::PartLayout::set_signal(part_.pages(), out);
  return out;
}

// REQUIRES: the streams are held.
Status Session::write_part(bool has_tails) noexcept {
  return attempt([&]() -> Status {
    const FloatGuard guard;
    flush_flat_log();
    compress::Process process = collect();
    const auto is_lost = [&](std::size_t i) {
      return process.streams[i].calls < streams_[i]->folder.calls();
    };
    if (has_tails) {
      process.tails = tails();
    } else if (std::ranges::any_of(std::views::iota(std::size_t{0}, streams_.size()), is_lost)) {
      return error_of("out of memory");  // the last checkpoint has more
    }
    const bool was_moved = part_.is_moved();
    const Status written = part_.write(process.encode());
    if (part_.is_moved() && !was_moved) {
      ::dprintf(STDERR_FILENO,
                "reprise: the part of rank %d is %s (there is no room for it beside %s, or no "
                "folder); merge it with the other parts\n",
                rank_, part_.path().c_str(), output_.path().c_str());
    }
    return written;
  });
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

bool Session::save_here(Occasion occasion, unsigned seconds) noexcept {
  Hold hold(*this);
  if (!hold) return report_unsaved("the process ends while another thread is in the recorder");
  Status written;
  if (!TimeLimit::run(seconds, [&] { written = write_part(true); })) {
    stop_recording();
    return report_unsaved("saving takes too long");
  }
  if (!written) report_unsaved(written.error().message.c_str());
  // Calls of other threads that return from now on are not in the part.
  if (occasion == Occasion::fatal_signal) hold.keep();
  const pid_t saver = guarded::ending().state.load().saver;
  // 0: it has not waited for this.
  if (occasion == Occasion::handled_signal && !kIsOneProcess && saver != 0)
    gate.close_for_handler(saver);
  return true;
}

bool Session::save(Occasion occasion) noexcept {
  const unsigned seconds = occasion == Occasion::end ? kEndLimit : kSaveLimit;
  if (!watcher.is_here()) return save_here(occasion, seconds);
  if (watcher.save(occasion, seconds)) return true;
  stop_recording();
  return report_unsaved("saving takes too long");
}

// For handlers of signals.
void Session::stop_recording() noexcept {
  for (const auto& stream : streams_) stream->broken = true;
  gate.give_up();
}

void Session::note_signal(int signal) noexcept {
  const Stream* stream = known_stream();
  part_.note_signal(signal, stream ? stream->slot : nullptr);
}

void Session::abandon() noexcept {
  save(Occasion::end);
  watcher.stop();
}

bool Session::report_unsaved(const char* why) const noexcept {
  SignalMessage message;
  message.add("reprise: the calls of rank ").add(static_cast<unsigned>(rank_));
  if (part_.is_open()) {
    message.add(" since its last checkpoint, which is in ").add(part_.path().c_str());
    message.add(", are lost (").add(why).add("); make a trace of all parts with reprise merge\n");
  } else {
    message.add(" are lost (").add(why).add(")\n");
  }
  message.write();
  return false;
}

}  // namespace reprise::record
