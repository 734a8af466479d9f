#include "mpi/communicators/directory.hpp"

#include <gtest/gtest.h>

#include "mpi/test_events.hpp"

namespace reprise::mpi {
namespace {

TEST(Directory, FromARankInAGroupToTheWorld) {
  Directory all;
  const auto place = [](std::int64_t rank) {
    return Group{.key = 5, .members = 5, .side = 5, .rank = rank, .size = 2};
  };
  const Group first = place(0), second = place(1);
  all.add(first, 7);
  EXPECT_EQ(all.find({5, 5}, Rank{1}), std::nullopt) << "it has not come by yet";
  EXPECT_FALSE(all.knows_all({5, 5}));
  all.add(second, 3);
  EXPECT_EQ(all.find({5, 5}, Rank{1}), 3u);
  EXPECT_TRUE(all.knows_all({5, 5}));
  EXPECT_EQ(all.lowest(5), 3u);
  EXPECT_EQ(all.members(first), 2);
  EXPECT_EQ(all.peers_of(first).side, 5u);
}

TEST(Directory, UnknownGroupsAreNotKept) {
  Directory all;
  all.add(Group{}, 7);
  EXPECT_EQ(all.find({}, Rank{0}), std::nullopt);
  EXPECT_EQ(all.lowest(0), std::nullopt);
}

// Ranks 0 and 1 face ranks 2, 3 and 4: each side counts the other.
TEST(Directory, PeersAreOnTheOtherSide) {
  Directory all;
  const auto place = [](std::uint64_t side, std::int64_t rank, std::int64_t size) {
    return Group{
        .key = 5, .members = 5, .side = side, .rank = rank, .size = size, .is_inter = true};
  };
  all.add(place(8, 0, 3), 0);
  EXPECT_EQ(all.peers_of(place(8, 0, 3)).side, 0u);
  EXPECT_EQ(all.members(place(8, 0, 3)), 0) << "the other side is not known yet";
  all.add(place(9, 1, 2), 3);
  EXPECT_EQ(all.peers_of(place(8, 0, 3)).side, 9u);
  EXPECT_EQ(all.find({5, 9}, Rank{1}), 3u);
  EXPECT_EQ(all.members(place(8, 0, 3)), 5);
  std::vector<std::uint64_t> seen;
  all.for_each(5, [&](std::uint64_t rank) { seen.push_back(rank); });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, 3}));
  seen.clear();
  all.for_each(Side{5, 9}, [&](std::uint64_t rank) { seen.push_back(rank); });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{3}));
  const auto any = [](std::uint64_t) { return true; };
  EXPECT_EQ(all.find_if({5, 8}, any), 0u);
  EXPECT_EQ(all.find_if({5, 9}, any), 3u);
  EXPECT_FALSE(all.knows_all({5, 9})) << "one of three";
  all.add(place(9, 0, 2), 2);
  all.add(place(9, 2, 2), 4);
  EXPECT_TRUE(all.knows_all({5, 9}));
  EXPECT_FALSE(all.knows_all({5, 8})) << "one of two";
  EXPECT_FALSE(all.knows_all({5, 0}));
}

// Nothing is kept for each of them, and one that has not made it yet is a member all the same.
TEST(Directory, WindowsFilesAndDuplicatesHaveTheMembersOfTheirCommunicator) {
  GroupNames names;
  Groups first(names, {0, 2}), second(names, {1, 2});
  Directory all;
  all.add_predefined(first, 0);
  all.add_predefined(second, 1);
  for (const trace::Event& makes :
       {event("MPI_File_open", {{"fh", 3}}),
        event("MPI_Win_create", {{"win", 4}, {"win_rank", 0}, {"win_size", 2}}),
        event("MPI_Comm_dup", {{"newcomm", 5}, {"newcomm_rank", 0}, {"newcomm_size", 2}})}) {
    first.learn(makes);
    all.add_made(first, makes, 0);
    const Group made = first.made(makes).front();
    EXPECT_NE(made.key, first.comm(CommId{0}).key) << makes.function->name;
    EXPECT_EQ(all.find(all.peers_of(made), Rank{1}), 1u) << makes.function->name;
  }
}

}  // namespace
}  // namespace reprise::mpi
