/* Diffusion over an irregular graph of ranks: who talks to whom, how much, and how long each
 * computes is random but fixed.
 *
 * Class: irregular neighbors with imbalance, as between the parts of an unstructured mesh;
 * receives are completed in the order in which they arrive. What one rank gives the other gets, in
 * whole numbers, so the total must stay what it was.
 */
#include "compute.h"
#include "harness.h"

typedef struct {
  int rank;      // of the neighbor
  int count;     // numbers on the common border
  int64_t* out;  // [count] our numbers there
  int64_t* in;   // [count] the neighbor's
} Edge;

typedef struct {
  int degree;
  Edge* edges;
  MPI_Request* requests;  // [2 degree], receives first
  double work;            // of this rank relative to the others
} Part;

/* How many numbers the ranks a and b share, 0 if they are not neighbors. Rank a and a + 1 always
 * are. */
static int border(int a, int b, int size, int degree, uint64_t seed) {
  uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a),
           edge = low * (uint64_t)size + high;
  if (a == b || (high != low + 1 && random_unit(seed, edge) * size >= degree)) return 0;
  return 1 + random_below(seed + 1, edge, 64);
}

static Part make_part(int rank, int size, int degree, uint64_t seed) {
  Part part = {.work = 1 + random_unit(seed + 2, (uint64_t)rank)};
  for (int other = 0; other < size; other++)
    part.degree += border(rank, other, size, degree, seed) > 0;
  part.edges = calloc((size_t)part.degree + 1, sizeof *part.edges);
  part.requests = calloc(2 * (size_t)part.degree + 1, sizeof *part.requests);
  Edge* edge = part.edges;
  for (int other = 0; other < size; other++) {
    int count = border(rank, other, size, degree, seed);
    if (count == 0) continue;
    *edge++ = (Edge){other, count, calloc((size_t)count, sizeof(int64_t)),
                     calloc((size_t)count, sizeof(int64_t))};
  }
  return part;
}

static void free_part(Part* part) {
  for (int e = 0; e < part->degree; e++) {
    free(part->edges[e].out);
    free(part->edges[e].in);
  }
  free(part->edges);
  free(part->requests);
}

static void post(Part* part) {
  for (int e = 0; e < part->degree; e++) {
    Edge* edge = &part->edges[e];
    MPI_Irecv(edge->in, edge->count, MPI_INT64_T, edge->rank, 0, MPI_COMM_WORLD,
              &part->requests[e]);
  }
  for (int e = 0; e < part->degree; e++) {
    Edge* edge = &part->edges[e];
    MPI_Isend(edge->out, edge->count, MPI_INT64_T, edge->rank, 0, MPI_COMM_WORLD,
              &part->requests[part->degree + e]);
  }
}

/* The flow over an edge is the same, with the other sign, at its other end. */
static int64_t flow_in(const Edge* edge) {
  int64_t flow = 0;
  for (int i = 0; i < edge->count; i++) flow += (edge->in[i] - edge->out[i]) / 256;
  return flow;
}

static int64_t exchange(Part* part, int64_t amount) {
  int64_t change = 0;
  for (int e = 0; e < part->degree; e++)
    for (int i = 0; i < part->edges[e].count; i++) part->edges[e].out[i] = amount / (i + 1);
  post(part);
  for (int arrived = 0; arrived < part->degree; arrived++) {
    int e;
    MPI_Waitany(part->degree, part->requests, &e, MPI_STATUS_IGNORE);
    change += flow_in(&part->edges[e]);
    compute(1e-8 * part->work * part->edges[e].count);
  }
  MPI_Waitall(part->degree, part->requests + part->degree, MPI_STATUSES_IGNORE);
  return change;
}

int main(int argc, char** argv) {
  int rank, size, steps = 10, degree = 4, seed = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1, "--degree", &degree, 1, "--seed", &seed, 1);
  compute_setup(rank, size);

  Part part = make_part(rank, size, degree, (uint64_t)seed);
  int64_t amount = 1000000 + random_below((uint64_t)seed + 3, (uint64_t)rank, 1000000), before;
  int64_t after;
  MPI_Allreduce(&amount, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  for (int step = 0; step < steps; step++) amount += exchange(&part, amount);
  MPI_Allreduce(&amount, &after, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);

  int most;
  MPI_Allreduce(&part.degree, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  int status =
      verdict(before != after, "irregular: %d ranks, %d steps, up to %d neighbors, total %lld",
              size, steps, most, (long long)after);
  free_part(&part);
  MPI_Finalize();
  return status;
}
