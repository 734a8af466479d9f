static const char bm_usage[] =
    "  --compute-scale X | WORD=X  computation, or that before calls whose place or function has the word, times X\n"
    "  --compute spin | sleep      how computation is emulated\n"
    "  --message-scale X           element counts of messages and collectives, times X\n"
    "  --iterations N              trip count of the main loop, if there is one\n"
    "  --overlap                   computation behind a wait is done before it\n"
    "  --files DIR                 where files are written\n"
    "  --report                    time by phase, calls and bytes by function\n";

/* A number of 0 or more that is the whole text; negative: it is none. */
static inline double bm_number(const char *text) {
  char *end;
  const double x = strtod(text, &end);
  return end == text || *end || !(x >= 0) ? -1 : x;
}

/* X for all computation, or WORD=X for that before the calls whose place or function has the word. */
static inline int bm_scale_compute(const char *text) {
  const char *equals = strrchr(text, '=');
  const double x = bm_number(equals ? equals + 1 : text);
  int known = 0;
  char word[256] = "";
  if (equals) snprintf(word, sizeof word, "%.*s", (int)(equals - text), text);
  for (int i = 0; i < bm_self->sites; i++) {
    if (!strstr(bm_self->site[i].place, word) && !strstr(bm_self->site[i].function, word)) continue;
    bm_extra[i] = x - 1;
    known = 1;
  }
  return x >= 0 && known ? 2 : 0;
}

/* How many words an option takes; 0: it is wrong. */
static inline int bm_option(const char *name, const char *value) {
  if (!strcmp(name, "--report")) return bm_reports = 1;
  if (!strcmp(name, "--overlap")) return bm_overlaps = 1;
  if (!value) return 0;
  if (!strcmp(name, "--compute-scale")) return bm_scale_compute(value);
  if (!strcmp(name, "--message-scale")) {
    bm_is_other = 1;
    return (bm_message_scale = bm_number(value)) >= 0 ? 2 : 0;
  }
  if (!strcmp(name, "--iterations") && bm_self->has_main_loop) {
    const double n = bm_number(value);
    bm_is_other = 1;
    bm_iterations = (long long)n;
    return n >= 0 && n == (double)bm_iterations ? 2 : 0;
  }
  for (int i = 0; i < bm_self->sizes; i++) {
    if (strcmp(name, bm_self->size[i].option) != 0) continue;
    const double n = bm_number(value);
    *bm_self->size[i].value = (long long)n;
    return n >= 0 && n == (double)*bm_self->size[i].value ? 2 : 0;
  }
  if (!strcmp(name, "--files")) {
    bm_files = value;
    return 2;
  }
  bm_sleeps = !strcmp(value, "sleep");
  return !strcmp(name, "--compute") && (bm_sleeps || !strcmp(value, "spin")) ? 2 : 0;
}

/* Why the benchmark does not run: rank 0 tells. */
static inline void bm_refuse(const char *what, const char *on, const char *why) {
  if (rank == 0) fprintf(stderr, "%s %s%s\n", what, on, why);
  leave();
  exit(2);
}
static inline void bm_help(FILE *to) {
  if (rank != 0) return;
  if (bm_self->runs_on) fprintf(to, "This benchmark runs on %s. Options:\n%s", bm_self->runs_on->words, bm_usage);
  else fprintf(to, "Options for %d ranks:\n%s", bm_self->ranks, bm_usage);
  for (int i = 0; i < bm_self->sizes; i++)
    fprintf(to, "  %-16s N         %s\n", bm_self->size[i].option, bm_self->size[i].range.words);
}

/* Whether the benchmark is for so many ranks and such sizes. */
static inline void bm_check_numbers(void) {
  if (!bm_self->runs_on) {
    if (bm_ranks != bm_self->ranks) stop("it is for another number of ranks, which --help tells");
    return;
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
  int used = 1, i = 1;
  MPI_Comm_rank(everyone, &rank);
  MPI_Comm_size(everyone, &bm_ranks);
#ifdef SMPI_H
  bm_sleeps = 1; /* which a simulator sees */
#endif
  for (; i < bm_words; i += used)
    if (!(used = bm_option(bm_word[i], bm_word[i + 1]))) break;
  if (!used) {
    const int is_asked = !strcmp(bm_word[i], "--help");
    if (rank == 0 && !is_asked) fprintf(stderr, "%s: that is no option, or its value is wrong. ", bm_word[i]);
    bm_help(is_asked ? stdout : stderr);
    leave();
    exit(is_asked ? 0 : 2);
  }
  bm_check_numbers();
  for (int k = 0; k < 10 && !bm_sleeps; k++) {
    const double from = MPI_Wtime();
    bm_spin(1e5);
    const double turns = 1e-4 / (MPI_Wtime() - from); /* in a nanosecond */
    if (turns > bm_turns_per_ns && turns < 100) bm_turns_per_ns = turns;
  }
}

#endif
