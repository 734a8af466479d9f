/* Letters of unknown length from unknown senders: a matched probe finds one and keeps it for the
 * receive that follows, which has room for exactly that letter.
 *
 * Class: wildcards with MPI_Mprobe and MPI_Improbe, as in particle codes and in multi-threaded
 * runtimes.
 */
#include "compute.h"
#include "harness.h"

enum { LONGEST = 100 };

/* To whom and how much everybody writes is random; all know how many letters to expect from a sum
 * over all ranks. */
static int addressee(int step, int from, int letter, int size) {
  return random_below((uint64_t)step, (uint64_t)(from * 1000 + letter), size);
}

static int length(int step, int from, int letter) {
  return random_below((uint64_t)step + 1000000, (uint64_t)(from * 1000 + letter), LONGEST);
}

static long damaged(const int* text, int count, int step, int from, int letter) {
  long wrong = count != length(step, from, letter);
  for (int i = 0; i < count; i++) wrong += text[i] != from + letter + i;
  return wrong;
}

/* Receives one letter: with a blocking probe, or with one that lets us work while there is none. */
static long receive_letter(int step, int polling) {
  MPI_Message message;
  MPI_Status status;
  int count, there = !polling;
  if (!polling) MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
  while (!there) {
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message, &status);
    compute(1e-6);
  }
  MPI_Get_count(&status, MPI_INT, &count);
  int* text = malloc((size_t)(count + 1) * sizeof *text);
  if (polling) {
    MPI_Request request;
    MPI_Imrecv(text, count, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Mrecv(text, count, MPI_INT, &message, MPI_STATUS_IGNORE);
  }
  long wrong = damaged(text, count, step, status.MPI_SOURCE, status.MPI_TAG);
  free(text);
  return wrong;
}

static long write_letters(int step, int letters, int rank, int size) {
  int* text = malloc((size_t)(letters * LONGEST + 1) * sizeof *text);
  int *sent = calloc((size_t)size, sizeof *sent), expected;
  MPI_Request* requests = malloc((size_t)(letters + 1) * sizeof *requests);
  long wrong = 0;
  for (int letter = 0; letter < letters; letter++) {
    int *start = text + letter * LONGEST, to = addressee(step, rank, letter, size);
    for (int i = 0; i < LONGEST; i++) start[i] = rank + letter + i;
    MPI_Isend(start, length(step, rank, letter), MPI_INT, to, letter, MPI_COMM_WORLD,
              &requests[letter]);
    sent[to]++;
  }
  MPI_Reduce_scatter_block(sent, &expected, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  while (expected-- > 0) wrong += receive_letter(step, step % 2);
  MPI_Waitall(letters, requests, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);  // no letter of the next step before all of this one are read
  free(text);
  free(sent);
  free(requests);
  return wrong;
}

int main(int argc, char** argv) {
  int rank, size, steps = 6, letters = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--letters", &letters, 1);
  require(letters < 1000, "matched_probe: --letters must be less than 1000");
  compute_setup(rank, size);

  long wrong = 0;
  for (int step = 0; step < steps; step++) wrong += write_letters(step, letters, rank, size);
  int status =
      verdict(wrong, "matched_probe: %d ranks, %d steps, %d letters each", size, steps, letters);
  MPI_Finalize();
  return status;
}
