#include "record/session_lifetime.hpp"

#include <cstdio>
#include <exception>
#include <mutex>
#include <string>
#include <utility>

#include "record/channel.hpp"
#include "record/flat_log.hpp"
#include "record/float_guard.hpp"
#include "record/guard.hpp"
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
        "no process set mpi://WORLD); use an MPI library that has it, or MPI_Init\n",
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
  // What the recorder took to begin is no computation.
  session->stream().timer.start(session->clock);
}

void end() {
  const int log_error = close_flat_log();
  // From here on calls are not recorded, but a signal still finds the session.
  Session* session = g_session.exchange(nullptr);
  if (!session) return;
  try {
    session->finish(log_error);
  } catch (const std::exception& e) {
    std::fprintf(
        stderr,
        "reprise: the trace of all ranks was not written (%s); merge the parts of the ranks\n",
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
