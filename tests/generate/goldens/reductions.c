/* The program. */
static void sums(int site, int sendbuf1, int recvbuf, int root, int sendbuf2) {
  at(site);  /* reductions.c:36 */
  MPI_Reduce(sendbuf1 == OWN ? out(scaled(3), MPI_INT) : other_buffer(sendbuf1), recvbuf == OWN ? in(scaled(3), MPI_INT)
      : other_buffer(recvbuf), scaled(3), MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  at(site + 1);  /* reductions.c:39 */
  MPI_Allreduce(sendbuf2 == OWN ? out(scaled(3), MPI_INT) : other_buffer(sendbuf2), INTO(3, MPI_INT), MPI_SUM,
      MPI_COMM_WORLD);
}

static void prefixes(int site, int sendbuf) {
  at(site);  /* reductions.c:47 */
  MPI_Scan(sendbuf == OWN ? out(scaled(3), MPI_INT) : other_buffer(sendbuf), INTO(3, MPI_INT), MPI_SUM, MPI_COMM_WORLD);
  at(site + 1);  /* reductions.c:50 */
  MPI_Exscan(sendbuf == OWN ? out(scaled(3), MPI_INT) : other_buffer(sendbuf), INTO(3, MPI_INT), MPI_SUM,
      MPI_COMM_WORLD);
}

static void parts(int site, int sendbuf) {
  at(site);  /* reductions.c:63 */
  MPI_Reduce_scatter_block(sendbuf == OWN ? out((long long)scaled(3) * RANKS, MPI_INT) : other_buffer(sendbuf),
      INTO_ALL(3, MPI_INT, RANKS), MPI_SUM, MPI_COMM_WORLD);
  at(site + 1);  /* reductions.c:67 */
  const int *recvcounts = (int[]){1, 2, 3, 1};
  const int *scaled_recvcounts = all_scaled(4, recvcounts);
  MPI_Reduce_scatter(sendbuf == OWN ? out(sum_of(4, scaled_recvcounts), MPI_INT) : other_buffer(sendbuf), in(sum_of(4,
      scaled_recvcounts), MPI_INT), scaled_recvcounts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void own_operation(int site, int sendbuf) {
  at(site); MPI_Type_contiguous(2, MPI_UINT32_T, &contiguous_type);  /* reductions.c:102 */
  at(site + 1); MPI_Type_commit(&contiguous_type);  /* reductions.c:103 */
  at(site + 2); MPI_Op_create(reduce, 0, &op);  /* reductions.c:104 */
  at(site + 3);  /* reductions.c:105 */
  MPI_Allreduce(sendbuf == OWN ? out(1, contiguous_type) : other_buffer(sendbuf), INTO(1, contiguous_type), op,
      MPI_COMM_WORLD);
  at(site + 4); MPI_Op_free(&op);  /* reductions.c:106 */
  at(site + 5); MPI_Type_free(&contiguous_type);  /* reductions.c:107 */
}

int main(int argc, char **argv) {
  begin(&benchmark, argc, argv);
  MPI_Init(NULL, NULL); start(); at(0);  /* reductions.c:114 */
  for (int turn = 0; turn < iterations(3); turn++) {
    const int i = again(turn, 3);
    for (int j = 0; j < 5; j++) {
      if (j == 0) {
        sums(1, OWN, next(&RECVBUF), (int[]){3, 0, 1}[i], OWN);  /* reductions.c:126 */
      }
      if (j == 1) {
        prefixes(3, OWN);  /* reductions.c:126 */
      }
      if (j == 2) {
        parts(5, OWN);  /* reductions.c:126 */
      }
      if (j == 3) {
        at(7); MPI_Allreduce(BOTH(1, MPI_DOUBLE_INT), MPI_MINLOC, MPI_COMM_WORLD);  /* location reductions.c:81 */
      }
      if (j == 4) {
        own_operation(8, OWN);  /* reductions.c:126 */
      }
      if (j == 0) {
        sums(14, next(&SENDBUF), next(&RECVBUF_2), (int[]){3, 0, 1}[i], IN_PLACE);  /* reductions.c:127 */
      }
      if (j == 1) {
        prefixes(16, IN_PLACE);  /* reductions.c:127 */
      }
      if (j == 2) {
        parts(18, IN_PLACE);  /* reductions.c:127 */
      }
      if (j == 3) {
        /* location reductions.c:81 */
        at(20); MPI_Allreduce(MPI_IN_PLACE, INTO(1, MPI_DOUBLE_INT), MPI_MINLOC, MPI_COMM_WORLD);
      }
      if (j == 4) {
        own_operation(21, IN_PLACE);  /* reductions.c:127 */
      }
    }
  }
  at(27); MPI_Allreduce(BOTH(1, MPI_LONG), MPI_SUM, MPI_COMM_WORLD);  /* verdict harness.h:96 */
  at(28); report(); MPI_Finalize();  /* reductions.c:131 */
  return 0;
}
