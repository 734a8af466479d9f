#include "mpi/communicators/groups.hpp"

#include <gtest/gtest.h>

#include "mpi/test_events.hpp"
#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

// What all ranks of a world learn, in their order: `made(rank)` is the event.
template <class Made>
std::vector<Groups> learned(std::int64_t ranks, GroupNames& names, const Made& made) {
  std::vector<Groups> out;
  for (std::int64_t r = 0; r < ranks; ++r) {
    out.emplace_back(names, trace::Membership{r, ranks});
    for (const trace::Event& e : made(r)) out.back().learn(e);
  }
  return out;
}

using Events = std::vector<trace::Event>;

trace::Event split(std::int64_t color, trace::Membership place, std::int64_t made = 2) {
  return event("MPI_Comm_split", {{"color", color},
                                  {"newcomm", made},
                                  {"newcomm_rank", place.rank},
                                  {"newcomm_size", place.size}});
}

TEST(Groups, TheWorldIsOneAndEachSelfAnother) {
  GroupNames names;
  const auto all = learned(2, names, [](auto) { return Events(); });
  EXPECT_EQ(all[0].comm(CommId{0}).key, all[1].comm(CommId{0}).key);
  EXPECT_NE(all[0].comm(CommId{1}).key, all[1].comm(CommId{1}).key);
  EXPECT_FALSE(all[0].comm(CommId{5}).is_known());
}

TEST(Groups, ColorsTellPartsApart) {
  GroupNames names;
  const auto all = learned(4, names, [](std::int64_t r) {
    return Events{split(r % 2, {r / 2, 2})};
  });
  EXPECT_EQ(all[0].comm(CommId{2}).key, all[2].comm(CommId{2}).key);
  EXPECT_EQ(all[1].comm(CommId{2}).key, all[3].comm(CommId{2}).key);
  EXPECT_NE(all[0].comm(CommId{2}).key, all[1].comm(CommId{2}).key);
}

TEST(Groups, CoordinatesTellPartsOfAGridApart) {
  GroupNames names;
  const auto all = learned(6, names, [](std::int64_t r) {
    return Events{
        event("MPI_Cart_create", {{"newcomm", 2}, {"newcomm_rank", r}, {"newcomm_size", 6}},
              {{"dims", {2, 3}}, {"periods", {0, 0}}}),
        event("MPI_Comm_dup",
              {{"comm", 2}, {"newcomm", 3}, {"newcomm_rank", r}, {"newcomm_size", 6}}),
        event("MPI_Cart_sub",
              {{"comm", 3}, {"newcomm", 4}, {"newcomm_rank", r / 3}, {"newcomm_size", 2}},
              {{"remain_dims", {1, 0}}})};
  });
  for (std::size_t r = 0; r < 3; ++r)
    EXPECT_EQ(all[r].comm(CommId{4}).key, all[r + 3].comm(CommId{4}).key) << r;
  EXPECT_NE(all[0].comm(CommId{4}).key, all[1].comm(CommId{4}).key);
}

// Nothing says which ranks MPI_Comm_split_type puts together but where they stand.
TEST(Groups, PartsOfOneSizeAreFilledInOrder) {
  GroupNames names;
  const auto all = learned(4, names, [](std::int64_t r) {
    return Events{event("MPI_Comm_split_type",
                        {{"newcomm", 2}, {"newcomm_rank", r % 2}, {"newcomm_size", 2}})};
  });
  EXPECT_EQ(all[0].comm(CommId{2}).key, all[1].comm(CommId{2}).key);
  EXPECT_EQ(all[2].comm(CommId{2}).key, all[3].comm(CommId{2}).key);
  EXPECT_NE(all[0].comm(CommId{2}).key, all[2].comm(CommId{2}).key);
}

TEST(Groups, SidesOfAnInterCommunicator) {
  GroupNames names;
  const auto all = learned(4, names, [](std::int64_t r) {
    return Events{split(r / 2, {r % 2, 2}),
                  event("MPI_Intercomm_create", {{"local_comm", 2},
                                                 {"peer_comm", 0},
                                                 {"newintercomm", 3},
                                                 {"newintercomm_rank", r % 2},
                                                 {"newintercomm_size", 2}})};
  });
  for (const Groups& g : all) {
    EXPECT_TRUE(g.comm(CommId{3}).is_inter);
    EXPECT_EQ(g.comm(CommId{3}).key, all[0].comm(CommId{3}).key);
  }
  EXPECT_EQ(all[0].comm(CommId{3}).side, all[1].comm(CommId{3}).side);
  EXPECT_NE(all[0].comm(CommId{3}).side, all[2].comm(CommId{3}).side);
}

// The lower and the upper half of a world without MPI_Init, each rank a member of one of them.
Events halves(std::int64_t rank, std::int64_t ranks, const std::string& set) {
  const std::int64_t half = ranks / 2;
  const auto range = [&](std::int64_t first, std::int64_t made) {
    return event("MPI_Group_range_incl", {{"group", 1}, {"newgroup", made}},
                 {{"ranges", {first, first + half - 1, 1}}});
  };
  const bool is_low = rank < half;
  return {event("MPI_Group_from_session_pset", {{"newgroup", 1}},
                {{"pset_name", {set.begin(), set.end()}}}),
          range(0, 2), range(half, 3),
          event("MPI_Intercomm_create_from_groups", {{"local_group", is_low ? 2 : 3},
                                                     {"remote_group", is_low ? 3 : 2},
                                                     {"newintercomm", 2},
                                                     {"newintercomm_rank", rank % half},
                                                     {"newintercomm_size", half}})};
}

TEST(Groups, SidesOfAnInterCommunicatorThatIsMadeOfGroups) {
  GroupNames names;
  const auto all = learned(4, names, [](std::int64_t r) { return halves(r, 4, "mpi://WORLD"); });
  for (const Groups& g : all) {
    EXPECT_TRUE(g.comm(CommId{2}).is_inter);
    EXPECT_EQ(g.comm(CommId{2}).key, all[0].comm(CommId{2}).key);
  }
  EXPECT_EQ(all[0].comm(CommId{2}).side, all[1].comm(CommId{2}).side);
  EXPECT_EQ(all[2].comm(CommId{2}).side, all[3].comm(CommId{2}).side);
  EXPECT_NE(all[0].comm(CommId{2}).side, all[2].comm(CommId{2}).side);
}

TEST(Groups, OfGroupsThatAreNotKnownNobodyKnowsTheSides) {
  GroupNames names;
  const auto all = learned(4, names, [](std::int64_t r) { return halves(r, 4, "app://ocean"); });
  EXPECT_FALSE(all[0].comm(CommId{2}).is_known());
}

TEST(Groups, WindowsAreNumberedByTheirCommunicator) {
  GroupNames names;
  const auto all = learned(2, names, [](std::int64_t r) {
    const auto window = [&](std::int64_t number) {
      return event("MPI_Win_allocate",
                   {{"win", number}, {"win_rank", r}, {"win_size", 2}, {"comm", 0}});
    };
    // Ranks number theirs differently.
    return Events{window(r), window(r + 1)};
  });
  const auto of = [&](std::size_t r, std::int64_t number) {
    return all[r].of(event("MPI_Win_fence", {{"win", number}})).key;
  };
  EXPECT_EQ(of(0, 0), of(1, 1));
  EXPECT_EQ(of(0, 1), of(1, 2));
  EXPECT_NE(of(0, 0), of(0, 1));
}

// A view of a file makes datatypes, and leaves its processes as they are.
TEST(Groups, OfAFileAreThoseThatOpenedIt) {
  GroupNames names;
  Groups groups(names, {1, 4});
  const trace::Event open = event("MPI_File_open", {{"fh", 3}});
  groups.learn(open);
  const std::vector<Group> made = groups.made(open);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0].size, 4);
  EXPECT_EQ(made[0].rank, 1);
  const trace::Event view = event("MPI_File_get_view", {{"fh", 3}});
  groups.learn(view);
  EXPECT_TRUE(groups.made(view).empty());
  EXPECT_EQ(groups.of(event("MPI_File_write_all", {{"fh", 3}})).key, made[0].key);
}

}  // namespace
}  // namespace reprise::mpi
