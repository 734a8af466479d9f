#include "mpi/communicators/topology.hpp"

#include <gtest/gtest.h>

#include "mpi/test_events.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

constexpr std::int64_t kNobody = trace::kProcNull;
using List = std::vector<std::int64_t>;

TEST(Grid, NeighborsAreThoseOfMpi) {
  // 0 1 2
  // 3 4 5
  const Grid grid{{2, 3}, {0, 1}};
  EXPECT_EQ(grid_neighbors(grid, 1).sources, (List{kNobody, 4, 0, 2}));
  EXPECT_EQ(grid_neighbors(grid, 3).sources, (List{0, kNobody, 5, 4}));
  EXPECT_EQ(grid_neighbors(grid, 3).destinations, grid_neighbors(grid, 3).sources);
  EXPECT_EQ(count_present(grid_neighbors(grid, 3).sources), 3);
}

TEST(Grid, ALineOfOneProcessEndsOnBothSides) {
  EXPECT_EQ(grid_neighbors({{1}, {0}}, 0).sources, (List{kNobody, kNobody}));
  EXPECT_EQ(grid_neighbors({{1}, {1}}, 0).sources, (List{0, 0}));
}

TEST(Grid, NoDimensionsHaveNoNeighbors) { EXPECT_TRUE(grid_neighbors({}, 0).empty()); }

TEST(Grid, PartsKeepWhatRemains) {
  EXPECT_EQ(sub_grid({{2, 3, 4}, {0, 1, 0}}, {1, 0, 1}), (Grid{{2, 4}, {0, 0}}));
}

TEST(Grid, PartsAreToldApartByWhatIsDropped) {
  const Grid grid{{2, 3, 4}, {0, 0, 0}};
  const auto part = [&](std::int64_t rank) { return dropped_coordinates(grid, {0, 1, 0}, rank); };
  EXPECT_EQ(part(0), part(4)) << "they differ in the second dimension";
  EXPECT_NE(part(0), part(1));
  EXPECT_NE(part(0), part(12));
  EXPECT_NE(part(1), part(12));
  EXPECT_EQ(dropped_coordinates(grid, {1, 1, 1}, 17), 0) << "there is one part";
}

TEST(Grid, DamagedNumbersDoNoHarm) {
  EXPECT_EQ(grid_neighbors({{0, -5}, {}}, -7).sources.size(), 4u);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(grid_neighbors({{kMost, kMost}, {1, 1}}, kMost).sources.size(), 4u);
  EXPECT_EQ(grid_neighbors({{kMost, kMost}, {1, 1}}, -kMost).sources.size(), 4u);
  dropped_coordinates({{kMost, -1, kMost}, {}}, {}, -kMost);
}

TEST(Graph, EachRankHasItsEdges) {
  const trace::Event create =
      event("MPI_Graph_create", {}, {{"index", {2, 3, 3}}, {"edges", {1, 2, 0}}});
  EXPECT_EQ(named_neighbors(create, 0), (Neighbors{{1, 2}, {1, 2}}));
  EXPECT_EQ(named_neighbors(create, 1), (Neighbors{{0}, {0}}));
  EXPECT_TRUE(named_neighbors(create, 2).empty());
  EXPECT_TRUE(named_neighbors(create, 3).empty());
  EXPECT_TRUE(named_neighbors(create, -1).empty());
}

TEST(Graph, AListThatEndsEarlyDoesNoHarm) {
  const trace::Event create =
      event("MPI_Graph_create", {}, {{"index", {2, 9}}, {"edges", {1, 0, 0}}});
  EXPECT_EQ(named_neighbors(create, 1).sources, (List{0}));
}

TEST(Graph, AdjacentOnesAreNamed) {
  const trace::Event create =
      event("MPI_Dist_graph_create_adjacent", {}, {{"sources", {3}}, {"destinations", {1, 2}}});
  EXPECT_EQ(named_neighbors(create, 0), (Neighbors{{3}, {1, 2}}));
  EXPECT_TRUE(named_edges(create).empty());
}

TEST(Graph, EdgesOfAnybody) {
  const trace::Event create =
      event("MPI_Dist_graph_create", {},
            {{"sources", {0, 5}}, {"degrees", {2, 1}}, {"destinations", {1, 2, 3}}});
  EXPECT_EQ(named_edges(create), (std::vector<Edge>{{0, 1}, {0, 2}, {5, 3}}));
  EXPECT_TRUE(named_neighbors(create, 0).empty()) << "one process does not know its own";
}

TEST(Topology, DuplicatesAreMadeOfACommunicatorAlone) {
  const auto is_duplicate = [](std::string_view name) {
    return makes_duplicate(trace::function(*trace::find_function(name)));
  };
  for (const char* name :
       {"MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_idup", "MPI_Comm_idup_with_info"})
    EXPECT_TRUE(is_duplicate(name)) << name;
  for (const char* name :
       {"MPI_Comm_create", "MPI_Comm_create_group", "MPI_Comm_split", "MPI_Comm_split_type",
        "MPI_Cart_create", "MPI_Cart_sub", "MPI_Graph_create", "MPI_Intercomm_create",
        "MPI_Intercomm_merge", "MPI_Comm_get_parent", "MPI_Comm_free", "MPI_Win_create"})
    EXPECT_FALSE(is_duplicate(name)) << name;
}

}  // namespace
}  // namespace reprise::mpi
