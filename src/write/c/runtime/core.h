/* What a benchmark has to say of itself. */

struct site { /* a call in the program, and what is computed before it [ns] unless `computations` says more */
  const char *function, *place;
  double ns;
};
struct total { /* what the trace has of a function; fewer than 0 calls or bytes: that is not known */
  const char *function;
  double calls, bytes;
};
enum shape { ANY, SQUARE, TWICE_SQUARE, OBLONG, CUBE, POWER_OF_TWO };
struct range { /* multiples of a number, of a shape; and in words */
  long long least, most, multiple_of;
  enum shape shape;
  const char *words;
};
struct problem_size { /* a size of the problem, by its option */
  const char *option;
  long long *value;
  struct range range;
};
enum { START = -1, ANYWHERE = -2 };
/* What ranks compute before a call. Of the rows of a site, which stand next to each other, the first one counts whose
 * `from` is the site of the call before, or ANYWHERE. What is told by rank or by execution stands in tables. */
struct computation {
  int site, from;
  double ns;                    /* on average */
  double (*law)(void);          /* the same by the number of ranks [ns] */
  const long long *by_rank;     /* the same of each rank [ns] */
  struct table *by_execution;   /* the same of each execution, by rank [ns] */
  const long long *shares;      /* of that, what each rank takes [1/1000] */
  const int *const *spreads;    /* distributions around it (see `drawn`) */
  const long long *which;       /* the distribution of each rank; NULL: the first */
  long long draws;              /* executions that share a distribution */
  const long long *draws_of;    /* the same of each rank */
  int together;                 /* whether all ranks are slow at the same time */
};
struct overlap { /* --overlap: what comes behind the call `next` is computed before this one */
  int site, next;
  double ns;
};
struct constant { /* of MPI, that tables have by name */
  const char *name;
  long long value;
};
struct stored { /* tables that stand in a file (see bm_read_tables) */
  const char *file, *checksum;
  long long words, *to;
  int constants;
  const struct constant *constant;
};
struct benchmark {
  const struct range *runs_on;      /* NULL: on so many ranks alone */
  int ranks, sizes, sites, functions, computations, overlaps;
  int has_main_loop;
  int keeps_receives; /* what is received is not made smaller */
  const struct problem_size *size;
  const struct site *site;
  const struct total *total;
  struct computation *computation;
  const struct overlap *overlap;
  const struct stored *stored;
};

/* What this process is, and what the command line asks for. */
static int rank, bm_ranks;
static MPI_Comm everyone; /* all ranks of the benchmark */
static const struct benchmark *bm_self;
static int bm_words;
static char **bm_word;
static double bm_message_scale = 1;
static long long bm_iterations = -1;
static int bm_sleeps, bm_reports, bm_is_other, bm_overlaps;
static const char *bm_files = ".", *bm_tables;

/* Calls, bytes and seconds by site, the first of which is what comes before all calls. */
enum { BM_CALLS, BM_BYTES, BM_COMPUTING, BM_IN_MPI, BM_COUNTERS };
static double *bm_done[BM_COUNTERS];
static double *bm_extra;   /* --compute-scale, less 1 */
static int *bm_rows;       /* the first row of computation of each site, or -1 */
static double bm_mark, bm_turns_per_ns;
static int bm_last = START;

/* Ends all ranks, and says why as printf does. */
static inline void stop(const char *why, ...) {
  va_list values;
  fprintf(stderr, "%s: rank %d cannot proceed (%s): ", bm_word[0], rank, bm_last >= 0 ? bm_self->site[bm_last].place : "start");
  va_start(values, why);
  vfprintf(stderr, why, values);
  va_end(values);
  fputc('\n', stderr);
  const struct timespec moment = {0, 300000000}; /* launchers drop what they have not passed on when they abort */
  nanosleep(&moment, NULL);
  exit(MPI_Abort(everyone, 1));
}

/* The same memory, or none, with room for n things. */
static inline void *grown(void *old, long long n, size_t each) {
  void *room = realloc(old, n > 0 ? (size_t)n * each : 1);
  if (!room) stop("out of memory for %lld things of %zu bytes", n, each);
  return room;
}

/* Room for an array that a call reads before it returns: it stays until 256 others were asked for. */
static inline void *fresh(long long n, size_t each) {
  static void *arrays[256];
  static unsigned char next;
  next++;
  return arrays[next] = grown(arrays[next], n, each);
}

/* What a program has as a buffer: memory of its own, nothing as it does not count, or a constant of MPI. */
enum { OWN, NOTHING, IN_PLACE, BOTTOM };
static inline void *other_buffer(long long which) {
  return which == IN_PLACE ? MPI_IN_PLACE : which == BOTTOM ? MPI_BOTTOM : NULL;
}

/* The number of trips of the main loop. */
static inline long long iterations(long long n) { return bm_iterations >= 0 ? bm_iterations : n; }

/* What programs pass for no statuses: compilers take the constant for an array without entries, and warn. */
static MPI_Status *volatile bm_no_statuses;
#define NO_STATUSES bm_no_statuses
