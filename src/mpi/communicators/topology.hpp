// Topologies of communicators: who is whose neighbor (MPI 3.1, chapter 7).
#pragma once

#include <cstdint>
#include <vector>

#include "trace/cursors/call_cursor.hpp"

namespace reprise::mpi {

// A Cartesian topology. Ranks are laid out row by row.
struct Grid {
  std::vector<std::int64_t> dims;     // processes in each dimension, the slowest first
  std::vector<std::int64_t> periods;  // 0: ends at its borders

  bool empty() const { return dims.empty(); }
  bool operator==(const Grid&) const = default;
};

// The dimensions of a grid that MPI_Cart_sub keeps.
Grid sub_grid(const Grid& grid, const std::vector<std::int64_t>& remain);

// The coordinates of a rank in the dimensions that MPI_Cart_sub drops, as one number: ranks of a
// grid are in one part if it is the same.
std::int64_t dropped_coordinates(const Grid& grid, const std::vector<std::int64_t>& remain,
                                 std::int64_t rank);

// The neighbors of a process, as ranks in the communicator or MPI_PROC_NULL, in the order in which
// neighborhood collectives have their blocks.
struct Neighbors {
  std::vector<std::int64_t> sources, destinations;

  bool empty() const { return sources.empty() && destinations.empty(); }
  bool operator==(const Neighbors&) const = default;
};

// How many of them are processes.
std::int64_t count_present(const std::vector<std::int64_t>& neighbors);

// Two in each dimension, the lower one first.
Neighbors grid_neighbors(const Grid& grid, std::int64_t rank);

// Those that a rank of the new communicator gets from the arguments of MPI_Graph_create or
// MPI_Dist_graph_create_adjacent. None of other calls.
Neighbors named_neighbors(const trace::Event& event, std::int64_t rank);

// What a process says of the edges of MPI_Dist_graph_create: those of all processes together tell
// who is whose neighbor.
struct Edge {
  std::int64_t source, destination;

  bool operator==(const Edge&) const = default;
};
std::vector<Edge> named_edges(const trace::Event& event);

// Whether a call makes a duplicate of a communicator: only that has the topology of its original.
bool makes_duplicate(const trace::Function& function);

}  // namespace reprise::mpi
