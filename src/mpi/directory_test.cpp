#include "mpi/directory.hpp"

#include <gtest/gtest.h>

namespace reprise::mpi {
namespace {

TEST(Directory, FromARankInAGroupToTheWorld) {
  Directory all;
  const Group first{.key = 5, .side = 5, .rank = 0, .size = 2}, second{5, 5, 1, 2, false};
  all.add(first, 7);
  EXPECT_EQ(all.find({5, 5}, Rank{1}), std::nullopt) << "it has not come by yet";
  all.add(second, 3);
  EXPECT_EQ(all.find({5, 5}, Rank{1}), 3u);
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
    return Group{.key = 5, .side = side, .rank = rank, .size = size, .is_inter = true};
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
  EXPECT_TRUE(all.knows({5, 9}));
  EXPECT_FALSE(all.knows({5, 0}));
}

}  // namespace
}  // namespace reprise::mpi
