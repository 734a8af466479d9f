/* Computes for a known processor time, more on higher ranks, and calls MPI in between: as many
 * steps as the first argument says, each of so many milliseconds as the second one. Then it waits
 * for many requests at once, which costs a recorder more than the program. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { REQUESTS = 200 };

/* The machine's: in SMPI the function of that name tells simulated time. */
static double processor_time(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void compute(double seconds)
{
    const double end = processor_time() + seconds;
    while (processor_time() < end) {
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int steps = atoi(argv[1]), many = atoi(argv[3]);
    const double duration = 1e-3 * atof(argv[2]);

    for (int i = 0; i < steps; i++) {
        compute((rank + 1) * duration);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    static MPI_Request requests[2 * REQUESTS];
    static char in[REQUESTS], out[REQUESTS];
    for (int i = 0; i < many; i++) {
        for (int k = 0; k < REQUESTS; k++) {
            MPI_Irecv(&in[k], 1, MPI_CHAR, rank, k, MPI_COMM_WORLD, &requests[k]);
            MPI_Isend(&out[k], 1, MPI_CHAR, rank, k, MPI_COMM_WORLD, &requests[REQUESTS + k]);
        }
        MPI_Waitall(2 * REQUESTS, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
