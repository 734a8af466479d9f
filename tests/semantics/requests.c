// Which request a completion is about. All sends here are eager: their handles may be equal. What
// the program means follows from where it keeps them; the numbers are those of the MPI standard's
// own view, in which every request is an object.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int other, value;

static void send(int tag, MPI_Request* request) {
  MPI_Isend(&value, 1, MPI_INT, other, tag, MPI_COMM_WORLD, request);
}

static void receive(int n) {
  int got;
  for (int i = 0; i < n; i++)
    MPI_Recv(&got, 1, MPI_INT, other, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);  // both have received all
}

static void wait(MPI_Request* request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

// Layers that hand requests over by value.
__attribute__((noinline)) static MPI_Request sent(int tag) {
  MPI_Request request;
  send(tag, &request);
  return request;
}
__attribute__((noinline)) static void wait_for(MPI_Request request) { wait(&request); }

//= rank *: MPI_Wait request=0
//= rank *: MPI_Wait request=0
static void younger_first(void) {
  MPI_Request q[2];
  send(1, &q[0]);
  send(2, &q[1]);
  receive(2);
  wait(&q[1]);
  wait(&q[0]);
}

//= rank *: MPI_Waitall requests=[1,2,0,3]
static void out_of_order(void) {
  static MPI_Request q[4];
  const int order[] = {3, 1, 0, 2};
  for (int i = 0; i < 4; i++) send(i, &q[order[i]]);
  receive(4);
  MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
}

//= rank *: MPI_Waitall requests=[2,1,0]
//= rank *: MPI_Waitall requests=[NULL,1,0]
static void copied(void) {
  MPI_Request q[3], r;
  for (int i = 0; i < 3; i++) {
    send(i, &r);
    q[i] = r;
  }
  r = MPI_REQUEST_NULL;
  receive(3);
  MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
  for (int i = 1; i < 3; i++) {
    send(i, &r);
    memcpy(&q[i], &r, sizeof r);
  }
  receive(2);
  MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
}

// The older one at z has the same handle and is not meant.
//= rank *: MPI_Wait request=1
//= rank *: MPI_Wait request=0
//= rank *: MPI_Wait request=0
static void swapped(void) {
  MPI_Request q[2], z, r;
  int got;
  send(1, &z);
  send(2, &q[0]);
  MPI_Irecv(&got, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &q[1]);
  r = q[0], q[0] = q[1], q[1] = r;
  receive(2);
  wait(&q[1]);
  MPI_Send(&value, 1, MPI_INT, other, 3, MPI_COMM_WORLD);
  wait(&q[0]);
  wait(&z);
}

//= rank *: MPI_Wait request=2
//= rank *: MPI_Waitall requests=[2,0,1]
static void compacted(void) {
  MPI_Request* q = malloc(4 * sizeof *q);
  for (int i = 0; i < 4; i++) send(i, &q[i]);
  receive(4);
  wait(&q[1]);
  q[1] = q[3];
  MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
  free(q);
}

// The array moves, and its former memory is used for something else or is gone.
//= rank *: MPI_Wait request=1
//= rank *: MPI_Wait request=0
//= rank *: MPI_Wait request=0
//= rank *: MPI_Wait request=1
//= rank *: MPI_Wait request=0
static void moved(size_t n) {
  MPI_Request z, *q = malloc(n * sizeof *q), *to = malloc(2 * n * sizeof *q);
  if (n == 2) send(9, &z);
  send(0, &q[0]);
  send(1, &q[1]);
  memcpy(to, q, 2 * sizeof *q);
  memset(q, 0x55, n * sizeof *q);
  free(q);
  receive(n == 2 ? 3 : 2);
  wait(&to[0]);
  wait(&to[1]);
  if (n == 2) wait(&z);
  free(to);
}

//= rank *: MPI_Wait request=2
//= rank *: MPI_Wait request=1
//= rank *: MPI_Wait request=0
static void by_value(void) {
  const MPI_Request a = sent(1), b = sent(2), c = sent(3);
  receive(3);
  wait_for(a);
  wait_for(b);
  wait_for(c);
}

//= rank *: MPI_Request_free request=0
//= rank *: MPI_Wait request=0
//= rank *: MPI_Request_free request=1
//= rank *: MPI_Wait request=0
static void freed(void) {
  MPI_Request a, b;
  for (int i = 0; i < 2; i++) {
    send(1, &a);
    send(2, &b);
    receive(2);
    MPI_Request_free(i == 0 ? &b : &a);
    wait(i == 0 ? &a : &b);
  }
}

//= rank *: MPI_Startall requests=[0,1]
//= rank *: MPI_Waitall requests=[0,1]
//= rank *: MPI_Request_free request=0
//= rank *: MPI_Request_free request=0
static void persistent(void) {
  MPI_Request p[2], q[2];
  MPI_Send_init(&value, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &p[0]);
  MPI_Send_init(&value, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &p[1]);
  q[0] = p[1], q[1] = p[0];
  MPI_Startall(2, q);
  receive(2);
  MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
  MPI_Request_free(&q[0]);
  MPI_Request_free(&q[1]);
}

//= rank *: MPI_Wait request=0
//= rank *: MPI_Wait request=0
static void to_nobody(void) {
  MPI_Request a, b;
  MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &a);
  MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &b);
  wait(&b);
  wait(&a);
}

// An older one elsewhere is not among them.
//= rank *: MPI_Waitany requests=[2,1,0] index=0
//= rank *: MPI_Waitany requests=[NULL,1,0] index=1
//= rank *: MPI_Testall requests=[NULL,NULL,0]
//= rank *: MPI_Waitsome requests=[2,1,0] index=0
//= rank *: MPI_Waitsome requests=[NULL,1,0] index=1
//= rank *: MPI_Waitsome requests=[NULL,NULL,0] index=2
//= rank *: MPI_Waitsome requests=[NULL,NULL,NULL] index=MPI_UNDEFINED
//= rank *: MPI_Wait request=0
static void lists(void) {
  MPI_Request z, q[3];
  int index, flag = 0, count, indices[3];
  send(9, &z);
  for (int i = 0; i < 3; i++) send(i, &q[i]);
  receive(4);
  MPI_Waitany(3, q, &index, MPI_STATUS_IGNORE);
  MPI_Waitany(3, q, &index, MPI_STATUS_IGNORE);
  while (!flag) MPI_Testall(3, q, &flag, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 3; i++) send(i, &q[i]);
  receive(3);
  do {
    MPI_Waitsome(3, q, &count, indices, MPI_STATUSES_IGNORE);
  } while (count != MPI_UNDEFINED);
  wait(&z);
}

//= losses: none
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &other);
  other = 1 - other;
  younger_first();
  out_of_order();
  copied();
  swapped();
  compacted();
  moved(2);
  moved(1 << 20);  // given back to the system at once
  by_value();
  freed();
  persistent();
  to_nobody();
  lists();
  MPI_Finalize();
  return 0;
}
