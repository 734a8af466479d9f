// Buffers of a generated program: how large they are, and their memory.
#include "generate/c_fragments.hpp"

namespace reprise::generate {

std::span<const Fragment> buffer_fragments() {
  static const std::vector<Fragment> all{
      {"scaled", {"message_scale"}, R"(
/* --message-scale; a count of 1 stays. What is sent never outgrows the place where it is received. */
static int scaled(long long n) { return n == 1 ? 1 : (int)((double)n * message_scale + 0.999999); }
)"},
      {"sent", {"message_scale"}, R"(
static int sent(long long n) { return n == 1 ? 1 : (int)((double)n * message_scale + 0.000001); }
)"},
      {"received", {"scaled"}, R"(
static int received(long long n) { return message_scale > 1 ? scaled(n) : (int)n; }
)"},
      {"all_scaled", {"scaled", "fresh"}, R"(
static const int *all_scaled(int n, const int *counts) {
  if (message_scale == 1) return counts;
  int *a = fresh(n, sizeof *a);
  for (int i = 0; i < n; i++) a[i] = scaled(counts[i]);
  return a;
}
)"},
      {"packed", {"fresh"}, R"(
static int *packed(int n, const int *counts) { /* blocks of so many elements one behind the other */
  int *displs = fresh(n, sizeof *displs);
  for (int i = 0, next = 0; i < n; next += counts[i++]) displs[i] = next;
  return displs;
}
)"},
      {"total", {}, R"(
static long long total(int n, const int *counts) { return n > 0 ? *counts + total(n - 1, counts + 1) : 0; }
)"},
      {"room_of", {}, R"(
@widest static long long widest; /* what MPI does not say of a type [bytes] */
@!shapes static long long room_of(long long n, MPI_Datatype type) { /* what elements take; it counts for the call [bytes] */
@shapes static long long room_of(long long n, MPI_Datatype type) { /* how far they reach on either side of an address [bytes] */
@!shapes   MPI_Aint lower, extent;
@shapes   MPI_Aint lower, extent, first, within;
  int size;
  if (n <= 0 || type == MPI_DATATYPE_NULL) return 0;
  MPI_Type_size(type, &size);
  MPI_Type_get_extent(type, &lower, &extent);
@shapes   MPI_Type_get_true_extent(type, &first, &within);
  done[BYTES][last_site] += (double)(n * size);
@!shapes   return n * extent;
@shapes,!widest   return (n - 1) * llabs(extent) + llabs(first) + within;
@widest   return (n - 1) * llabs(extent) + llabs(first) + within + widest;
}
)"},
      {"widest", {"room_of", "shapes"}, R"(
#ifdef SMPI_H /* to which a subarray is as wide as an element, and a resized type no wider than its extent */
@resized static void widen(MPI_Datatype type) {
@resized   MPI_Aint first, within;
@resized   MPI_Type_get_true_extent(type, &first, &within);
@resized   if (first + within > widest) widest = first + within;
@resized }
@resized #define MPI_Type_create_resized(old, ...) (widen(old), MPI_Type_create_resized(old, __VA_ARGS__))
@subarray static int subarray(int n, const int *all, const int *of, const int *at, int order, MPI_Datatype old, MPI_Datatype *t) {
@subarray   MPI_Aint lower, bytes;
@subarray   MPI_Type_get_extent(old, &lower, &bytes);
@subarray   for (int i = 0; i < n; i++) bytes *= all[i];
@subarray   if (bytes > widest) widest = bytes;
@subarray   return MPI_Type_create_subarray(n, all, of, at, order, old, t);
@subarray }
@subarray #define MPI_Type_create_subarray subarray
#endif
)"},
      {"joined", {"room_of", "shapes"}, R"(
static long long joined(long long a, long long b, long long by) { /* of which the second begins so far away */
  return b > 0 && b + llabs(by) > a ? b + llabs(by) : a;
}
)"},
      {"room_v", {"joined"}, R"(
static long long room_v(int n, const int *counts, const int *displs, MPI_Datatype type) { /* extents apart */
  MPI_Aint lower = 0, extent = 0;
  long long room = 0;
  if (type != MPI_DATATYPE_NULL) MPI_Type_get_extent(type, &lower, &extent);
  for (int i = 0; i < n; i++) room = joined(room, room_of(counts[i], type), displs[i] * (long long)extent);
  return room;
}
)"},
      {"room_w", {"joined"}, R"(
static long long room_w(int n, const int *counts, const int *displs, const MPI_Datatype *types) { /* bytes apart */
  long long room = 0;
  for (int i = 0; i < n; i++) room = joined(room, room_of(counts[i], types[i]), displs[i]);
  return room;
}
)"},
      {"room_a", {"joined"}, R"(
static long long room_a(int n, const int *counts, const MPI_Aint *displs, const MPI_Datatype *types) {
  long long room = 0;
  for (int i = 0; i < n; i++) room = joined(room, room_of(counts[i], types[i]), displs[i]);
  return room;
}
)"},
      {"taken", {}, R"(
static long long taken, wanted; /* of the second buffer, by pending operations and with the one under way [bytes] */
)"},
      {"space", {"room_of"}, R"(
static void *space(int which, long long room) { /* grows to what is asked for, and stays: the old one may be in use */
  static char *block[2];
  static long long size[2];
  room = (room + 31) / 16 * 16;
@requests,!shapes   const long long begin = which ? taken : 0, end = begin + room;
@requests,shapes   const long long begin = which ? taken : 0, end = begin + 2 * room;
@!requests,!shapes   const long long end = room;
@!requests,shapes   const long long end = 2 * room;
@requests   if (which) wanted = end;
  if (end > size[which]) block[which] = calloc(1, (size_t)(size[which] = 2 * end));
  if (!block[which]) stop("out of memory for messages");
@!requests,!shapes   return block[which];
@!requests,shapes   return block[which] + room;
@requests,!shapes   return block[which] + begin;
@requests,shapes   return block[which] + begin + room;
}
)"},
      {"out", {"space"}, R"(
static void *out(long long n, MPI_Datatype type) { return space(0, room_of(n, type)); }
)"},
      {"in", {"space"}, R"(
static void *in(long long n, MPI_Datatype type) { return space(1, room_of(n, type)); }
)"},
      {"OUT", {"out", "sent"}, R"(
@message_scale #define OUT(n, type) out(sent(n), type), sent(n), type
@!message_scale #define OUT(n, type) out(n, type), n, type
)"},
      {"IN", {"in", "received"}, R"(
@message_scale #define IN(n, type) in(received(n), type), received(n), type
@!message_scale #define IN(n, type) in(n, type), n, type
)"},
      {"FROM", {"out", "scaled"}, R"(
@message_scale #define FROM(n, type) out(scaled(n), type), scaled(n), type
@!message_scale #define FROM(n, type) out(n, type), n, type
)"},
      {"INTO", {"in", "scaled"}, R"(
@message_scale #define INTO(n, type) in(scaled(n), type), scaled(n), type
@!message_scale #define INTO(n, type) in(n, type), n, type
)"},
      {"BOTH", {"out", "in", "scaled"}, R"(
@message_scale #define BOTH(n, type) out(scaled(n), type), in(scaled(n), type), scaled(n), type
@!message_scale #define BOTH(n, type) out(n, type), in(n, type), n, type
)"},
      {"FROM_ALL", {"out", "scaled"}, R"(
@message_scale,of_world #define FROM_ALL(n, type) out((long long)scaled(n) * ranks, type), scaled(n), type
@!message_scale,of_world #define FROM_ALL(n, type) out(n * ranks, type), n, type
@message_scale,!of_world #define FROM_ALL(n, type, comm) out((long long)scaled(n) * size_of(comm), type), scaled(n), type
@!message_scale,!of_world #define FROM_ALL(n, type, comm) out((long long)n * size_of(comm), type), n, type
)"},
      {"INTO_ALL", {"in", "scaled"}, R"(
@message_scale,of_world #define INTO_ALL(n, type) in((long long)scaled(n) * ranks, type), scaled(n), type
@!message_scale,of_world #define INTO_ALL(n, type) in(n * ranks, type), n, type
@message_scale,!of_world #define INTO_ALL(n, type, comm) in((long long)scaled(n) * size_of(comm), type), scaled(n), type
@!message_scale,!of_world #define INTO_ALL(n, type, comm) in((long long)n * size_of(comm), type), n, type
)"},
      {"BOTH_ALL", {"out", "in", "scaled"}, R"(
@message_scale #define BOTH_ALL(n, type) out(ranks * scaled(n), type), in(ranks * scaled(n), type), scaled(n), type
@!message_scale #define BOTH_ALL(n, type) out(ranks * n, type), in(ranks * n, type), n, type
)"},
      {"BOTH_V", {"out", "in", "total", "all_scaled"}, R"(
#define BOTH_V(n, counts, t) BOTH_OF(total(n, all_scaled(n, counts)), t), all_scaled(n, counts), t
#define BOTH_OF(n, type) out(n, type), in(n, type)
)"},
      {"FROM_NEIGHBORS", {"out", "scaled", "degree"}, R"(
@message_scale #define FROM_NEIGHBORS(n, type, comm) out((long long)scaled(n) * degree(comm, 0), type), scaled(n), type
@!message_scale #define FROM_NEIGHBORS(n, type, comm) out((long long)n * degree(comm, 0), type), n, type
)"},
      {"INTO_NEIGHBORS", {"in", "scaled", "degree"}, R"(
@message_scale #define INTO_NEIGHBORS(n, type, comm) in((long long)scaled(n) * degree(comm, 1), type), scaled(n), type
@!message_scale #define INTO_NEIGHBORS(n, type, comm) in((long long)n * degree(comm, 1), type), n, type
)"},
      {"FROM_V", {"space", "room_v", "all_scaled"}, R"(
#define FROM_V(n, counts, at, t) space(0, room_v(n, all_scaled(n, counts), at, t)), all_scaled(n, counts), at, t
)"},
      {"INTO_V", {"space", "room_v", "all_scaled"}, R"(
#define INTO_V(n, counts, at, t) space(1, room_v(n, all_scaled(n, counts), at, t)), all_scaled(n, counts), at, t
)"},
      {"FROM_W", {"space", "room_w", "all_scaled"}, R"(
#define FROM_W(n, counts, at, t) space(0, room_w(n, all_scaled(n, counts), at, t)), all_scaled(n, counts), at, t
)"},
      {"INTO_W", {"space", "room_w", "all_scaled"}, R"(
#define INTO_W(n, counts, at, t) space(1, room_w(n, all_scaled(n, counts), at, t)), all_scaled(n, counts), at, t
)"},
      {"FROM_A", {"space", "room_a", "all_scaled"}, R"(
#define FROM_A(n, counts, at, t) space(0, room_a(n, all_scaled(n, counts), at, t)), all_scaled(n, counts), at, t
)"},
      {"INTO_A", {"space", "room_a", "all_scaled"}, R"(
#define INTO_A(n, counts, at, t) space(1, room_a(n, all_scaled(n, counts), at, t)), all_scaled(n, counts), at, t
)"},
      {"PACKED", {"packed"}, R"(
#define PACKED(n, counts, t) counts, packed(n, counts), t
)"},
      {"FROM_P", {"out", "total", "PACKED", "all_scaled"}, R"(
#define FROM_P(n, counts, t) out(total(n, all_scaled(n, counts)), t), PACKED(n, all_scaled(n, counts), t)
)"},
      {"INTO_P", {"in", "total", "PACKED", "all_scaled"}, R"(
#define INTO_P(n, counts, t) in(total(n, all_scaled(n, counts)), t), PACKED(n, all_scaled(n, counts), t)
)"},
      {"IN_PLACE", {}, R"(
#define IN_PLACE MPI_IN_PLACE, 0, MPI_BYTE
)"},
      {"WHERE", {}, R"(
/* One of these buffers where the condition holds; else another word in its place. */
#define WHERE(condition, other, ...) WHERE_IS(condition, other, __VA_ARGS__)
#define WHERE_IS(condition, other, buffer, ...) (condition) ? (buffer) : (other), __VA_ARGS__
)"},
      {"placed", {"joined", "fresh"}, R"(
/* Addresses of blocks that lie as far apart as these. */
static MPI_Aint *placed(int n, const MPI_Aint *displs, const int *counts, const MPI_Datatype *types, int step) {
  MPI_Aint *places = fresh(n, sizeof *places), base;
  long long room = 0;
  for (int i = 0; i < n; i++) room = joined(room, room_of(counts[i * step], types[i * step]), displs[i]);
  MPI_Get_address(calloc(2, (size_t)room + 1), &base);
  for (int i = 0; i < n; i++) places[i] = displs[i] + base + (MPI_Aint)room;
  done[BYTES][last_site] = 0; /* it is no message */
  return places;
}
)"},
      {"memory", {}, R"(
/* Memory that MPI keeps: as much as was ever asked for at this place. */
static void *memory(int site, long long bytes) {
  static void *kept[SITES];
  static long long sizes[SITES];
  if (bytes >= sizes[site]) kept[site] = calloc(1, (size_t)(sizes[site] = bytes + 1));
  if (!kept[site]) stop("out of memory");
  return kept[site];
}
)"},
  };
  return all;
}

}  // namespace reprise::generate
