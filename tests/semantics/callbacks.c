// Functions of the program that MPI calls, and which call MPI.
#include <mpi.h>
#include <stddef.h>

static MPI_Request given;
static int value, other;

// Sends, and completes the request that main has begun. The send is left out; the completion is not.
static int on_delete(MPI_Comm comm, int key, void* attribute, void* extra) {
  (void)comm, (void)key, (void)attribute, (void)extra;
  MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF);
  MPI_Wait(&given, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

//= rank *: MPI_Irecv tag=6
//= rank *: MPI_Wait request=0
//= rank *: MPI_Comm_free comm=2
//= rank *: MPI_Irecv tag=7
//= rank *: MPI_Send tag=7
//= rank *: MPI_Wait request=0
//= losses: 2 calls in MPI callbacks
int main(int argc, char** argv) {
  int key;
  MPI_Comm dup;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
  MPI_Comm_set_attr(dup, key, &value);
  MPI_Irecv(&other, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &given);
  MPI_Comm_free(&dup);
  MPI_Irecv(&other, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
