/* Every datatype constructor: each describes some places of a buffer; those places go to the right
 * neighbor as the type and arrive as plain integers, then plain integers arrive as the type.
 *
 * Class: messages whose layout in memory is described by derived and nested datatypes.
 */
#include "compute.h"
#include "harness.h"

#include <stddef.h>

enum { ROOM = 64, MOST = 32 };

static int rank, left, right;

static int stamp(int from, int place) {
  return 1000 * from + place;
}

/* Sends `type` and receives the integers that the left neighbor has at the same places, then the
 * other way round. */
static long pass_on(MPI_Datatype type, const int* places, int count) {
  int buffer[ROOM], plain[MOST], length, arrived;
  long wrong = 0;
  MPI_Status status;
  for (int i = 0; i < ROOM; i++) buffer[i] = stamp(rank, i);
  MPI_Type_size(type, &length);
  MPI_Sendrecv(buffer, 1, type, right, 0, plain, MOST, MPI_INT, left, 0, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &arrived);
  wrong += arrived != count || length != count * (int)sizeof(int);
  for (int i = 0; i < arrived && i < count; i++) wrong += plain[i] != stamp(left, places[i]);

  MPI_Sendrecv_replace(plain, count, MPI_INT, right, 1, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(plain, count, MPI_INT, left, 2, buffer, 1, type, right, 2, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &arrived);
  wrong += arrived != 1;
  for (int i = 0, next = 0; i < ROOM; i++) {  // the places are in ascending order
    int changed = next < count && places[next] == i;
    int before = buffer[i] == stamp(rank, i);
    next += changed;
    wrong += changed ? buffer[i] != stamp(left, i) : !before;
  }
  return wrong;
}

static long commit_and_pass_on(MPI_Datatype type, const int* places, int count) {
  MPI_Type_commit(&type);
  long wrong = pass_on(type, places, count);
  MPI_Type_free(&type);
  return wrong;
}

static long regular_types(void) {
  MPI_Datatype type;
  long wrong = 0;
  MPI_Type_contiguous(4, MPI_INT, &type);
  wrong += commit_and_pass_on(type, (const int[]){0, 1, 2, 3}, 4);
  MPI_Type_vector(3, 2, 4, MPI_INT, &type);
  wrong += commit_and_pass_on(type, (const int[]){0, 1, 4, 5, 8, 9}, 6);
  MPI_Type_create_hvector(3, 2, 5 * sizeof(int), MPI_INT, &type);
  wrong += commit_and_pass_on(type, (const int[]){0, 1, 5, 6, 10, 11}, 6);
  return wrong;
}

static long indexed_types(void) {
  const int lengths[] = {2, 1, 3}, places[] = {1, 5, 9};
  const MPI_Aint bytes[] = {1 * sizeof(int), 5 * sizeof(int), 9 * sizeof(int)};
  MPI_Datatype type;
  long wrong = 0;
  MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
  wrong += commit_and_pass_on(type, (const int[]){1, 2, 5, 9, 10, 11}, 6);
  MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &type);
  wrong += commit_and_pass_on(type, (const int[]){1, 2, 5, 9, 10, 11}, 6);
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type);
  wrong += commit_and_pass_on(type, (const int[]){1, 2, 5, 6, 9, 10}, 6);
  MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &type);
  wrong += commit_and_pass_on(type, (const int[]){1, 2, 5, 6, 9, 10}, 6);
  return wrong;
}

static long array_types(void) {
  MPI_Datatype type;
  long wrong = 0;
  MPI_Type_create_subarray(3, (const int[]){2, 4, 5}, (const int[]){1, 2, 3},
                           (const int[]){1, 1, 2}, MPI_ORDER_C, MPI_INT, &type);
  wrong += commit_and_pass_on(type, (const int[]){27, 28, 29, 32, 33, 34}, 6);
  /* The second of three parts of 4 x 6 numbers: all rows, and every third column from the second
   * one on. */
  int whole[] = {4, 6}, parts[] = {1, 3}, cut[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC};
  int width[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Type_create_darray(3, 1, 2, whole, cut, width, parts, MPI_ORDER_C, MPI_INT, &type);
  wrong += commit_and_pass_on(type, (const int[]){1, 4, 7, 10, 13, 16, 19, 22}, 8);
  return wrong;
}

/* Types made of types: two columns of a matrix with 5 in a row, which a resized vector puts next to
 * each other. */
static long nested_types(void) {
  MPI_Datatype column, narrow, columns, copy;
  MPI_Aint lower, extent;
  long wrong = 0;
  MPI_Type_vector(3, 1, 5, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, 2 * sizeof(int), &narrow);
  MPI_Type_get_extent(narrow, &lower, &extent);
  wrong += lower != 0 || extent != 2 * (MPI_Aint)sizeof(int);
  MPI_Type_create_struct(2, (const int[]){1, 1}, (const MPI_Aint[]){0, 15 * sizeof(int)},
                         (const MPI_Datatype[]){narrow, narrow}, &columns);
  MPI_Type_dup(columns, &copy);
  wrong += commit_and_pass_on(copy, (const int[]){0, 5, 10, 15, 20, 25}, 6);
  MPI_Type_free(&column);
  MPI_Type_free(&narrow);
  MPI_Type_free(&columns);
  return wrong;
}

typedef struct {
  char kind;
  double weight;
  int place[3];
} Particle;

static MPI_Datatype particle_type(void) {
  const MPI_Aint places[] = {offsetof(Particle, kind), offsetof(Particle, weight),
                             offsetof(Particle, place)};
  MPI_Datatype members, type;
  MPI_Type_create_struct(3, (const int[]){1, 1, 3}, places,
                         (const MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE, MPI_INT}, &members);
  MPI_Type_create_resized(members, 0, sizeof(Particle), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&members);
  return type;
}

static int damaged(const Particle* p, int from, int i) {
  return p->kind != 'a' + i || p->weight != from + 0.5 * i || p->place[0] != from ||
         p->place[2] != i;
}

/* An array of structures, once as such and once packed together with its length. */
static long structures(void) {
  enum { COUNT = 5 };
  Particle mine[COUNT], theirs[COUNT];
  char packed[500], unpacked[500];
  int count = COUNT, position = 0, needed;
  long wrong = 0;
  MPI_Datatype type = particle_type();
  memset(theirs, 0, sizeof theirs);
  for (int i = 0; i < COUNT; i++)
    mine[i] = (Particle){(char)('a' + i), rank + 0.5 * i, {rank, 0, i}};
  MPI_Sendrecv(mine, COUNT, type, right, 3, theirs, COUNT, type, left, 3, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < COUNT; i++) wrong += damaged(&theirs[i], left, i);

  memset(theirs, 0, sizeof theirs);
  MPI_Pack_size(COUNT, type, MPI_COMM_WORLD, &needed);
  MPI_Pack(&count, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
  MPI_Pack(mine, COUNT, type, packed, sizeof packed, &position, MPI_COMM_WORLD);
  wrong += position > needed + 16;
  MPI_Sendrecv(packed, position, MPI_PACKED, right, 4, unpacked, sizeof unpacked, MPI_PACKED, left,
               4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  position = 0;
  MPI_Unpack(unpacked, sizeof unpacked, &position, &count, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(unpacked, sizeof unpacked, &position, theirs, count, type, MPI_COMM_WORLD);
  for (int i = 0; i < COUNT; i++) wrong += damaged(&theirs[i], left, i);
  MPI_Type_free(&type);
  return wrong;
}

int main(int argc, char** argv) {
  int size, steps = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  options(argc, argv, "--steps", &steps, 1);
  compute_setup(rank, size);

  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  long wrong = 0;
  for (int step = 0; step < steps; step++) {
    wrong += regular_types();
    wrong += indexed_types();
    wrong += array_types();
    wrong += nested_types();
    wrong += structures();
    compute(1e-5);
  }
  int status = verdict(wrong, "datatypes: %d ranks, %d steps", size, steps);
  MPI_Finalize();
  return status;
}
