// Functions of MPI 4, where there are any.
#include <mpi.h>

//= rank * on mpich: MPI_Allreduce_c sendbuf=0 recvbuf=0 count=1 datatype=MPI_INT op=MPI_SUM comm=0
// Counts beyond an int; the size of the type as well.
//= rank * on mpich: MPI_Type_contiguous_c count=3000000000 oldtype=MPI_INT newtype=type0 newtype_size=12000000000
//= rank * on mpich: MPI_Type_get_contents_c datatype=type0 max_large_counts=1 datatypes=[MPI_INT]
//= rank * on mpich: MPI_Type_create_struct_c blocklengths=[1,2] displacements=[0,4294967296] types=[MPI_CHAR,MPI_INT]
//= rank * on mpich: MPI_Isendrecv dest=0 source=MPI_ANY_SOURCE recvtag=1 comm=1
// MPICH 4.0 does not tell whom it met.
//= rank * on mpich: MPI_Wait request=0 matched_source=unknown matched_tag=unknown
// Both are pending under their names: the collective is the younger one.
//= rank * on mpich: MPI_Psend_init partitions=3 count=2 dest=0 tag=9 comm=1
//= rank * on mpich: MPI_Precv_init partitions=1 count=6 source=0 tag=9 comm=1
//= rank * on mpich: MPI_Bcast_init root=1 comm=0
//= rank * on mpich: MPI_Start request=0
//= rank * on mpich: MPI_Startall requests=[2,1]
//= rank * on mpich: MPI_Pready partition=1 request=2
//= rank * on mpich: MPI_Pready_range partition_low=2 partition_high=2 request=2
//= rank * on mpich: MPI_Pready_list partitions=[0] request=2
//= rank * on mpich: MPI_Parrived request=1 partition=0
//= rank * on mpich: MPI_Waitall requests=[2,1,0]
//= rank * on mpich: MPI_Request_free request=0
//= rank * on mpich: MPI_Request_free request=1
//= rank * on mpich: MPI_Request_free request=0
// A session beside the world: its number is free again, and so is that of the group.
//= rank * on mpich: MPI_Session_init session=0
//= rank * on mpich: MPI_Session_init session=1
//= rank * on mpich: MPI_Session_finalize session=0
//= rank * on mpich: MPI_Session_init session=0
//= rank * on mpich: MPI_Group_from_session_pset session=1 newgroup=1
//= rank * on mpich: MPI_Comm_create_from_group group=1 newcomm_size=2
//= rank * on mpich: MPI_Comm_create_from_group group=1 newcomm_size=2
//= rank * on mpich: MPI_Session_finalize session=0
//= rank * on mpich: MPI_Session_finalize session=1
//= rank *: MPI_Barrier
//= losses: none
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
#if MPI_VERSION >= 4
  int in[6] = {1}, out[6] = {0}, number = 1, last[] = {0}, flag, rank;
  MPI_Count size, counts[1];
  MPI_Aint address;
  MPI_Datatype large, inner, far, types[] = {MPI_CHAR, MPI_INT};
  MPI_Count lengths[] = {1, 2}, places[] = {0, 4294967296};
  MPI_Request requests[3], request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce_c(in, out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Type_contiguous_c(3000000000, MPI_INT, &large);
  MPI_Type_get_contents_c(large, 0, 0, 1, 1, &number, &address, counts, &inner);
  MPI_Type_create_struct_c(2, lengths, places, types, &far);
  MPI_Type_size_c(far, &size);  // an enquiry
  MPI_Type_free(&far);
  MPI_Type_free(&large);
  MPI_Isendrecv(in, 1, MPI_INT, 0, 1, out, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_SELF, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);

  MPI_Psend_init(in, 3, 2, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_INFO_NULL, &requests[0]);
  MPI_Precv_init(out, 1, 6, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]);
  MPI_Bcast_init(&number, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
  MPI_Start(&requests[2]);
  MPI_Startall(2, requests);
  MPI_Pready(1, requests[0]);
  MPI_Pready_range(2, 2, requests[0]);
  MPI_Pready_list(1, last, requests[0]);
  do MPI_Parrived(requests[1], 0, &flag);
  while (!flag);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[2]);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);

  MPI_Session first, second;
  MPI_Group all;
  MPI_Comm one, two;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
  MPI_Session_finalize(&first);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first);
  MPI_Session_get_num_psets(second, MPI_INFO_NULL, &number);  // an enquiry
  MPI_Group_from_session_pset(second, "mpi://WORLD", &all);
  // Told apart by what they are called.
  for (int i = 0; i < 2; i++) {
    const int is_one = i == 0;
    MPI_Comm_create_from_group(all, is_one ? "one" : "two", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                               is_one ? &one : &two);
  }
  MPI_Comm_free(&one);
  MPI_Comm_free(&two);
  MPI_Group_free(&all);
  MPI_Session_finalize(&first);
  MPI_Session_finalize(&second);
#endif
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
