/* Ends in the way that its argument names, after ten barriers. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>

#ifdef LIBRARY
void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
#else
void barrier(void);

int main(int argc, char **argv)
{
    char way = argc > 1 ? argv[1][0] : 'f';
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        barrier();
    if (rank == 1 && way == 'a')
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (rank == 1 && way == 'd')  // nobody sends
        MPI_Recv(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 && way == 's')
        raise(SIGSEGV);
    if (rank == 1 && way == 't')
        raise(SIGTERM);
    if (rank == 1 && way == 'e')
        exit(5);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
#endif
