/* The program. */
static void learn_place(void) {
  x = rank % 2;
  y = rank / 2;
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
  if (y == 1) {
    trade(2, north);  /* stencil2d.c:53 */
  } else {
    trade(4, south);  /* stencil2d.c:54 */
  }
  if (x == 1) {
    trade(6, west);  /* stencil2d.c:55 */
  } else {
    trade(8, east);  /* stencil2d.c:56 */
  }
  at(10); MPI_Waitall(4, newest(4), NO_STATUSES); over();  /* stencil2d.c:57 */
}

int main(int argc, char **argv) {
  begin(&benchmark, argc, argv);
  MPI_Init(NULL, NULL); start(); learn_place(); at(0);  /* stencil2d.c:82 */
  at(1); MPI_Allreduce(BOTH(1, MPI_DOUBLE), MPI_MAX, MPI_COMM_WORLD);  /* hottest stencil2d.c:76 */
  for (int turn = 0; turn < iterations(20); turn++) {
    const int i = again(turn, 20);
    exchange_edges();  /* stencil2d.c:107 */
    if (i % 5 == 4) {
      at(11); MPI_Allreduce(BOTH(1, MPI_DOUBLE), MPI_MAX, MPI_COMM_WORLD);  /* hottest stencil2d.c:76 */
    }
  }
  at(12); MPI_Allreduce(BOTH(1, MPI_LONG), MPI_SUM, MPI_COMM_WORLD);  /* verdict harness.h:96 */
  at(13); report(); MPI_Finalize();  /* stencil2d.c:123 */
  return 0;
}
