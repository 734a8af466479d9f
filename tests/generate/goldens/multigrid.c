/* The program. */
static void learn_place(void) {
  x = rank % 2;
  y = rank / 2;
  west = neighbor(2, GRID, (int[]){-1, 0}, (int[]){0, 0});
  south_west = neighbor(2, GRID, (int[]){-1, 1}, (int[]){0, 0});
  west_2 = neighbor(2, GRID, (int[]){-1, 0}, (int[]){0, 0});
}

static void fill_halo(int site, int sendcount, int peer1, int peer2) {
  at(site);  /* multigrid.c:33 */
  MPI_Sendrecv(OUT(sendcount, MPI_DOUBLE), peer1, 0, IN(sendcount, MPI_DOUBLE), peer2, 0, MPI_COMM_WORLD,
      MPI_STATUS_IGNORE);
  at(site + 1);  /* multigrid.c:35 */
  MPI_Sendrecv(OUT(sendcount, MPI_DOUBLE), peer2, 1, IN(sendcount, MPI_DOUBLE), peer1, 1, MPI_COMM_WORLD,
      MPI_STATUS_IGNORE);
}

static void residual_norm(int site) {
  /* multigrid.c:131 */
  fill_halo(site, 18, rank == 0 ? MPI_PROC_NULL : rank - 1, rank == 3 ? MPI_PROC_NULL : rank + 1);
  at(site + 2); MPI_Allreduce(MPI_IN_PLACE, INTO(1, MPI_DOUBLE), MPI_SUM, MPI_COMM_WORLD);  /* multigrid.c:133 */
}

static void smooth(int site) {
  for (int i = 0; i < 2; i++) {
    /* multigrid.c:65 */
    fill_halo(site, 18, rank == 0 ? MPI_PROC_NULL : rank - 1, rank == 3 ? MPI_PROC_NULL : rank + 1);
  }
}

static void smooth_2(int j) {
  for (int k = 0; k < 2; k++) {
    /* multigrid.c:65 */
    fill_halo(8, (int[]){10, 6, 4}[j], rank == 2 ? (rank + (j < 2 ? 3 : 2)) % RANKS : west, rank == 0 ? (j < 2 ? 1 : 2)
        : x == 0 ? next(&SOURCE) : south_west);
  }
}

static void smooth_3(int j) {
  for (int k = 0; k < 2; k++) {
    /* multigrid.c:65 */
    fill_halo(18, x == 0 ? next(&SENDCOUNT) : j * 4 + 6, rank == 2 ? around(MPI_COMM_WORLD, next(&DEST)) : west,
        rank == 0 ? next(&SOURCE_4) : x == 0 ? next(&SOURCE_3) : south_west);
  }
}

static void v_cycle(void) {
  smooth(4);  /* multigrid.c:104 */
  fill_halo(6, 18, rank == 0 ? MPI_PROC_NULL : rank - 1, rank == 3 ? MPI_PROC_NULL : rank + 1);  /* multigrid.c:105 */
  for (int j = 0, n_j = x == 0 ? 3 : 2; j < n_j; j++) {
    smooth_2(j);  /* multigrid.c:104 */
    /* multigrid.c:105 */
    fill_halo(10, (int[]){10, 6, 4}[j], rank == 2 ? (rank + (int[]){3, 3, 2}[j]) % RANKS : west, rank == 0 ? (int[]){1,
        1, 2}[j] : x == 0 ? (int[]){3, 3, MPI_PROC_NULL}[j] : south_west);
    if (x == 0) {
      if (y == 0 ? j > 0 : j == 1) {
        at(12);  /* multigrid.c:115 */
        const int count = (int[]){4, 4, 2}[j];
        MPI_Recv(IN(count, MPI_DOUBLE), y == 0 ? j : 3, y == 0 ? j + 11 : 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
  }
  if (rank > 0) {
    /* multigrid.c:109 */
    at(13); MPI_Send(OUT(x == 0 ? 2 : 4, MPI_DOUBLE), x == 0 ? 0 : west_2, x == 0 ? 13 : 12, MPI_COMM_WORLD);
    at(14);  /* multigrid.c:110 */
    MPI_Recv(IN(x == 0 ? 2 : 4, MPI_DOUBLE), x == 0 ? 0 : west_2, x == 0 ? 13 : 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int j = 0, n_j = x == 0 ? 3 : 2; j < n_j; j++) {
    if (rank == 0 || j > 0) {
      /* multigrid.c:119 */
      fill_halo(15, rank == 0 ? (int[]){3, 4, 6}[j] : x == 0 ? j * 2 + 2 : 6, rank == 2 ? (rank + j + 1) % RANKS : west,
          rank == 0 ? around(MPI_COMM_WORLD, (int[]){MPI_PROC_NULL, 2, 1}[j]) : x == 0 ? around(MPI_COMM_WORLD,
          next(&SOURCE_2)) : south_west);
    }
    if (x == 0) {
      if (y == 0 ? j < 2 : j == 1) {
        at(17);  /* multigrid.c:121 */
        const int count_2 = j == 0 ? 2 : 4;
        MPI_Send(OUT(count_2, MPI_DOUBLE), y == 0 ? 2 - j : 3, j == 0 ? 13 : 12, MPI_COMM_WORLD);
      }
    }
    smooth_3(j);  /* multigrid.c:126 */
  }
  fill_halo(20, 10, rank == 0 ? MPI_PROC_NULL : rank - 1, rank == 3 ? MPI_PROC_NULL : rank + 1);  /* multigrid.c:119 */
  smooth(22);  /* multigrid.c:126 */
}

int main(int argc, char **argv) {
  begin(&benchmark, argc, argv);
  MPI_Init(NULL, NULL); start(); learn_place(); at(0);  /* multigrid.c:159 */
  residual_norm(1);  /* multigrid.c:175 */
  for (int turn = 0; turn < iterations(3); turn++) {
    again(turn, 3);
    restart(&SOURCE);
    restart(&SOURCE_2);
    restart(&SENDCOUNT);
    restart(&DEST);
    restart(&SOURCE_3);
    restart(&SOURCE_4);
    v_cycle();  /* multigrid.c:178 */
    residual_norm(24);  /* multigrid.c:179 */
  }
  at(27); MPI_Allreduce(BOTH(1, MPI_LONG), MPI_SUM, MPI_COMM_WORLD);  /* verdict harness.h:96 */
  at(28); report(); MPI_Finalize();  /* multigrid.c:191 */
  return 0;
}
