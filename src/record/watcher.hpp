// A thread of the recorder, one for each process: it takes checkpoints while the program computes
// or waits in MPI, notes how long calls have lasted, and saves the streams when a signal ends the
// process, on a stack of its own.
//
// The program's threads take no lock for it. A thread that enters the recorder stores `busy` in its
// stream and then checks whether the watcher holds all streams; the watcher stores that it does,
// makes that visible to all processors (membarrier), and then waits until no stream is busy. Where
// threads may call MPI at once, the session's lock does the same.
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

  // `start`: of the run, the same moment on all ranks [ns]. No effect if no thread can be created.
  void start(Session& session, std::uint64_t start) noexcept;
  // Ends the thread and waits for it. Not for handlers of signals.
  void stop() noexcept;
  // Saves the session and ends the thread. False if there is no watcher. If a thread of the program
  // does not leave the recorder within a second, nothing is saved, which is reported. For handlers
  // of signals.
  bool save() noexcept;

  // Whether the watcher holds all streams. For a thread that has become busy.
  bool holds() const { return holds_.load(std::memory_order_relaxed); }

 private:
  static void* run_thread(void* self);
  void run();
  void sleep_until(std::uint64_t time);
  void look(std::uint64_t now);
  // Holds all streams while `act` runs. False if a thread does not leave the recorder in time.
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
