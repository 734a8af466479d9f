! MPI's special values with the module mpi. Two ranks.
program sentinels
  use mpi
  implicit none
  integer rank, ierr, total(2), number, other, one(1), peer(1)
  integer there, requests(2), graph
  integer(kind=MPI_ADDRESS_KIND) place(1)

  ierr = -1
  call MPI_Init(ierr)
  if (ierr /= MPI_SUCCESS) stop 2
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  total(1) = rank + 1
  total(2) = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_INTEGER, MPI_SUM, &
      MPI_COMM_WORLD, ierr)
  ierr = -1
  call MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_INTEGER, MPI_MAX, &
      MPI_COMM_WORLD, ierr)
  if (ierr /= MPI_SUCCESS) stop 3
  if (total(1) /= 3 .or. total(2) /= 3) stop 3

  number = 40 + rank
  one(1) = 1
  peer(1) = 1 - rank
  call MPI_Get_address(number, place(1), ierr)
  call MPI_Type_create_hindexed(1, one, place, MPI_INTEGER, &
      there, ierr)
  call MPI_Type_commit(there, ierr)
  ierr = -1
  if (rank == 0) then
    call MPI_Send(MPI_BOTTOM, 1, there, 1, 5, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(MPI_BOTTOM, 1, there, 0, 5, MPI_COMM_WORLD, &
        MPI_STATUS_IGNORE, ierr)
  end if
  if (ierr /= MPI_SUCCESS) stop 4
  call check(number, 40)
  call MPI_Type_free(there, ierr)

  number = rank
  call MPI_Irecv(other, 1, MPI_INTEGER, 1 - rank, 6, &
      MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(number, 1, MPI_INTEGER, 1 - rank, 6, &
      MPI_COMM_WORLD, requests(2), ierr)
  ierr = -1
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  if (ierr /= MPI_SUCCESS) stop 5
  call check(other, 1 - rank)

  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, peer, &
      MPI_UNWEIGHTED, 1, peer, MPI_UNWEIGHTED, MPI_INFO_NULL, &
      .false., graph, ierr)
  call MPI_Comm_free(graph, ierr)
  call MPI_Finalize(ierr)
end program

! In a place of its own, so that the compiler looks anew.
subroutine check(number, wanted)
  integer number, wanted
  if (number /= wanted) stop 6
end subroutine
