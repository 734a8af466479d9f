/* The pending requests, the oldest first: where in the area of received messages each ends (-1: it is over), and the
 * lists that its operation has. A request is named by its age, how many pending ones were made after it; -1 names none. */
struct bm_list {
  struct bm_list *next;
};
static struct {
  MPI_Request handle;
  long long end;
  struct bm_list *lists;
} *bm_pending;
static int bm_held, bm_most_held, bm_made;
static struct bm_list *bm_lists; /* of the call under way */

/* A copy of a list of n, which stays until the request that the call makes is over: MPI may read it until then. */
#define KEPT(n, list) bm_keep((list), (size_t)(n) * sizeof *(list))
static inline void *bm_keep(const void *list, size_t bytes) {
  struct bm_list *l = grown(NULL, (long long)(sizeof *l + bytes), 1);
  l->next = bm_lists;
  bm_lists = l;
  return memcpy(l + 1, list, bytes);
}
static inline void bm_free(struct bm_list *l) {
  while (l) {
    struct bm_list *next = l->next;
    free(l);
    l = next;
  }
}
/* What a call made, and the memory and lists that it took, stay together. */
static inline void bm_settle(void) {
  if (!bm_made) return;
  bm_pending[bm_held - 1].end = bm_wanted;
  bm_pending[bm_held - 1].lists = bm_lists;
  bm_lists = NULL;
  bm_made = 0;
}

/* The place for a request that a call makes. */
static inline MPI_Request *request(void) {
  if (bm_held == bm_most_held) bm_pending = grown(bm_pending, bm_most_held = 2 * bm_held + 64, sizeof *bm_pending);
  bm_made = 1;
  return &bm_pending[bm_held++].handle;
}

/* What a call names: the handles, and where they stand among the pending ones. */
static MPI_Request *bm_given;
static int bm_names, bm_most_names, *bm_named;
static int *which_ones; /* room for what a call says of those that it names */
static inline MPI_Request *bm_chosen(int n, const int *ages, int later) {
  if (n > bm_most_names || !bm_given) {
    bm_most_names = n;
    bm_given = grown(bm_given, n, sizeof *bm_given);
    bm_named = grown(bm_named, n, sizeof *bm_named);
    which_ones = grown(which_ones, n, sizeof *which_ones);
  }
  for (bm_names = 0; bm_names < n; bm_names++) {
    const int age = ages ? ages[bm_names] : later + n - 1 - bm_names;
    if (age >= bm_held) stop("the request that %d others followed is named, but %d are pending", age, bm_held);
    bm_named[bm_names] = age < 0 ? -1 : bm_held - 1 - age;
    bm_given[bm_names] = age < 0 ? MPI_REQUEST_NULL : bm_pending[bm_named[bm_names]].handle;
  }
  return bm_given;
}
/* The n newest, in the order in which they were made; the same but for some newer ones; those of these ages. */
static inline MPI_Request *newest(int n) { return bm_chosen(n, NULL, 0); }
static inline MPI_Request *earlier(int n, int newer) { return bm_chosen(n, NULL, newer); }
static inline MPI_Request *these(int n, const int *ages) { return bm_chosen(n, ages, 0); }
static inline int pending(void) { return bm_held; }

/* What a call named and has become null is over; persistent requests are not. */
static inline void over(void) {
  int n = 0;
  for (int i = 0; i < bm_names; i++)
    if (bm_named[i] >= 0 && bm_given[i] == MPI_REQUEST_NULL) bm_pending[bm_named[i]].end = -1;
  for (int i = 0; i < bm_held; i++)
    if (bm_pending[i].end >= 0) bm_pending[n++] = bm_pending[i];
    else bm_free(bm_pending[i].lists);
  bm_held = n;
}
/* Of those named, the one is over that ended in the trace. Another that ended in its place leaves its place to it. */
static inline void over_one(long long which) {
  for (int i = 0; i < bm_names && which >= 0 && bm_given[which] != MPI_REQUEST_NULL; i++)
    if (bm_named[i] >= 0 && bm_given[i] == MPI_REQUEST_NULL) {
      struct bm_list *lists = bm_pending[bm_named[i]].lists;
      bm_pending[bm_named[i]].lists = bm_pending[bm_named[which]].lists;
      bm_pending[bm_named[which]].lists = lists;
      bm_given[i] = bm_given[which];
      bm_given[which] = MPI_REQUEST_NULL;
    }
  for (int i = 0; i < bm_names; i++)
    if (bm_named[i] >= 0) bm_pending[bm_named[i]].handle = bm_given[i];
  const int p = which < 0 ? -1 : bm_named[which];
  if (p < 0 || bm_given[which] != MPI_REQUEST_NULL) return;
  bm_free(bm_pending[p].lists);
  memmove(&bm_pending[p], &bm_pending[p + 1], (size_t)(--bm_held - p) * sizeof *bm_pending);
  for (int i = 0; i < bm_names; i++)
    if (bm_named[i] >= p) bm_named[i] = bm_named[i] == p ? -1 : bm_named[i] - 1;
}

/* Of the requests that MPI_Waitsome and the like find to have ended, each execution is over with one; the next ones ask
 * only when none is left. */
static int found;
static inline int is_next(void) {
  static int shown;
  if (++shown < found) return 0;
  shown = 0;
  return 1;
}

/* Messages that were probed for. */
static struct {
  MPI_Message handle;
  int bytes;
} bm_probed[1024];
static int bm_probes;
static MPI_Status probed_status;
static MPI_Message taken_message;
static inline MPI_Message *probe(void) { return &bm_probed[bm_probes < 1023 ? bm_probes : 1023].handle; }
static inline void keep_probed(void) { MPI_Get_count(&probed_status, MPI_BYTE, &bm_probed[bm_probes++].bytes); }
/* Takes a message of so many elements, or else the first, whose size is the count if it is larger. */
static inline int fitting(long long count, MPI_Datatype type) {
  int size, i = 0;
  MPI_Type_size(type, &size);
  while (i < bm_probes && bm_probed[i].bytes != count * size) i++;
  if (i == bm_probes) i = 0;
  taken_message = bm_probed[i].handle;
  const int bytes = bm_probed[i].bytes;
  for (bm_probes--; i < bm_probes; i++) bm_probed[i] = bm_probed[i + 1];
  return size > 0 && bytes > count * size ? (bytes + size - 1) / size : (int)count;
}
