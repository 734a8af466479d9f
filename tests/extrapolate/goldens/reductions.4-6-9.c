static const struct range numbers_of_ranks = {4, 499929, 1, ANY, "all numbers from 4 to 499929"};
static int RANKS;  /* in MPI_COMM_WORLD */

static MPI_Datatype contiguous_type;
static MPI_Op op;

/* Values over executions and ranks that no expression tells, and sets of ranks. */
static struct table TRIPS = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 1, 0, 0, 0, 0)};
static struct table TRIPS_2 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 1, 0, 0, 0, 0)};
static struct table TRIPS_3 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 0, 1, 0, 0, 0)};
static struct table TRIPS_4 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 0, 0, 1, 0, 0)};
static struct table TRIPS_5 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 0, 0, 0, 1, 0)};
static struct table TRIPS_6 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 0, 0, 0, 0, 1)};
static struct table TRIPS_7 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 1, 0, 0, 0, 0)};
static struct table TRIPS_8 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 1, 0, 0, 0, 0)};
static struct table TRIPS_9 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 0, 1, 0, 0, 0)};
static struct table TRIPS_10 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 0, 0, 1, 0, 0)};
static struct table TRIPS_11 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 0, 0, 0, 1, 0)};
static struct table TRIPS_12 = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 0, 0, 0, 0, 1)};

/* Values over executions that follow from the number of ranks. */
static struct table *root_law(void) {
  static struct table law;
  settle(&law, TERMS(RUN, 1, 0, RANKS - 1, RUN, 0, 1, 0));
  return &law;
}
static struct table *root_law_2(void) {
  static struct table law;
  settle(&law, TERMS(RUN, 1, 0, RANKS - 1, RUN, 0, 1, 0));
  return &law;
}

static const struct benchmark benchmark;  /* at the end */

/* The program. */
static void learn_place(void) {
  RANKS = local_size(everyone);
}

static void sums(int i) {
  if (next(&TRIPS)) {
    at(1);  /* reductions.c:36 */
    const int which_recvbuf = reprise_modulo(i - rank, RANKS) != 1 ? NOTHING : 0;
    MPI_Reduce(out(scaled(3), MPI_INT), which_recvbuf == OWN ? in(scaled(3), MPI_INT) : other_buffer(which_recvbuf),
        scaled(3), MPI_INT, MPI_SUM, next(root_law()), MPI_COMM_WORLD);
  }
  if (next(&TRIPS_2)) {
    at(2); MPI_Allreduce(BOTH(3, MPI_INT), MPI_SUM, MPI_COMM_WORLD);  /* reductions.c:39 */
  }
}

static void prefixes(int site, int taken, int sendbuf) {
  if (taken) {
    at(site);  /* reductions.c:47 */
    MPI_Scan(sendbuf == OWN ? out(scaled(3), MPI_INT) : other_buffer(sendbuf), INTO(3, MPI_INT), MPI_SUM,
        MPI_COMM_WORLD);
  }
  if (taken) {
    at(site + 1);  /* reductions.c:50 */
    MPI_Exscan(sendbuf == OWN ? out(scaled(3), MPI_INT) : other_buffer(sendbuf), INTO(3, MPI_INT), MPI_SUM,
        MPI_COMM_WORLD);
  }
}

static void parts(int site, int taken, int sendbuf) {
  if (taken) {
    at(site);  /* reductions.c:63 */
    MPI_Reduce_scatter_block(sendbuf == OWN ? out((long long)scaled(3) * RANKS, MPI_INT) : other_buffer(sendbuf),
        INTO_ALL(3, MPI_INT, RANKS), MPI_SUM, MPI_COMM_WORLD);
  }
  if (taken) {
    at(site + 1);  /* reductions.c:67 */
    int *recvcounts = fresh(RANKS, sizeof(int));
    for (int e = 0; e < RANKS; e++) {
      recvcounts[e] = e % 3 + 1;
    }
    const int *scaled_recvcounts = all_scaled(RANKS, recvcounts);
    MPI_Reduce_scatter(sendbuf == OWN ? out(sum_of(RANKS, scaled_recvcounts), MPI_INT) : other_buffer(sendbuf),
        in(sum_of(RANKS, scaled_recvcounts), MPI_INT), scaled_recvcounts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
}

static void own_operation(int site, int taken, int sendbuf) {
  if (taken) {
    at(site); MPI_Type_contiguous(2, MPI_UINT32_T, &contiguous_type);  /* reductions.c:102 */
  }
  if (taken) {
    at(site + 1); MPI_Type_commit(&contiguous_type);  /* reductions.c:103 */
  }
  if (taken) {
    at(site + 2); MPI_Op_create(reduce, 0, &op);  /* reductions.c:104 */
  }
  if (taken) {
    at(site + 3);  /* reductions.c:105 */
    MPI_Allreduce(sendbuf == OWN ? out(1, contiguous_type) : other_buffer(sendbuf), INTO(1, contiguous_type), op,
        MPI_COMM_WORLD);
  }
  if (taken) {
    at(site + 4); MPI_Op_free(&op);  /* reductions.c:106 */
  }
  if (taken) {
    at(site + 5); MPI_Type_free(&contiguous_type);  /* reductions.c:107 */
  }
}

static void sums_2(int i) {
  if (next(&TRIPS_7)) {
    at(14);  /* reductions.c:36 */
    const int which_sendbuf = reprise_modulo(i - rank, RANKS) == 1 ? IN_PLACE : 0;
    const int which_recvbuf = reprise_modulo(i - rank, RANKS) != 1 ? NOTHING : 0;
    MPI_Reduce(which_sendbuf == OWN ? out(scaled(3), MPI_INT) : other_buffer(which_sendbuf), which_recvbuf == OWN
        ? in(scaled(3), MPI_INT) : other_buffer(which_recvbuf), scaled(3), MPI_INT, MPI_SUM, next(root_law_2()),
        MPI_COMM_WORLD);
  }
  if (next(&TRIPS_8)) {
    at(15); MPI_Allreduce(MPI_IN_PLACE, INTO(3, MPI_INT), MPI_SUM, MPI_COMM_WORLD);  /* reductions.c:39 */
  }
}

int main(int argc, char **argv) {
  begin(&benchmark, argc, argv);
  MPI_Init(NULL, NULL); start(); learn_place(); at(0);  /* reductions.c:114 */
  for (int turn = 0; turn < iterations(3); turn++) {
    const int i = again(turn, 3);
    for (int j = 0; j < 5; j++) {
      sums(i);  /* reductions.c:126 */
      prefixes(3, next(&TRIPS_3), OWN);  /* reductions.c:126 */
      parts(5, next(&TRIPS_4), OWN);  /* reductions.c:126 */
      if (next(&TRIPS_5)) {
        at(7); MPI_Allreduce(BOTH(1, MPI_DOUBLE_INT), MPI_MINLOC, MPI_COMM_WORLD);  /* location reductions.c:81 */
      }
      own_operation(8, next(&TRIPS_6), OWN);  /* reductions.c:126 */
      sums_2(i);  /* reductions.c:127 */
      prefixes(16, next(&TRIPS_9), IN_PLACE);  /* reductions.c:127 */
      parts(18, next(&TRIPS_10), IN_PLACE);  /* reductions.c:127 */
      if (next(&TRIPS_11)) {
        /* location reductions.c:81 */
        at(20); MPI_Allreduce(MPI_IN_PLACE, INTO(1, MPI_DOUBLE_INT), MPI_MINLOC, MPI_COMM_WORLD);
      }
      own_operation(21, next(&TRIPS_12), IN_PLACE);  /* reductions.c:127 */
    }
  }
  at(27); MPI_Allreduce(BOTH(1, MPI_LONG), MPI_SUM, MPI_COMM_WORLD);  /* verdict harness.h:96 */
  at(28); report(); MPI_Finalize();  /* reductions.c:131 */
  return 0;
}

/* The calls by number, with the computation before each [ns], and the functions. */
static const struct site sites[] = {
  {"MPI_Init", "main:114", 0},
  {"MPI_Reduce", "sums:36", 0},
  {"MPI_Allreduce", "sums:39", 0},
  {"MPI_Scan", "prefixes:47", 0},
  {"MPI_Exscan", "prefixes:50", 0},
  {"MPI_Reduce_scatter_block", "parts:63", 0},
  {"MPI_Reduce_scatter", "parts:67", 0},
  {"MPI_Allreduce", "location:81", 0},
  {"MPI_Type_contiguous", "own_operation:102", 0},
  {"MPI_Type_commit", "own_operation:103", 0},
  {"MPI_Op_create", "own_operation:104", 0},
  {"MPI_Allreduce", "own_operation:105", 0},
  {"MPI_Op_free", "own_operation:106", 0},
  {"MPI_Type_free", "own_operation:107", 0},
  {"MPI_Reduce", "sums:36", 0},
  {"MPI_Allreduce", "sums:39", 0},
  {"MPI_Scan", "prefixes:47", 0},
  {"MPI_Exscan", "prefixes:50", 0},
  {"MPI_Reduce_scatter_block", "parts:63", 0},
  {"MPI_Reduce_scatter", "parts:67", 0},
  {"MPI_Allreduce", "location:81", 0},
  {"MPI_Type_contiguous", "own_operation:102", 0},
  {"MPI_Type_commit", "own_operation:103", 0},
  {"MPI_Op_create", "own_operation:104", 0},
  {"MPI_Allreduce", "own_operation:105", 0},
  {"MPI_Op_free", "own_operation:106", 0},
  {"MPI_Type_free", "own_operation:107", 0},
  {"MPI_Allreduce", "verdict harness.h:96", 0},
  {"MPI_Finalize", "main:131", 0},
};
static const struct total totals[] = {
  {"MPI_Init", -1, -1},
  {"MPI_Reduce", -1, -1},
  {"MPI_Allreduce", -1, -1},
  {"MPI_Scan", -1, -1},
  {"MPI_Exscan", -1, -1},
  {"MPI_Reduce_scatter_block", -1, -1},
  {"MPI_Reduce_scatter", -1, -1},
  {"MPI_Type_contiguous", -1, -1},
  {"MPI_Type_commit", -1, -1},
  {"MPI_Op_create", -1, -1},
  {"MPI_Op_free", -1, -1},
  {"MPI_Type_free", -1, -1},
  {"MPI_Finalize", -1, -1},
};

static const struct benchmark benchmark = {.runs_on = &numbers_of_ranks, .sites = 29, .site = sites, .functions = 13,
    .total = totals, .keeps_receives = 1, .has_main_loop = 1};
