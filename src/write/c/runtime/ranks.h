/* Ranks, sizes and neighbors in communicators. A process outside, whose communicator is MPI_COMM_NULL, is rank 0 of 1: it
 * may hand its numbers to a function that makes no call with them. */
static inline int rank_in(MPI_Comm comm) {
  int r = 0;
  if (comm != MPI_COMM_NULL) MPI_Comm_rank(comm, &r);
  return r;
}
static inline int local_size(MPI_Comm comm) {
  int n = 1;
  if (comm != MPI_COMM_NULL) MPI_Comm_size(comm, &n);
  return n;
}
/* How many ranks a call in the communicator can name. */
static inline int size_of(MPI_Comm comm) {
  int n = local_size(comm), is_inter;
  if (comm == MPI_COMM_NULL) return n;
  MPI_Comm_test_inter(comm, &is_inter);
  if (is_inter) MPI_Comm_remote_size(comm, &n);
  return n;
}

/* The rank so many behind this one in the communicator, around it. Constants of MPI stay. */
static inline int around(MPI_Comm comm, long long steps) {
  const int n = size_of(comm);
  return steps < 0 || steps >= n ? (int)steps : (int)((rank_in(comm) + steps) % n);
}
/* The rank that differs in these bits. */
static inline int across(MPI_Comm comm, long long bits) { return bits < 0 ? (int)bits : rank_in(comm) ^ (int)bits; }
static inline int *all_around(MPI_Comm comm, long long n, const int *steps) {
  int *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = around(comm, steps[i]);
  return a;
}
static inline int *all_across(MPI_Comm comm, long long n, const int *bits) {
  int *a = fresh(n, sizeof *a);
  for (long long i = 0; i < n; i++) a[i] = across(comm, bits[i]);
  return a;
}

/* The rank so many steps along each dimension of a grid, x first; nobody beyond a border where it does not wrap. */
static inline int neighbor(int dimensions, const int *extents, const int *steps, const int *wraps) {
  int place = rank, found = 0, stride = 1;
  for (int d = 0; d < dimensions; d++) {
    int to = place % extents[d] + steps[d];
    if ((to < 0 || to >= extents[d]) && !wraps[d]) return MPI_PROC_NULL;
    to = (to % extents[d] + extents[d]) % extents[d];
    found += to * stride;
    place /= extents[d];
    stride *= extents[d];
  }
  return found;
}

/* Neighbors in the topology of a communicator that send to this rank, or that it sends to. */
static inline int bm_degree(MPI_Comm comm, int in) {
  int topology, n = 0, out = 0, weighted;
  MPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    MPI_Cartdim_get(comm, &n);
    return 2 * n;
  }
  if (topology == MPI_GRAPH) {
    MPI_Graph_neighbors_count(comm, rank_in(comm), &n);
    return n;
  }
#ifndef SMPI_H
  MPI_Dist_graph_neighbors_count(comm, &n, &out, &weighted);
#else
  (void)weighted;
#endif
  return in ? n : out;
}
static inline int sources_of(MPI_Comm comm) { return bm_degree(comm, 1); }
static inline int destinations_of(MPI_Comm comm) { return bm_degree(comm, 0); }

/* MPI_UNWEIGHTED is the address of no array, at which compilers wonder. */
static inline int *hidden(int *constant) {
  int *volatile p = constant;
  return p;
}
