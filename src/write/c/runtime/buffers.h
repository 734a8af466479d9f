/* --message-scale; a count of 1 stays. What is sent never outgrows the place where it is received: one is rounded down, the
 * other up, and no smaller than an element that stays, whatever datatype it is sent as. */
enum { BM_LARGEST_ELEMENT = 32 }; /* of the datatypes that MPI has [bytes] */
static inline int bm_count(double n) {
  if (n > 2147483647) stop("--message-scale %g makes a count of %.0f, which is more than an int holds", bm_message_scale, n);
  return (int)n;
}
static inline int scaled(long long n) { return n == 1 ? 1 : bm_count((double)n * bm_message_scale + 0.999999); }
static inline int sent(long long n) { return n == 1 ? 1 : bm_count((double)n * bm_message_scale + 0.000001); }
static inline int received(long long n, MPI_Datatype type) {
  int size, least;
  if (bm_message_scale >= 1) return scaled(n);
  if (n <= 1 || type == MPI_DATATYPE_NULL || bm_self->keeps_receives) return (int)n;
  MPI_Type_size(type, &size);
  least = size > 0 ? (BM_LARGEST_ELEMENT + size - 1) / size : 0;
  return scaled(n) > least ? scaled(n) : n < least ? (int)n : least;
}
static inline const int *all_scaled(long long n, const int *counts) {
  if (bm_message_scale == 1) return counts;
  int *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = scaled(counts[i]);
  return a;
}
static inline long long sum_of(long long n, const int *counts) {
  long long sum = 0;
  for (long long i = 0; i < n; i++) sum += counts[i];
  return sum;
}
/* Blocks of so many elements one behind the other. */
static inline int *packed(long long n, const int *counts) {
  int *displs = fresh(n, sizeof *displs);
  double end = 0;
  for (long long i = 0; i < n; end += counts[i++]) displs[i] = bm_count(end);
  return displs;
}

static long long bm_widest; /* what MPI does not say of a type [bytes] */
static int bm_both_sides;   /* whether elements of the message reach to both sides of its address */
#ifdef SMPI_H /* to which a subarray is as wide as an element, and a resized type no wider than its extent */
static inline void bm_widen(MPI_Datatype type) {
  MPI_Aint first_byte, within;
  MPI_Type_get_true_extent(type, &first_byte, &within);
  if (first_byte + within > bm_widest) bm_widest = first_byte + within;
}
static inline int bm_subarray(int n, const int *all, const int *of, const int *at_, int order, MPI_Datatype old, MPI_Datatype *t) {
  MPI_Aint lower, bytes;
  MPI_Type_get_extent(old, &lower, &bytes);
  for (int i = 0; i < n; i++) bytes *= all[i];
  if (bytes > bm_widest) bm_widest = bytes;
  return MPI_Type_create_subarray(n, all, of, at_, order, old, t);
}
#define MPI_Type_create_resized(old, ...) (bm_widen(old), MPI_Type_create_resized(old, __VA_ARGS__))
#define MPI_Type_create_subarray bm_subarray
#endif

/* How far elements reach on either side of an address [bytes]. They count for the call. */
static inline long long room_of(long long n, MPI_Datatype type) {
  MPI_Aint lower, extent, first_byte, within;
  int size;
  if (n <= 0 || type == MPI_DATATYPE_NULL) return 0;
  MPI_Type_size(type, &size);
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_get_true_extent(type, &first_byte, &within);
  bm_done[BM_BYTES][bm_last + 1] += (double)(n * size);
  if (lower < 0 || extent < 0 || first_byte < 0) bm_both_sides = 1;
  return (n - 1) * llabs(extent) + llabs(first_byte) + within + bm_widest;
}
/* Of blocks of which the second begins so far away. */
static inline long long bm_joined(long long a, long long b, long long by) {
  if (b > 0 && by < 0) bm_both_sides = 1;
  return b > 0 && b + llabs(by) > a ? b + llabs(by) : a;
}
/* Of blocks of one datatype, extents apart. */
static inline long long room_v(long long n, const int *counts, const int *displs, MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  long long room = 0;
  if (type != MPI_DATATYPE_NULL) MPI_Type_get_extent(type, &lower, &extent);
  for (long long i = 0; i < n; i++) room = bm_joined(room, room_of(counts[i], type), displs[i] * (long long)extent);
  return room;
}
/* Of blocks of datatypes of their own, bytes apart. */
static inline long long room_w(long long n, const int *counts, const int *displs, const MPI_Datatype *types) {
  long long room = 0;
  for (long long i = 0; i < n; i++) room = bm_joined(room, room_of(counts[i], types[i]), displs[i]);
  return room;
}
static inline long long room_a(long long n, const int *counts, const MPI_Aint *displs, const MPI_Datatype *types) {
  long long room = 0;
  for (long long i = 0; i < n; i++) room = bm_joined(room, room_of(counts[i], types[i]), displs[i]);
  return room;
}

/* Zeros that messages share: one area for what is sent, one for what is received, in which each pending operation has a
 * part of its own. They grow to what is asked for; what was outgrown stays, as messages may be under way there. */
static long long bm_taken, bm_wanted; /* of the second area, by pending operations and with the one under way [bytes] */
static inline void *bm_space(int which, long long room) {
  static char *block[2];
  static long long size[2];
  const long long before = bm_both_sides ? (room + 31) / 16 * 16 : 0;
  const long long begin = which ? bm_taken : 0, end = begin + before + (room + 31) / 16 * 16;
  bm_both_sides = 0;
  if (which) bm_wanted = end;
  if (end > size[which]) block[which] = calloc(1, (size_t)(size[which] = 2 * end));
  if (!block[which]) stop("out of memory for messages of %lld bytes", end);
  return block[which] + begin + before;
}
static inline void *out(long long n, MPI_Datatype type) { return bm_space(0, room_of(n, type)); }
static inline void *in(long long n, MPI_Datatype type) { return bm_space(1, room_of(n, type)); }
static inline void *out_v(long long n, const int *counts, const int *displs, MPI_Datatype type) {
  return bm_space(0, room_v(n, counts, displs, type));
}
static inline void *in_v(long long n, const int *counts, const int *displs, MPI_Datatype type) {
  return bm_space(1, room_v(n, counts, displs, type));
}
static inline void *out_w(long long n, const int *counts, const int *displs, const MPI_Datatype *types) {
  return bm_space(0, room_w(n, counts, displs, types));
}
static inline void *in_w(long long n, const int *counts, const int *displs, const MPI_Datatype *types) {
  return bm_space(1, room_w(n, counts, displs, types));
}
static inline void *out_a(long long n, const int *counts, const MPI_Aint *displs, const MPI_Datatype *types) {
  return bm_space(0, room_a(n, counts, displs, types));
}
static inline void *in_a(long long n, const int *counts, const MPI_Aint *displs, const MPI_Datatype *types) {
  return bm_space(1, room_a(n, counts, displs, types));
}

/* A buffer with its count and datatype, as MPI takes them: of messages and of collectives. */
#define OUT(n, type) out(sent(n), type), sent(n), type
#define IN(n, type) in(received(n, type), type), received(n, type), type
#define FROM(n, type) out(scaled(n), type), scaled(n), type
#define INTO(n, type) in(scaled(n), type), scaled(n), type
#define FROM_ALL(n, type, blocks) out((long long)scaled(n) * (blocks), type), scaled(n), type
#define INTO_ALL(n, type, blocks) in((long long)scaled(n) * (blocks), type), scaled(n), type
#define BOTH(n, type) out(scaled(n), type), in(scaled(n), type), scaled(n), type

/* Addresses of blocks that lie as far apart as these, in memory that stays. It is no message. */
static inline MPI_Aint *placed(long long n, const MPI_Aint *displs, const int *counts, const MPI_Datatype *types, int step) {
  MPI_Aint *places = fresh(n, sizeof *places), base;
  long long room = 0;
  for (long long i = 0; i < n; i++) room = bm_joined(room, room_of(counts[i * step], types[i * step]), displs[i]);
  MPI_Get_address(calloc(2, (size_t)room + 1), &base);
  for (long long i = 0; i < n; i++) places[i] = displs[i] + base + (MPI_Aint)room;
  bm_done[BM_BYTES][bm_last + 1] = 0;
  bm_both_sides = 0;
  return places;
}

/* Memory that MPI keeps: as much as was ever asked for at this site. */
static inline void *memory(int site, long long bytes) {
  static void **kept;
  static long long *sizes;
  if (!kept) {
    kept = calloc((size_t)bm_self->sites, sizeof *kept);
    sizes = calloc((size_t)bm_self->sites, sizeof *sizes);
  }
  if (!kept || !sizes) stop("out of memory for %d sites", bm_self->sites);
  if (bytes >= sizes[site]) kept[site] = calloc(1, (size_t)(sizes[site] = bytes + 1));
  if (!kept[site]) stop("out of memory for %lld bytes", bytes);
  return kept[site];
}
