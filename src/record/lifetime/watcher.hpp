// A thread of the recorder, one for each process: it takes checkpoints while the program computes
// or waits in MPI, notes how long calls have lasted, and saves the streams, on a stack of its own,
// when the process ends by a signal, by exit or by MPI_Abort.
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cstdint>

#include "record/lifetime/checkpoints.hpp"
#include "record/lifetime/guard.hpp"

namespace reprise::record {

class Session;

class Watcher {
 public:
  Watcher() = default;
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // `start`: of the run, the same moment on all ranks [ns]. No effect if no thread can be created.
  void start(Session& session, std::uint64_t start) noexcept;
  // Ends the thread and waits for it, unless it saves longer than it may: it is left alone then.
  // Not for handlers of signals.
  void stop() noexcept;
  // Whether there is a thread that could save.
  bool is_here() const noexcept;
  // Whether this is called by that thread.
  bool is_calling() const noexcept;
  // Saves the session, and waits for that for a number of seconds. False if they were not enough.
  // One thread at a time; for handlers of signals too. REQUIRES is_here(), and the caller is
  // another thread.
  bool save(Occasion occasion, unsigned seconds) noexcept;

 private:
  static void* run_thread(void* self);
  void run();
  void sleep_until(std::uint64_t time);
  void look(std::uint64_t now);
  Session* session_ = nullptr;
  Checkpoints checkpoints_{0};
  pthread_t thread_{};
  std::atomic<bool> is_running_{false};
  sem_t wake_{};
  std::atomic<int> process_{0};  // that the thread is of: one that is forked has none
  std::atomic<int> number_{0};   // of the thread, of the system
  std::atomic<bool> is_to_save_{false}, is_to_stop_{false};
  Occasion occasion_{};        // of what is to be saved
  std::uint64_t written_ = 0;  // calls as of the last checkpoint
};

}  // namespace reprise::record
