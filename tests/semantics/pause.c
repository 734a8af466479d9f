// A pause of recording: what happens in it is left out, but what happens after it is right.
#include <mpi.h>

static int value;

static void exchange(MPI_Comm comm) {
  MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 5, 0, 5, comm, MPI_STATUS_IGNORE);
}

//= rank *: MPI_Pcontrol level=0
//= rank *: MPI_Comm_dup newcomm=2
// Made, with others, while recording was paused: the objects are used afterwards.
//= rank *: MPI_Type_contiguous newtype=type0
// The receive that this one ends is in the trace, and so this is too.
//= rank *: MPI_Wait request=0
//= rank *: MPI_Pcontrol level=1
//= rank *: MPI_Comm_dup newcomm=3
//= rank *: MPI_Wait request=0 matched_source=-
//= rank *: MPI_Bcast comm=2 datatype=type0
//= rank *: MPI_Wait request=unknown matched_source=-
//= rank *: MPI_Wait request=0
//= rank *: MPI_Start request=0
//= rank *: MPI_Pcontrol level=0
// A call in the trace started what this one ends; the pair that follows is left out.
//= rank *: MPI_Wait request=0
//= rank *: MPI_Pcontrol level=1
//= rank *: MPI_Start request=0
//= rank *: MPI_Wait request=0
//= rank *: MPI_Pcontrol level=0
//= rank *: MPI_Finalize
//= losses: 16 calls while recording was paused
int main(int argc, char** argv) {
  MPI_Request a, b, c;
  MPI_Datatype type;
  MPI_Comm first, second;
  int buffer[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &a);
  MPI_Pcontrol(0);
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  exchange(MPI_COMM_SELF);
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &b);
  MPI_Wait(&b, MPI_STATUS_IGNORE);
  MPI_Wait(&a, MPI_STATUS_IGNORE);
  MPI_Irecv(buffer, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_SELF, &c);
  MPI_Pcontrol(1);
  MPI_Comm_dup(MPI_COMM_SELF, &second);
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &a);
  MPI_Wait(&a, MPI_STATUS_IGNORE);
  MPI_Bcast(buffer, 1, type, 0, first);
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &a);
  MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
  MPI_Wait(&c, MPI_STATUS_IGNORE);  // begun in the pause: the trace has not seen it
  MPI_Wait(&a, MPI_STATUS_IGNORE);
  MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &a);
  MPI_Start(&a);
  MPI_Pcontrol(0);
  MPI_Wait(&a, MPI_STATUS_IGNORE);
  MPI_Start(&a);
  MPI_Wait(&a, MPI_STATUS_IGNORE);
  MPI_Pcontrol(1);
  MPI_Start(&a);
  MPI_Wait(&a, MPI_STATUS_IGNORE);
  MPI_Request_free(&a);
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
  MPI_Type_free(&type);
  MPI_Pcontrol(0);
  exchange(MPI_COMM_SELF);
  exchange(MPI_COMM_SELF);
  MPI_Finalize();  // the recording ends though it is paused
  return 0;
}
