/* What the two halves of the recorder share: otf2_recorder.c wraps the calls of MPI and keeps events,
 * otf2_recorder_archive.c writes them. */
#pragma once
#include <inttypes.h>
#include <stddef.h>

enum Type {
  ENTER, LEAVE, SEND, RECV, ISEND, ISEND_DONE, IRECV_REQUEST, IRECV, COLL_BEGIN, COLL_END, COMM_CREATE, COMM_DESTROY,
  NBC_REQUEST, NBC_DONE, REQUEST_TEST
};

typedef struct {
  uint64_t type, time, a, b, c, d, e, f;
} Event;

/* Regions: the functions of MPI that are wrapped, each by its name. */
#define REGIONS(X)                                                                                                     \
  X(MPI_Init) X(MPI_Init_thread) X(MPI_Finalize) X(MPI_Send) X(MPI_Ssend) X(MPI_Recv) X(MPI_Sendrecv) X(MPI_Isend)     \
  X(MPI_Irecv) X(MPI_Wait) X(MPI_Waitall) X(MPI_Waitany) X(MPI_Waitsome) X(MPI_Test) X(MPI_Barrier) X(MPI_Bcast)       \
  X(MPI_Reduce) X(MPI_Allreduce) X(MPI_Gather) X(MPI_Allgather) X(MPI_Scatter) X(MPI_Alltoall) X(MPI_Alltoallv)        \
  X(MPI_Scan) X(MPI_Iallreduce) X(MPI_Comm_split) X(MPI_Comm_create) X(MPI_Comm_create_group) X(MPI_Comm_dup) X(MPI_Cart_create) X(MPI_Comm_free)                  \
  X(MPI_Type_contiguous) X(MPI_Type_vector) X(MPI_Type_commit) X(MPI_Type_free)
enum Region {
#define X(name) R_##name,
  REGIONS(X)
#undef X
  N_REGIONS
};
/* Communicators: known by their first member and how many that has made; numbers are given in the end. */
enum { MAX_COMMS = 4096, SELF = 1 };
typedef struct {
  uint64_t leader, serial, parent_leader, parent_serial, members;
} CommKey;

/* Functions of the program, by their names. */
enum { MAX_FUNCTIONS = 1024, NAME = 64 };

/* What a rank has recorded. */
typedef struct {
  int rank, size;
  const Event* events;
  size_t n_events;
  const CommKey* comms; /* MAX_COMMS of them */
  uint64_t* const* members;
  int n_comms;
  char (*functions)[NAME]; /* MAX_FUNCTIONS of them */
} Recording;

/* Names of this library must not take the place of the program's. */
#define INTERNAL __attribute__((visibility("hidden")))

/* Whether communicators are marked in this way: $OTF2_RECORDER_COMMS. */
INTERNAL int marks(const char* word);

/* Of all ranks: rank 0 writes the archive, the others send it what they have. */
INTERNAL void write_recording(const Recording* own, const char* folder);
