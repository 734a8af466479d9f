#include "mpi/communicators/communicators.hpp"

#include <gtest/gtest.h>

#include "mpi/test_events.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

constexpr CommId kWorld{trace::kWorld};

bool is_place(const Communicator& c, std::int64_t rank, std::int64_t size) {
  return c.membership.rank == rank && c.membership.size == size;
}

// Of rank 1 of 6.
class TestCommunicators : public testing::Test {
 protected:
  Communicators known{{1, 6}};

  // A grid of two rows of three, the rows being rings: communicator 2.
  bool make_grid() {
    return known.learn(event("MPI_Cart_create",
                             {{"newcomm", 2}, {"newcomm_rank", 1}, {"newcomm_size", 6}},
                             {{"dims", {2, 3}}, {"periods", {0, 1}}}));
  }
  bool make(const std::string& function, Scalars scalars, std::int64_t made,
            trace::Membership place) {
    scalars.insert({{"newcomm", made}, {"newcomm_rank", place.rank}, {"newcomm_size", place.size}});
    return known.learn(event(function, std::move(scalars)));
  }
};

TEST_F(TestCommunicators, WorldAndSelf) {
  EXPECT_TRUE(is_place(known.find(kWorld), 1, 6));
  EXPECT_TRUE(is_place(known.find(CommId{trace::kSelf}), 0, 1));
  EXPECT_FALSE(known.find(CommId{7}).is_known());
}

TEST_F(TestCommunicators, ThatOfAnEvent) {
  EXPECT_EQ(known.of(event("MPI_Barrier", {{"comm", 0}})).membership.size, 6);
  EXPECT_FALSE(known.of(event("MPI_Barrier", {{"comm", 5}})).is_known());
  EXPECT_FALSE(known.of(event("MPI_Win_fence", {{"win", 0}})).is_known())
      << "a window's number is no communicator's";
  EXPECT_FALSE(known.of(event("MPI_Wait", {})).is_known());
}

TEST_F(TestCommunicators, NumbersAreGivenAgain) {
  EXPECT_TRUE(make("MPI_Comm_split", {}, 2, {0, 2}));
  EXPECT_TRUE(make("MPI_Comm_split", {}, 2, {0, 2}));
  EXPECT_FALSE(make("MPI_Comm_split", {}, 2, {1, 3}));
  EXPECT_TRUE(is_place(known.find(CommId{2}), 1, 3));
}

TEST_F(TestCommunicators, AnUnknownParentMayBeAnything) {
  EXPECT_FALSE(make("MPI_Comm_dup", {{"comm", 9}}, 2, {1, 6}));
  EXPECT_TRUE(known.find(CommId{2}).is_known());
}

TEST_F(TestCommunicators, GridsHaveNeighbors) {
  EXPECT_TRUE(make_grid());
  const Communicator& grid = known.find(CommId{2});
  EXPECT_TRUE(grid.has_topology);
  EXPECT_EQ(grid.neighbors.sources, (std::vector<std::int64_t>{trace::kProcNull, 4, 0, 2}));
}

TEST_F(TestCommunicators, PartsOfAGrid) {
  make_grid();
  known.learn(event("MPI_Cart_sub",
                    {{"comm", 2}, {"newcomm", 3}, {"newcomm_rank", 1}, {"newcomm_size", 3}},
                    {{"remain_dims", {0, 1}}}));
  EXPECT_EQ(known.find(CommId{3}).grid, (Grid{{3}, {1}}));
  EXPECT_EQ(known.find(CommId{3}).neighbors.sources, (std::vector<std::int64_t>{0, 2}));
}

// A communicator of the same processes that is no duplicate has no topology (MPI 3.1, 6.4.2).
TEST_F(TestCommunicators, OnlyDuplicatesKeepTheTopology) {
  make_grid();
  for (const char* name : {"MPI_Comm_dup", "MPI_Comm_idup"}) {
    make(name, {{"comm", 2}}, 3, {1, 6});
    EXPECT_EQ(known.find(CommId{3}), known.find(CommId{2})) << name;
  }
  for (const char* name : {"MPI_Comm_create", "MPI_Comm_split", "MPI_Comm_split_type"}) {
    make(name, {{"comm", 2}}, 3, {1, 6});
    EXPECT_FALSE(known.find(CommId{3}).has_topology) << name;
    EXPECT_TRUE(known.find(CommId{3}).grid.empty()) << name;
  }
}

TEST_F(TestCommunicators, NeighborsOfAGraphThatAllDescribeAreUnknown) {
  known.learn(event("MPI_Dist_graph_create",
                    {{"newcomm", 2}, {"newcomm_rank", 1}, {"newcomm_size", 6}},
                    {{"sources", {0}}, {"degrees", {1}}, {"destinations", {1}}}));
  EXPECT_FALSE(known.find(CommId{2}).has_topology);
  known.learn(event("MPI_Dist_graph_create_adjacent",
                    {{"newcomm", 2}, {"newcomm_rank", 1}, {"newcomm_size", 6}},
                    {{"sources", {0}}, {"destinations", {}}}));
  EXPECT_TRUE(known.find(CommId{2}).has_topology);
  EXPECT_EQ(known.find(CommId{2}).neighbors.sources, (std::vector<std::int64_t>{0}));
}

TEST_F(TestCommunicators, ChildrenOfInterCommunicatorsAreSuchButForMergedOnes) {
  known.learn(event("MPI_Intercomm_create",
                    {{"newintercomm", 2}, {"newintercomm_rank", 1}, {"newintercomm_size", 3}}));
  EXPECT_TRUE(known.find(CommId{2}).is_inter);
  EXPECT_TRUE(is_place(known.find(CommId{2}), 1, 3)) << "of the other side";
  make("MPI_Comm_split", {{"comm", 2}}, 3, {0, 1});
  EXPECT_TRUE(known.find(CommId{3}).is_inter);
  known.learn(event(
      "MPI_Intercomm_merge",
      {{"intercomm", 2}, {"newintracomm", 4}, {"newintracomm_rank", 1}, {"newintracomm_size", 6}}));
  EXPECT_FALSE(known.find(CommId{4}).is_inter);
}

}  // namespace
}  // namespace reprise::mpi
