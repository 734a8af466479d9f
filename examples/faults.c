/* A program with faults to order: each option plants one that costs time, and without options it is
 * as balanced as a program can be. Faults that are computation are given in microseconds an
 * iteration.
 *
 *   --late-sender     even ranks compute so much longer before they send
 *   --late-receiver   even ranks compute so much longer before they receive a large message
 *   --slow-rank       rank 1 computes so much longer than the others before a collective
 *   --jitter          all ranks compute so much longer or shorter before that, at random
 *   --stall           the last rank computes so much longer before it, but in one iteration only
 *   --early-root      all but the root compute so much longer before a reduction
 *   --late-root       the root computes so much longer before a broadcast
 *   --drift           the last iteration computes so much longer than the first, those between in
 *                     steps of a tenth of the run
 *   --far-partners 1  neighbors are not ranks 2 k and 2 k + 1 but k and k + P / 2, on other nodes
 *   --serial-phase    rank 0 computes so long while all others wait
 *   --one-receiver 1  messages go to rank 0 rather than to the next rank
 *
 * Computation takes no time unless COMPUTE_SCALE says so (compute.h); with 1 an iteration without
 * faults computes for 800 microseconds. */
#include "compute.h"
#include "harness.h"

enum { kSmall = 64, kLarge = 200000, kBlock = 50000 };  // [bytes]; large ones wait for receives
static const double kWork = 100;                        // of a part of an iteration [us]

static MPI_Comm comm;   // of all ranks
static int rank, size;  // in it
static char sent[kLarge], received[kLarge];
static long wrong;

static void work(double us) { compute(us * 1e-6); }

static void check(int from, int bytes) {
  wrong += received[0] != (char)from || received[bytes - 1] != (char)from;
}

/* Even ranks send, odd ones receive. */
static void pairs_send(double late) {
  if (rank % 2 == 0) {
    work(kWork + late);
    if (rank + 1 < size) MPI_Send(sent, kSmall, MPI_CHAR, rank + 1, 1, comm);
  } else {
    work(kWork);
    MPI_Recv(received, kSmall, MPI_CHAR, rank - 1, 1, comm, MPI_STATUS_IGNORE);
    check(rank - 1, kSmall);
  }
}

/* Odd ranks send, even ones receive. */
static void pairs_receive(double late) {
  if (rank % 2 == 1) {
    work(kWork);
    MPI_Send(sent, kLarge, MPI_CHAR, rank - 1, 2, comm);
  } else {
    work(kWork + late);
    if (rank + 1 == size) return;
    MPI_Recv(received, kLarge, MPI_CHAR, rank + 1, 2, comm, MPI_STATUS_IGNORE);
    check(rank + 1, kLarge);
  }
}

/* Half of the time, by no order. */
static int by_chance(int step) {
  unsigned x = (unsigned)(step * size + rank + 1);
  for (int i = 0; i < 3; i++) x = (x ^ x >> 16) * 0x45d9f3bu;
  return (int)(x >> 16 & 1);
}

static void sum_up(int step, double slow, double jitter, double stall) {
  double sum, one = 1;
  work(kWork + (rank == 1 ? slow : 0) + (by_chance(step) ? jitter : -jitter) + stall);
  MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  wrong += sum != size;
}

static void reduce_to_root(double later) {
  double sum = size, one = 1;
  work(kWork + (rank == 0 ? 0 : later));
  MPI_Reduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
  wrong += sum != size;
  MPI_Barrier(comm);
}

static void broadcast(double late, double alone) {
  double value = rank == 0 ? 7 : 0;
  work(kWork + (rank == 0 ? late : 0));
  MPI_Bcast(&value, 1, MPI_DOUBLE, 0, comm);
  wrong += value != 7;
  if (rank == 0) work(alone);
  MPI_Barrier(comm);
}

static void grow(int step, int steps, double drift) {
  double most, one = 1;
  const int tenth = steps >= 10 ? step * 10 / steps : 0;
  work(kWork + drift * tenth / 9);
  MPI_Allreduce(&one, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
  wrong += most != 1;
}

static void exchange(void) {
  const int partner = (rank ^ 1) < size ? rank ^ 1 : rank;
  work(kWork);
  MPI_Sendrecv(sent, kLarge, MPI_CHAR, partner, 3, received, kLarge, MPI_CHAR, partner, 3, comm,
               MPI_STATUS_IGNORE);
  check(partner, kLarge);
}

static void deliver(int is_to_one) {
  work(kWork);
  if (!is_to_one) {
    const int from = (rank + size - 1) % size;
    MPI_Sendrecv(sent, kBlock, MPI_CHAR, (rank + 1) % size, 4, received, kBlock, MPI_CHAR, from, 4,
                 comm, MPI_STATUS_IGNORE);
    check(from, kBlock);
  } else if (rank > 0) {
    MPI_Send(sent, kBlock, MPI_CHAR, 0, 4, comm);
  } else {
    for (int from = 1; from < size; from++) {
      MPI_Recv(received, kBlock, MPI_CHAR, from, 4, comm, MPI_STATUS_IGNORE);
      check(from, kBlock);
    }
  }
  MPI_Barrier(comm);
}

int main(int argc, char** argv) {
  int steps = 20, late_sender = 0, late_receiver = 0, slow_rank = 0, early_root = 0, late_root = 0;
  int jitter = 0, stall = 0, drift = 0, far_partners = 0, serial_phase = 0, one_receiver = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--late-sender", &late_sender, 1, "--late-receiver",
          &late_receiver, 1, "--slow-rank", &slow_rank, 1, "--jitter", &jitter, 1, "--stall", &stall, 1, "--early-root", &early_root, 1,
          "--late-root", &late_root, 1, "--drift", &drift, 1, "--far-partners", &far_partners, 1,
          "--serial-phase", &serial_phase, 1, "--one-receiver", &one_receiver, 1);
  compute_setup(rank, size);
  const int half = (size + 1) / 2;
  MPI_Comm_split(MPI_COMM_WORLD, 0, far_partners ? rank % half * 2 + rank / half : rank, &comm);
  MPI_Comm_rank(comm, &rank);
  memset(sent, rank, sizeof sent);
  for (int step = 0; step < steps; step++) {
    pairs_send(late_sender);
    pairs_receive(late_receiver);
    sum_up(step, slow_rank, jitter, step == steps / 2 && rank == size - 1 ? stall : 0);
    reduce_to_root(early_root);
    broadcast(late_root, serial_phase);
    grow(step, steps, drift);
    exchange();
    deliver(one_receiver);
  }
  const int status = verdict(wrong, "%d ranks, %d steps", size, steps);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return status;
}
