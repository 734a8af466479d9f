/* Two ranks compute for a third of a second of CPU time each, on one core. */
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    cpu_set_t first;
    CPU_ZERO(&first);
    sched_getaffinity(0, sizeof first, &first);
    int core = 0;
    while (!CPU_ISSET(core, &first)) ++core;
    CPU_ZERO(&first);
    CPU_SET(core, &first);
    sched_setaffinity(0, sizeof first, &first);

    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 3;) {}
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
