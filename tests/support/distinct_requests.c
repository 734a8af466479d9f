/* Loaded between a recorder and the MPI library: sends become synchronous, so that none completes
   at once and each pending request has a handle of its own. What a program does is the same as long
   as it is safe in the sense of the MPI standard; what a recorder makes of equal handles can be
   compared with what it makes of these. */
#define _GNU_SOURCE
#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <dlfcn.h>
#include <mpi.h>

int PMPI_Isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  static int (*real)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "PMPI_Issend");
  return real(buf, count, datatype, dest, tag, comm, request);
}
