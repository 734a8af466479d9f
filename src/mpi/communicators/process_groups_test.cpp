#include "mpi/communicators/process_groups.hpp"

#include <gtest/gtest.h>

#include "mpi/test_events.hpp"
#include "trace/calls/predefined.hpp"

namespace reprise::mpi {
namespace {

// Group 1 has ranks 10 to 15, group 2 ranks 14 to 17.
class TestProcessGroups : public testing::Test {
 protected:
  TestProcessGroups() {
    known.add(1, [] { return Members{10, 11, 12, 13, 14, 15}; });
    known.add(2, [] { return Members{14, 15, 16, 17}; });
  }

  Members made(const std::string& function, Scalars scalars, Lists lists = {}) {
    scalars.insert({"newgroup", 3});
    known.learn(event(function, std::move(scalars), std::move(lists)));
    const Members* members = known.members(3);
    return members ? *members : Members();
  }

  ProcessGroups known;
};

TEST_F(TestProcessGroups, WhatIsIncludedAndExcluded) {
  EXPECT_EQ(made("MPI_Group_incl", {{"group", 1}}, {{"ranks", {4, 0}}}), (Members{14, 10}));
  EXPECT_EQ(made("MPI_Group_excl", {{"group", 1}}, {{"ranks", {1, 2, 3}}}), (Members{10, 14, 15}));
  EXPECT_EQ(made("MPI_Group_range_incl", {{"group", 1}}, {{"ranges", {0, 4, 2, 5, 5, 1}}}),
            (Members{10, 12, 14, 15}));
  EXPECT_EQ(made("MPI_Group_range_excl", {{"group", 1}}, {{"ranges", {5, 1, -1}}}), (Members{10}));
}

// A damaged trace names ranks that the group does not have.
TEST_F(TestProcessGroups, RangesHaveNoMoreRanksThanTheGroup) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  const auto included = [&](std::vector<std::int64_t> ranges) {
    return made("MPI_Group_range_incl", {{"group", 1}}, {{"ranges", std::move(ranges)}});
  };
  const Members all{10, 11, 12, 13, 14, 15};
  EXPECT_EQ(included({0, kFar, 1}), all);
  EXPECT_EQ(included({0, kFar, 1, 0, kFar, 1}), all);
  EXPECT_EQ(included({1, kFar, 3}), (Members{11, 14}));
  EXPECT_EQ(included({5, -kFar, -2}), (Members{15, 13, 11}));
  EXPECT_EQ(included({3, 3, 7}), (Members{13}));
  EXPECT_EQ(included({2, 4, -1}), Members());
  EXPECT_EQ(included({-kFar, 4, 1}), Members());
  EXPECT_EQ(included({0, 4, 0}), Members());
}

TEST_F(TestProcessGroups, TwoTogether) {
  EXPECT_EQ(made("MPI_Group_union", {{"group1", 1}, {"group2", 2}}),
            (Members{10, 11, 12, 13, 14, 15, 16, 17}));
  EXPECT_EQ(made("MPI_Group_intersection", {{"group1", 2}, {"group2", 1}}), (Members{14, 15}));
  EXPECT_EQ(made("MPI_Group_difference", {{"group1", 2}, {"group2", 1}}), (Members{16, 17}));
}

TEST_F(TestProcessGroups, WhatIsMadeOfTheUnknownIsUnknown) {
  EXPECT_EQ(known.members(9), nullptr);
  known.learn(event("MPI_Group_incl", {{"group", 9}, {"newgroup", 1}}, {{"ranks", {0}}}));
  EXPECT_EQ(known.members(1), nullptr) << "the number stands for another group now";
  known.forget(2);
  EXPECT_EQ(known.members(2), nullptr);
  EXPECT_EQ(known.members(trace::kEmptyGroup)->size(), 0u);
}

TEST_F(TestProcessGroups, MembersAreListedWhenTheyAreNeeded) {
  int asked = 0;
  known.add(4, [&] { return ++asked, Members{1}; });
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(*known.members(4), (Members{1}));
  EXPECT_EQ(*known.members(4), (Members{1}));
  EXPECT_EQ(asked, 1);
}

TEST(ProcessGroups, GroupsOfOtherThings) {
  const auto gives = [](std::string_view name) {
    return gives_group(trace::function(*trace::find_function(name)));
  };
  for (const char* name : {"MPI_Comm_group", "MPI_Comm_remote_group", "MPI_Win_get_group",
                           "MPI_File_get_group", "MPI_Group_from_session_pset"})
    EXPECT_TRUE(gives(name)) << name;
  for (const char* name : {"MPI_Group_incl", "MPI_Group_union", "MPI_Comm_create", "MPI_Comm_dup"})
    EXPECT_FALSE(gives(name)) << name;
}

TEST(ProcessGroups, SetsOfProcesses) {
  const auto set = [](const std::string& name) {
    return process_set(
        event("MPI_Group_from_session_pset", {}, {{"pset_name", {name.begin(), name.end()}}}));
  };
  EXPECT_EQ(set("mpi://WORLD"), CommId{trace::kWorld});
  EXPECT_EQ(set("mpi://SELF"), CommId{trace::kSelf});
  EXPECT_EQ(set("app://ocean"), std::nullopt);
}

}  // namespace
}  // namespace reprise::mpi
