// Ranks, sizes and neighbours in communicators of a generated program.
#include "generate/c_fragments.hpp"

namespace reprise::generate {

std::span<const Fragment> rank_fragments() {
  static const std::vector<Fragment> all{
      {"rank_in", {}, R"(
static int rank_in(MPI_Comm comm) {
  int r;
  MPI_Comm_rank(comm, &r);
  return r;
}
)"},
      {"local_size", {}, R"(
static int local_size(MPI_Comm comm) {
  int n;
  MPI_Comm_size(comm, &n);
  return n;
}
)"},
      {"size_of", {}, R"(
static int size_of(MPI_Comm comm) { /* how many ranks a call in the communicator can name */
  int n;
  MPI_Comm_size(comm, &n);
@inter   int is_inter;
@inter   MPI_Comm_test_inter(comm, &is_inter);
@inter   if (is_inter) MPI_Comm_remote_size(comm, &n);
  return n;
}
)"},
      {"around", {"rank_in", "size_of"}, R"(
/* The rank so many behind this one in the communicator, around it. */
static int around(MPI_Comm comm, long long steps) {
  const int n = size_of(comm);
  return steps < 0 || steps >= n ? (int)steps : (int)((rank_in(comm) + steps) % n);
}
)"},
      {"across", {"rank_in"}, R"(
/* The rank that differs in these bits. */
static int across(MPI_Comm comm, long long bits) { return bits < 0 ? (int)bits : rank_in(comm) ^ (int)bits; }
)"},
      {"all_around", {"around", "fresh"}, R"(
static int *all_around(MPI_Comm comm, int n, const int *steps) {
  int *a = fresh(n, sizeof *a);
  for (int i = 0; i < n; i++) a[i] = around(comm, steps[i]);
  return a;
}
)"},
      {"all_across", {"across", "fresh"}, R"(
static int *all_across(MPI_Comm comm, int n, const int *bits) {
  int *a = fresh(n, sizeof *a);
  for (int i = 0; i < n; i++) a[i] = across(comm, bits[i]);
  return a;
}
)"},
      {"degree", {}, R"(
static int degree(MPI_Comm comm, int in) { /* neighbours that send to this rank, or that it sends to */
  int topology, n = 0, out = 0, weighted;
  MPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    MPI_Cartdim_get(comm, &n);
    return 2 * n;
  }
  if (topology == MPI_GRAPH) {
    MPI_Comm_rank(comm, &out);
    MPI_Graph_neighbors_count(comm, out, &n);
    return n;
  }
  MPI_Dist_graph_neighbors_count(comm, &n, &out, &weighted);
  return in ? n : out;
}
)"},
      {"hidden", {}, R"(
static int *hidden(int *constant) { /* MPI_UNWEIGHTED is the address of no array, at which compilers wonder */
  int *volatile p = constant;
  return p;
}
)"},
  };
  return all;
}

}  // namespace reprise::generate
