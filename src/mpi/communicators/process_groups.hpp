// The groups of processes (MPI_Group) that a stream makes, for calls that name them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "mpi/names.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::mpi {

// By rank in the group, as ranks in MPI_COMM_WORLD.
using Members = std::vector<std::uint32_t>;

// By the numbers that the trace gives them. Memory: the members of each group that is made out of
// others.
class ProcessGroups {
 public:
  // Null: not known.
  const Members* members(std::int64_t group);

  // Takes in the group that an event makes out of others, ranks in it decoded. Calls that make none
  // are left alone.
  void learn(const trace::Event& event);
  // A group is that of a communicator, window or session. `list` is asked for its members when they
  // are needed.
  void add(std::int64_t group, std::function<Members()> list);
  void forget(std::int64_t group) { groups_.erase(group); }

 private:
  struct Known {
    Members members;
    std::function<Members()> list;  // empty once it was asked
  };

  std::unordered_map<std::int64_t, Known> groups_;
};

// Whether a function gives the group of a communicator, window, file or session.
bool gives_group(const trace::Function& function);

// The communicator of which MPI_Group_from_session_pset has the processes; none: the set is not one
// of those that MPI defines, or the event names none.
std::optional<CommId> process_set(const trace::Event& event);

}  // namespace reprise::mpi
