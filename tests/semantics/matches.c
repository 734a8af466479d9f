// Whom receives meet: nobody, themselves, or a cancellation.
#include <mpi.h>

// Of an inactive request, or one that cannot be matched, nothing of an implementation may be seen.
//= rank 0: MPI_Waitall requests=[0] matched_source=[MPI_PROC_NULL] matched_tag=[MPI_ANY_TAG]
//= rank 0: MPI_Recv_init source=MPI_ANY_SOURCE
//= rank 0: MPI_Wait request=0 matched_source=MPI_ANY_SOURCE matched_tag=MPI_ANY_TAG
//= rank 0: MPI_Wait request=0 matched_source=0 matched_tag=3
//= rank 0: MPI_Cancel request=0
//= rank 0: MPI_Wait request=0 matched_source=cancelled matched_tag=-
//= rank 0: MPI_Cancel request=1
//= rank 0: MPI_Waitall requests=[1,0] matched_source=[cancelled,0] matched_tag=[-,4]
//= losses: none
int main(int argc, char** argv) {
  int value = 0, other = 0, sent = 1, rank;
  MPI_Request request, both[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // it was not started
    MPI_Start(&request);
    MPI_Send(&sent, 1, MPI_INT, 0, 3, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Irecv(&value, 1, MPI_INT, 0, 8, MPI_COMM_SELF, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_SELF, &both[0]);
    MPI_Irecv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_SELF, &both[1]);
    MPI_Send(&sent, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
    MPI_Cancel(&both[0]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
