/* Folded series of numbers: terms of three kinds.
 *   LIST, n, each number
 *   RUN, n, step, first number
 *   LOOP, n, step from one repeat to the next, numbers in a repeat, words of its terms, its terms
 * An n of 0 is for ever. The last word is END, behind which a series begins anew. In front of a series that is for all
 * ranks that are left stand those of some ranks:
 *   CASE, words of the ranks, the ranks as a series in ascending order, words of their series, their series */
enum { LIST, RUN, LOOP, CASE, END };
#define TERMS(...) ((const long long[]){__VA_ARGS__, END})

struct table {
  const long long *terms;
  const long long *own; /* the series of this rank */
  const long long *at;  /* the term of the next number */
  long long k;          /* numbers of that term before it */
  int began;            /* what bm_began was then */
};

static inline long long bm_length(const long long *term) { return term[0] == LOOP ? term[1] * term[3] : term[1]; }
static inline const long long *bm_behind(const long long *term) {
  return term + (term[0] == LIST ? 2 + term[1] : term[0] == RUN ? 4 : 5 + term[4]);
}

/* The k-th number of terms. */
static inline long long value_of(const long long *terms, long long k) {
  long long base = 0;
  const long long *first = terms;
  while (1) {
    if (terms[0] == END) terms = first;
    const long long n = bm_length(terms);
    if (n > 0 && k >= n) {
      k -= n;
      terms = bm_behind(terms);
    } else if (terms[0] == LOOP) {
      base += terms[2] * (k / terms[3]);
      k %= terms[3];
      first = terms += 5;
    } else {
      return base + (terms[0] == LIST ? terms[2 + k] : terms[3] + terms[2] * k);
    }
  }
}

/* Whether a rank is among the numbers of terms in ascending order. */
static inline int is_among(const long long *terms, long long number) {
  long long n = 0;
  for (const long long *t = terms; *t != END; t = bm_behind(t)) n += bm_length(t);
  for (long long i = 0; i < n; i++)
    if (value_of(terms, i) == number) return 1;
  return 0;
}

/* The series of this rank. */
static inline const long long *bm_own(const long long *terms) {
  while (*terms == CASE) {
    const long long *series = terms + 3 + terms[1];
    if (is_among(terms + 2, rank)) return series;
    terms = series + series[-1];
  }
  return terms;
}

/* The numbers of a table, one after the other. */
static int bm_began; /* how often the recorded iterations of the main loop began anew */
static inline void restart(struct table *t) {
  if (!t->own) t->own = bm_own(t->terms);
  t->at = t->own;
  t->k = 0;
  t->began = bm_began;
}
static inline long long next(struct table *t) {
  if (!t->at || t->began != bm_began) restart(t);
  const long long n = bm_length(t->at);
  if (n > 0 && t->k >= n) {
    t->at = bm_behind(t->at);
    t->k = 0;
    if (*t->at == END) t->at = t->own;
  }
  return value_of(t->at, t->k++);
}

/* The recorded iteration that this one of the main loop does again, of n. With the first of them all tables begin anew, on
 * all ranks: what one sends is what another receives. */
static inline long long again(long long turn, long long n) {
  if (turn > 0 && turn % n == 0) bm_began++;
  return turn % n;
}

/* The next n numbers; the first n, each time. */
static inline int *take(struct table *t, long long n) {
  int *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = (int)next(t);
  return a;
}
static inline int *first(struct table *t, long long n) {
  restart(t);
  return take(t, n);
}
/* A text of n characters by their codes. */
static inline const char *characters(long long n, const int *codes) {
  char *text = fresh(n + 1, 1);
  for (long long i = 0; i < n; i++) text[i] = (char)codes[i];
  text[n] = 0;
  return text;
}
static inline MPI_Aint *take_places(struct table *t, long long n) {
  MPI_Aint *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = (MPI_Aint)next(t);
  return a;
}
static inline MPI_Aint *first_places(struct table *t, long long n) {
  restart(t);
  return take_places(t, n);
}

/* So many of one number; of one datatype; handles by their numbers. */
static inline int *each(long long n, long long number) {
  int *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = (int)number;
  return a;
}
static inline MPI_Datatype *each_type(long long n, MPI_Datatype type) {
  MPI_Datatype *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = type;
  return a;
}
static inline MPI_Datatype *types_of(long long n, const int *numbers, const MPI_Datatype *all) {
  MPI_Datatype *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = all[numbers[i]];
  return a;
}

/* Lists as functions for large counts take them. */
static inline MPI_Count *as_counts(long long n, const int *v) {
  MPI_Count *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = v[i];
  return a;
}
static inline MPI_Count *places_as_counts(long long n, const MPI_Aint *v) {
  MPI_Count *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = v[i];
  return a;
}
static inline MPI_Aint *as_places(long long n, const int *v) {
  MPI_Aint *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = v[i];
  return a;
}
