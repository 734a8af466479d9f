/* What none of the examples do, and a replay has to get right: receives with wildcards whose match
 * is known only at completion, persistent ones, cancelled ones; addresses in datatypes; messages
 * probed in one order and received in another. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* Rank 0 gets a letter from each other rank, in whatever order they come. */
static void open_receives(int round) {
  MPI_Request requests[64];
  int got[64], sent = round;
  if (rank > 0) {
    MPI_Send(&sent, 1, MPI_INT, 0, 10 + rank % 3, MPI_COMM_WORLD);
    return;
  }
  for (int i = 1; i < size; i++)
    MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
  for (int done = 1; done < size; done++) {
    int index;
    if (round % 3 == 0)
      MPI_Waitany(size - 1, requests + 1, &index, MPI_STATUS_IGNORE);
    else if (round % 3 == 1)
      MPI_Wait(&requests[size - done], MPI_STATUS_IGNORE);
    else {
      MPI_Waitall(size - 1, requests + 1, MPI_STATUSES_IGNORE);
      return;
    }
  }
}

/* The same with one persistent receive. */
static void persistent_receives(void) {
  int token = rank;
  MPI_Request request;
  if (rank > 0) {
    MPI_Send(&token, 1, MPI_INT, 0, 20, MPI_COMM_WORLD);
    return;
  }
  MPI_Recv_init(&token, 1, MPI_INT, MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &request);
  for (int i = 1; i < size; i++) {
    MPI_Start(&request);
    if (i % 2) {
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      int there = 0;
      while (!there) MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    }
  }
  MPI_Request_free(&request);
}

/* A receive that nobody answers must not take what belongs to the next one. */
static void cancelled_receive(void) {
  int nothing, token = rank;
  MPI_Request open;
  MPI_Irecv(&nothing, 1, MPI_INT, MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &open);
  MPI_Cancel(&open);
  MPI_Wait(&open, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Sendrecv(&token, 1, MPI_INT, right, 30, &nothing, 1, MPI_INT, left, 30, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

/* Blocks on the stack, the heap and in static memory, by their addresses. */
static void absolute_types(void) {
  static double fixed[5];
  char local[3] = "abc";
  int *heap = malloc(100 * sizeof *heap);
  memset(heap, 0, 100 * sizeof *heap);
  const int lengths[3] = {3, 4, 7};
  MPI_Aint where[3];
  const MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype all, ints;
  MPI_Get_address(local, &where[0]);
  MPI_Get_address(fixed, &where[1]);
  MPI_Get_address(heap, &where[2]);
  MPI_Type_create_struct(3, lengths, where, types, &all);
  MPI_Type_commit(&all);
  MPI_Get_address(heap + 20, &where[0]);
  MPI_Get_address(heap + 10, &where[1]);
  MPI_Type_create_hindexed_block(2, 5, where, MPI_INT, &ints);
  MPI_Type_commit(&ints);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request request;
  MPI_Isend(MPI_BOTTOM, 1, all, right, 40, MPI_COMM_WORLD, &request);
  char text[3];
  double numbers[4];
  int rest[7];
  MPI_Get_address(text, &where[0]);
  MPI_Get_address(numbers, &where[1]);
  MPI_Get_address(rest, &where[2]);
  MPI_Datatype there;
  MPI_Type_create_struct(3, lengths, where, types, &there);
  MPI_Type_commit(&there);
  MPI_Recv(MPI_BOTTOM, 1, there, left, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast(MPI_BOTTOM, 1, ints, 0, MPI_COMM_WORLD);
  MPI_Type_free(&all);
  MPI_Type_free(&ints);
  MPI_Type_free(&there);
  free(heap);
}

/* A type made of addresses as a block of another, and types that MPI gives back of what others are
 * made of: one that it has from the start, and one that is there already, to be freed once more. */
static void types_of_types(void) {
  int number = rank, values[5] = {0};
  const int lengths[2] = {1, 1};
  MPI_Aint where[2] = {0, 0}, addresses[4];
  int integers[8];
  MPI_Datatype array, both, found[2], types[2] = {MPI_INT, MPI_DATATYPE_NULL};
  MPI_Get_address(values, &where[0]);
  MPI_Type_create_hindexed_block(1, 5, where, MPI_INT, &array);
  MPI_Get_address(&number, &where[0]);
  types[1] = array;
  MPI_Type_create_struct(2, lengths, where, types, &both);
  MPI_Type_commit(&both);
  MPI_Bcast(MPI_BOTTOM, 1, both, 0, MPI_COMM_WORLD);
  MPI_Type_get_contents(both, 8, 4, 2, integers, addresses, found);
  MPI_Type_free(&found[1]);
  MPI_Type_free(&array);
  MPI_Type_free(&both);
}

/* Two messages probed, and the second received first. */
static void matched_out_of_order(void) {
  int data[8] = {0};
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request requests[2];
  MPI_Isend(data, 2, MPI_INT, right, 50, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(data, 6, MPI_INT, right, 51, MPI_COMM_WORLD, &requests[1]);
  MPI_Message first, second;
  int in[8];
  MPI_Mprobe(left, 50, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
  MPI_Mprobe(left, 51, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
  MPI_Mrecv(in, 6, MPI_INT, &second, MPI_STATUS_IGNORE);
  MPI_Mrecv(in, 2, MPI_INT, &first, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < 6; round++) {
    open_receives(round);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  persistent_receives();
  cancelled_receive();
  absolute_types();
  types_of_types();
  matched_out_of_order();
  if (rank == 0) printf("corners: correct\n");
  MPI_Finalize();
  return 0;
}
