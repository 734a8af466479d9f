// Ends in the way that its argument names, in one rank, while the others wait in a barrier.
//
// Before, it calls MPI_Barrier until the recorder has replaced every rank's checkpoint COUNT times
// (the second argument; 0: it calls ten barriers), so that what is left by a rank that is killed
// does not depend on time. Without a recorder there is nothing to wait for.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace {

// Which of its two bodies the rank's part says to be whole (compress/parts/part_layout.hpp): each
// checkpoint changes it.
long checkpoint(const char* output, int rank) {
  long body = 0;
  const std::string path = std::string(output) + ".part-" + std::to_string(rank);
  if (FILE* file = fopen(path.c_str(), "rb")) {
    fseek(file, 80, SEEK_SET);
    if (fread(&body, sizeof body, 1, file) != 1) body = 0;
    fclose(file);
  }
  return body;
}

// Until there is no stack left.
int overflow(volatile int* deeper) {
  volatile int here[1000] = {*deeper};
  return overflow(here) + here[1];
}

void run_until_replaced(const char* output, int rank, int count) {
  int waiting = 1;
  for (long last = checkpoint(output, rank); waiting;) {
    const long now = checkpoint(output, rank);
    if (now != last && --count >= 0) last = now;
    const int mine = count > 0;
    MPI_Allreduce(&mine, &waiting, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
}

void end(const std::string& way) {
  if (way == "abort") MPI_Abort(MPI_COMM_WORLD, 3);
  if (way == "segv" || way.starts_with("vanish:")) raise(SIGSEGV);
  if (way == "fault") *static_cast<volatile int*>(nullptr) = 1;
  if (way == "overflow") {
    volatile int zero = 0;
    overflow(&zero);
  }
  if (way == "inside") {
    int sum;
    MPI_Allreduce(reinterpret_cast<int*>(8), &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  }
  if (way == "kill") raise(SIGKILL);
  if (way == "term") raise(SIGTERM);
  if (way == "assert") abort();
  if (way == "exit") exit(5);
  if (way == "_exit") _exit(6);
  if (way == "throw") throw std::runtime_error("nobody catches this");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "well";
  const int count = argc > 2 ? atoi(argv[2]) : 0;
  const char* output = getenv("REPRISE_OUTPUT");
  int rank;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 10; i++) MPI_Barrier(MPI_COMM_WORLD);
  if (output && count) run_until_replaced(output, rank, count);
  if (rank == 0 && way.starts_with("create:")) {
    FILE* file = fopen(way.c_str() + 7, "w");
    fputs("somebody\n", file);
    fclose(file);
  }
  // With all that is in it.
  if (rank == 0 && way.starts_with("remove:") && system(("rm -r " + way.substr(7)).c_str()) != 0)
    return 1;
  if (way.starts_with("vanish:")) {
    if (rank == 0 && system(("rm -r " + way.substr(7)).c_str()) != 0) return 1;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0 && way.starts_with("until:")) {  // there is a file
    while (access(way.c_str() + 6, F_OK) != 0) usleep(10'000);
  }
  if (way.starts_with("outlive:")) {  // the command that started the launcher
    const std::string mark = way.substr(8);
    if (rank == 0) fclose(fopen((mark + ".begun").c_str(), "w"));
    while (access((mark + ".over").c_str(), F_OK) != 0) usleep(10'000);
    for (int i = 0; i < 20; i++) MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 2 && std::string(argv[2]) == "return") return 7;
  }
  if (way == "return") return 7;  // every rank
  if (way == "killed") raise(SIGKILL);
  if (way == "full") {  // no file may grow any more
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 8;
    setrlimit(RLIMIT_FSIZE, &limit);
    for (int i = 0; i < 100; i++) MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) puts("the disk is full");
    fflush(stdout);
    MPI_Finalize();
    return 0;
  }
  if (way == "status") {
    if (rank == 0) puts("said before the end");
    if (rank == 0) fputs("and complained\n", stderr);
    fflush(stdout);
    MPI_Finalize();
    return 3;
  }
  if (way == "wait") {  // for a signal from outside, when all can take it
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
      puts("waiting");
      fflush(stdout);
    }
    for (;;) pause();
  }
  if (rank == 1) end(way);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
