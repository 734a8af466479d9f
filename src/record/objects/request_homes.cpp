#include "record/objects/request_homes.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "record/objects/handles.hpp"

namespace reprise::record {

#ifndef SMPI_H
thread_local const MPI_Fint* g_fortran_requests = nullptr;
#endif

namespace {

enum class Reading { done, unmapped, refused };

// Reads memory that may have been given back to the system.
Reading read_memory(std::uintptr_t address, void* to, std::size_t n) {
  const iovec local{to, n}, remote{reinterpret_cast<void*>(address), n};
  const ssize_t read = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
  if (read == static_cast<ssize_t>(n)) return Reading::done;
  return errno == EFAULT ? Reading::unmapped : Reading::refused;
}

template <class Handle>
bool has(const Home& home, Handle handle) {
  Handle found{};
  switch (read_memory(home.address, &found, sizeof found)) {
    case Reading::done: return found == handle;
    case Reading::unmapped: return false;
    case Reading::refused: return true;  // as far as is known
  }
  return true;
}

}  // namespace

bool ProgramMemory::holds(const Home& home, std::uint64_t handle) {
  const auto request = (MPI_Request)(handle);  // NOLINT: an integer or a pointer
  const int former = errno;
  const bool answer = home.is_fortran ? has(home, PMPI_Request_c2f(request)) : has(home, request);
  errno = former;
  return answer;
}

}  // namespace reprise::record
