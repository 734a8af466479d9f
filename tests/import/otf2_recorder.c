/* A measurement library that records MPI programs as Score-P does, for tests of `reprise import`: it shares no code with
 * Reprise. Preloaded into a program, it writes the OTF2 archive $OTF2_RECORDER_OUT/traces.otf2 in MPI_Finalize.
 *
 *   MPI_Send                MpiSend, at the begin of the region
 *   MPI_Recv                MpiRecv, at its end, with whom it met
 *   MPI_Isend, MPI_Irecv    MpiIsend, MpiIrecvRequest; and in the call that completes them MpiIsendComplete, MpiIrecv
 *   collectives             MpiCollectiveBegin, MpiCollectiveEnd, with the bytes that Score-P counts (import/collective.hpp)
 *   MPI_Comm_split, ...     also CommCreate, unless $OTF2_RECORDER_COMMS is "parents" (Score-P before 8) or "none"
 *
 * Functions of a program that was compiled with -finstrument-functions (and linked with -rdynamic) are regions too.
 *
 * Ranks keep their events in memory; rank 0 writes them all (otf2_recorder_archive.c). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "otf2_recorder.h"

static Event* events;
static size_t n_events, room;
static int rank, size;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int has_ended; /* what follows is not recorded */

static void put(enum Type type, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
  if (has_ended) return;
  if (n_events == room) {
    room = room ? 2 * room : 1024;
    events = realloc(events, room * sizeof *events);
    if (!events) abort();
  }
  events[n_events++] = (Event){type, now(), a, b, c, d, e, f};
}

static CommKey comms[MAX_COMMS];
static uint64_t* comm_members[MAX_COMMS];
static MPI_Comm comm_handles[MAX_COMMS];
static int n_comms, made_here;

static int find_comm(MPI_Comm comm) {
  for (int i = n_comms - 1; i >= 0; --i)
    if (comm_handles[i] == comm) return i;
  return 0;
}

static uint64_t* world_ranks(MPI_Comm comm, int* n) {
  MPI_Group group, world;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(group, n);
  int* own = malloc(sizeof *own * (size_t)*n);
  int* out = malloc(sizeof *out * (size_t)*n);
  for (int i = 0; i < *n; ++i) own[i] = i;
  PMPI_Group_translate_ranks(group, *n, own, world, out);
  uint64_t* members = malloc(sizeof *members * (size_t)*n);
  for (int i = 0; i < *n; ++i) members[i] = (uint64_t)out[i];
  free(own);
  free(out);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return members;
}

static void add_comm(MPI_Comm comm, int parent) {
  int n;
  uint64_t* members = world_ranks(comm, &n);
  int serial = made_here++;
  PMPI_Bcast(&serial, 1, MPI_INT, 0, comm);
  comms[n_comms] = (CommKey){members[0], (uint64_t)serial, comms[parent].leader, comms[parent].serial, (uint64_t)n};
  comm_members[n_comms] = members;
  comm_handles[n_comms] = comm;
  ++n_comms;
}

static void made_comm(MPI_Comm parent, MPI_Comm made) {
  const int from = find_comm(parent);
  if (made != MPI_COMM_NULL) {
    add_comm(made, from);
    if (!marks("parents") && !marks("none")) put(COMM_CREATE, (uint64_t)(n_comms - 1), 0, 0, 0, 0, 0);
  }
  if (!marks("none"))
    put(COLL_END, OTF2_COLLECTIVE_OP_CREATE_HANDLE, (uint64_t)from, OTF2_UNDEFINED_UINT32, 0, 0, 0);
}

/* Requests. */
enum { MAX_REQUESTS = 65536 };
typedef struct {
  MPI_Request handle;
  uint64_t id;
  int kind; /* 1 send, 2 receive, 3 collective, 0 free */
  int comm;
  uint64_t op, sent, received;
  const MPI_Request* home;
} Request;
static Request requests[MAX_REQUESTS];
static int n_requests;
static uint64_t next_request = 1;

static Request* add_request(const MPI_Request* home, int kind, int comm) {
  if (n_requests == MAX_REQUESTS) abort();
  Request* r = &requests[n_requests++];
  *r = (Request){*home, next_request++, kind, comm, 0, 0, 0, home};
  return r;
}

/* Handles may be equal: the variable that the program keeps one in decides. */
static Request take_request(const MPI_Request* home, MPI_Request handle) {
  int found = -1;
  for (int i = 0; i < n_requests; ++i)
    if (requests[i].handle == handle && (found < 0 || requests[i].home == home)) found = i;
  Request out = {0};
  if (found < 0) return out;
  out = requests[found];
  memmove(&requests[found], &requests[found + 1], sizeof *requests * (size_t)(n_requests - found - 1));
  --n_requests;
  return out;
}

static void completed(Request r, const MPI_Status* status) {
  int bytes;
  switch (r.kind) {
    case 1: put(ISEND_DONE, r.id, 0, 0, 0, 0, 0); break;
    case 2:
      if (status->MPI_SOURCE == MPI_PROC_NULL) break;
      PMPI_Get_count(status, MPI_BYTE, &bytes);
      put(IRECV, (uint64_t)status->MPI_SOURCE, (uint64_t)r.comm, (uint64_t)status->MPI_TAG, (uint64_t)bytes, r.id, 0);
      break;
    case 3: put(NBC_DONE, r.op, (uint64_t)r.comm, OTF2_UNDEFINED_UINT32, r.sent, r.received, r.id); break;
    default: break;
  }
}

static uint64_t bytes_of(int count, MPI_Datatype type) {
  int one;
  PMPI_Type_size(type, &one);
  return (uint64_t)count * (uint64_t)one;
}

#define IN(name) put(ENTER, R_##name, 0, 0, 0, 0, 0)
#define OUT(name) put(LEAVE, R_##name, 0, 0, 0, 0, 0)
#define COMM(comm) ((uint64_t)find_comm(comm))

static void note_sent(int to, MPI_Comm comm, int tag, int count, MPI_Datatype type) {
  if (to != MPI_PROC_NULL) put(SEND, (uint64_t)to, COMM(comm), (uint64_t)tag, bytes_of(count, type), 0, 0);
}

static void note_received(MPI_Comm comm, const MPI_Status* status) {
  int bytes;
  if (status->MPI_SOURCE == MPI_PROC_NULL) return;
  PMPI_Get_count(status, MPI_BYTE, &bytes);
  put(RECV, (uint64_t)status->MPI_SOURCE, COMM(comm), (uint64_t)status->MPI_TAG, (uint64_t)bytes, 0, 0);
}

/* Functions of the program, by address; the compiler calls these at their begin and end. */
static void* function_at[MAX_FUNCTIONS];
static char function_names[MAX_FUNCTIONS][NAME];
static int n_functions;

static uint64_t region_of(void* function) {
  int i = 0;
  while (i < n_functions && function_at[i] != function) ++i;
  if (i == n_functions) {
    Dl_info info;
    if (n_functions == MAX_FUNCTIONS) abort();
    const int known = dladdr(function, &info) && info.dli_sname;
    snprintf(function_names[i], NAME, "%s", known ? info.dli_sname : "unknown");
    function_at[n_functions++] = function;
  }
  return (uint64_t)(N_REGIONS + i);
}

void __cyg_profile_func_enter(void* function, void* site) {
  (void)site;
  put(ENTER, region_of(function), 0, 0, 0, 0, 0);
}
void __cyg_profile_func_exit(void* function, void* site) {
  (void)site;
  put(LEAVE, region_of(function), 0, 0, 0, 0, 0);
}

static void begin(void) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  n_comms = 2;
  int n;
  comms[0] = (CommKey){0, 0, ~0ull, ~0ull, (uint64_t)size};
  comm_members[0] = world_ranks(MPI_COMM_WORLD, &n);
  comm_handles[0] = MPI_COMM_WORLD;
  comms[1] = (CommKey){0, 1, ~0ull, ~0ull, 1};
  comm_members[1] = world_ranks(MPI_COMM_SELF, &n);
  comm_handles[1] = MPI_COMM_SELF;
  made_here = 2;
}

int MPI_Init(int* argc, char*** argv) {
  IN(MPI_Init);
  int out = PMPI_Init(argc, argv);
  begin();
  OUT(MPI_Init);
  return out;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  IN(MPI_Init_thread);
  int out = PMPI_Init_thread(argc, argv, required, provided);
  begin();
  OUT(MPI_Init_thread);
  return out;
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  IN(MPI_Send);
  note_sent(to, comm, tag, count, type);
  int out = PMPI_Send(buffer, count, type, to, tag, comm);
  OUT(MPI_Send);
  return out;
}

int MPI_Ssend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  IN(MPI_Ssend);
  note_sent(to, comm, tag, count, type);
  int out = PMPI_Ssend(buffer, count, type, to, tag, comm);
  OUT(MPI_Ssend);
  return out;
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  IN(MPI_Recv);
  int out = PMPI_Recv(buffer, count, type, from, tag, comm, status);
  note_received(comm, status);
  OUT(MPI_Recv);
  return out;
}

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int to, int sendtag, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int from, int recvtag, MPI_Comm comm, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  IN(MPI_Sendrecv);
  note_sent(to, comm, sendtag, sendcount, sendtype);
  int out = PMPI_Sendrecv(sendbuf, sendcount, sendtype, to, sendtag, recvbuf, recvcount, recvtype, from, recvtag, comm,
                          status);
  note_received(comm, status);
  OUT(MPI_Sendrecv);
  return out;
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  IN(MPI_Isend);
  int out = PMPI_Isend(buffer, count, type, to, tag, comm, request);
  if (to != MPI_PROC_NULL)
    put(ISEND, (uint64_t)to, COMM(comm), (uint64_t)tag, bytes_of(count, type), add_request(request, 1, 0)->id, 0);
  OUT(MPI_Isend);
  return out;
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  IN(MPI_Irecv);
  int out = PMPI_Irecv(buffer, count, type, from, tag, comm, request);
  if (from != MPI_PROC_NULL) put(IRECV_REQUEST, add_request(request, 2, find_comm(comm))->id, 0, 0, 0, 0, 0);
  OUT(MPI_Irecv);
  return out;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  IN(MPI_Wait);
  MPI_Request before = *request;
  int out = PMPI_Wait(request, status);
  if (before != MPI_REQUEST_NULL) completed(take_request(request, before), status);
  OUT(MPI_Wait);
  return out;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  IN(MPI_Test);
  MPI_Request before = *request;
  int out = PMPI_Test(request, flag, status);
  if (*flag && before != MPI_REQUEST_NULL) completed(take_request(request, before), status);
  OUT(MPI_Test);
  return out;
}

int MPI_Waitall(int count, MPI_Request* array, MPI_Status* statuses) {
  IN(MPI_Waitall);
  MPI_Request* before = malloc(sizeof *before * (size_t)(count + 1));
  memcpy(before, array, sizeof *before * (size_t)count);
  MPI_Status* own = statuses == MPI_STATUSES_IGNORE ? malloc(sizeof *own * (size_t)(count + 1)) : statuses;
  int out = PMPI_Waitall(count, array, own);
  for (int i = 0; i < count; ++i)
    if (before[i] != MPI_REQUEST_NULL) completed(take_request(&array[i], before[i]), &own[i]);
  if (own != statuses) free(own);
  free(before);
  OUT(MPI_Waitall);
  return out;
}

int MPI_Waitany(int count, MPI_Request* array, int* index, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  IN(MPI_Waitany);
  MPI_Request* before = malloc(sizeof *before * (size_t)(count + 1));
  memcpy(before, array, sizeof *before * (size_t)count);
  int out = PMPI_Waitany(count, array, index, status);
  if (*index != MPI_UNDEFINED) completed(take_request(&array[*index], before[*index]), status);
  free(before);
  OUT(MPI_Waitany);
  return out;
}

/* Collectives: bytes as Score-P counts them. */
typedef struct {
  uint64_t n, me;
} Place;

static Place place_in(MPI_Comm comm) {
  int n, me;
  PMPI_Comm_size(comm, &n);
  PMPI_Comm_rank(comm, &me);
  return (Place){(uint64_t)n, (uint64_t)me};
}

static void collective_end(int op, MPI_Comm comm, uint64_t root, uint64_t sent, uint64_t received) {
  put(COLL_END, (uint64_t)op, COMM(comm), root, sent, received, 0);
}

#define NO_ROOT OTF2_UNDEFINED_UINT32
#define COLLECTIVE(name, op, call, root, sent, received) \
  IN(name);                                              \
  Place p = place_in(comm);                              \
  (void)p;                                               \
  put(COLL_BEGIN, 0, 0, 0, 0, 0, 0);                     \
  int out = call;                                        \
  collective_end(op, comm, root, sent, received);        \
  OUT(name);                                             \
  return out

int MPI_Barrier(MPI_Comm comm) {
  COLLECTIVE(MPI_Barrier, OTF2_COLLECTIVE_OP_BARRIER, PMPI_Barrier(comm), NO_ROOT, 0, 0);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const uint64_t b = bytes_of(count, type);
  COLLECTIVE(MPI_Bcast, OTF2_COLLECTIVE_OP_BCAST, PMPI_Bcast(buffer, count, type, root, comm), (uint64_t)root,
             p.me == (uint64_t)root ? p.n * b : 0, b);
}

/* All to one: in place the root moves nothing of its own. */
static uint64_t to_root(Place p, int root, int in_place, uint64_t b) {
  return p.me == (uint64_t)root ? (in_place ? p.n - 1 : p.n) * b : 0;
}

int MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  const uint64_t b = bytes_of(count, type);
  const int in_place = sendbuf == MPI_IN_PLACE;
  COLLECTIVE(MPI_Reduce, OTF2_COLLECTIVE_OP_REDUCE, PMPI_Reduce(sendbuf, recvbuf, count, type, op, root, comm),
             (uint64_t)root, in_place ? 0 : b, to_root(p, root, in_place, b));
}

int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const int in_place = sendbuf == MPI_IN_PLACE;
  const uint64_t b = in_place ? bytes_of(recvcount, recvtype) : bytes_of(sendcount, sendtype);
  COLLECTIVE(MPI_Gather, OTF2_COLLECTIVE_OP_GATHER,
             PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), (uint64_t)root,
             in_place ? 0 : b, to_root(p, root, in_place, b));
}

int MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const int in_place = recvbuf == MPI_IN_PLACE;
  const uint64_t b = in_place ? bytes_of(sendcount, sendtype) : bytes_of(recvcount, recvtype);
  COLLECTIVE(MPI_Scatter, OTF2_COLLECTIVE_OP_SCATTER,
             PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm), (uint64_t)root,
             to_root(p, root, in_place, b), in_place ? 0 : b);
}

#define ALL(in_place, b) (((in_place) ? p.n - 1 : p.n) * (b))

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const uint64_t b = bytes_of(count, type);
  COLLECTIVE(MPI_Allreduce, OTF2_COLLECTIVE_OP_ALLREDUCE, PMPI_Allreduce(sendbuf, recvbuf, count, type, op, comm),
             NO_ROOT, ALL(sendbuf == MPI_IN_PLACE, b), ALL(sendbuf == MPI_IN_PLACE, b));
}

int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  const uint64_t b = bytes_of(recvcount, recvtype);
  COLLECTIVE(MPI_Allgather, OTF2_COLLECTIVE_OP_ALLGATHER,
             PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), NO_ROOT,
             ALL(sendbuf == MPI_IN_PLACE, b), ALL(sendbuf == MPI_IN_PLACE, b));
}

int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm) {
  const uint64_t b = bytes_of(recvcount, recvtype);
  COLLECTIVE(MPI_Alltoall, OTF2_COLLECTIVE_OP_ALLTOALL,
             PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), NO_ROOT,
             ALL(sendbuf == MPI_IN_PLACE, b), ALL(sendbuf == MPI_IN_PLACE, b));
}

static uint64_t sum(const int* counts, uint64_t n, MPI_Datatype type) {
  uint64_t out = 0;
  for (uint64_t i = 0; i < n; ++i) out += bytes_of(counts[i], type);
  return out;
}

int MPI_Alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype, void* recvbuf,
                  const int* recvcounts, const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm) {
  COLLECTIVE(
      MPI_Alltoallv, OTF2_COLLECTIVE_OP_ALLTOALLV,
      PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm), NO_ROOT,
      sum(sendcounts, p.n, sendtype), sum(recvcounts, p.n, recvtype));
}

int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const uint64_t b = bytes_of(count, type);
  COLLECTIVE(MPI_Scan, OTF2_COLLECTIVE_OP_SCAN, PMPI_Scan(sendbuf, recvbuf, count, type, op, comm), NO_ROOT,
             (p.n - p.me) * b, (p.me + 1) * b);
}

int MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  IN(MPI_Iallreduce);
  int out = PMPI_Iallreduce(sendbuf, recvbuf, count, type, op, comm, request);
  Request* r = add_request(request, 3, find_comm(comm));
  r->op = OTF2_COLLECTIVE_OP_ALLREDUCE;
  r->sent = r->received = place_in(comm).n * bytes_of(count, type);
  put(NBC_REQUEST, r->id, 0, 0, 0, 0, 0);
  OUT(MPI_Iallreduce);
  return out;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) {
  IN(MPI_Comm_split);
  put(COLL_BEGIN, 0, 0, 0, 0, 0, 0);
  int out = PMPI_Comm_split(comm, color, key, made);
  made_comm(comm, *made);
  OUT(MPI_Comm_split);
  return out;
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  IN(MPI_Comm_create);
  put(COLL_BEGIN, 0, 0, 0, 0, 0, 0);
  int out = PMPI_Comm_create(comm, group, made);
  made_comm(comm, *made);
  OUT(MPI_Comm_create);
  return out;
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  IN(MPI_Comm_create_group);
  put(COLL_BEGIN, 0, 0, 0, 0, 0, 0);
  int out = PMPI_Comm_create_group(comm, group, tag, made);
  made_comm(comm, *made);
  OUT(MPI_Comm_create_group);
  return out;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  IN(MPI_Comm_dup);
  put(COLL_BEGIN, 0, 0, 0, 0, 0, 0);
  int out = PMPI_Comm_dup(comm, made);
  made_comm(comm, *made);
  OUT(MPI_Comm_dup);
  return out;
}

int MPI_Cart_create(MPI_Comm comm, int n, const int* dims, const int* periods, int reorder, MPI_Comm* made) {
  IN(MPI_Cart_create);
  put(COLL_BEGIN, 0, 0, 0, 0, 0, 0);
  int out = PMPI_Cart_create(comm, n, dims, periods, reorder, made);
  made_comm(comm, *made);
  OUT(MPI_Cart_create);
  return out;
}

int MPI_Comm_free(MPI_Comm* comm) {
  IN(MPI_Comm_free);
  if (!marks("parents") && !marks("none")) put(COMM_DESTROY, COMM(*comm), 0, 0, 0, 0, 0);
  int out = PMPI_Comm_free(comm);
  OUT(MPI_Comm_free);
  return out;
}

int MPI_Type_commit(MPI_Datatype* type) {
  IN(MPI_Type_commit);
  int out = PMPI_Type_commit(type);
  OUT(MPI_Type_commit);
  return out;
}

int MPI_Finalize(void) {
  IN(MPI_Finalize);
  PMPI_Barrier(MPI_COMM_WORLD);
  OUT(MPI_Finalize);
  has_ended = 1;
  const char* folder = getenv("OTF2_RECORDER_OUT");
  const Recording own = {rank, size, events, n_events, comms, comm_members, n_comms, function_names};
  if (folder) write_recording(&own, folder);
  return PMPI_Finalize();
}
