/* The program. */
static void learn_place(void) {
  x = rank % 2;
  y = rank / 2;
  south = neighbor(2, GRID, (int[]){0, 1}, (int[]){0, 0});
  east = neighbor(2, GRID, (int[]){1, 0}, (int[]){0, 0});
  north = neighbor(2, GRID, (int[]){0, -1}, (int[]){0, 0});
  west = neighbor(2, GRID, (int[]){-1, 0}, (int[]){0, 0});
}

static void receive_edges(int site, int active1, int tag1, int active2, int tag2) {
  if (active1) {
    /* receive_line wavefront.c:26 */
    at(site); MPI_Recv(IN(8, MPI_INT), MPI_ANY_SOURCE, tag1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (active2) {
    /* receive_line wavefront.c:26 */
    at(site + 1); MPI_Recv(IN(6, MPI_INT), MPI_ANY_SOURCE, tag2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void send_edges(int site, int active1, int dest1, int tag1, int active2, int dest2, int tag2) {
  if (active1) {
    at(site); MPI_Send(OUT(8, MPI_INT), dest1, tag1, MPI_COMM_WORLD);  /* wavefront.c:46 */
  }
  if (active2) {
    at(site + 1); MPI_Send(OUT(6, MPI_INT), dest2, tag2, MPI_COMM_WORLD);  /* wavefront.c:50 */
  }
}

static void sweep(void) {
  for (int j = 0; j < 8; j++) {
    receive_edges(1, y == 1, 0, x == 1, 1);  /* wavefront.c:80 */
    send_edges(3, y == 0, south, 0, x == 0, east, 1);  /* wavefront.c:82 */
  }
}

static void sweep_2(void) {
  for (int j = 0; j < 8; j++) {
    receive_edges(5, y == 0, 2, x == 0, 3);  /* wavefront.c:80 */
    send_edges(7, y == 1, north, 2, x == 1, west, 3);  /* wavefront.c:82 */
  }
}

int main(int argc, char **argv) {
  begin(&benchmark, argc, argv);
  MPI_Init(NULL, NULL); start(); learn_place(); at(0);  /* wavefront.c:90 */
  for (int turn = 0; turn < iterations(3); turn++) {
    again(turn, 3);
    sweep();  /* wavefront.c:109 */
    sweep_2();  /* wavefront.c:110 */
    at(9); MPI_Allreduce(BOTH(1, MPI_LONG), MPI_SUM, MPI_COMM_WORLD);  /* wavefront.c:112 */
  }
  at(10); MPI_Allreduce(BOTH(1, MPI_LONG), MPI_SUM, MPI_COMM_WORLD);  /* verdict harness.h:96 */
  at(11); report(); MPI_Finalize();  /* wavefront.c:119 */
  return 0;
}
