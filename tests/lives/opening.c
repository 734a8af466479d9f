/* Opens the MPI library itself, without being linked with it: `opening HOW LIBRARY`.
     global     for all, and looks its functions up among all
     handle     for itself, and looks them up in it: no recorder can stand before them
   Two ranks exchange one number. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void *where;

static void *look_up(const char *name)
{
    void *found = dlsym(where, name);
    if (found) return found;
    fprintf(stderr, "%s\n", dlerror());
    exit(9);
}

int main(int argc, char **argv)
{
    const int global = argv[1][0] == 'g';
    void *library = dlopen(argv[2], RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    int rank, number = 42;

    if (!library) return fputs(dlerror(), stderr), 9;
    where = global ? RTLD_DEFAULT : library;
#ifdef OPEN_MPI  /* there these are variables of the library */
    const MPI_Comm world = look_up("ompi_mpi_comm_world");
    const MPI_Datatype integer = look_up("ompi_mpi_int");
#else
    const MPI_Comm world = MPI_COMM_WORLD;
    const MPI_Datatype integer = MPI_INT;
#endif
    int (*init)(int *, char ***) = look_up("MPI_Init");
    int (*finalize)(void) = look_up("MPI_Finalize");
    int (*get_rank)(MPI_Comm, int *) = look_up("MPI_Comm_rank");
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = look_up("MPI_Send");
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) = look_up("MPI_Recv");

    init(&argc, &argv);
    get_rank(world, &rank);
    if (rank == 0) send(&number, 1, integer, 1, 5, world);
    if (rank == 1) number = 0;
    if (rank == 1) receive(&number, 1, integer, 0, 5, world, MPI_STATUS_IGNORE);
    finalize();
    return number == 42 ? 0 : 1;
}
