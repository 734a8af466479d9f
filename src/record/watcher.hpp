// A thread of the recorder that looks after its process: it takes checkpoints, while the program
// computes or waits in MPI, notes for how long calls have been under way, and saves what there is
// when a signal ends the process, on a stack of its own.
//
// The program's threads do not wait for each other because of it. To be at work, a thread stores
// `busy` in its stream and then looks whether the watcher holds all streams; the watcher says that
// it does, makes that known to all processors (membarrier), and then waits until no stream is
// busy. Where threads may call MPI at once, the session's lock does the same.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cstdint>

#include "record/checkpoints.hpp"

namespace reprise::record {

class Session;

class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // `start`: of the run, the same moment on all ranks [ns]. Without a thread nothing is watched.
  void start(Session& session, std::uint64_t start) noexcept;
  // Waits until it has ended. Not from a handler.
  void stop() noexcept;
  // From a handler: saves the session and ends. False: there is no watcher. If a thread does not
  // leave the recorder within a second nothing is saved, which is reported.
  bool save() noexcept;

  // For a thread that has become busy: the watcher holds all streams.
  bool holds() const { return holds_.load(std::memory_order_relaxed); }

 private:
  static void* run_thread(void* self);
  void run();
  void sleep_until(std::uint64_t time);
  void look(std::uint64_t now);
  // Holds all streams while `act` runs. False: some thread does not come to rest.
  template <class Act>
  bool hold(Act&& act);

  enum class Wish : int { watch, save, stop };

  Session* session_ = nullptr;
  Checkpoints checkpoints_{0};
  pthread_t thread_{};
  bool is_running_ = false;
  sem_t wake_{};
  std::atomic<int> process_{0};  // that the thread is of: one that is forked has none
  std::atomic<bool> holds_{false};
  std::atomic<Wish> wish_{Wish::watch};
  std::atomic<bool> is_saved_{false};
  std::uint64_t written_ = 0;  // calls as of the last checkpoint
};

}  // namespace reprise::record
