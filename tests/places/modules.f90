! Calls in procedures of a module, in a contained procedure, and in a parallel region.
module solver
  use mpi
  implicit none
contains
  subroutine relax(n)
    integer, intent(in) :: n
    integer :: e, i
    do i = 1, n
      call mpi_barrier(mpi_comm_world, e) ! PLACE MPI_Barrier solver::relax
      call inner(i)
    end do
  contains
    subroutine inner(k)
      integer, intent(in) :: k
      integer :: sum, ierr
      sum = 0
      call mpi_allreduce(k, sum, 1, mpi_integer, mpi_sum, mpi_comm_world, ierr) ! PLACE MPI_Allreduce inner
      if (sum < 0) stop 1
    end subroutine inner
  end subroutine relax
end module solver

subroutine external()
  use mpi
  implicit none
  integer :: e
  call mpi_barrier(mpi_comm_world, e) ! PLACE MPI_Barrier external
end subroutine external

subroutine finish()
  implicit none
  include 'mpif.h'
  integer :: e
  call mpi_finalize(e) ! PLACE MPI_Finalize finish
end subroutine finish

program modules
  use solver
  implicit none
  integer :: e, given
  call mpi_init_thread(mpi_thread_funneled, given, e) ! PLACE MPI_Init_thread modules
  call relax(5)
  call external()
  !$omp parallel num_threads(2)
  !$omp master
  call mpi_barrier(mpi_comm_world, e) ! PLACE MPI_Barrier modules (omp)
  given = given + 1
  !$omp end master
  !$omp end parallel
  call finish()
end program modules
