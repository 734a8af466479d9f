// Requests that an MPI library may give one handle: those of sends, which are over as soon as the
// message is buffered, those of messages to or from MPI_PROC_NULL, and those of collectives of one
// process.
//
// A program that copies handles before it waits does then not say which of them it means, and the
// recorder names any.
#pragma once

#include <vector>

#include "mpi/requests/pending.hpp"

namespace reprise::analyze {

class SharedHandles {
 public:
  // Takes the next event of a stream, whose communicator has so many members (0: it has none). Its
  // requests have other names in what is returned, if some that may share a handle are pending:
  // those are MPI_PROC_NULL, and others are counted without them. Cost: O(1) while none is pending,
  // else O(pending requests) for an event that names some.
  const trace::Event& pass(const trace::Event& event, std::int64_t members);

 private:
  void rename(std::int64_t& number) const;

  mpi::Pending<bool> pending_;       // whether it may share a handle
  std::size_t sharing_ = 0;          // how many of these
  std::vector<std::int64_t> names_;  // by number
  std::vector<std::int64_t> scratch_;
  trace::Event renamed_;
};

}  // namespace reprise::analyze
