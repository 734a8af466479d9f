// Four threads of each of two ranks exchange numbers at once; the main thread only begins and ends.
#include <mpi.h>

#include <thread>
#include <vector>

int main(int argc, char** argv) {
  int level, rank, wrong[4] = {};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level != MPI_THREAD_MULTIPLE) return 2;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&wrong, rank, t] {
      for (int i = 0; i < 100; i++) {
        int out = 1000 * t + i, in = -1;
        MPI_Request request;
        MPI_Irecv(&in, 1, MPI_INT, 1 - rank, t, MPI_COMM_WORLD, &request);
        MPI_Send(&out, 1, MPI_INT, 1 - rank, t, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong[t] += in != out;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  MPI_Finalize();
  return wrong[0] + wrong[1] + wrong[2] + wrong[3] ? 1 : 0;
}
