// Folded series in a generated program, and arrays of their values.
#include "generate/c_fragments.hpp"

namespace reprise::generate {

std::span<const Fragment> table_fragments() {
  static const std::vector<Fragment> all{
      {"of", {}, R"(
/* The k-th value of a folded series: how many values there are (0: endless), and then terms:
 * LIST, n, each value; RUN, n, step, first; LOOP, n, step, values in one repeat, words, the terms of a repeat. */
enum { LIST, RUN, LOOP };
static long long of(const long long *t, long long k) {
  long long base = 0;
  for (k = *t > 0 ? k % *t : k, t++;;) {
    const long long n = t[1], each = t[0] == LOOP ? t[3] : 1;
    if (n > 0 && k / each >= n) {
      k -= n * each;
      t += t[0] == LIST ? 2 + n : t[0] == RUN ? 4 : 5 + t[4];
    } else if (t[0] == LOOP) {
      base += t[2] * (k / each), k %= each, t += 5;
    } else {
      return base + (t[0] == LIST ? t[2 + k] : t[3] + t[2] * k);
    }
  }
}
)"},
      {"one", {"of"}, R"(
static const long long *one(const long long *t, long long which) { return t + t[which]; } /* one of several series */
)"},
      {"meant", {}, R"(
static long long meant(long long v) { /* the constants of MPI that tables have */
  const int constants[] = {0, MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_ROOT, MPI_UNDEFINED};
  return v > SPECIAL(0) || v < SPECIAL(63) ? v : v > SPECIAL(6) ? constants[SPECIAL(0) - v] : -1;
}
)"},
      {"turn", {}, R"(
static int turn(const int *row, long long k) { return row[1 + k % *row]; } /* the k-th of so many, which repeat */
)"},
      {"runs", {}, R"(
/* The k-th of so many of one number, then so many of the next and so on; of the last, for which 0 stands, without end. */
static int runs(const int *row, long long k) { return *row && k >= *row ? runs(row + 2, k - *row) : row[1]; }
)"},
      {"fresh", {"grown"}, R"(
static void *fresh(long long n, size_t each) { /* room for an array that stays for a while */
  static void *arrays[256];
  static unsigned char next;
  return next++, arrays[next] = grown(arrays[next], n, each);
}
)"},
      {"for_me", {"fresh"}, R"(
static int *for_me(const int *list, size_t apart) { /* what the list of each rank, so many bytes apart, has for this one */
  int *a = fresh(RANKS, sizeof *a);
  for (int r = 0; r < RANKS; r++) a[r] = list[(size_t)r * apart / sizeof *list + (size_t)rank];
  return a;
}
)"},
      {"ints", {"fresh", "of"}, R"(
static int *ints(const long long *t, long long from, long long n) { /* n values of a series */
  int *a = fresh(n, sizeof *a);
@meant   for (long long i = 0; i < n; i++) a[i] = (int)meant(of(t, from + i));
@!meant   for (long long i = 0; i < n; i++) a[i] = (int)of(t, from + i);
  return a;
}
)"},
      {"types", {"fresh"}, R"(
static const MPI_Datatype *types(int n, MPI_Datatype type) { /* so many of one datatype */
  MPI_Datatype *a = fresh(n, sizeof *a);
  for (int i = 0; i < n; i++) a[i] = type;
  return a;
}
)"},
      {"aints", {"fresh", "of"}, R"(
static MPI_Aint *aints(const long long *t, long long from, long long n) {
  MPI_Aint *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = (MPI_Aint)of(t, from + i);
  return a;
}
)"},
  };
  return all;
}

}  // namespace reprise::generate
