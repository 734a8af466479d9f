/* The functions of MPI 4.0 that count in MPI_Count, with counts that an int would do for: messages,
 * collectives of every shape and datatypes. */
#include "harness.h"

static void add(void* in, void* inout, MPI_Count* n, MPI_Datatype* type) {
  (void)type;
  for (MPI_Count i = 0; i < *n; i++) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  int steps = 3, rank, size;
  long wrong = 0;
  MPI_Init(&argc, &argv);
  options(argc, argv, "--steps", &steps, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  const size_t p = (size_t)size;

  int* out = calloc(4 * p, sizeof *out);
  int* in = calloc(4 * p, sizeof *in);
  MPI_Count* counts = calloc(p, sizeof *counts);
  MPI_Aint* places = calloc(p, sizeof *places);
  MPI_Aint* bytes = calloc(p, sizeof *bytes);
  MPI_Datatype* types = calloc(p, sizeof(MPI_Datatype));
  for (int r = 0; r < size; r++) {
    counts[r] = 1 + (rank + r) % 2; /* as many one way as the other */
    places[r] = 2 * r;
    bytes[r] = 2 * r * (MPI_Aint)sizeof(int);
    types[r] = MPI_INT;
  }

  /* Every other one of three pairs; a structure of two ints and a gap; the inner half of a row. */
  MPI_Datatype pair, comb, record, inner;
  MPI_Count lengths[] = {1, 1}, offsets[] = {0, 2 * sizeof(int)}, whole[] = {4}, middle[] = {2},
            at[] = {1};
  MPI_Datatype ints[] = {MPI_INT, MPI_INT};
  MPI_Type_contiguous_c(2, MPI_INT, &pair);
  MPI_Type_vector_c(2, 1, 2, pair, &comb);
  MPI_Type_create_struct_c(2, lengths, offsets, ints, &record);
  MPI_Type_create_subarray_c(1, whole, middle, at, MPI_ORDER_C, MPI_INT, &inner);
  MPI_Type_commit(&comb);
  MPI_Type_commit(&record);
  MPI_Type_commit(&inner);
  MPI_Op op;
  MPI_Op_create_c(add, 1, &op);

  for (int step = 0; step < steps; step++) {
    for (size_t i = 0; i < 4 * p; i++) out[i] = 100 * rank + step, in[i] = -1;
    MPI_Request requests[2];
    MPI_Irecv_c(in, 1, record, before, step, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(out, 1, inner, next, step, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    wrong += in[0] != 100 * before + step || in[1] != -1 || in[2] != in[0];
    MPI_Sendrecv_c(out, 4, MPI_INT, next, 7, in, 4, MPI_INT, before, 7, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    wrong += in[3] != 100 * before + step;

    MPI_Bcast_c(in, 2, MPI_INT, step % size, MPI_COMM_WORLD);
    wrong += in[1] < 0;
    MPI_Allgather_c(out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) wrong += in[2 * r] != 100 * r + step;
    MPI_Alltoallv_c(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) wrong += in[2 * r] != 100 * r + step;
    MPI_Alltoallw_c(out, counts, bytes, types, in, counts, bytes, types, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) wrong += in[2 * r] != 100 * r + step;
    MPI_Gatherv_c(out, counts[0], MPI_INT, in, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce_c(MPI_IN_PLACE, out, 3, MPI_INT, op, MPI_COMM_WORLD);
    wrong += out[2] != 50 * size * (size - 1) + step * size;
    MPI_Reduce_scatter_block_c(out, in, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
  MPI_Type_free(&comb);
  MPI_Type_free(&record);
  MPI_Type_free(&inner);
  free(out);
  free(in);
  free(counts);
  free(places);
  free(bytes);
  free(types);
  int status = verdict(wrong, "large_counts: %d ranks, %d steps", size, steps);
  MPI_Finalize();
  return status;
}
