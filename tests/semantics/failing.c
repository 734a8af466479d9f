// Preloaded behind the recorder: makes what it needs fail, when the program says so.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

extern int fail_allocations __attribute__((weak)), fail_messages __attribute__((weak));  // of the program
// How many allocations succeed before one fails, or that one and all later ones; negative: all succeed.
extern int allocations_left __attribute__((weak)), fail_once __attribute__((weak));

extern void* __libc_malloc(size_t size);

static int in_recorder(const void* address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname && strstr(info.dli_fname, "libreprise-");
}

void* malloc(size_t size) {
  if (&fail_allocations && fail_allocations && in_recorder(__builtin_return_address(0))) return NULL;
  if (&allocations_left && allocations_left >= 0 && in_recorder(__builtin_return_address(0))) {
    if (allocations_left > 0) {
      --allocations_left;
    } else {
      if (fail_once) allocations_left = -1;
      return NULL;
    }
  }
  return __libc_malloc(size);
}

int PMPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  int (*real)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*) = dlsym(RTLD_NEXT, "PMPI_Recv");
  const int outcome = real(buffer, count, type, source, tag, comm, status);
  return &fail_messages && fail_messages ? MPI_ERR_OTHER : outcome;
}
