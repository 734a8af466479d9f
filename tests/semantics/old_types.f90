! Datatypes and constructors that MPI 3 removed and programs in Fortran still use.
!
!= rank * on mpich: MPI_Type_struct types=[MPI_LB,MPI_INTEGER,MPI_UB]
!= rank * on openmpi: MPI_Type_create_struct types=[MPI_LB,MPI_INTEGER,MPI_UB]
!= rank *: MPI_Send datatype=type0
!= rank *: MPI_Send datatype=MPI_LOGICAL
!= losses: none
program old_types
  implicit none
  include 'mpif.h'
  external :: MPI_Type_struct
  integer :: lengths(3), places(3), types(3), made, ierr
  integer :: value(4)
  call MPI_Init(ierr)
  lengths = 1
  places = (/ 0, 4, 16 /)
  types = (/ MPI_LB, MPI_INTEGER, MPI_UB /)
  call MPI_Type_struct(3, lengths, places, types, made, ierr)
  call MPI_Type_commit(made, ierr)
  value = 0
  call MPI_Send(value, 1, made, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
  call MPI_Send(value, 1, MPI_LOGICAL, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
  call MPI_Type_free(made, ierr)
  call MPI_Finalize(ierr)
end program
