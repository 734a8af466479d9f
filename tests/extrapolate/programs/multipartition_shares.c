/* A cube of 36 x 36 x 36 points cut into q x q x q cells for q x q ranks, q cells a rank, one in
 * each plane of each direction (as NPB BT and SP). Where q does not divide 36 the first cells are
 * larger.
 *
 * Counts: sums over the cells of a rank of products of two sizes; the largest cell's face; the
 * inner part of a cell's face, which borders make smaller. Tags: from the cell's two other
 * coordinates. */
#include "pattern.h"

enum { POINTS = 36, STEPS = 4 };

static int q, first_x, first_y;

/* Cell c of a rank lies at (first_x + c, first_y - c, c) modulo q. */
static int place(int direction, int c) {
  return direction == 0 ? (first_x + c) % q : direction == 1 ? (first_y - c + q) % q : c;
}

static int cell_in_plane(int direction, int plane) {
  for (int c = 0; c < q; c++)
    if (place(direction, c) == plane) return c;
  return -1;
}

static int width(int direction, int c) { return share(POINTS, q, place(direction, c)); }

/* The rank whose cells follow ours in a direction (sign 1) or precede them (-1). */
static int neighbor(int direction, int sign) {
  static const int dx[3] = {1, 0, -1}, dy[3] = {0, 1, 1};
  return (first_x + sign * dx[direction] + q) % q + q * ((first_y + sign * dy[direction] + q) % q);
}

/* Points of the faces on one side of all cells but those at the border. */
static int face_points(int direction, int border) {
  int sum = 0;
  for (int c = 0; c < q; c++)
    if (place(direction, c) != border)
      sum += width((direction + 1) % 3, c) * width((direction + 2) % 3, c);
  return sum;
}

/* Faces to the neighbors in a direction, and as large ones from there. */
static void copy_faces(int direction) {
  const int next = neighbor(direction, 1), previous = neighbor(direction, -1);
  const int to_next = 10 * face_points(direction, q - 1);
  const int to_previous = 10 * face_points(direction, 0);
  MPI_Request requests[4];
  MPI_Irecv(in, to_next, MPI_DOUBLE, next, 2 * direction, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(in, to_previous, MPI_DOUBLE, previous, 2 * direction + 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(out, to_next, MPI_DOUBLE, next, 2 * direction + 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(out, to_previous, MPI_DOUBLE, previous, 2 * direction, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static int inner_width(int direction, int c) {
  return width(direction, c) - (place(direction, c) == 0) - (place(direction, c) == q - 1);
}

/* Elimination along a direction hands on the largest cell's face, substitution back the inner part
 * of this cell's. */
static void solve(int direction) {
  const int one = (direction + 1) % 3, other = (direction + 2) % 3, most = POINTS / q + 1;
  MPI_Request requests[2];
  for (int stage = 0; stage < q; stage++) {
    int c = cell_in_plane(direction, stage);
    int tag = 1000 * (direction + 1) + place(one, c) + q * place(other, c);
    if (stage > 0) {
      MPI_Irecv(in, 5 * most * most, MPI_DOUBLE, neighbor(direction, -1), tag, MPI_COMM_WORLD,
                &requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    if (stage + 1 < q) {
      MPI_Isend(out, 5 * most * most, MPI_DOUBLE, neighbor(direction, 1), tag, MPI_COMM_WORLD,
                &requests[1]);
      MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    }
  }
  for (int stage = q - 1; stage >= 0; stage--) {
    int c = cell_in_plane(direction, stage),
        count = 22 * inner_width(one, c) * inner_width(other, c);
    int tag = 5000 + 1000 * direction + place(one, c) + q * place(other, c);
    if (stage + 1 < q)
      MPI_Irecv(in, count, MPI_DOUBLE, neighbor(direction, 1), tag, MPI_COMM_WORLD, &requests[0]);
    if (stage > 0)
      MPI_Isend(out, count, MPI_DOUBLE, neighbor(direction, -1), tag, MPI_COMM_WORLD,
                &requests[1]);
    if (stage + 1 < q) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    if (stage > 0) MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  q = 1;
  while ((q + 1) * (q + 1) <= size) q++;
  first_x = rank % q;
  first_y = rank / q;
  for (int step = 0; step < STEPS && q * q == size; step++) {
    copy_faces(0);
    copy_faces(1);
    copy_faces(2);
    solve(0);
    solve(1);
    solve(2);
  }
  MPI_Finalize();
  return 0;
}
