// The communicators of a process: their numbers, and names that all their members find without a
// message.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "compress/process.hpp"
#include "record/objects/members.hpp"

namespace reprise::record {

// How the processes of a new communicator find the same name for it.
enum class CreatedBy {
  all_of,   // every process of a parent takes part: the k-th creation on it
  members,  // only those in it: the k-th creation with these members
};

class Communicators {
 public:
  // `all`: a communicator of all processes by their ranks in the world. It is used during the
  // construction alone.
  explicit Communicators(MPI_Comm all);
  // Frees what it has of MPI. REQUIRES: MPI is not finalized; no calls afterwards.
  void close();

  // The number and sizes of a communicator; its number is trace::kForeign if no recorded call made
  // it. The reference is valid until the next call of a member function.
  const Members& of(MPI_Comm comm);

  // Adds a new communicator and returns its number, or trace::kNull if this process is no member.
  // `usable`: MPI answers questions about it; the sizes of one that is still being created
  // (MPI_Comm_idup) are its parent's. `tag`: MPI's name for the creation where one parent has
  // several at a time.
  std::int64_t add(MPI_Comm comm, CreatedBy rule, MPI_Comm parent, bool usable,
                   const char* tag = "");
  // Adds the communicator of MPI_Comm_get_parent, unless it is known, and returns its number.
  std::int64_t add_parent(MPI_Comm comm);

  // To be called before MPI frees a communicator, and with the outcome afterwards.
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
