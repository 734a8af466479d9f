// Spawns one process of itself. The parent asks its children's communicator nothing; they ask twice for their parent's.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Comm parent, again, children;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Barrier(children);
    MPI_Comm_disconnect(&children);
  } else {
    MPI_Comm_get_parent(&again);
    MPI_Barrier(again);
    MPI_Comm_disconnect(&again);
  }
  MPI_Finalize();
  return 0;
}
