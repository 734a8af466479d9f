! Requests in Fortran: known by where the program keeps them, not by copies that bindings make.
!
!= rank *: MPI_Wait request=0
!= rank *: MPI_Wait request=0
!= rank *: MPI_Waitall requests=[0,1]
!= rank *: MPI_Waitall requests=[1,0]
!= rank *: MPI_Request_free request=0
!= rank *: MPI_Wait request=0
!= rank *: MPI_Waitany requests=[0,1] index=0
!= rank *: MPI_Waitany requests=[NULL,0] index=1
! And once more through mpi_f08.
!= rank *: MPI_Wait request=0
!= rank *: MPI_Wait request=0
!= rank *: MPI_Waitall requests=[0,1]
!= rank *: MPI_Waitall requests=[1,0]
!= rank *: MPI_Request_free request=0
!= rank *: MPI_Wait request=0
!= rank *: MPI_Waitany requests=[0,1] index=0
!= rank *: MPI_Waitany requests=[NULL,0] index=1
!= losses: none
module with_mpi
  use mpi
  implicit none
  integer :: other, ierr, values(4)
contains
  subroutine send(tag, request)
    integer, intent(in) :: tag
    integer, intent(out) :: request
    call MPI_Isend(values, 1, MPI_INTEGER, other, tag, MPI_COMM_WORLD, request, ierr)
  end subroutine

  subroutine receive(n)
    integer, intent(in) :: n
    integer :: i, got(1)
    do i = 1, n
      call MPI_Recv(got, 1, MPI_INTEGER, other, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end do
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine

  subroutine exchange()
    integer :: q(2), r, idx
    call send(1, q(1))
    call send(2, q(2))
    call receive(2)
    call MPI_Wait(q(2), MPI_STATUS_IGNORE, ierr)
    call MPI_Wait(q(1), MPI_STATUS_IGNORE, ierr)
    call send(1, q(2))
    call send(2, q(1))
    call receive(2)
    call MPI_Waitall(2, q, MPI_STATUSES_IGNORE, ierr)
    call send(1, r)
    q(1) = r
    call send(2, r)
    q(2) = r
    call receive(2)
    call MPI_Waitall(2, q, MPI_STATUSES_IGNORE, ierr)
    call send(1, q(1))
    call send(2, q(2))
    call receive(2)
    call MPI_Request_free(q(2), ierr)
    call MPI_Wait(q(1), MPI_STATUS_IGNORE, ierr)
    call send(1, q(2))
    call send(2, q(1))
    call receive(2)
    call MPI_Waitany(2, q, idx, MPI_STATUS_IGNORE, ierr)
    call MPI_Waitany(2, q, idx, MPI_STATUS_IGNORE, ierr)
  end subroutine
end module

module with_mpi_f08
  use mpi_f08
  implicit none
  integer :: to, numbers(4)
contains
  subroutine send08(tag, request)
    integer, intent(in) :: tag
    type(MPI_Request), intent(out) :: request
    call MPI_Isend(numbers, 1, MPI_INTEGER, to, tag, MPI_COMM_WORLD, request)
  end subroutine

  subroutine receive08(n)
    integer, intent(in) :: n
    integer :: i, got(1)
    do i = 1, n
      call MPI_Recv(got, 1, MPI_INTEGER, to, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end do
    call MPI_Barrier(MPI_COMM_WORLD)
  end subroutine

  subroutine exchange08()
    type(MPI_Request) :: q(2), r
    integer :: idx
    call send08(1, q(1))
    call send08(2, q(2))
    call receive08(2)
    call MPI_Wait(q(2), MPI_STATUS_IGNORE)
    call MPI_Wait(q(1), MPI_STATUS_IGNORE)
    call send08(1, q(2))
    call send08(2, q(1))
    call receive08(2)
    call MPI_Waitall(2, q, MPI_STATUSES_IGNORE)
    call send08(1, r)
    q(1) = r
    call send08(2, r)
    q(2) = r
    call receive08(2)
    call MPI_Waitall(2, q, MPI_STATUSES_IGNORE)
    call send08(1, q(1))
    call send08(2, q(2))
    call receive08(2)
    call MPI_Request_free(q(2))
    call MPI_Wait(q(1), MPI_STATUS_IGNORE)
    call send08(1, q(2))
    call send08(2, q(1))
    call receive08(2)
    call MPI_Waitany(2, q, idx, MPI_STATUS_IGNORE)
    call MPI_Waitany(2, q, idx, MPI_STATUS_IGNORE)
  end subroutine
end module

program requests
  use with_mpi
  use with_mpi_f08, only: to, exchange08
  implicit none
  integer :: rank
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = 1 - rank
  to = other
  values = 0
  call exchange()
  call exchange08()
  call MPI_Finalize(ierr)
end program
