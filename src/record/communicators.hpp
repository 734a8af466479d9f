// The communicators of a process: their numbers, and names that their other processes come to as
// well.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "compress/process.hpp"
#include "record/members.hpp"

namespace reprise::record {

// How processes that share a new communicator come to the same name for it.
enum class CreatedBy {
  all_of,   // every process of a parent takes part: the k-th creation on it
  members,  // only those in it: the k-th creation with these members
};

class Communicators {
 public:
  // `all`: one of all processes by their ranks in the world, as long as it lasts.
  explicit Communicators(MPI_Comm all);
  // Nothing is asked of the object any more; MPI still runs.
  void close();

  const Members& of(MPI_Comm comm);

  // A new one's number. `usable`: MPI answers questions about it; the members of one that is still
  // being made are its parent's.
  // `tag`: what its members called its creation, to tell it from others under way.
  std::int64_t add(MPI_Comm comm, CreatedBy rule, MPI_Comm parent, bool usable,
                   const char* tag = "");
  // The number of one that may be known already.
  std::int64_t add_parent(MPI_Comm comm);

  // Before MPI frees one, and whether it did.
  void leave(std::uint64_t handle) {
    last_ = nullptr;
    by_handle_.leave(handle);
  }
  void left(std::uint64_t handle, bool freed) {
    last_ = nullptr;
    by_handle_.left(handle, freed);
  }

  const std::vector<compress::CommName>& names() const { return names_; }  // by number
  const std::vector<Members>& members() const { return members_; }         // by number

 private:
  static void measure(MPI_Comm comm, Members& m);
  std::uint64_t hash_members(MPI_Comm comm, const char* tag) const;

  MPI_Group world_ = MPI_GROUP_NULL;
  MemberTable by_handle_;
  std::uint64_t last_handle_ = 0;
  const Members* last_ = nullptr;
  std::vector<compress::CommName> names_;  // world and self first
  std::vector<Members> members_;
  std::map<std::pair<std::int64_t, std::uint64_t>, std::uint64_t> creations_;
};

}  // namespace reprise::record
