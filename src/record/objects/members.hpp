// The place of a process in a communicator or window.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace reprise::record {

struct Members {
  std::int64_t id = 0;           // number in this process; negative: trace/values/special.hpp
  std::int64_t rank = 0;         // of this process
  std::int64_t size = 0;         // of the local group
  std::int64_t remote_size = 0;  // of the group that peers are ranks of
  bool inter = false;
};

// By handle. One that is being freed leaves before MPI frees it, since MPI may give its handle to
// another thread's object before the call is back; callbacks of that very call still find it.
class MemberTable {
 public:
  const Members* find(std::uint64_t handle) const {
    if (const auto found = known_.find(handle); found != known_.end()) return &found->second;
    const auto found = leaving_.find(handle);
    return found == leaving_.end() ? nullptr : &found->second;
  }

  const Members& set(std::uint64_t handle, const Members& members) {
    return known_[handle] = members;
  }

  void leave(std::uint64_t handle) {
    if (auto node = known_.extract(handle)) leaving_.insert_or_assign(handle, node.mapped());
  }
  void left(std::uint64_t handle, bool freed) {
    auto node = leaving_.extract(handle);
    if (node && !freed) known_.insert_or_assign(handle, node.mapped());
  }

 private:
  std::map<std::uint64_t, Members> known_, leaving_;
};

}  // namespace reprise::record
