! MPI's special values in Fortran 2008, with and without ierror. Two ranks.
program sentinels
  use mpi_f08
  implicit none
  integer :: rank, ierr, total(2), number, other
  integer(MPI_ADDRESS_KIND) :: place(1)
  type(MPI_Datatype) :: there
  type(MPI_Request) :: requests(2)
  type(MPI_Comm) :: graph

  ierr = -1
  call MPI_Init(ierr)
  if (ierr /= MPI_SUCCESS) error stop 2
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  total = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  ierr = -1
  call MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  if (ierr /= MPI_SUCCESS .or. any(total /= 3)) error stop 3

  number = 40 + rank
  call MPI_Get_address(number, place(1))
  call MPI_Type_create_hindexed(1, [1], place, MPI_INTEGER, there)
  call MPI_Type_commit(there)
  if (rank == 0) then
    call MPI_Send(MPI_BOTTOM, 1, there, 1, 5, MPI_COMM_WORLD)
  else
    call MPI_Recv(MPI_BOTTOM, 1, there, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_F_sync_reg(number)
  if (number /= 40) error stop 4
  call MPI_Type_free(there)

  number = rank
  call MPI_Irecv(other, 1, MPI_INTEGER, 1 - rank, 6, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(number, 1, MPI_INTEGER, 1 - rank, 6, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call MPI_F_sync_reg(other)
  if (other /= 1 - rank) error stop 5

  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [1 - rank], MPI_UNWEIGHTED, 1, [1 - rank], MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., graph)
  call MPI_Comm_free(graph)
  call MPI_Finalize()
end program
