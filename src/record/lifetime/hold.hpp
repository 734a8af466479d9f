// Keeps the threads of a program out of the recorder while the streams are read.
//
// The program's threads take no lock for it. A thread that enters the recorder stores `busy` in its
// stream and then looks at the gate; the holder closes the gate, makes that visible to all
// processors (membarrier), and then waits until no stream is busy. Where threads may call MPI at
// once, the session's lock does the same.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace reprise::record {

class Session;

// The way into the recorder: closed while close() has been called more often than open().
class Gate {
 public:
  bool is_closed() const { return closed_.load(std::memory_order_relaxed) != 0; }
  void close() { closed_.fetch_add(1); }
  void open() { closed_.fetch_sub(1, std::memory_order_release); }

  // Closes it while a handler of the program runs on a thread, for a limited time: the program may
  // end in it, or may leave it by a jump and call MPI. For handlers of signals, as what follows.
  void close_for_handler(pid_t thread);
  // The handler of the calling thread has returned, if there is one.
  void open_after_handler();

  // Nobody waits for it any more: who holds it is stuck.
  void give_up() { is_given_up_.store(true); }
  bool is_given_up() const { return is_given_up_.load(std::memory_order_relaxed); }

  // Waits until the gate is open or given up.
  void wait();

 private:
  void open_if(std::uint64_t since);

  std::atomic<int> closed_{0};
  std::atomic<bool> is_given_up_{false};
  std::atomic<std::uint64_t> handler_since_{0};  // [ns]; 0: not closed for a handler
  std::atomic<pid_t> handler_thread_{0};
};

// While one lives that holds, no thread is in the recorder. One at a time.
class Hold {
 public:
  // Waits up to a second for threads to leave the recorder, or until `is_unwanted`. REQUIRES: the
  // calling thread is not in the recorder, else it would wait for itself.
  explicit Hold(Session& session, const std::atomic<bool>* is_unwanted = nullptr) noexcept;
  ~Hold();
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

  // False if a thread did not leave in time: then nothing is held.
  explicit operator bool() const { return is_held_; }

  // Leaves the gate closed when this is destroyed. From now on `operator bool` is false.
  void keep() { is_held_ = false; }

  // To be called before the first.
  static void prepare();

 private:
  Session& session_;
  std::unique_lock<std::timed_mutex> lock_;
  bool is_held_ = false;
};

}  // namespace reprise::record
