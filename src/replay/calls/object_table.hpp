// Handles of MPI under the numbers that a trace gives the objects. It knows nothing of MPI.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace reprise::replay {

// The threads of a process share its objects: one that is not there yet is waited for.
struct Sharing {
  bool threads = false;  // more than one
  std::mutex mutex;
  std::condition_variable changed;
};

template <class Handle>
class Table {
 public:
  explicit Table(Sharing& sharing) : sharing_(sharing) {}

  // The object of that number; none: there is none, and nobody else could make it.
  std::optional<Handle> find(std::int64_t number) {
    std::unique_lock lock(sharing_.mutex);
    auto found = entries_.find(number);
    while (sharing_.threads && (found == entries_.end() || !found->second.ready)) {
      sharing_.changed.wait(lock);
      found = entries_.find(number);
    }
    if (found == entries_.end() || !found->second.ready) return std::nullopt;
    return found->second.handle;
  }

  bool has(std::int64_t number) {
    const std::lock_guard lock(sharing_.mutex);
    return entries_.contains(number);
  }

  // Where the object's handle will be, until it is freed.
  Handle* place(std::int64_t number) {
    const std::lock_guard lock(sharing_.mutex);
    entries_[number].ready = false;
    return &entries_[number].handle;
  }

  void made(std::int64_t number) {
    const std::lock_guard lock(sharing_.mutex);
    entries_[number].ready = true;
    sharing_.changed.notify_all();
  }

  void predefine(std::int64_t number, Handle handle) {
    entries_[number] = {handle, true, true, {}};
  }

  // What MPI gives out several times is to be freed as often; elsewhere these may be several.
  void make(std::int64_t number, Handle handle) {
    const std::lock_guard lock(sharing_.mutex);
    Entry& entry = entries_[number];
    if (entry.predefined) return;
    if (entry.ready) entry.held.push_back(entry.handle);
    entry.handle = handle;
    entry.ready = true;
    sharing_.changed.notify_all();
  }

  void free(std::int64_t number) {
    const std::lock_guard lock(sharing_.mutex);
    const auto found = entries_.find(number);
    if (found == entries_.end() || found->second.predefined) return;
    std::vector<Handle>& held = found->second.held;
    if (held.empty()) {
      entries_.erase(found);
    } else {
      found->second.handle = held.back();
      held.pop_back();
    }
  }

 private:
  struct Entry {
    Handle handle{};
    bool ready = false;
    bool predefined = false;
    std::vector<Handle> held = {};
  };

  Sharing& sharing_;
  std::unordered_map<std::int64_t, Entry> entries_;
};

}  // namespace reprise::replay
