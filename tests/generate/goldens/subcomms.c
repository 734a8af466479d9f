/* The program. */
static void learn_place(void) {
  x = rank % 2;
  y = rank / 2;
}

static void use(int site, MPI_Comm comm, int dest, int source, int group) {
  at(site); MPI_Allreduce(BOTH(1, MPI_INT), MPI_SUM, comm);  /* subcomms.c:16 */
  /* subcomms.c:17 */
  at(site + 1); MPI_Sendrecv(OUT(1, MPI_INT), dest, 0, IN(1, MPI_INT), source, 0, comm, MPI_STATUS_IGNORE);
  at(site + 2); MPI_Bcast(INTO(1, MPI_INT), 0, comm);  /* subcomms.c:19 */
  at(site + 3); MPI_Comm_group(MPI_COMM_WORLD, &groups[0]);  /* subcomms.c:22 */
  at(site + 4); MPI_Comm_group(comm, &groups[group]);  /* subcomms.c:23 */
  at(site + 5); MPI_Group_free(&(MPI_Group){groups[0]});  /* subcomms.c:32 */
  at(site + 6); MPI_Group_free(&(MPI_Group){groups[group]});  /* subcomms.c:33 */
}

static void uneven_split(int i) {
  at(1); MPI_Comm_split(MPI_COMM_WORLD, y == 1 ? x + y : 0, -rank, &comms[i]);  /* subcomms.c:43 */
  use(2, comms[i], y == 0 ? x : 0, y == 0 ? x : 0, 1);  /* subcomms.c:45 */
  at(9); MPI_Comm_free(&comms[i]);  /* subcomms.c:46 */
}

static void library_call(int i) {
  at(10); MPI_Comm_dup(MPI_COMM_WORLD, &comms[3 + i]);  /* subcomms.c:101 */
  use(11, comms[3 + i], (rank + 1) % RANKS, (rank + RANKS - 1) % RANKS, 1);  /* subcomms.c:102 */
  at(18); MPI_Comm_free(&comms[3 + i]);  /* subcomms.c:104 */
}

static void split_down(void) {
  use(19, MPI_COMM_WORLD, (rank + 1) % RANKS, (rank + RANKS - 1) % RANKS, 0);  /* subcomms.c:57 */
  at(26); MPI_Comm_split(MPI_COMM_WORLD, rank == 3 ? 0 : 1, rank, &comms[6]);  /* subcomms.c:59 */
  for (int i = 0, n_i = TRIPS[rank]; i < n_i; i++) {
    /* subcomms.c:57 */
    use(27, rank < 3 ? comms[6 + i] : comms[6], rank == 2 ? around(rank < 3 ? comms[6 + i] : comms[6], i == 0 ? 1 : 0)
        : y == 0 ? around(rank < 3 ? comms[6 + i] : comms[6], (int[]){1, 1, 0}[i]) : 0, rank == 0 ? 2 - i : x == 0
        ? 1 - i : 0, 1);
    if (rank < 3) {
      if (y == 1 ? i == 0 : i < 2) {
        at(34);  /* subcomms.c:59 */
        MPI_Comm_split(y == 0 ? (i == 0 ? comms[6] : comms[7]) : comms[6], x == 1 ? 1 - i : y == 1 ? 0 : 1, rank,
            &comms[y == 0 ? 7 + i : 7]);
      }
    }
  }
  if (rank < 3) {
    for (int i = 0, n_i = y == 1 ? 1 : 2; i < n_i; i++) {
      at(35); MPI_Comm_free(&comms[y == 0 ? 8 - i : 7]);  /* subcomms.c:61 */
    }
  }
  at(36); MPI_Comm_free(&comms[6]);  /* subcomms.c:61 */
}

static void from_groups(void) {
  at(37); MPI_Comm_group(MPI_COMM_WORLD, &groups[0]);  /* subcomms.c:73 */
  at(38); MPI_Group_range_incl(groups[0], 1, (int[][3]){{0, 2, 2}}, &groups[1]);  /* subcomms.c:74 */
  at(39); MPI_Group_difference(groups[0], groups[1], &groups[2]);  /* subcomms.c:75 */
  /* subcomms.c:77 */
  at(40); MPI_Comm_create_group(MPI_COMM_WORLD, x == 0 ? groups[1] : groups[2], x, &comms[x == 0 ? 10 : 9]);
  /* subcomms.c:78 */
  use(41, x == 0 ? comms[10] : comms[9], 1 - rank_in(x == 0 ? comms[10] : comms[9]), 1 - rank_in(x == 0 ? comms[10]
      : comms[9]), x == 0 ? 1 : 2);
  at(48); MPI_Comm_free(&comms[x == 0 ? 10 : 9]);  /* subcomms.c:79 */
  at(49); MPI_Group_excl(groups[0], 2, (int[]){1, 2}, &groups[3]);  /* subcomms.c:84 */
  at(50); MPI_Comm_create(MPI_COMM_WORLD, groups[3], &comms[11]);  /* subcomms.c:85 */
  if (x - y == 0) {
    use(51, comms[11], 1 - rank_in(comms[11]), 1 - rank_in(comms[11]), 3);  /* subcomms.c:87 */
    at(58); MPI_Comm_free(&comms[11]);  /* subcomms.c:88 */
  }
  at(59); MPI_Group_free(&(MPI_Group){groups[0]});  /* subcomms.c:90 */
  at(60); MPI_Group_free(&(MPI_Group){groups[1]});  /* subcomms.c:91 */
  at(61); MPI_Group_free(&(MPI_Group){groups[2]});  /* subcomms.c:92 */
  at(62); MPI_Group_free(&(MPI_Group){groups[3]});  /* subcomms.c:93 */
}

static void use_2(int i) {
  at(69); MPI_Allreduce(BOTH(1, MPI_INT), MPI_SUM, comms[14 + i]);  /* subcomms.c:16 */
  at(70);  /* subcomms.c:17 */
  MPI_Sendrecv(OUT(1, MPI_INT), x - y != 0 ? around(comms[14 + i], 1) : 1 - rank_in(comms[14 + i]), 0, IN(1, MPI_INT),
      x - y != 0 ? around(comms[14 + i], 1) : 1 - rank_in(comms[14 + i]), 0, comms[14 + i], MPI_STATUS_IGNORE);
  at(71); MPI_Bcast(INTO(1, MPI_INT), 0, comms[14 + i]);  /* subcomms.c:19 */
  at(72); MPI_Comm_group(MPI_COMM_WORLD, &groups[0]);  /* subcomms.c:22 */
  at(73); MPI_Comm_group(comms[14 + i], &groups[1]);  /* subcomms.c:23 */
  at(74); MPI_Group_free(&(MPI_Group){groups[0]});  /* subcomms.c:32 */
  at(75); MPI_Group_free(&(MPI_Group){groups[1]});  /* subcomms.c:33 */
}

static void library_call_2(int i) {
  at(68); MPI_Comm_dup((MPI_Comm[]){comms[13], comms[12], comms[13]}[i], &comms[14 + i]);  /* subcomms.c:101 */
  use_2(i);  /* subcomms.c:102 */
  at(76); MPI_Comm_free(&comms[14 + i]);  /* subcomms.c:104 */
}

static void rows_and_columns(void) {
  at(63); MPI_Comm_split(MPI_COMM_WORLD, y, rank, &comms[12]);  /* subcomms.c:114 */
  at(64); MPI_Comm_split(MPI_COMM_WORLD, x, rank, &comms[13]);  /* subcomms.c:115 */
  for (int i = 0; i < 3; i++) {
    at(65);  /* subcomms.c:118 */
    const int which_recvbuf = x == 0 ? (int[]){OWN, NOTHING, OWN}[i] : (int[]){NOTHING, OWN, NOTHING}[i];
    MPI_Reduce(out(1, MPI_INT), which_recvbuf == OWN ? in(1, MPI_INT) : other_buffer(which_recvbuf), 1, MPI_INT,
        MPI_SUM, (int[]){0, 1, 0}[i], comms[12]);
    at(66); MPI_Bcast(INTO(1, MPI_INT), (int[]){0, 1, 0}[i], comms[12]);  /* subcomms.c:119 */
    at(67); MPI_Allreduce(BOTH(1, MPI_INT), MPI_SUM, comms[13]);  /* subcomms.c:120 */
    library_call_2(i);  /* subcomms.c:122 */
  }
  at(77); MPI_Comm_free(&comms[12]);  /* subcomms.c:124 */
  at(78); MPI_Comm_free(&comms[13]);  /* subcomms.c:125 */
}

int main(int argc, char **argv) {
  begin(&benchmark, argc, argv);
  MPI_Init(NULL, NULL); start(); learn_place(); at(0);  /* subcomms.c:131 */
  for (int turn = 0; turn < iterations(3); turn++) {
    const int i = again(turn, 3);
    uneven_split(i);  /* subcomms.c:139 */
    library_call(i);  /* subcomms.c:140 */
  }
  split_down();  /* subcomms.c:142 */
  from_groups();  /* subcomms.c:143 */
  rows_and_columns();  /* subcomms.c:144 */
  at(79); MPI_Allreduce(BOTH(1, MPI_LONG), MPI_SUM, MPI_COMM_WORLD);  /* verdict harness.h:96 */
  at(80); report(); MPI_Finalize();  /* subcomms.c:146 */
  return 0;
}
