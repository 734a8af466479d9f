/* What few programs need. */
static int flag, number;            /* what calls tell and nobody reads */
static void *base;                  /* of memory */

static inline MPI_Info hints(void) {
  static MPI_Info none;
  static int is_made;
  if (!is_made) MPI_Info_create(&none);
  is_made = 1;
  return none;
}

/* Files of the program are others here: benchmark-NAME in the folder of --files. What it found is made. */
static inline const char *file_name(const char *name, int is_made) {
  static char path[4096];
  const char *last = strrchr(name, '/');
  snprintf(path, sizeof path, "%s/benchmark-%s", bm_files, last ? last + 1 : name);
  FILE *f = is_made ? NULL : fopen(path, "ab");
  if (f) fclose(f);
  return path;
}

/* What MPI writes and nobody reads. */
static inline void *scratch(int which) {
  static long double area[3][1 << 14];
  return area[which % 3];
}

/* In place of the program's own reductions and generalized requests. */
static inline void reduce(void *a, void *b, int *n, MPI_Datatype *type) { (void)a, (void)b, (void)n, (void)type; }
static inline void reduce_large(void *a, void *b, MPI_Count *n, MPI_Datatype *type) { (void)a, (void)b, (void)n, (void)type; }
#ifndef SMPI_H
static inline int query(void *state, MPI_Status *status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static inline int release(void *state) { return (void)state, MPI_SUCCESS; }
static inline int cancel(void *state, int done) { return (void)state, (void)done, MPI_SUCCESS; }
#endif

#if MPI_VERSION >= 4
/* A program that begins with a session has no MPI_COMM_WORLD: a session of the benchmark's own tells the rank. */
static MPI_Session bm_session;
static inline void open_session(void) {
  MPI_Group all;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &bm_session);
  MPI_Group_from_session_pset(bm_session, "mpi://WORLD", &all);
  MPI_Comm_create_from_group(all, "benchmark", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &everyone);
  MPI_Group_free(&all);
}
static inline void close_session(void) {
  MPI_Comm_free(&everyone);
  MPI_Session_finalize(&bm_session);
}
#endif

/* Ends MPI, however it began. */
static inline void leave(void) {
#if MPI_VERSION >= 4
  if (everyone != MPI_COMM_WORLD) {
    close_session();
    return;
  }
#endif
  MPI_Finalize();
}
