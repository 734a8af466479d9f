/* --report: time by phase; calls and bytes of buffers by function, and whether those are as many as expected. */
static inline size_t bm_phase(const char *place) { return strcspn(place, strchr(place, ' ') ? " " : ":"); }
static inline void bm_report_phases(const double *computing, const double *in_mpi) {
  printf("%-32s %14s %14s\n", "phase", "compute [s]", "MPI [s]");
  for (int i = 0; i < bm_self->sites; i++) {
    const char *place = bm_self->site[i].place;
    const size_t n = bm_phase(place);
    double sums[2] = {0, 0};
    int is_new = 1;
    for (int k = 0; k < bm_self->sites; k++) {
      const char *other = bm_self->site[k].place;
      if (bm_phase(other) != n || strncmp(place, other, n) != 0) continue;
      if (k < i) is_new = 0;
      sums[0] += computing[k + 1];
      sums[1] += in_mpi[k + 1];
    }
    if (is_new) printf("%-32.*s %14.6f %14.6f\n", (int)n, place, sums[0] / bm_ranks, sums[1] / bm_ranks);
  }
}
static inline void report(void) {
  if (!bm_reports) return;
  const int n = bm_self->sites + 1;
  double *all[BM_COUNTERS];
  for (int c = 0; c < BM_COUNTERS; c++) {
    all[c] = grown(NULL, n, sizeof **all);
    MPI_Reduce(bm_done[c], all[c], n, MPI_DOUBLE, MPI_SUM, 0, everyone);
  }
  if (rank == 0) {
    bm_report_phases(all[BM_COMPUTING], all[BM_IN_MPI]);
    printf("%-32s %12s %12s %15s %15s\n", "function", "calls", "expected", "buffer bytes", "expected");
    for (int f = 0; f < bm_self->functions; f++) {
      const struct total *t = &bm_self->total[f];
      double calls = 0, bytes = 0;
      for (int i = 0; i < bm_self->sites; i++) {
        if (strcmp(bm_self->site[i].function, t->function) != 0) continue;
        calls += all[BM_CALLS][i + 1];
        bytes += all[BM_BYTES][i + 1];
      }
      if (t->calls < 0) {
        printf("%-32s %12.0f %12s %15.0f %15s\n", t->function, calls, "-", bytes, "-");
        continue;
      }
      const int same = calls == t->calls && (bytes == t->bytes || t->bytes < 0);
      printf("%-32s %12.0f %12.0f %15.0f %15.0f%s\n", t->function, calls, t->calls, bytes, t->bytes,
             same ? "" : bm_is_other ? "  changed by options" : "  DIFFERENT");
    }
  }
  for (int c = 0; c < BM_COUNTERS; c++) free(all[c]);
}
