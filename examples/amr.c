/* Adaptive mesh refinement: a circular front moves over a square of blocks; blocks near it are
 * refined, and whenever the refinement changes, the blocks are dealt out anew so that all ranks
 * have about the same number of cells.
 *
 * Class: data-dependent regridding (Allgatherv, migration of blocks), then halo messages whose
 * number, size and partners change with the partition. All blocks are computed once more by
 * everybody, without communication, to check the result.
 */
#include "compute.h"
#include "harness.h"

#include <math.h>

enum { COARSE_CELLS = 2, SIDES = 4 };

typedef struct {
  int level, owner;
  uint32_t value;  // of all its cells
} Block;

typedef struct {
  int rank, size, side;  // side: blocks in a row
  Block* blocks;         // [side * side]; value holds for the own blocks alone
} Mesh;

/* The finest level within half a block of the front, the next one within one block and a half. */
static int wanted_level(int side, int b, int step) {
  double y = (b / side + 0.5) / side, x = (b % side + 0.5) / side;
  double distance = fabs(hypot(x, y) - 0.12 * step - 0.1) * side;
  return distance < 0.5 ? 2 : distance < 1.5 ? 1 : 0;
}

static int cells(int level) {
  return (COARSE_CELLS << level) * (COARSE_CELLS << level);
}

/* The block beyond one side of block b, or -1. Sides s and s ^ 1 face each other. */
static int beyond(int side, int b, int s) {
  int y = b / side + (s == 0 ? -1 : s == 1), x = b % side + (s == 2 ? -1 : s == 3);
  return y < 0 || y >= side || x < 0 || x >= side ? -1 : y * side + x;
}

/* Deals out runs of blocks with about the same number of cells. */
static void partition(const Mesh* mesh, int* owner) {
  long total = 0, before = 0;
  for (int b = 0; b < mesh->side * mesh->side; b++) total += cells(mesh->blocks[b].level);
  for (int b = 0; b < mesh->side * mesh->side; b++) {
    owner[b] = (int)(before * mesh->size / total);
    before += cells(mesh->blocks[b].level);
  }
}

/* Tells everybody the levels that the owners want; ranks own runs of blocks, so that they fit
 * together. */
static void share_levels(Mesh* mesh, int step) {
  const int n = mesh->side * mesh->side;
  int *mine = calloc((size_t)n, sizeof *mine), *all = calloc((size_t)n, sizeof *all);
  int* counts = calloc((size_t)mesh->size, sizeof *counts);
  int *starts = calloc((size_t)mesh->size, sizeof *starts), own = 0;
  for (int b = 0; b < n; b++) {
    counts[mesh->blocks[b].owner]++;
    if (mesh->blocks[b].owner == mesh->rank) mine[own++] = wanted_level(mesh->side, b, step);
  }
  for (int r = 1; r < mesh->size; r++) starts[r] = starts[r - 1] + counts[r - 1];
  MPI_Allgatherv(mine, own, MPI_INT, all, counts, starts, MPI_INT, MPI_COMM_WORLD);
  for (int b = 0; b < n; b++) mesh->blocks[b].level = all[b];
  free(mine);
  free(all);
  free(counts);
  free(starts);
}

/* Sends the blocks that change hands, cell by cell, to their new owners. Returns how many cells
 * arrived damaged. */
static long migrate(Mesh* mesh, const int* new_owner) {
  const int n = mesh->side * mesh->side, most = cells(2);
  MPI_Request* requests = calloc((size_t)n, sizeof *requests);
  uint32_t* payload = calloc((size_t)n * (size_t)most, sizeof *payload);
  int pending = 0;
  long wrong = 0;
  for (int b = 0; b < n; b++) {
    Block* block = &mesh->blocks[b];
    uint32_t* cell = payload + b * most;
    if (block->owner == new_owner[b]) continue;
    if (block->owner == mesh->rank) {
      for (int i = 0; i < cells(block->level); i++) cell[i] = block->value;
      MPI_Isend(cell, cells(block->level), MPI_UINT32_T, new_owner[b], b, MPI_COMM_WORLD,
                &requests[pending++]);
    } else if (new_owner[b] == mesh->rank) {
      MPI_Irecv(cell, cells(block->level), MPI_UINT32_T, block->owner, b, MPI_COMM_WORLD,
                &requests[pending++]);
    }
  }
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  for (int b = 0; b < n; b++) {
    if (new_owner[b] == mesh->rank && mesh->blocks[b].owner != mesh->rank) {
      mesh->blocks[b].value = payload[b * most];
      for (int i = 0; i < cells(mesh->blocks[b].level); i++)
        wrong += payload[b * most + i] != mesh->blocks[b].value;
    }
    mesh->blocks[b].owner = new_owner[b];
  }
  free(requests);
  free(payload);
  return wrong;
}

/* Regrids if any block wants another level. */
static long adapt(Mesh* mesh, int step) {
  int wishes = 0;
  for (int b = 0; b < mesh->side * mesh->side; b++)
    wishes += mesh->blocks[b].owner == mesh->rank &&
              mesh->blocks[b].level != wanted_level(mesh->side, b, step);
  MPI_Allreduce(MPI_IN_PLACE, &wishes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (wishes == 0) return 0;
  int* owner = calloc((size_t)(mesh->side * mesh->side), sizeof *owner);
  share_levels(mesh, step);
  partition(mesh, owner);
  long wrong = migrate(mesh, owner);
  free(owner);
  return wrong;
}

/* Every block gets the sum of itself and its neighbors; edges as fine as their block go to the
 * neighbors' owners. */
static void advance(Mesh* mesh) {
  const int n = mesh->side * mesh->side, longest = COARSE_CELLS << 2;
  MPI_Request* requests = calloc(2 * SIDES * (size_t)n, sizeof *requests);
  uint32_t* in = calloc(SIDES * (size_t)(n * longest), sizeof *in);
  uint32_t* out = calloc((size_t)(n * longest), sizeof *out);
  int pending = 0, work = 0;
  for (int b = 0; b < n; b++) {
    if (mesh->blocks[b].owner != mesh->rank) continue;
    for (int i = 0; i < longest; i++) out[b * longest + i] = mesh->blocks[b].value;
    for (int s = 0; s < SIDES; s++) {
      int other = beyond(mesh->side, b, s);
      int owner = other < 0 ? mesh->rank : mesh->blocks[other].owner;
      if (owner == mesh->rank) continue;
      MPI_Irecv(in + (b * SIDES + s) * longest, COARSE_CELLS << mesh->blocks[other].level,
                MPI_UINT32_T, owner, other * SIDES + (s ^ 1), MPI_COMM_WORLD, &requests[pending++]);
      MPI_Isend(out + b * longest, COARSE_CELLS << mesh->blocks[b].level, MPI_UINT32_T, owner,
                b * SIDES + s, MPI_COMM_WORLD, &requests[pending++]);
    }
  }
  MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE);
  for (int b = 0; b < n; b++) {
    if (mesh->blocks[b].owner != mesh->rank) continue;
    work += cells(mesh->blocks[b].level);
    for (int s = 0; s < SIDES; s++) {
      int other = beyond(mesh->side, b, s);
      if (other >= 0)
        mesh->blocks[b].value += mesh->blocks[other].owner == mesh->rank
                                     ? out[other * longest]
                                     : in[(b * SIDES + s) * longest];
    }
  }
  compute(2e-8 * work);
  free(requests);
  free(in);
  free(out);
}

/* What the blocks must hold: the same steps, in one place. */
static long check(const Mesh* mesh, int steps) {
  const int n = mesh->side * mesh->side;
  uint32_t *value = calloc((size_t)n, sizeof *value), *next = calloc((size_t)n, sizeof *next);
  long wrong = 0;
  for (int b = 0; b < n; b++) value[b] = (uint32_t)random_below(1, (uint64_t)b, 1000);
  for (int step = 0; step < steps; step++) {
    for (int b = 0; b < n; b++) {
      next[b] = value[b];
      for (int s = 0; s < SIDES; s++)
        next[b] += beyond(mesh->side, b, s) < 0 ? 0 : value[beyond(mesh->side, b, s)];
    }
    memcpy(value, next, (size_t)n * sizeof *value);
  }
  for (int b = 0; b < n; b++)
    wrong += mesh->blocks[b].owner == mesh->rank && mesh->blocks[b].value != value[b];
  free(value);
  free(next);
  return wrong;
}

int main(int argc, char** argv) {
  int steps = 8, blocks = 4;
  Mesh mesh = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &mesh.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &mesh.size);
  options(argc, argv, "--steps", &steps, 1, "--blocks", &blocks, 1);
  require(blocks > 0, "amr: --blocks, the number of blocks per rank, must be positive");
  compute_setup(mesh.rank, mesh.size);

  mesh.side = (int)ceil(sqrt((double)blocks * mesh.size));
  const int n = mesh.side * mesh.side;
  mesh.blocks = calloc((size_t)n, sizeof *mesh.blocks);
  for (int b = 0; b < n; b++)
    mesh.blocks[b] =
        (Block){0, (int)((long)b * mesh.size / n), (uint32_t)random_below(1, (uint64_t)b, 1000)};

  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    wrong += adapt(&mesh, step);
    advance(&mesh);
  }

  int fine = 0;
  for (int b = 0; b < n; b++) fine += mesh.blocks[b].level == 2;
  wrong += check(&mesh, steps);
  int status = verdict(wrong, "amr: %d ranks, %d steps, %d of %d blocks are fine", mesh.size, steps,
                       fine, n);
  free(mesh.blocks);
  MPI_Finalize();
  return status;
}
