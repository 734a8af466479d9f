// How a generated program reports, what it can be asked, and how it starts.
#include "generate/c_fragments.hpp"

namespace reprise::generate {

std::span<const Fragment> ending_fragments() {
  static const std::vector<Fragment> all{
      {"core", {}, R"(
/* Time by phase; calls and bytes by function, and whether those are as many as in the trace. */
static void report(void) {
  double all[4][SITES + 1];
@!everybody   MPI_Reduce(done, all, 4 * (SITES + 1), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
@everybody   MPI_Reduce(done, all, 4 * (SITES + 1), MPI_DOUBLE, MPI_SUM, 0, everybody);
  if (rank > 0) return;
  printf("%-32s %14s %14s\n", "phase", "compute [s]", "MPI [s]");
  for (int i = 0, j; i < SITES; i++) {
    const int n = (int)strcspn(places[i], strchr(places[i], ' ') ? " " : ":");
    for (j = 0; strncmp(places[i], places[j], (size_t)n + 1) != 0; j++) continue;
    for (int k = i + 1; k < SITES && j == i; k++)
      for (int x = COMPUTING; x <= IN_MPI && !strncmp(places[i], places[k], (size_t)n + 1); x++) all[x][i] += all[x][k];
    if (j == i) printf("%-32.*s %14.6f %14.6f\n", n, places[i], all[COMPUTING][i] / RANKS, all[IN_MPI][i] / RANKS);
  }
  printf("%-32s %12s %12s %15s %15s\n", "function", "calls", "in the trace", "bytes", "in the trace");
  for (int f = 0, i = 0; f < FUNCTIONS; f++) {
    double calls = 0, bytes = 0;
    for (; i < functions[f].end; i++) calls += all[CALLS][i], bytes += all[BYTES][i];
    const int same = calls == functions[f].calls && (bytes == functions[f].bytes || functions[f].bytes < 0);
    printf("%-32s %12.0f %12.0f %15.0f %15.0f%s\n", functions[f].name, calls, functions[f].calls, bytes,
           functions[f].bytes, same ? "" : is_other ? "  as it was asked" : "  DIFFERENT");
  }
}

/* X for all computation, or WORD=X for that before the calls whose place or function has the word. */
static int scale_compute(char *text) {
  char *end, *equals = strrchr(text, '=');
  double known = 0, x = strtod(equals ? equals + 1 : text, &end);
  if (equals) *equals = 0;
  for (int i = 0, f = 0; i < SITES; f += ++i == functions[f].end)
    if (!equals || strstr(places[i], text) || strstr(functions[f].name, text)) extra[i] = x - 1, known = 1;
  return *end || x < 0 || !known ? 0 : 2;
}

static const char complaint[] = "That is no option, or the value of one is wrong. ", usage[] =
    "  --compute-scale X | WORD=X  computation, or that before calls whose place or function has the word, times X\n"
    "  --compute spin | sleep      how computation is emulated\n"
@message_scale     "  --message-scale X           element counts of messages and collectives, times X\n"
@trips     "  --iterations N              trip count of the main loop\n"
@early     "  --overlap                   computation behind a wait is done before it\n"
@file_name     "  --files DIR                 where files are written\n"
    "  --report                    time by phase, calls and bytes by function\n";

static int option(const char *name, char *value) { /* how many words an option takes; 0: it is wrong */
  if (!strcmp(name, "--report")) return reports = 1;
@early   if (!strcmp(name, "--overlap")) return overlaps = 1;
  if (!value) return 0;
  if (!strcmp(name, "--compute-scale")) return scale_compute(value);
@message_scale   if (!strcmp(name, "--message-scale")) return is_other = 1, (message_scale = strtod(value, NULL)) >= 0 ? 2 : 0;
@trips   if (!strcmp(name, "--iterations")) return is_other = 1, (iterations = strtoll(value, NULL, 10)) >= 0 ? 2 : 0;
@file_name   if (!strcmp(name, "--files")) return (files = value) ? 2 : 0;
  sleeps = !strcmp(value, "sleep");
  return !strcmp(name, "--compute") && (sleeps || !strcmp(value, "spin")) ? 2 : 0;
}

static void start(int words, char **word) { /* behind MPI_Init: reads the command line and times the loop */
  int r, n, used = 1;
@everybody   meet_everybody();
@everybody   MPI_Comm_rank(everybody, &r);
@everybody   MPI_Comm_size(everybody, &n);
@!everybody   MPI_Comm_rank(MPI_COMM_WORLD, &r);
@!everybody   MPI_Comm_size(MPI_COMM_WORLD, &n);
  rank = r, ranks = n;
@same_places   for (int i = 1; i < SITES; i++) places[i] = *places[i] ? places[i] : places[i - 1];
#ifdef SMPI_H
  sleeps = 1; /* which a simulator sees */
#endif
  for (int i = 1; i < words && used > 0; i += used) used = option(word[i], word[i + 1]);
  const int bad = !used && strcmp(word[1], "--help") != 0;
  if (!used && !rank) fprintf(bad ? stderr : stdout, "%sOptions for %d ranks:\n%s", bad ? complaint : "", RANKS, usage);
@!everybody   if (!used) MPI_Finalize(), exit(2 * bad);
@everybody   if (!used) leave_everybody(), exit(2 * bad);
  if (ranks != RANKS) stop("it is for another number of ranks, which --help tells");
  for (int i = 0; i < 10 && !sleeps; i++) {
    const double begin = MPI_Wtime();
    spin(1e5);
    const double turns = 1e-4 / (MPI_Wtime() - begin); /* in a nanosecond */
    if (turns > turns_per_ns && turns < 100) turns_per_ns = turns;
  }
}
)"},
  };
  return all;
}

}  // namespace reprise::generate
