// The windows of a process, numbered in the order in which it makes them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "record/members.hpp"

namespace reprise::record {

class Windows {
 public:
  const Members& of(MPI_Win win);
  std::int64_t add(MPI_Win win);

  // Before MPI frees one, and whether it did.
  void leave(std::uint64_t handle) { by_handle_.leave(handle); }
  void left(std::uint64_t handle, bool freed) { by_handle_.left(handle, freed); }

  const std::vector<Members>& members() const { return members_; }  // by number

 private:
  MemberTable by_handle_;
  std::vector<Members> members_;
};

}  // namespace reprise::record
