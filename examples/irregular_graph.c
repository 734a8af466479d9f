/* An unstructured mesh on a distributed graph communicator: points strewn over the unit square,
 * neighbors within a radius.
 *
 * Class: irregular neighbors through neighborhood collectives: counts by Neighbor_allgather,
 * borders by Neighbor_alltoallv, blocking and non-blocking. Every step spreads what is known about
 * the distance to rank 0 by one edge.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

typedef struct {
  MPI_Comm comm;
  int degree;
  int *neighbors, *counts, *starts, *in_counts, *in_starts;  // [degree]
  int *out, *in;                                              // borders, back to back
  int size_here;  // numbers on this rank's side of any border
} Mesh;

static double squared_distance(int a, int b) {
  double dx = random_unit(1, (uint64_t)a) - random_unit(1, (uint64_t)b);
  double dy = random_unit(2, (uint64_t)a) - random_unit(2, (uint64_t)b);
  return dx * dx + dy * dy;
}

/* Close together, or next to each other in the numbering, so that the graph hangs together. */
static int adjacent(int a, int b, int size, int degree) {
  return a != b && (abs(a - b) == 1 || squared_distance(a, b) < degree / (acos(-1) * size));
}

static int* integers(int count) {
  return calloc((size_t)count + 1, sizeof(int));
}

static Mesh make_mesh(int rank, int size, int degree) {
  Mesh mesh = {.size_here = 4 + random_below(3, (uint64_t)rank, 28)};
  for (int other = 0; other < size; other++) mesh.degree += adjacent(rank, other, size, degree);
  mesh.neighbors = integers(mesh.degree);
  mesh.counts = integers(mesh.degree);
  mesh.starts = integers(mesh.degree);
  mesh.in_counts = integers(mesh.degree);
  mesh.in_starts = integers(mesh.degree);
  for (int other = 0, n = 0; other < size; other++)
    if (adjacent(rank, other, size, degree)) mesh.neighbors[n++] = other;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, mesh.degree, mesh.neighbors, MPI_UNWEIGHTED,
                                 mesh.degree, mesh.neighbors, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &mesh.comm);

  int out = 0, in = 0;
  MPI_Neighbor_allgather(&mesh.size_here, 1, MPI_INT, mesh.in_counts, 1, MPI_INT, mesh.comm);
  for (int n = 0; n < mesh.degree; n++) {
    mesh.counts[n] = mesh.size_here;
    mesh.starts[n] = out;
    mesh.in_starts[n] = in;
    out += mesh.counts[n];
    in += mesh.in_counts[n];
  }
  mesh.out = integers(out);
  mesh.in = integers(in);
  return mesh;
}

static void free_mesh(Mesh* mesh) {
  MPI_Comm_free(&mesh->comm);
  free(mesh->neighbors);
  free(mesh->counts);
  free(mesh->starts);
  free(mesh->in_counts);
  free(mesh->in_starts);
  free(mesh->out);
  free(mesh->in);
}

static long check_topology(const Mesh* mesh) {
  int in, out, weighted;
  MPI_Dist_graph_neighbors_count(mesh->comm, &in, &out, &weighted);
  return in != mesh->degree || out != mesh->degree || weighted;
}

/* Odd steps overlap the exchange with computation. */
static void exchange(Mesh* mesh, int step) {
  if (step % 2 == 0) {
    MPI_Neighbor_alltoallv(mesh->out, mesh->counts, mesh->starts, MPI_INT, mesh->in,
                           mesh->in_counts, mesh->in_starts, MPI_INT, mesh->comm);
    compute(2e-8 * mesh->size_here);
    return;
  }
  MPI_Request request;
  MPI_Ineighbor_alltoallv(mesh->out, mesh->counts, mesh->starts, MPI_INT, mesh->in, mesh->in_counts,
                          mesh->in_starts, MPI_INT, mesh->comm, &request);
  compute(2e-8 * mesh->size_here);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* One step of a breadth-first search: a border that says "unreachable" differs from one that tells
 * a distance. */
static int spread(Mesh* mesh, int step, int distance, int unreachable) {
  for (int n = 0; n < mesh->degree; n++)
    for (int i = 0; i < mesh->counts[n]; i++) mesh->out[mesh->starts[n] + i] = distance;
  exchange(mesh, step);
  for (int n = 0; n < mesh->degree; n++)
    for (int i = 0; i < mesh->in_counts[n]; i++) {
      int theirs = mesh->in[mesh->in_starts[n] + i];
      if (theirs != unreachable && theirs + 1 < distance) distance = theirs + 1;
    }
  return distance;
}

/* The distances as everybody can compute them alone; only those that `steps` steps can have found.
 */
static int expected(int rank, int size, int degree, int steps, int unreachable) {
  int *distance = integers(size), result;
  for (int r = 1; r < size; r++) distance[r] = unreachable;
  for (int step = 0; step < steps; step++)
    for (int a = 0; a < size; a++)
      for (int b = 0; b < size && distance[a] == step; b++)
        if (distance[b] == unreachable && adjacent(a, b, size, degree)) distance[b] = step + 1;
  result = distance[rank];
  free(distance);
  return result;
}

int main(int argc, char** argv) {
  int rank, size, steps = 8, degree = 6;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--degree", &degree, 1);
  compute_setup(rank, size);

  Mesh mesh = make_mesh(rank, size, degree);
  long wrong = check_topology(&mesh);
  const int unreachable = size;
  int distance = rank == 0 ? 0 : unreachable;
  for (int step = 0; step < steps; step++) distance = spread(&mesh, step, distance, unreachable);
  wrong += distance != expected(rank, size, degree, steps, unreachable);

  int farthest;
  MPI_Allreduce(&distance, &farthest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  int status =
      verdict(wrong, "irregular_graph: %d ranks, %d steps, farthest %d", size, steps, farthest);
  free_mesh(&mesh);
  MPI_Finalize();
  return status;
}
