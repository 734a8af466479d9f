/* What laws say: values that follow from the number of ranks. Programs of one number of ranks have none. */
static inline int is_in_range(const struct range *of, long long n) {
  if (n < of->least || n > of->most || n % of->multiple_of != 0) return 0;
  if (of->shape == ANY) return 1;
  if (of->shape == POWER_OF_TWO) return n > 0 && (n & (n - 1)) == 0;
  for (long long k = 1, of_k = 0; of_k <= n; k++) {
    switch (of->shape) {
      case SQUARE: of_k = k * k; break;
      case TWICE_SQUARE: of_k = 2 * k * k; break;
      case OBLONG: of_k = k * (k + 1); break;
      default: of_k = k * k * k; break;
    }
    if (of_k == n) return 1;
  }
  return 0;
}

/* One of the extents of the grid that so many ranks form, in ascending order: prime factors, the largest first, each
 * to the least extent so far. */
static inline long long balanced(long long ranks, int dimensions, int which) {
  long long factors[64], extents[8];
  int found = 0;
  for (int d = 0; d < dimensions; d++) extents[d] = 1;
  for (long long p = 2; p * p <= ranks; p++)
    for (; ranks % p == 0; ranks /= p) factors[found++] = p;
  if (ranks > 1) factors[found++] = ranks;
  while (found > 0) {
    int least = 0;
    for (int d = 1; d < dimensions; d++)
      if (extents[d] < extents[least]) least = d;
    extents[least] *= factors[--found];
  }
  for (int d = 1; d < dimensions; d++)
    for (int k = d; k > 0 && extents[k] < extents[k - 1]; k--) {
      const long long other = extents[k];
      extents[k] = extents[k - 1];
      extents[k - 1] = other;
    }
  return extents[which];
}
static inline void form_grid(long long of_extents, long long ranks) {
  if (of_extents != ranks) stop("so many ranks form no grid");
}

/* Objects whose numbers are calculated stand in arrays by number, from the first that a program makes on; behind them
 * is a place for none. */
enum { MADE = 4096 };
static inline int made(long long number, long long first) {
  if (number - first >= MADE) stop("it makes too many objects of a kind");
  return number < first ? MADE : (int)(number - first);
}

/* A count that may be 0 or less, which says that a term does not occur: 0 is for ever. */
static inline long long often(long long n) { return n > 0 ? n : -1; }
static inline long long *bm_settled(const long long *from, const long long *end, long long *to) {
  for (const long long *behind; from < end; from = behind) {
    behind = bm_behind(from);
    if (from[0] == LOOP) {
      long long period = 0, *after = bm_settled(from + 5, behind, to + 5);
      for (const long long *t = to + 5; t < after; t = bm_behind(t)) period += bm_length(t);
      if (from[1] < 0 || period == 0) continue;
      const long long head[] = {LOOP, from[1], from[2], period, after - (to + 5)};
      memcpy(to, head, sizeof head);
      to = after;
    } else if (from[1] >= 0) {
      for (; from < behind; from++) *to++ = *from;
    }
  }
  return to;
}
/* Gives a table its terms, once: how often each occurs is calculated, and how many numbers there are in a repeat is
 * found out here. */
static inline void settle(struct table *t, const long long *terms) {
  if (t->terms) return;
  const long long *end = terms;
  while (*end != END) end = bm_behind(end);
  long long *own = grown(NULL, end - terms + 5, sizeof *own), *last = bm_settled(terms, end, own);
  if (last == own) { /* nobody asks */
    const long long nothing[] = {RUN, 0, 0, 0};
    memcpy(own, nothing, sizeof nothing);
    last += 4;
  }
  *last = END;
  t->terms = own;
}

/* x to the power of sixths / 6, for x >= 1; and the binary logarithm. */
static inline double power(double x, int sixths) {
  double low = 1, high = x, result = 1;
  for (int i = 0; i < 200; i++) {
    const double middle = (low + high) / 2, cube = middle * middle * middle;
    if (cube * cube <= x) low = middle;
    else high = middle;
  }
  for (int i = 0; i < (sixths < 0 ? -sixths : sixths); i++) result *= low;
  return sixths < 0 ? 1 / result : result;
}
static inline double logarithm(double x) {
  double result = 0, part = 1;
  for (; x >= 2; x /= 2) result++;
  for (int i = 0; i < 50; i++) {
    x *= x;
    part /= 2;
    if (x >= 2) result += part, x /= 2;
  }
  return result;
}

/* A communicator is split, and what is made of it, and so on: whether a rank goes on, and its color and key, by its
 * rank in a communicator and the size of that. */
struct descent {
  long long (*goes_on)(int rank, int size), (*color)(int rank, int size), (*key)(int rank, int size);
};
/* Number of times that a rank splits the communicator it has made. It is computed without MPI, level by level: which
 * ranks share a communicator with it, and which rank it gets there (MPI 3.1, section 6.4.2). */
static inline int descend(const struct descent *by, int r, int size) {
  int depth = 0;
  for (const int most = size; depth <= most && by->goes_on(r, size);) {
    const long long color = by->color(r, size), key = by->key(r, size);
    int before = 0, members = 0;
    depth++;
    if (color == MPI_UNDEFINED) break;
    for (int other = 0; other < size; other++) {
      if (!by->goes_on(other, size) || by->color(other, size) != color) continue;
      const long long its = by->key(other, size);
      before += its < key || (its == key && other < r);
      members++;
    }
    r = before;
    size = members;
  }
  return depth;
}
