#include "record/lifetime/session_lifetime.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

#include "record/calls/float_guard.hpp"
#include "record/flat/flat_log.hpp"
#include "record/lifetime/guard.hpp"
#include "record/merge/attempt.hpp"
#include "record/merge/channel.hpp"
#include "record/options.hpp"
#include "record/session.hpp"

namespace reprise::record {

std::atomic<Session*> g_session{nullptr};
std::atomic<bool> g_paused{false};
std::atomic<bool> g_records_posix{false};

namespace {

// What this process has initialized and not finalized.
struct Open {
  bool world = false;
  int sessions = 0;
};
Open g_open;
#if MPI_VERSION >= 4
// Sessions may begin and end on several threads. Held during collective calls: on the other
// processes, too, only one thread makes them.
std::mutex g_opening;
#define REPRISE_OPENING const std::lock_guard opening(g_opening)
#else
#define REPRISE_OPENING static_cast<void>(0)
#endif

// Makes the session of this process and opens it, where that succeeds in all processes. Collective
// over the channel.
Result<Session*> open_session(Result<Options> options, MPI_Comm channel, MpiModel model) noexcept {
  if (options) {
    int rank = 0;
    PMPI_Comm_rank(channel, &rank);
    for (const std::string& refused : options->refused) {
      if (rank == 0) std::fprintf(stderr, "reprise: %s\n", refused.c_str());
    }
  }
  // Never deleted: threads that outlive MPI_Finalize may still look at it.
  Result<Session*> made = attempt([&]() -> Result<Session*> {
    if (!options) return options.error();
    return new Session(std::move(*options), channel, model);
  });
  const auto status_of = [](const auto& result) {
    return result ? Status() : error_of(result.error());
  };
  if (const auto failure = first_failure(status_of(made), channel)) return failure->error();
  Status opened = (*made)->open();
  if (opened) {
    opened = attempt([&] {
      const std::string folder = environment("REPRISE_FLAT");
      if (!folder.empty()) open_flat_log(folder + (*made)->job(), channel);
    });
  }
  if (const auto failure = first_failure(opened, channel)) {
    close_flat_log();
    (*made)->withdraw();
    return failure->error();
  }
  return made;
}

void begin(MpiModel model) noexcept {
  if (const Session* known = g_session.load(); known && !known->is_of_caller()) return lose_all();
  const char* output = std::getenv("REPRISE_OUTPUT");
  if (!output || !*output || g_session.load()) return;
  Result<Options> options = attempt(options_from_environment);
  // All ranks of one process end at once, and whoever ends them can save them all.
  if (options && kIsOneProcess) options->checkpoints = false;
  const MPI_Comm channel = open_channel(model);
  if (channel == MPI_COMM_NULL) {
    std::fputs(
        "reprise: nothing is recorded (the MPI library has no process set mpi://WORLD); use one "
        "that has it, or MPI_Init\n",
        stderr);
    return close_channel(channel, model);
  }
  const Result<Session*> session = open_session(std::move(options), channel, model);
  if (!session) {
    int rank = 0;
    PMPI_Comm_rank(channel, &rank);
    if (rank == 0 || kIsOneProcess) {
      std::fprintf(stderr, "reprise: nothing is recorded (%s); record again when that is mended\n",
                   session.error().message.c_str());
    }
    return close_channel(channel, model);
  }
  (*session)->start();
  if (g_paused.load()) (*session)->active.pause((*session)->clock.now());
  g_session.store(*session, std::memory_order_release);
  guard_session(**session);
  // What the recorder took to begin is no computation.
  (*session)->known_stream()->timer.resume((*session)->clock, (*session)->active);
}

// `ended`: when the program called for it.
void end(const Instant& ended) noexcept {
  if (!begin_saving()) return;
  const int log_error = close_flat_log();
  Session* session = g_session.exchange(nullptr);
  session->finish(log_error, ended);
  release_session(*session);
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
  const Instant now = present_instant();
  REPRISE_OPENING;
  g_open.world = false;
  Session* session = g_session.load();
#if MPI_VERSION >= 4
  const bool has_sessions = g_open.sessions > 0;
  if (session && !session->end_world(has_sessions) && !has_sessions) return abandon_session();
  if (has_sessions) return;
#endif
  if (session) end(now);
}

void begin_session_model() {
  const FloatGuard guard;
  REPRISE_OPENING;
  ++g_open.sessions;
  begin(MpiModel::sessions);
}

void end_session_model() {
  const FloatGuard guard;
  const Instant now = present_instant();
  REPRISE_OPENING;
  if (--g_open.sessions > 0 || g_open.world) return;
  Session* session = g_session.load();
  if (session) session->is_alone() ? abandon_session() : end(now);
}

void abandon_session() noexcept {
  if (!g_session.load() || !begin_saving()) return;
  Session* session = g_session.exchange(nullptr);
  session->abandon();
  release_session(*session);
  discard_measured();
}

void control_session(int level) {
  g_paused.store(level == 0);
  Session* session = g_session.load();
  if (!session || !session->is_of_caller()) session = session_of_caller();
  if (!session) return;
  const std::uint64_t now = session->clock.now();
  level == 0 ? session->active.pause(now) : session->active.resume(now);
}

}  // namespace reprise::record
