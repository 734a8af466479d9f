// How far something is that takes long, on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "trace/program.hpp"

namespace reprise::cli {

// Writes one line to stderr, over and over, from the first second on, and takes it away in the end.
// Nothing where stderr is no terminal.
class Progress {
 public:
  // `total`: of what is counted; 0: not known.
  Progress(std::string what, std::uint64_t total);
  ~Progress() { end(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool is_shown() const { return is_terminal_; }
  // From any thread.
  void tell(std::uint64_t done);
  // Something else is counted from now on.
  void begin(std::string what, std::uint64_t total);
  void end();

 private:
  using Time = std::chrono::steady_clock::time_point;

  const bool is_terminal_;
  bool is_there_ = false;
  std::string what_;
  std::uint64_t total_;
  Time next_;
  std::mutex mutex_;
};

// The same for work that counts nothing: how long it has taken [s].
class Elapsed {
 public:
  explicit Elapsed(std::string what);
  ~Elapsed() { end(); }
  Elapsed(const Elapsed&) = delete;
  Elapsed& operator=(const Elapsed&) = delete;

  void end();

 private:
  std::jthread clock_;  // writes the line
};

// All calls of a trace. Cost: O(streams x nodes).
std::uint64_t calls_of(const trace::Trace& trace);

}  // namespace reprise::cli
