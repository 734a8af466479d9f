// Functions of MPI that others carry out: the constructors of MPI 1 in MPICH jump to those of MPI 2,
// which then return to the caller of the first. Open MPI's header has only the latter.
#include <mpi.h>

// The headers of MPI 3 have them no more, or say so.
#undef MPI_Type_struct
#undef MPI_Type_hvector
#undef MPI_Type_hindexed
int MPI_Type_struct(int, int*, MPI_Aint*, MPI_Datatype*, MPI_Datatype*);
int MPI_Type_hvector(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype*);
int MPI_Type_hindexed(int, int*, MPI_Aint*, MPI_Datatype, MPI_Datatype*);

//= rank * on mpich: MPI_Type_struct newtype=type0
//= rank * on mpich: MPI_Type_hvector newtype=type1
//= rank * on mpich: MPI_Type_hindexed newtype=type2
//= rank * on openmpi: MPI_Type_create_struct newtype=type0
//= rank * on openmpi: MPI_Type_create_hvector newtype=type1
//= rank * on openmpi: MPI_Type_create_hindexed newtype=type2
//= rank *: MPI_Type_create_struct newtype=type3
//= rank *: MPI_Type_create_hvector newtype=type4
//= rank *: MPI_Type_create_hindexed newtype=type5
//= losses: none
int main(int argc, char** argv) {
  int lengths[] = {1, 2};
  MPI_Aint places[] = {0, 16};
  MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, made[6];
  MPI_Init(&argc, &argv);
  MPI_Type_struct(2, lengths, places, types, &made[0]);
  MPI_Type_hvector(2, 1, 8, MPI_INT, &made[1]);
  MPI_Type_hindexed(2, lengths, places, MPI_INT, &made[2]);
  MPI_Type_create_struct(2, lengths, places, types, &made[3]);
  MPI_Type_create_hvector(2, 1, 8, MPI_INT, &made[4]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &made[5]);
  for (int i = 0; i < 6; i++) MPI_Type_free(&made[i]);
  MPI_Finalize();
  return 0;
}
