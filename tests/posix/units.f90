! Units of Fortran, which its run-time library opens, reads and writes by POSIX.
program units
  use mpi
  implicit none
  integer :: rank, step, ierror, numbers(1000), again(1000)
  character(len=500) :: folder, name
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call get_command_argument(1, folder)
  write (name, '(a,a,i0)') trim(folder), '/unit', rank
  numbers = rank
  open (unit=10, file=name, form='unformatted', access='stream', status='replace')
  write (10) numbers
  close (10)
  open (unit=10, file=name, form='unformatted', access='stream', status='old')
  read (10) again
  close (10, status='delete')
  if (any(again /= numbers)) call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  write (name, '(a,a,i0)') trim(folder), '/first', rank
  call store(name)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  write (name, '(a,a,i0)') trim(folder), '/second', rank
  call store(name)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  do step = 1, 2
    write (name, '(a,a,i0,a,i0)') trim(folder), '/step', step, 'of', rank
    call store(name)
  end do
  call MPI_Finalize(ierror)
contains
  subroutine store(file)
    character(len=*), intent(in) :: file
    open (unit=11, file=file, form='unformatted', access='stream', status='replace')
    write (11) numbers
    close (11, status='delete')
  end subroutine store
end program units
