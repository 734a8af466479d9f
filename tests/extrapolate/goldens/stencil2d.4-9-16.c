static const struct range numbers_of_ranks = {4, 617796, 1, SQUARE, "square numbers from 4 to 617796"};
static int RANKS;  /* in MPI_COMM_WORLD */
static int nx, ny, x, y;  /* a grid, and where the rank is in it */
static int GRID[2];

static int north, south, west, east;  /* neighbors in the grid */

/* Values over executions and ranks that no expression tells, and sets of ranks. */
static struct table TRIPS = {.terms = TERMS(LOOP, 0, 0, 5, 7, LIST, 5, 0, 0, 0, 0, 1)};

static const struct benchmark benchmark;  /* at the end */

/* The program. */
static void learn_place(void) {
  RANKS = local_size(everyone);
  nx = (int)reprise_sqrt(RANKS);
  ny = (int)reprise_sqrt(RANKS);
  form_grid((long long)nx * ny, RANKS);
  x = rank % nx;
  y = rank / nx;
  GRID[0] = nx;
  GRID[1] = ny;
  north = neighbor(2, GRID, (int[]){0, -1}, (int[]){0, 0});
  south = neighbor(2, GRID, (int[]){0, 1}, (int[]){0, 0});
  west = neighbor(2, GRID, (int[]){-1, 0}, (int[]){0, 0});
  east = neighbor(2, GRID, (int[]){1, 0}, (int[]){0, 0});
}

static void trade(int site, int peer) {
  at(site); MPI_Irecv(IN(16, MPI_DOUBLE), peer, 0, MPI_COMM_WORLD, request());  /* stencil2d.c:37 */
  at(site + 1); MPI_Isend(OUT(16, MPI_DOUBLE), peer, 0, MPI_COMM_WORLD, request());  /* stencil2d.c:38 */
}

static void exchange_edges(void) {
  if (y > 0) {
    trade(2, north);  /* stencil2d.c:53 */
  }
  if (y < ny - 1) {
    trade(4, south);  /* stencil2d.c:54 */
  }
  if (x > 0) {
    trade(6, west);  /* stencil2d.c:55 */
  }
  if (x < nx - 1) {
    trade(8, east);  /* stencil2d.c:56 */
  }
  at(10);  /* stencil2d.c:57 */
  const int n_requests = 2 * ((y > 0) + (y < ny - 1) + (x > 0) + (x < nx - 1));
  MPI_Waitall(n_requests, newest(n_requests), NO_STATUSES);
  over();
}

int main(int argc, char **argv) {
  begin(&benchmark, argc, argv);
  MPI_Init(NULL, NULL); start(); learn_place(); at(0);  /* stencil2d.c:82 */
  at(1); MPI_Allreduce(BOTH(1, MPI_DOUBLE), MPI_MAX, MPI_COMM_WORLD);  /* hottest stencil2d.c:76 */
  for (int turn = 0; turn < iterations(20); turn++) {
    again(turn, 20);
    exchange_edges();  /* stencil2d.c:107 */
    if (next(&TRIPS)) {
      at(11); MPI_Allreduce(BOTH(1, MPI_DOUBLE), MPI_MAX, MPI_COMM_WORLD);  /* hottest stencil2d.c:76 */
    }
  }
  at(12); MPI_Allreduce(BOTH(1, MPI_LONG), MPI_SUM, MPI_COMM_WORLD);  /* verdict harness.h:96 */
  at(13); report(); MPI_Finalize();  /* stencil2d.c:123 */
  return 0;
}

/* The calls by number, with the computation before each [ns], and the functions. */
static const struct site sites[] = {
  {"MPI_Init", "main:82", 0},
  {"MPI_Allreduce", "hottest:76", 0},
  {"MPI_Irecv", "trade:37", 0},
  {"MPI_Isend", "trade:38", 0},
  {"MPI_Irecv", "trade:37", 0},
  {"MPI_Isend", "trade:38", 0},
  {"MPI_Irecv", "trade:37", 0},
  {"MPI_Isend", "trade:38", 0},
  {"MPI_Irecv", "trade:37", 0},
  {"MPI_Isend", "trade:38", 0},
  {"MPI_Waitall", "exchange_edges:57", 0},
  {"MPI_Allreduce", "hottest:76", 0},
  {"MPI_Allreduce", "verdict harness.h:96", 0},
  {"MPI_Finalize", "main:123", 0},
};
static const struct total totals[] = {
  {"MPI_Init", -1, -1},
  {"MPI_Allreduce", -1, -1},
  {"MPI_Irecv", -1, -1},
  {"MPI_Isend", -1, -1},
  {"MPI_Waitall", -1, -1},
  {"MPI_Finalize", -1, -1},
};

static const struct benchmark benchmark = {.runs_on = &numbers_of_ranks, .sites = 14, .site = sites, .functions = 6,
    .total = totals, .keeps_receives = 1, .has_main_loop = 1};
