// Processes that end early under SMPI (guard.hpp): the process saves a part for each rank.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "record/flat_log.hpp"
#include "record/guard.hpp"
#include "record/part_file.hpp"
#include "record/session.hpp"
#include "record/time_limit.hpp"

namespace reprise::record {

volatile std::sig_atomic_t g_delayed_signal = 0;

namespace {

constexpr int kEnds[] = {SIGTERM, SIGINT, SIGHUP, SIGXCPU};  // can be delayed
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                           SIGABRT};  // come from the program itself
constexpr unsigned kSaveLimit = 60;   // how long saving may take [s]

void save() {
  Board& b = board();
  if (b.alive.empty()) return;
  const TimeLimit limit(kSaveLimit);
  const std::string output = b.alive.begin()->second.session->options.output;
  for (const auto& [actor, rank] : b.alive) rank.session->abandon();
  b.alive.clear();
  for (const auto& [world, job] : b.jobs) {
    for (const compress::Process& p : job.processes) {
      PartFile file;
      const Status written = file.write(p.encode(), part_path(output, p.rank));
      if (!written)
        std::fprintf(stderr, "reprise: %s; merge the parts of the other ranks\n",
                     written.error().message.c_str());
    }
  }
  b.jobs.clear();
}

void stop_guarding() {
  for (const auto& [signal, former] : board().former) ::sigaction(signal, &former, nullptr);
  board().former.clear();
}

void on_signal(int signal) {
  Board& b = board();
  const bool is_fault = std::ranges::find(kFaults, signal) != std::end(kFaults);
  for (const auto& [actor, rank] : b.alive) {
    if (!is_fault || actor == present_caller()) rank.session->note_signal(signal);
  }
  const bool busy = std::ranges::any_of(
      b.alive, [](const auto& rank) { return !rank.second.session->at_rest(); });
  if (busy && !is_fault) {
    for (const auto& [actor, rank] : b.alive) *rank.delayed_signal = signal;
    return;
  }
  if (!busy) save();  // else the fault is in the recorder: nothing can be saved
  stop_guarding();
  ::raise(signal);
}

void on_exit() {
  flush_flat_log();
  save();
}

void start_guarding() {
  Board& b = board();
  if (!b.former.empty()) return;
  const auto take = [&b](int signal) {
    struct sigaction ours {};
    ours.sa_handler = on_signal;
    ours.sa_flags = SA_ONSTACK | SA_NODEFER;
    ::sigaction(signal, &ours, &b.former[signal]);
  };
  for (const int signal : kEnds) {
    struct sigaction former {};
    ::sigaction(signal, nullptr, &former);
    if (former.sa_handler == SIG_DFL && !(former.sa_flags & SA_SIGINFO)) take(signal);
  }
  for (const int signal : kFaults) take(signal);
  std::atexit(on_exit);
}

}  // namespace

void deliver_signal_now() {
  const int signal = g_delayed_signal;
  g_delayed_signal = 0;
  save();
  stop_guarding();
  ::raise(signal);
}

// The handlers are this rank's, which stay until all ranks are done.
void guard_session(Session* session) {
  Board& b = board();
  if (session) {
    b.alive[present_caller()] = {session, &g_delayed_signal, 0};
    start_guarding();
    return;
  }
  b.alive.erase(present_caller());
  if (b.alive.empty()) stop_guarding();
}

}  // namespace reprise::record
