// The groups of processes that a rank makes, for synchronisation that names one.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simulate/groups.hpp"
#include "trace/cursor.hpp"

namespace reprise::simulate {

// Of one rank, by the numbers that the trace gives them.
class ProcessGroups {
 public:
  // Members, by rank in the group, as ranks in MPI_COMM_WORLD; null: not known.
  const std::vector<std::uint32_t>* members(std::int64_t group);

  // Takes in the group that an event makes out of others, ranks in it decoded. Calls that make none
  // are left alone.
  void learn(const trace::Event& event);
  // A group is that of a communicator or window: the local group, or the remote one.
  void set_group_of(std::int64_t group, std::shared_ptr<const Group> whole, bool is_remote);
  void forget(std::int64_t group) { groups_.erase(group); }

 private:
  struct Known {
    std::vector<std::uint32_t> members;
    std::shared_ptr<const Group> whole;  // members are listed when they are asked for
    bool is_remote = false;
  };

  std::unordered_map<std::int64_t, Known> groups_;
};

}  // namespace reprise::simulate
