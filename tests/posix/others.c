/* Uses files in ways of which only some are recorded: rank 0 opens one before MPI_Init, writes to it
 * by stdio and from a forked process and a thread, and asks for what is not there. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* path;
static char name[600];

static const char* file(const char* what)
{
    snprintf(name, sizeof name, "%s/%s", path, what);
    return name;
}

static void* in_thread(void* unused)
{
    int fd = open(file("thread"), O_WRONLY | O_CREAT, 0600);
    if (write(fd, "thread", 6) != 6)
        abort();
    close(fd);
    return unused;
}

int main(int argc, char** argv)
{
    int rank;
    path = argv[1];
    int early = open(file("early"), O_RDWR | O_CREAT, 0600);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        /* Not recorded: the file was opened too early, which is said. */
        if (write(early, "early", 5) != 5)
            return 1;
        /* Not recorded: libc's own calls, another thread's, another process's, and no regular files. */
        FILE* stream = fopen(file("stdio"), "w");
        fputs("stdio", stream);
        fclose(stream);
        pthread_t thread;
        pthread_create(&thread, NULL, in_thread, NULL);
        pthread_join(thread, NULL);
        pid_t child = fork();
        if (child == 0) {
            int fd = open(file("child"), O_WRONLY | O_CREAT, 0600);
            _exit(write(fd, "child", 5) != 5);
        }
        int status = 1;
        if (waitpid(child, &status, 0) != child || status != 0)
            return 1;
        int null = open("/dev/null", O_WRONLY);
        if (write(null, "null", 4) != 4 || close(null) != 0)
            return 1;
        if (write(STDERR_FILENO, "", 0) != 0)
            return 1;
        /* A call that fails, with the errno that belongs to it. */
        errno = 0;
        if (open(file("missing"), O_RDONLY) != -1 || errno != ENOENT)
            return 1;
        /* Recorded, by every name that a program may use. */
        int fd = open64(file("data"), O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (write(fd, "0123456789", 10) != 10 || lseek64(fd, 2, SEEK_SET) != 2)
            return 1;
        char text[100];
        if (read(fd, text, sizeof text) != 8 || memcmp(text, "23456789", 8) != 0)
            return 1;
        if (pread64(fd, text, 3, 4) != 3 || pwrite64(fd, "ab", 2, 20) != 2 || close(fd) != 0)
            return 1;
        fd = creat(file("data"), 0600);
        if (fd < 0 || close(fd) != 0)
            return 1;
        int folder = open(path, O_RDONLY | O_DIRECTORY);
        fd = openat(folder, "data", O_WRONLY | O_APPEND);
        if (write(fd, "x", 1) != 1 || close(fd) != 0 || close(folder) != 0)
            return 1;
    }
    close(early);
    MPI_Finalize();
    return 0;
}
