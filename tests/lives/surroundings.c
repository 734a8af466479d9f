/* What may stand around MPI in a process, checked by the program itself:
     enquire    calls before MPI_Init and after MPI_Finalize
     wrap       (built with -DWRAP) its own MPI_Send, which calls PMPI_Send
     plugin     MPI in a library that dlopen loads for itself alone
     fork       a child that exits while MPI runs
   Two ranks exchange one number in each. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mpi.h>

static int sends = 0;

#ifdef WRAP
int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(buf, count, type, dest, tag, comm);
}
#endif

#ifdef PLUGIN
int exchange(void)
#else
static int exchange(void)
#endif
{
    int rank, number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        number = 42;
        MPI_Send(&number, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&number, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return number;
}

#ifndef PLUGIN
int main(int argc, char **argv)
{
    const char *way = argv[1];
    int flag = 1, version, subversion, number, rank;

    MPI_Initialized(&flag);
    MPI_Get_version(&version, &subversion);
    if (flag || version < 3) return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(way, "plugin")) {
        void *plugin = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
        if (!plugin) return fputs(dlerror(), stderr), 9;
        number = ((int (*)(void))dlsym(plugin, "exchange"))();
    } else {
        number = exchange();
    }
    if (!strcmp(way, "fork")) {
        int status = 0;
        const pid_t child = fork();
        if (child == 0) exit(0);
        waitpid(child, &status, 0);
    }
    MPI_Finalize();
    MPI_Finalized(&flag);
    if (!flag || number != 42) return 3;
    if (!strcmp(way, "wrap") && sends != (rank == 0)) return 4;
    if (getenv("EXPECT_PRELOADED") && !strstr(getenv("LD_PRELOAD"), getenv("EXPECT_PRELOADED"))) return 5;
    return 0;
}
#endif
