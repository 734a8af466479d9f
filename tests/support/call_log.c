/* Preloaded before a recorder: writes what a program calls, as a truth to compare its trace with.
 *
 *   CALL_LOG=FOLDER LD_PRELOAD=libcall_log_MPI.so mpirun ... program
 *
 * FOLDER/rank-N has a line for each call of the functions below, of one thread, in C or Fortran: its
 * name, counts, peers, tags, and requests by the order in which they were made; and "failed" behind a
 * call that returned an error. A request is known by the address of its handle, which programs that
 * copy handles change. Nothing here is shared with
 * the recorder: compare_calls.py has the rules by which the two are compared.
 */
#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Calls under way: MPI libraries call themselves, bindings the C functions. */
static __thread int depth;
static FILE* out;

static int enter(void) { return depth++ == 0 && out; }
static void leave(void) { depth--; }

static void open_log(void) {
  const char* folder = getenv("CALL_LOG");
  char path[4096];
  int rank;
  if (!folder || out) return;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mkdir(folder, 0777);
  snprintf(path, sizeof path, "%s/rank-%d", folder, rank);
  out = fopen(path, "w");
}

static void number(const char* name, long value) { fprintf(out, " %s=%ld", name, value); }

static void peer(const char* name, int rank) {
  if (rank == MPI_ANY_SOURCE) {
    fprintf(out, " %s=MPI_ANY_SOURCE", name);
  } else if (rank == MPI_PROC_NULL) {
    fprintf(out, " %s=MPI_PROC_NULL", name);
  } else {
    number(name, rank);
  }
}

static void tagged(const char* name, int tag) {
  if (tag == MPI_ANY_TAG) {
    fprintf(out, " %s=MPI_ANY_TAG", name);
  } else {
    number(name, tag);
  }
}

static void numbers(const char* name, const int* values, int n) {
  fprintf(out, " %s=[", name);
  for (int i = 0; i < n; i++) fprintf(out, "%s%d", i ? "," : "", values[i]);
  fputc(']', out);
}

/* Requests: the addresses of those that are pending. */
static struct Pending {
  const void* address;
  long number;
  int is_persistent;
}* pending;
static int pendings, room;
static long made;

static struct Pending* find(const void* address) {
  for (int i = pendings - 1; i >= 0; i--)
    if (pending[i].address == address) return &pending[i];
  return NULL;
}

static void drop(const void* address) {
  struct Pending* p = find(address);
  if (p) *p = pending[--pendings];
}

static void make(const void* address, int is_persistent) {
  drop(address);
  if (pendings == room) {
    room = room ? 2 * room : 64;
    pending = realloc(pending, (size_t)room * sizeof *pending);
  }
  pending[pendings++] = (struct Pending){address, made++, is_persistent};
}

static void finish(const void* address) {
  struct Pending* p = find(address);
  if (p && !p->is_persistent) drop(address);
}

/* Handles of C and Fortran: where the i-th is, and whether it is null. */
static const void* at(const void* requests, int i, int is_fortran) {
  return (const char*)requests + (size_t)i * (is_fortran ? sizeof(MPI_Fint) : sizeof(MPI_Request));
}

static int is_null(const void* request, int is_fortran) {
  if (is_fortran) return *(const MPI_Fint*)request == PMPI_Request_c2f(MPI_REQUEST_NULL);
  return *(const MPI_Request*)request == MPI_REQUEST_NULL;
}

static void request(const void* address, int is_fortran) {
  const struct Pending* p = is_null(address, is_fortran) ? NULL : find(address);
  if (p) {
    fprintf(out, "%ld", p->number);
  } else {
    fputs(is_null(address, is_fortran) ? "NULL" : "?", out);
  }
}

static void one_request(const void* address, int is_fortran) {
  fputs(" request=", out);
  request(address, is_fortran);
}

static void requests(const void* array, int n, int is_fortran) {
  fputs(" requests=[", out);
  for (int i = 0; i < n; i++) {
    if (i) fputc(',', out);
    request(at(array, i, is_fortran), is_fortran);
  }
  fputc(']', out);
}

/* A completion is written when it has come; what it is about is known before. */
static char* kept;
static size_t kept_size;
static FILE* log_file;

static void hold(void) {
  log_file = out;
  out = open_memstream(&kept, &kept_size);
}

static void release(int is_written) {
  fclose(out);
  out = log_file;
  if (is_written) fputs(kept, out);
  free(kept);
}

static void finish_all(const void* array, int n, int is_fortran) {
  for (int i = 0; i < n; i++) finish(at(array, i, is_fortran));
}

/* A function of C, PMPI_x behind it, and the routine of Fortran. CP and FP are their parameters, CA and FA the names,
 * CB and FB what is written before the call, CE and FE what follows it. */
#define BOTH(NAME, LOWER, CP, CA, CB, CE, FP, FA, FB, FE)  \
  int MPI_##NAME CP {                                      \
    const int outer = enter();                             \
    if (outer) {                                           \
      fputs("MPI_" #NAME, out);                            \
      CB;                                                  \
      fputc('\n', out);                                    \
    }                                                      \
    const int failed = PMPI_##NAME CA;                     \
    if (outer && failed) fputs("failed\n", out);           \
    if (outer && !failed) {                                \
      CE;                                                  \
    }                                                      \
    leave();                                               \
    return failed;                                         \
  }                                                        \
  extern void __attribute__((weak)) pmpi_##LOWER##_ FP;    \
  void mpi_##LOWER##_ FP {                                 \
    const int outer = enter();                             \
    if (outer) {                                           \
      fputs("MPI_" #NAME, out);                            \
      FB;                                                  \
      fputc('\n', out);                                    \
    }                                                      \
    pmpi_##LOWER##_ FA;                                    \
    if (outer && *failed) fputs("failed\n", out);          \
    if (outer && !*failed) {                               \
      FE;                                                  \
    }                                                      \
    leave();                                               \
  }
#define NOTHING ((void)0)

#define SEND(NAME, LOWER)                                                                        \
  BOTH(NAME, LOWER, (const void* buf, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c),     \
       (buf, n, t, dest, tag, c), (number("count", n), peer("dest", dest), tagged("tag", tag)),  \
       NOTHING, (void* buf, int* n, int* t, int* dest, int* tag, int* c, int* failed),           \
       (buf, n, t, dest, tag, c, failed),                                                        \
       (number("count", *n), peer("dest", *dest), tagged("tag", *tag)), NOTHING)
SEND(Send, send)
SEND(Ssend, ssend)
SEND(Bsend, bsend)
SEND(Rsend, rsend)

#define BEGIN_SEND(NAME, LOWER, PERSISTENT)                                                       \
  BOTH(NAME, LOWER,                                                                               \
       (const void* buf, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c, MPI_Request* r),   \
       (buf, n, t, dest, tag, c, r), (number("count", n), peer("dest", dest), tagged("tag", tag)), \
       make(r, PERSISTENT),                                                                       \
       (void* buf, int* n, int* t, int* dest, int* tag, int* c, int* r, int* failed),             \
       (buf, n, t, dest, tag, c, r, failed),                                                      \
       (number("count", *n), peer("dest", *dest), tagged("tag", *tag)), make(r, PERSISTENT))
BEGIN_SEND(Isend, isend, 0)
BEGIN_SEND(Issend, issend, 0)
BEGIN_SEND(Ibsend, ibsend, 0)
BEGIN_SEND(Irsend, irsend, 0)
BEGIN_SEND(Send_init, send_init, 1)

#define BEGIN_RECEIVE(NAME, LOWER, PERSISTENT)                                             \
  BOTH(NAME, LOWER,                                                                        \
       (void* buf, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Request* r), \
       (buf, n, t, source, tag, c, r),                                                     \
       (number("count", n), peer("source", source), tagged("tag", tag)), make(r, PERSISTENT), \
       (void* buf, int* n, int* t, int* source, int* tag, int* c, int* r, int* failed),    \
       (buf, n, t, source, tag, c, r, failed),                                             \
       (number("count", *n), peer("source", *source), tagged("tag", *tag)), make(r, PERSISTENT))
BEGIN_RECEIVE(Irecv, irecv, 0)
BEGIN_RECEIVE(Recv_init, recv_init, 1)

BOTH(Recv, recv,
     (void* buf, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Status* s),
     (buf, n, t, source, tag, c, s),
     (number("count", n), peer("source", source), tagged("tag", tag)), NOTHING,
     (void* buf, int* n, int* t, int* source, int* tag, int* c, int* s, int* failed),
     (buf, n, t, source, tag, c, s, failed),
     (number("count", *n), peer("source", *source), tagged("tag", *tag)), NOTHING)

#define SENDRECV(V)                                                                              \
  (number("sendcount", V sn), peer("dest", V dest), tagged("sendtag", V st), number("recvcount", V rn), \
   peer("source", V source), tagged("recvtag", V rt))
BOTH(Sendrecv, sendrecv,
     (const void* sb, int sn, MPI_Datatype sd, int dest, int st, void* rb, int rn, MPI_Datatype rd,
      int source, int rt, MPI_Comm c, MPI_Status* s),
     (sb, sn, sd, dest, st, rb, rn, rd, source, rt, c, s), SENDRECV(), NOTHING,
     (void* sb, int* sn, int* sd, int* dest, int* st, void* rb, int* rn, int* rd, int* source,
      int* rt, int* c, int* s, int* failed),
     (sb, sn, sd, dest, st, rb, rn, rd, source, rt, c, s, failed), SENDRECV(*), NOTHING)

/* Completions. */
static int array_size; /* of the array that the call under way is about */

BOTH(Wait, wait, (MPI_Request * r, MPI_Status* s), (r, s), one_request(r, 0), finish(r),
     (int* r, int* s, int* failed), (r, s, failed), one_request(r, 1), finish(r))
BOTH(Waitall, waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s), requests(r, n, 0),
     finish_all(r, n, 0), (int* n, int* r, int* s, int* failed), (n, r, s, failed),
     (array_size = *n, requests(r, *n, 1)), finish_all(r, array_size, 1))
BOTH(Start, start, (MPI_Request * r), (r), one_request(r, 0), NOTHING, (int* r, int* failed),
     (r, failed), one_request(r, 1), NOTHING)
BOTH(Startall, startall, (int n, MPI_Request r[]), (n, r), requests(r, n, 0), NOTHING,
     (int* n, int* r, int* failed), (n, r, failed), requests(r, *n, 1), NOTHING)
BOTH(Request_free, request_free, (MPI_Request * r), (r), one_request(r, 0), drop(r),
     (int* r, int* failed), (r, failed), one_request(r, 1), drop(r))

/* Those that may come back empty-handed, and then are not written. */
#define ATTEMPT(NAME, LOWER, CP, CA, CB, CDONE, CE, FP, FA, FB, FDONE, FE) \
  int MPI_##NAME CP {                                                      \
    const int outer = enter();                                             \
    if (outer) {                                                           \
      hold();                                                              \
      fputs("MPI_" #NAME, out);                                            \
      CB;                                                                  \
    }                                                                      \
    const int failed = PMPI_##NAME CA;                                     \
    if (outer) {                                                           \
      const int done = !failed && (CDONE);                                 \
      if (done) CE;                                                        \
      fputc('\n', out);                                                    \
      release(done);                                                       \
    }                                                                      \
    leave();                                                               \
    return failed;                                                         \
  }                                                                        \
  extern void __attribute__((weak)) pmpi_##LOWER##_ FP;                    \
  void mpi_##LOWER##_ FP {                                                 \
    const int outer = enter();                                             \
    if (outer) {                                                           \
      hold();                                                              \
      fputs("MPI_" #NAME, out);                                            \
      FB;                                                                  \
    }                                                                      \
    pmpi_##LOWER##_ FA;                                                    \
    if (outer) {                                                           \
      const int done = !*failed && (FDONE);                                \
      if (done) FE;                                                        \
      fputc('\n', out);                                                    \
      release(done);                                                       \
    }                                                                      \
    leave();                                                               \
  }

static void one_of(const void* array, int index, int is_fortran) {
  if (index == MPI_UNDEFINED) {
    fputs(" index=MPI_UNDEFINED", out);
    return;
  }
  index -= is_fortran;
  number("index", index);
  finish(at(array, index, is_fortran));
}

ATTEMPT(Waitany, waitany, (int n, MPI_Request r[], int* index, MPI_Status* s), (n, r, index, s),
        requests(r, n, 0), 1, one_of(r, *index, 0), (int* n, int* r, int* index, int* s, int* failed),
        (n, r, index, s, failed), requests(r, *n, 1), 1, one_of(r, *index, 1))
ATTEMPT(Test, test, (MPI_Request * r, int* flag, MPI_Status* s), (r, flag, s), one_request(r, 0),
        *flag, finish(r), (int* r, int* flag, int* s, int* failed), (r, flag, s, failed),
        one_request(r, 1), *flag, finish(r))
ATTEMPT(Testall, testall, (int n, MPI_Request r[], int* flag, MPI_Status s[]), (n, r, flag, s),
        requests(r, n, 0), *flag, finish_all(r, n, 0), (int* n, int* r, int* flag, int* s, int* failed),
        (n, r, flag, s, failed), requests(r, *n, 1), *flag, finish_all(r, *n, 1))
ATTEMPT(Testany, testany, (int n, MPI_Request r[], int* index, int* flag, MPI_Status* s),
        (n, r, index, flag, s), requests(r, n, 0), *flag, one_of(r, *index, 0),
        (int* n, int* r, int* index, int* flag, int* s, int* failed),
        (n, r, index, flag, s, failed), requests(r, *n, 1), *flag, one_of(r, *index, 1))

/* Collectives. */
BOTH(Barrier, barrier, (MPI_Comm c), (c), NOTHING, NOTHING, (int* c, int* failed), (c, failed),
     NOTHING, NOTHING)
BOTH(Bcast, bcast, (void* b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c),
     (number("count", n), number("root", root)), NOTHING,
     (void* b, int* n, int* t, int* root, int* c, int* failed), (b, n, t, root, c, failed),
     (number("count", *n), number("root", *root)), NOTHING)
BOTH(Reduce, reduce,
     (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c),
     (a, b, n, t, o, root, c), (number("count", n), number("root", root)), NOTHING,
     (void* a, void* b, int* n, int* t, int* o, int* root, int* c, int* failed),
     (a, b, n, t, o, root, c, failed), (number("count", *n), number("root", *root)), NOTHING)
BOTH(Allreduce, allreduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
     (a, b, n, t, o, c), number("count", n), NOTHING,
     (void* a, void* b, int* n, int* t, int* o, int* c, int* failed), (a, b, n, t, o, c, failed),
     number("count", *n), NOTHING)
#define EACH(NAME, LOWER)                                                                     \
  BOTH(NAME, LOWER,                                                                           \
       (const void* a, int sn, MPI_Datatype st, void* b, int rn, MPI_Datatype rt, MPI_Comm c), \
       (a, sn, st, b, rn, rt, c), (number("sendcount", sn), number("recvcount", rn)), NOTHING, \
       (void* a, int* sn, int* st, void* b, int* rn, int* rt, int* c, int* failed),           \
       (a, sn, st, b, rn, rt, c, failed), (number("sendcount", *sn), number("recvcount", *rn)), \
       NOTHING)
EACH(Alltoall, alltoall)
EACH(Allgather, allgather)

static int size_of(MPI_Comm c) {
  int n = 0;
  PMPI_Comm_size(c, &n);
  return n;
}
#define ALLTOALLV(COMM)                                            \
  (numbers("sendcounts", sn, size_of(COMM)), numbers("recvcounts", rn, size_of(COMM)))
BOTH(Alltoallv, alltoallv,
     (const void* a, const int* sn, const int* sp, MPI_Datatype st, void* b, const int* rn,
      const int* rp, MPI_Datatype rt, MPI_Comm c),
     (a, sn, sp, st, b, rn, rp, rt, c), ALLTOALLV(c), NOTHING,
     (void* a, int* sn, int* sp, int* st, void* b, int* rn, int* rp, int* rt, int* c, int* failed),
     (a, sn, sp, st, b, rn, rp, rt, c, failed), ALLTOALLV(PMPI_Comm_f2c(*c)), NOTHING)

/* Communicators, datatypes and files. */
BOTH(Comm_dup, comm_dup, (MPI_Comm c, MPI_Comm* n), (c, n), NOTHING, NOTHING,
     (int* c, int* n, int* failed), (c, n, failed), NOTHING, NOTHING)
BOTH(Comm_split, comm_split, (MPI_Comm c, int color, int key, MPI_Comm* n), (c, color, key, n),
     (number("color", color), number("key", key)), NOTHING,
     (int* c, int* color, int* key, int* n, int* failed), (c, color, key, n, failed),
     (number("color", *color), number("key", *key)), NOTHING)
BOTH(Type_contiguous, type_contiguous, (int n, MPI_Datatype t, MPI_Datatype* m), (n, t, m),
     number("count", n), NOTHING, (int* n, int* t, int* m, int* failed), (n, t, m, failed),
     number("count", *n), NOTHING)
BOTH(Type_commit, type_commit, (MPI_Datatype * t), (t), NOTHING, NOTHING, (int* t, int* failed),
     (t, failed), NOTHING, NOTHING)
#define SUBARRAY(N)                                                      \
  (numbers("sizes", sizes, N), numbers("subsizes", subsizes, N), numbers("starts", starts, N))
BOTH(Type_create_subarray, type_create_subarray,
     (int n, const int* sizes, const int* subsizes, const int* starts, int order, MPI_Datatype t,
      MPI_Datatype* m),
     (n, sizes, subsizes, starts, order, t, m), SUBARRAY(n), NOTHING,
     (int* n, int* sizes, int* subsizes, int* starts, int* order, int* t, int* m, int* failed),
     (n, sizes, subsizes, starts, order, t, m, failed), SUBARRAY(*n), NOTHING)
#define BLOCKS(N) numbers("blocklengths", blocks, N)
BOTH(Type_create_struct, type_create_struct,
     (int n, const int* blocks, const MPI_Aint* displacements, const MPI_Datatype* t, MPI_Datatype* m),
     (n, blocks, displacements, t, m), BLOCKS(n), NOTHING,
     (int* n, int* blocks, MPI_Aint* displacements, int* t, int* m, int* failed),
     (n, blocks, displacements, t, m, failed), BLOCKS(*n), NOTHING)
/* MPI 3 removed this one. Libraries have it, but their mpi.h lacks it or makes an error of it. */
#undef MPI_Type_struct
int __attribute__((weak)) PMPI_Type_struct(int n, int* blocks, MPI_Aint* displacements,
                                           MPI_Datatype* t, MPI_Datatype* m);
BOTH(Type_struct, type_struct,
     (int n, int* blocks, MPI_Aint* displacements, MPI_Datatype* t, MPI_Datatype* m),
     (n, blocks, displacements, t, m), BLOCKS(n), NOTHING,
     (int* n, int* blocks, int* displacements, int* t, int* m, int* failed),
     (n, blocks, displacements, t, m, failed), BLOCKS(*n), NOTHING)
#define FILE_AT(NAME, LOWER, CONST)                                                            \
  BOTH(NAME, LOWER,                                                                            \
       (MPI_File f, MPI_Offset o, CONST void* b, int n, MPI_Datatype t, MPI_Status* s),        \
       (f, o, b, n, t, s), (number("offset", o), number("count", n)), NOTHING,                 \
       (int* f, MPI_Offset* o, void* b, int* n, int* t, int* s, int* failed),                  \
       (f, o, b, n, t, s, failed), (number("offset", *o), number("count", *n)), NOTHING)
/* Fortran passes the lengths of strings behind the other arguments. */
BOTH(File_open, file_open, (MPI_Comm c, const char* name, int mode, MPI_Info i, MPI_File* f),
     (c, name, mode, i, f), NOTHING, NOTHING,
     (int* c, char* name, int* mode, int* i, int* f, int* failed, size_t length),
     (c, name, mode, i, f, failed, length), NOTHING, NOTHING)
BOTH(File_delete, file_delete, (const char* name, MPI_Info i), (name, i), NOTHING, NOTHING,
     (char* name, int* i, int* failed, size_t length), (name, i, failed, length), NOTHING, NOTHING)
BOTH(File_set_view, file_set_view,
     (MPI_File f, MPI_Offset o, MPI_Datatype e, MPI_Datatype t, const char* name, MPI_Info i),
     (f, o, e, t, name, i), number("disp", o), NOTHING,
     (int* f, MPI_Offset* o, int* e, int* t, char* name, int* i, int* failed, size_t length),
     (f, o, e, t, name, i, failed, length), number("disp", *o), NOTHING)
FILE_AT(File_write_at, file_write_at, const)
FILE_AT(File_read_at, file_read_at, )
FILE_AT(File_write_at_all, file_write_at_all, const)
FILE_AT(File_read_at_all, file_read_at_all, )
BOTH(File_close, file_close, (MPI_File * f), (f), NOTHING, NOTHING, (int* f, int* failed),
     (f, failed), NOTHING, NOTHING)

/* The beginning and the end. */
static void begun(const char* call) {
  open_log();
  if (out) fprintf(out, "%s\n", call);
}

static void end(void) {
  fputs("MPI_Finalize\n", out);
  fclose(out);
  out = NULL;
}

int MPI_Init(int* argc, char*** argv) {
  const int outer = depth++ == 0, failed = PMPI_Init(argc, argv);
  if (outer) begun("MPI_Init");
  leave();
  return failed;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int outer = depth++ == 0, failed = PMPI_Init_thread(argc, argv, required, provided);
  if (outer) begun("MPI_Init_thread");
  leave();
  return failed;
}

extern void __attribute__((weak)) pmpi_init_(int* failed);
void mpi_init_(int* failed) {
  const int outer = depth++ == 0;
  pmpi_init_(failed);
  if (outer) begun("MPI_Init");
  leave();
}

extern void __attribute__((weak)) pmpi_init_thread_(int* required, int* provided, int* failed);
void mpi_init_thread_(int* required, int* provided, int* failed) {
  const int outer = depth++ == 0;
  pmpi_init_thread_(required, provided, failed);
  if (outer) begun("MPI_Init_thread");
  leave();
}

int MPI_Finalize(void) {
  if (enter()) end();
  const int failed = PMPI_Finalize();
  leave();
  return failed;
}

extern void __attribute__((weak)) pmpi_finalize_(int* failed);
void mpi_finalize_(int* failed) {
  if (enter()) end();
  pmpi_finalize_(failed);
  leave();
}
