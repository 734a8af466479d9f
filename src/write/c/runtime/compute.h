/* A loop that was timed. */
static inline void bm_spin(double turns) {
  for (volatile double x = 0; x < turns;) x = x + 1;
}
static inline void bm_compute(double ns) {
  if (ns <= 0) return;
  const struct timespec t = {(time_t)(ns * 1e-9), (long)((long long)ns % 1000000000)};
  if (bm_sleeps) nanosleep(&t, NULL);
  else bm_spin(ns * bm_turns_per_ns);
}

/* What an execution takes of the mean. A distribution has the weight of all, the shortest, and of ranges one behind the
 * other the weight of each and where it ends [1e-4 of the mean]. Each of n draws gets another n-th of them, in a random
 * order; what is long mirrors what is short, so that they add up. */
typedef unsigned long long bm_bits;
static inline bm_bits bm_mixed(bm_bits x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}
static inline double drawn(const int *t, long long n, bm_bits draw, bm_bits seed, int together) {
  const bm_bits last = (bm_bits)n - 1, common = bm_mixed(seed), own = bm_mixed(common + (bm_bits)rank + 1);
  bm_bits place = draw % (bm_bits)n, mask = 1;
  for (bm_bits bits = last; bits >>= 1;) mask = 2 * mask + 1;
  do /* a mapping of as many bits onto themselves */
    for (bm_bits i = 1, key = together ? common : own; i < 5; i++, key = bm_mixed(key)) {
      place = (place ^ key) * (key | 1) & mask;
      place ^= place >> i;
    }
  while (place > last);
  const bm_bits pair = place > last / 2 ? last - place : place;
  const double part = (double)(bm_mixed(own + pair) >> 12) * 0x1p-52;
  double at_ = ((double)place + (pair < place ? 1 - part : part)) / (double)n * (t[0] - 1e-6), low = t[1];
  for (t += 2; at_ >= t[0]; t += 2) {
    at_ -= t[0];
    low = t[1];
  }
  return 1e-4 * (low + (t[1] - low) * (together ? part : at_ / t[0]));
}

/* What is computed before the call at a site [ns]. */
static inline double bm_computation(int site) {
  static bm_bits *draws; /* by row */
  if (!draws && !(draws = calloc((size_t)bm_self->computations + 1, sizeof *draws))) stop("out of memory for %d rows", bm_self->computations);
  int row = bm_rows[site];
  if (row < 0) return bm_self->site[site].ns;
  while (row < bm_self->computations && bm_self->computation[row].site == site &&
         bm_self->computation[row].from != ANYWHERE && bm_self->computation[row].from != bm_last)
    row++;
  if (row == bm_self->computations || bm_self->computation[row].site != site) return 0;
  struct computation *c = &bm_self->computation[row];
  double ns = c->law ? c->law() : c->ns;
  if (c->by_rank) ns = (double)value_of(c->by_rank, rank);
  if (c->by_execution) ns = (double)next(c->by_execution);
  if (c->shares) ns *= (double)value_of(c->shares, rank) / 1000;
  if (c->spreads) {
    const int *spread = c->spreads[c->which ? value_of(c->which, rank) : 0];
    ns *= drawn(spread, c->draws_of ? value_of(c->draws_of, rank) : c->draws, draws[row]++,
                (bm_bits)c->site * (bm_bits)(bm_self->sites + 1) + (bm_bits)(c->from + 2), c->together);
  }
  return ns;
}

/* Comes before each call: does what the program computed before it. */
static inline void at(int site) {
  static double paid; /* --overlap: what was computed ahead [ns] */
  const double begin = MPI_Wtime();
  bm_done[BM_IN_MPI][bm_last + 1] += begin - bm_mark;
  bm_settle();
  bm_wanted = bm_taken = bm_held > 0 ? bm_pending[bm_held - 1].end : 0;
  const double ns = bm_computation(site) * (1 + bm_extra[site]) - paid;
  paid = ns < 0 ? -ns : 0;
  bm_compute(ns);
  bm_last = site;
  for (int i = 0; bm_overlaps && i < bm_self->overlaps; i++) {
    const struct overlap *o = &bm_self->overlap[i];
    if (o->site != site) continue;
    const double ahead = o->ns * (1 + bm_extra[o->next]);
    bm_compute(ahead);
    paid += ahead;
  }
  bm_mark = MPI_Wtime();
  bm_done[BM_COMPUTING][site + 1] += bm_mark - begin;
  bm_done[BM_CALLS][site + 1]++;
}
