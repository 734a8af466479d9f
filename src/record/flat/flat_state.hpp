// The state of the flat log of a process: its open files, and the names of living objects and
// requests.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace reprise::record {

// Objects get the smallest number that no living object of their class has; or, if numbers never
// come again, the next one.
class Numbers {
 public:
  Numbers(std::string prefix, int first, bool again = true)
      : prefix_(std::move(prefix)), first_(first), again_(again) {}

  void name(std::uint64_t handle, const std::string& name) { names_.emplace(handle, name); }

  std::string make(std::uint64_t handle) {
    if (const auto known = names_.find(handle); known != names_.end()) {
      ++owners_[handle];
      return known->second;
    }
    int number = first_;
    while (used_.contains(number)) ++number;
    used_.insert(number);
    numbers_[handle] = number;
    owners_[handle] = 1;
    return names_[handle] = prefix_ + std::to_string(number);
  }

  std::string find(std::uint64_t handle) const {
    const auto known = names_.find(handle);
    return known == names_.end() ? "unknown" : known->second;
  }

  // Returns what to do when the object is really gone, and when it is not.
  std::pair<std::function<void()>, std::function<void()>> free(std::uint64_t handle) {
    const auto at = numbers_.find(handle);
    if (at == numbers_.end()) return {};
    if (--owners_[handle] > 0) return {[] {}, [this, handle] { ++owners_[handle]; }};
    const int number = at->second;
    numbers_.erase(at);
    names_.erase(handle);
    const auto gone = [this, number] {
      if (again_) used_.erase(number);
    };
    const auto back = [this, handle, number] {
      numbers_[handle] = number;
      owners_[handle] = 1;
      names_[handle] = prefix_ + std::to_string(number);
    };
    return {gone, back};
  }

 private:
  std::string prefix_;
  int first_;
  bool again_;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::uint64_t, int> numbers_, owners_;
  std::set<int> used_;
};

struct StackFrame {
  std::uintptr_t bottom;   // the stack pointer when it called the next inner function
  std::uintptr_t program;  // where it goes on

  bool operator==(const StackFrame&) const = default;
};

struct PendingRequest {
  std::uint64_t id;  // in the process
  std::uint64_t handle;
  bool wildcard, nobody, untold, persistent;
  bool logged;                 // the call that made it is in the log
  long number;                 // among those of its thread that are logged
  std::uintptr_t kept_at = 0;  // the variable that its handle was last seen in; 0: none
  bool is_fortran = false;     // that variable is
  std::optional<StackFrame> caller_of_owner = std::nullopt;  // of the function that it is local to
  bool cancel = false;
  bool started = false;    // persistent, and a call in the log started it
  bool elsewhere = false;  // another thread completed it: its maker counts it still
};

// The log of one thread.
struct ThreadLog {
  int thread = 0;
  std::FILE* file = nullptr;
  long polls = 0, made = 0;
  std::deque<PendingRequest> pending;
};

struct Log {
  std::string folder;
  int rank = 0;
  MPI_Group world = MPI_GROUP_NULL;  // of all processes
  std::vector<ThreadLog*> threads;
  std::mutex mutex;
  Numbers groups{"", 1}, types{"type", 0}, ops{"op", 0}, files_open{"", 0}, sessions{"", 0};
  Numbers windows{"", 0, false};
  std::map<std::uint64_t, std::string> comms;
  std::map<std::string, int> children;  // of a communicator, by its name
  std::uint64_t next_request = 1;
  std::atomic<int> error = 0;  // the first errno of a write that failed

  void failed(int why) {
    int none = 0;
    error.compare_exchange_strong(none, why);
  }
};

// Of this process; nothing before the log is opened.
extern Log* g_flat_log;

// That of the calling thread, with a file of its own.
ThreadLog& thread_log(int thread);

// A pending request and the thread that made it.
std::pair<ThreadLog*, PendingRequest*> find_pending(std::uint64_t id);

std::string rank_text(int value);
std::string tag_text(int value);

}  // namespace reprise::record
