! 2-D heat equation with a 5-point stencil in Fortran 2008: a Cartesian communicator and a derived type for each edge.
! Class: nearest neighbors on a grid without wrap-around, through `use mpi_f08`; Allreduce in place now and then.
! The initial temperature is an eigenvector of the scheme, so the answer is known in every cell.
module membrane
  use mpi_f08
  implicit none
  integer, parameter :: dp = kind(1d0), sides = 4
  real(dp), parameter :: conductivity = 0.2_dp

  ! One side of the tile: who is there, the line that it gets from us and the line that we get from it.
  type :: side
    integer :: peer
    type(MPI_Datatype) :: edge, halo
  end type

contains

  ! Side 1 and 2 are the lower and upper end of the first dimension, side 3 and 4 those of the second.
  function make_sides(sheet, cells) result(around)
    type(MPI_Comm), intent(in) :: sheet
    integer, intent(in) :: cells(2)
    type(side) :: around(sides)
    integer :: d
    do d = 1, 2
      call MPI_Cart_shift(sheet, d - 1, 1, around(2 * d - 1)%peer, around(2 * d)%peer)
      around(2 * d - 1)%halo = line(cells, d, 0)
      around(2 * d - 1)%edge = line(cells, d, 1)
      around(2 * d)%edge = line(cells, d, cells(d))
      around(2 * d)%halo = line(cells, d, cells(d) + 1)
    end do
  end function

  ! The line at `position` across dimension `d`, without the halo of the other dimension.
  type(MPI_Datatype) function line(cells, d, position)
    integer, intent(in) :: cells(2), d, position
    integer :: part(2), from(2)
    part = cells
    from = 1
    part(d) = 1
    from(d) = position
    call MPI_Type_create_subarray(2, cells + 2, part, from, MPI_ORDER_FORTRAN, MPI_DOUBLE_PRECISION, line)
    call MPI_Type_commit(line)
  end function

  subroutine free_sides(around)
    type(side), intent(inout) :: around(sides)
    integer :: s
    do s = 1, sides
      call MPI_Type_free(around(s)%edge)
      call MPI_Type_free(around(s)%halo)
    end do
  end subroutine

  subroutine exchange(sheet, around, u)
    type(MPI_Comm), intent(in) :: sheet
    type(side), intent(in) :: around(sides)
    real(dp), intent(inout), asynchronous, contiguous :: u(0:, 0:)
    type(MPI_Request) :: requests(2 * sides)
    integer :: s
    do s = 1, sides
      call MPI_Irecv(u, 1, around(s)%halo, around(s)%peer, 0, sheet, requests(s))
    end do
    do s = 1, sides
      call MPI_Isend(u, 1, around(s)%edge, around(s)%peer, 0, sheet, requests(sides + s))
    end do
    call MPI_Waitall(2 * sides, requests, MPI_STATUSES_IGNORE)
  end subroutine

  subroutine conduct(u, cells)
    integer, intent(in) :: cells(2)
    real(dp), intent(inout) :: u(0:, 0:)
    associate (nx => cells(1), ny => cells(2))
      u(1:nx, 1:ny) = u(1:nx, 1:ny) + conductivity * (u(0:nx - 1, 1:ny) + u(2:nx + 1, 1:ny) &
                      + u(1:nx, 0:ny - 1) + u(1:nx, 2:ny + 1) - 4 * u(1:nx, 1:ny))
    end associate
  end subroutine

  real(dp) function hottest(sheet, u)
    type(MPI_Comm), intent(in) :: sheet
    real(dp), intent(in) :: u(:, :)
    hottest = maxval(u)
    call MPI_Allreduce(MPI_IN_PLACE, hottest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, sheet)
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

program stencil2d_f08
  use membrane
  implicit none
  type(MPI_Comm) :: sheet
  type(side) :: around(sides)
  integer :: rank, nranks, steps, every, step, x, y, wrong, cells(2), extents(2), place(2)
  real(dp) :: decay, peak, k(2)
  real(dp), allocatable, asynchronous :: u(:, :)
  real(dp), allocatable :: mode(:, :)

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, nranks)
  steps = option('--steps', 20)
  cells = [option('--nx', 16), option('--ny', 16)]
  every = option('--every', 5)
  extents = [option('--columns', 0), 0]
  call MPI_Dims_create(nranks, 2, extents)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, extents, [.false., .false.], .false., sheet)
  call MPI_Comm_rank(sheet, rank)
  call MPI_Cart_coords(sheet, rank, 2, place)

  k = acos(-1.0_dp) / (real(cells, dp) * extents + 1)
  decay = 1 - 4 * conductivity * sum(sin(k / 2)**2)
  allocate (u(0:cells(1) + 1, 0:cells(2) + 1), source=0.0_dp)
  allocate (mode(cells(1), cells(2)))
  do y = 1, cells(2)
    do x = 1, cells(1)
      mode(x, y) = product(sin(k * (real(cells, dp) * place + [x, y])))
    end do
  end do
  u(1:cells(1), 1:cells(2)) = mode

  around = make_sides(sheet, cells)
  peak = hottest(sheet, mode)
  do step = 1, steps
    call exchange(sheet, around, u)
    call conduct(u, cells)
    if (mod(step, every) == 0) peak = hottest(sheet, u)
  end do
  call free_sides(around)

  wrong = count(abs(u(1:cells(1), 1:cells(2)) - decay**steps * mode) > 1d-9)
  call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, sheet)
  if (rank == 0) print '(a, i0, a, i0, a, i0, a, f8.6, 2a)', 'stencil2d_f08: ', extents(1), ' x ', extents(2), &
    ' ranks, ', steps, ' steps, peak ', peak, ': ', trim(merge('correct', 'WRONG  ', wrong == 0))
  call MPI_Comm_free(sheet)
  call MPI_Finalize()
  if (wrong /= 0) stop 1
end program
