static const char bm_usage[] =
    "  --compute-scale X | WORD=X  computation, or that before calls whose place or function has the word, times X (1)\n"
    "  --compute spin | sleep      how computation is emulated (spin; under SMPI sleep)\n"
    "  --message-scale X           element counts of messages and collectives, times X; a count of 1 stays (1)\n"
    "  --iterations N              trip count of the main loop, if there is one (as recorded)\n"
    "  --overlap                   computation behind a wait is done before it\n"
    "  --files DIR                 where files are written (.)\n"
    "  --tables FILE               file with the tables of this benchmark, if there is one (that beside it)\n"
    "  --report                    print time by phase; calls, and bytes of all buffers passed, by function\n"
    "  -h, --help                  print this\n"
    "Nothing is printed without --report.\n";
static const char *bm_wrong; /* why an option cannot be taken */

/* A number from 0 to `most` that is the whole text. */
static inline double bm_number(const char *text, double most) {
  char *end;
  const double x = strtod(text, &end);
  if (end == text || *end || !(x >= 0)) bm_wrong = "that is not a number of 0 or more";
  else if (x > most) bm_wrong = "that is too large";
  return x;
}
static inline long long bm_whole(const char *text) {
  const double x = bm_number(text, 1e15);
  if (!bm_wrong && x != (double)(long long)x) bm_wrong = "that is not a whole number";
  return bm_wrong ? 0 : (long long)x;
}

/* X for all computation, or WORD=X for that before the calls whose place or function has the word. */
static inline void bm_scale_compute(const char *text) {
  const char *equals = strrchr(text, '=');
  const double x = bm_number(equals ? equals + 1 : text, 1e9);
  int known = 0;
  char word[256] = "";
  if (equals) snprintf(word, sizeof word, "%.*s", (int)(equals - text), text);
  for (int i = 0; i < bm_self->sites; i++) {
    if (!strstr(bm_self->site[i].place, word) && !strstr(bm_self->site[i].function, word)) continue;
    bm_extra[i] = x - 1;
    known = 1;
  }
  if (!known && !bm_wrong) bm_wrong = "no call has that word in its place or function";
}

/* An option that has a value. */
static inline void bm_take_value(const char *name, const char *value) {
  if (!strcmp(name, "--compute-scale")) {
    bm_scale_compute(value);
  } else if (!strcmp(name, "--compute")) {
    bm_sleeps = !strcmp(value, "sleep");
    if (!bm_sleeps && strcmp(value, "spin") != 0) bm_wrong = "that is neither spin nor sleep";
  } else if (!strcmp(name, "--message-scale")) {
    bm_message_scale = bm_number(value, 1e9);
    bm_is_other = 1;
  } else if (!strcmp(name, "--iterations")) {
    bm_iterations = bm_whole(value);
    bm_is_other = 1;
  } else if (!strcmp(name, "--tables")) {
    bm_tables = value;
  } else if (!strcmp(name, "--files")) {
    bm_files = value;
  }
  for (int i = 0; i < bm_self->sizes; i++)
    if (!strcmp(name, bm_self->size[i].option)) *bm_self->size[i].value = bm_whole(value);
}

/* How many words an option takes; bm_wrong tells why it is none. */
static inline int bm_option(const char *name, const char *value) {
  static const char *const with_value[] = {"--compute-scale", "--compute", "--message-scale", "--iterations",
                                           "--files",         "--tables"};
  int is_known = 0;
  for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++) is_known |= !strcmp(name, with_value[i]);
  if (!strcmp(name, "--report")) return bm_reports = 1;
  if (!strcmp(name, "--overlap")) return bm_overlaps = 1;
  for (int i = 0; i < bm_self->sizes; i++) is_known |= !strcmp(name, bm_self->size[i].option);
  if (!is_known) bm_wrong = "there is no such option";
  else if (!strcmp(name, "--iterations") && !bm_self->has_main_loop) bm_wrong = "it has no main loop";
  else if (!strcmp(name, "--tables") && !bm_self->stored) bm_wrong = "it has all tables in itself";
  else if (!value) bm_wrong = "its value is missing";
  if (bm_wrong) return 1;
  bm_take_value(name, value);
  return 2;
}

/* Why the benchmark does not run: rank 0 tells. */
static inline void bm_refuse(const char *what, const char *on, const char *why) {
  if (rank == 0) fprintf(stderr, "%s %s%s\n", what, on, why);
  leave();
  exit(2);
}
static inline void bm_help(FILE *to) {
  if (rank != 0) return;
  if (bm_self->runs_on) {
    fprintf(to, "Usage: mpirun -n RANKS %s [OPTION...]\nIt runs on %s.\n", bm_word[0], bm_self->runs_on->words);
  } else {
    fprintf(to, "Usage: mpirun -n %d %s [OPTION...]\n", bm_self->ranks, bm_word[0]);
  }
  fputs("Options, with defaults in parentheses:\n", to);
  for (int i = 0; i < bm_self->sizes; i++) {
    const struct problem_size *s = &bm_self->size[i];
    fprintf(to, "  %s N%*s%s\n", s->option, 26 - (int)strlen(s->option), "", s->range.words);
  }
  fputs(bm_usage, to);
}

/* Whether the benchmark is for so many ranks and such sizes. */
static inline void bm_check_numbers(void) {
  if (!bm_self->runs_on) {
    if (bm_ranks == bm_self->ranks) return;
    if (rank == 0)
      fprintf(stderr, "this benchmark is for %d ranks, not for %d (reprise extrapolate makes the trace on others); start it on %d\n",
              bm_self->ranks, bm_ranks, bm_self->ranks);
    leave();
    exit(2);
  }
  if (!is_in_range(bm_self->runs_on, bm_ranks))
    bm_refuse("this benchmark runs on", bm_self->runs_on->words,
              " (its laws hold for these); start it on such a number of ranks");
  for (int i = 0; i < bm_self->sizes; i++)
    if (!is_in_range(&bm_self->size[i].range, *bm_self->size[i].value))
      bm_refuse(bm_self->size[i].option, "takes ", bm_self->size[i].range.words);
}

/* Comes first of all: what the benchmark says of itself, and the command line. */
static inline void begin(const struct benchmark *self, int words, char **word) {
  bm_self = self;
  bm_words = words;
  bm_word = word;
  everyone = MPI_COMM_WORLD;
  bm_no_statuses = MPI_STATUSES_IGNORE;
  flag = number = 0;
  base = NULL;
  taken_message = MPI_MESSAGE_NULL;
  const size_t n = (size_t)self->sites + 1;
  for (int c = 0; c < BM_COUNTERS; c++) bm_done[c] = calloc(n, sizeof **bm_done);
  bm_extra = calloc(n, sizeof *bm_extra);
  bm_rows = calloc(n, sizeof *bm_rows);
  for (int c = 0; c < BM_COUNTERS; c++)
    if (!bm_done[c] || !bm_extra || !bm_rows) exit(1);
  for (int i = 0; i < self->sites; i++) bm_rows[i] = -1;
  for (int i = 0; i < self->sizes; i++)
    if (self->size[i].range.least == self->size[i].range.most) *self->size[i].value = self->size[i].range.least;
  for (int row = self->computations; row-- > 0;) bm_rows[self->computation[row].site] = row;
}

/* Comes behind MPI_Init: learns the rank, reads the options and times the loop of computation. */
static inline void start(void) {
  int i = 1, is_asked = 0;
  MPI_Comm_rank(everyone, &rank);
  MPI_Comm_size(everyone, &bm_ranks);
#ifdef SMPI_H
  bm_sleeps = 1; /* which a simulator sees */
#endif
  while (i < bm_words && !is_asked && !bm_wrong) {
    const char *name = bm_word[i], *value = bm_word[i + 1];
    is_asked = !strcmp(name, "-h") || !strcmp(name, "--help");
    const int used = is_asked ? 1 : bm_option(name, value);
    if (bm_wrong && rank == 0)
      fprintf(stderr, "%s: %s%s%s: %s\n", bm_word[0], name, used > 1 ? " " : "", used > 1 ? value : "", bm_wrong);
    i += used;
  }
  if (is_asked || bm_wrong) {
    bm_help(is_asked ? stdout : stderr);
    leave();
    exit(is_asked ? 0 : 2);
  }
  bm_check_numbers();
  bm_load_tables();
  for (int k = 0; k < 10 && !bm_sleeps; k++) {
    const double from = MPI_Wtime();
    bm_spin(1e5);
    const double turns = 1e-4 / (MPI_Wtime() - from); /* in a nanosecond */
    if (turns > bm_turns_per_ns && turns < 100) bm_turns_per_ns = turns;
  }
}

#endif
