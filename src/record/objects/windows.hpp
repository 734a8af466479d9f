// The windows of a process, numbered in the order in which it makes them.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "record/objects/members.hpp"

namespace reprise::record {

class Windows {
 public:
  // The number and size of a window; its number is trace::kForeign if no recorded call made it.
  const Members& of(MPI_Win win);
  // Adds a new window and returns its number.
  std::int64_t add(MPI_Win win);

  // To be called before MPI frees a window, and with the outcome afterwards.
  void leave(std::uint64_t handle) { by_handle_.leave(handle); }
  void left(std::uint64_t handle, bool freed) { by_handle_.left(handle, freed); }

  const std::vector<Members>& members() const { return members_; }  // by number

 private:
  MemberTable by_handle_;
  std::vector<Members> members_;
};

}  // namespace reprise::record
