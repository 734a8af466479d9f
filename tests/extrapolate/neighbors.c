/* Halo exchange with all 26 neighbors in three dimensions, from a list that leaves out those
 * beyond the borders: no call site has one neighbor alone.
 *
 *   neighbors    on a grid whose extents are the greatest divisors up to the root of what is left
 */
#include <mpi.h>
#include <stdlib.h>

enum { kWidth = 8 };

static int greatest_divisor(int number, int root) {
  int best = 1;
  for (int d = 1; d <= number; d++) {
    int power = root == 3 ? d * d * d : d * d;
    if (power <= number && number % d == 0) best = d;
  }
  return best;
}

int main(int argc, char** argv) {
  int rank, size, peers[26], counts[26], n = 0;
  double out[kWidth * kWidth] = {0}, in[kWidth * kWidth];
  MPI_Request requests[52];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int nx = greatest_divisor(size, 3), ny = greatest_divisor(size / nx, 2), nz = size / nx / ny;
  int x = rank % nx, y = rank / nx % ny, z = rank / nx / ny;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int away = abs(dx) + abs(dy) + abs(dz);
        int inside =
            x + dx >= 0 && x + dx < nx && y + dy >= 0 && y + dy < ny && z + dz >= 0 && z + dz < nz;
        if (away == 0 || !inside) continue;
        peers[n] = rank + dx + nx * (dy + ny * dz);
        counts[n++] = away == 1 ? kWidth * kWidth : away == 2 ? kWidth : 1;
      }
  for (int step = 0; step < 10; step++) {
    for (int i = 0; i < n; i++)
      MPI_Irecv(in, counts[i], MPI_DOUBLE, peers[i], 1, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < n; i++)
      MPI_Isend(out, counts[i], MPI_DOUBLE, peers[i], 1, MPI_COMM_WORLD, &requests[n + i]);
    MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
