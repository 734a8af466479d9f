! 2-D heat equation with a 5-point stencil in Fortran 90: tiles, Isend and Irecv of packed edges, a reduction now and then.
! Class: nearest neighbors on a grid without wrap-around, through `use mpi`.
! The initial temperature is an eigenvector of the scheme, so the answer is known in every cell.
module tile
  use mpi
  implicit none
  integer, parameter :: dp = kind(1d0)
  integer, parameter :: west = 1, east = 2, north = 3, south = 4
  real(dp), parameter :: conductivity = 0.2_dp

contains

  ! The ranks on the four sides of place `here` (column, row); MPI_PROC_NULL beyond the border.
  function neighbors(here, extents) result(peer)
    integer, intent(in) :: here(2), extents(2)
    integer :: peer(4), me
    me = here(1) + here(2) * extents(1)
    peer = [me - 1, me + 1, me - extents(1), me + extents(1)]
    if (here(1) == 0) peer(west) = MPI_PROC_NULL
    if (here(1) == extents(1) - 1) peer(east) = MPI_PROC_NULL
    if (here(2) == 0) peer(north) = MPI_PROC_NULL
    if (here(2) == extents(2) - 1) peer(south) = MPI_PROC_NULL
  end function

  subroutine exchange_edges(u, nx, ny, peer)
    integer, intent(in) :: nx, ny, peer(4)
    real(dp), intent(inout), asynchronous :: u(0:nx + 1, 0:ny + 1)
    real(dp), asynchronous :: edge(ny, 2), halo(ny, 2)
    integer :: requests(8), ierr

    edge(:, west) = u(1, 1:ny)
    edge(:, east) = u(nx, 1:ny)
    halo = 0
    call MPI_Irecv(halo(1, west), ny, MPI_DOUBLE_PRECISION, peer(west), 0, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Irecv(halo(1, east), ny, MPI_DOUBLE_PRECISION, peer(east), 0, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Irecv(u(1, 0), nx, MPI_DOUBLE_PRECISION, peer(north), 0, MPI_COMM_WORLD, requests(3), ierr)
    call MPI_Irecv(u(1, ny + 1), nx, MPI_DOUBLE_PRECISION, peer(south), 0, MPI_COMM_WORLD, requests(4), ierr)
    call MPI_Isend(edge(1, west), ny, MPI_DOUBLE_PRECISION, peer(west), 0, MPI_COMM_WORLD, requests(5), ierr)
    call MPI_Isend(edge(1, east), ny, MPI_DOUBLE_PRECISION, peer(east), 0, MPI_COMM_WORLD, requests(6), ierr)
    call MPI_Isend(u(1, 1), nx, MPI_DOUBLE_PRECISION, peer(north), 0, MPI_COMM_WORLD, requests(7), ierr)
    call MPI_Isend(u(1, ny), nx, MPI_DOUBLE_PRECISION, peer(south), 0, MPI_COMM_WORLD, requests(8), ierr)
    call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, ierr)
    u(0, 1:ny) = halo(:, west)
    u(nx + 1, 1:ny) = halo(:, east)
  end subroutine

  subroutine conduct(u, nx, ny)
    integer, intent(in) :: nx, ny
    real(dp), intent(inout) :: u(0:nx + 1, 0:ny + 1)
    u(1:nx, 1:ny) = u(1:nx, 1:ny) + conductivity * (u(0:nx - 1, 1:ny) + u(2:nx + 1, 1:ny) &
                    + u(1:nx, 0:ny - 1) + u(1:nx, 2:ny + 1) - 4 * u(1:nx, 1:ny))
  end subroutine

  ! Fills `mode` with the eigenvector and returns the factor that one step applies to it.
  function eigenvector(mode, nx, ny, here, extents) result(decay)
    integer, intent(in) :: nx, ny, here(2), extents(2)
    real(dp), intent(out) :: mode(nx, ny)
    real(dp) :: decay, kx, ky
    integer :: x, y
    kx = acos(-1.0_dp) / (real(nx, dp) * extents(1) + 1)
    ky = acos(-1.0_dp) / (real(ny, dp) * extents(2) + 1)
    do y = 1, ny
      do x = 1, nx
        mode(x, y) = sin(kx * (real(nx, dp) * here(1) + x)) * sin(ky * (real(ny, dp) * here(2) + y))
      end do
    end do
    decay = 1 - 4 * conductivity * (sin(kx / 2)**2 + sin(ky / 2)**2)
  end function

  ! The number behind `name` on the command line.
  integer function option(name, fallback)
    character(*), intent(in) :: name
    integer, intent(in) :: fallback
    character(32) :: argument
    integer :: i
    option = fallback
    do i = 1, command_argument_count() - 1, 2
      call get_command_argument(i, argument)
      if (argument /= name) cycle
      call get_command_argument(i + 1, argument)
      read (argument, *) option
    end do
  end function
end module

program stencil2d_f90
  use tile
  implicit none
  integer :: rank, nranks, steps, nx, ny, every, step, ierr
  integer :: extents(2), here(2), peer(4)
  real(dp) :: decay, mine, peak, wrong
  real(dp), allocatable, asynchronous :: u(:, :)
  real(dp), allocatable :: mode(:, :)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  steps = option('--steps', 20)
  nx = option('--nx', 16)
  ny = option('--ny', 16)
  every = option('--every', 5)
  extents = [option('--columns', 0), 0]
  call MPI_Dims_create(nranks, 2, extents, ierr)
  here = [mod(rank, extents(1)), rank / extents(1)]
  peer = neighbors(here, extents)

  allocate (u(0:nx + 1, 0:ny + 1), mode(nx, ny))
  decay = eigenvector(mode, nx, ny, here, extents)
  u = 0
  u(1:nx, 1:ny) = mode
  peak = 0
  do step = 1, steps
    call exchange_edges(u, nx, ny, peer)
    call conduct(u, nx, ny)
    if (mod(step, every) == 0 .or. step == steps) then
      mine = maxval(u(1:nx, 1:ny))
      call MPI_Allreduce(mine, peak, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
    end if
  end do

  mine = count(abs(u(1:nx, 1:ny) - decay**steps * mode) > 1d-9)
  call MPI_Allreduce(mine, wrong, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a, i0, a, i0, a, i0, a, f8.6, 2a)', 'stencil2d_f90: ', extents(1), ' x ', extents(2), &
    ' ranks, ', steps, ' steps, peak ', peak, ': ', trim(merge('WRONG  ', 'correct', wrong > 0))
  call MPI_Finalize(ierr)
  if (wrong > 0) stop 1
end program
