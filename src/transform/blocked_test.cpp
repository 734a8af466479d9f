#include "transform/blocked.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "trace/file/file.hpp"
#include "trace/file/unfinished.hpp"
#include "trace/series/series_folder.hpp"
#include "transform/test_traces.hpp"

namespace reprise::transform {
namespace {

using test::TestCall;
using test::TestStream;
using Cycles = std::vector<std::vector<std::uint64_t>>;

// Calls at this site and at higher ones did not return.
constexpr std::uint32_t kLast = 100;

constexpr std::uint32_t kNone = ~std::uint32_t{0};

// Leaves out calls whose new number is kNone, wherever they stand.
void renumber(std::vector<trace::Item>& body, const std::vector<std::uint32_t>& numbers) {
  std::erase_if(body, [&](trace::Item& item) {
    if (item.is_call()) return (item.call = numbers[item.call]) == kNone;
    renumber(item.body, numbers);
    return item.body.empty();
  });
}

trace::Trace ended_early(const std::vector<TestStream>& streams) {
  trace::Trace t = test::make_trace(streams);
  std::vector<trace::SeriesFolder> trips(t.calls.size());
  for (std::uint64_t stream = 0; stream < t.streams(); ++stream) {
    std::vector<std::int64_t> times(t.calls.size(), 0);
    for (const trace::Event& e : test::events_of(t, stream)) ++times[e.call];
    for (std::size_t c = 0; c < times.size(); ++c) trips[c].append(times[c]);
  }
  trace::Unfinished unfinished;
  std::vector<trace::Call> returned;
  std::vector<std::uint32_t> numbers(t.calls.size(), kNone);
  for (std::size_t c = 0; c < t.calls.size(); ++c) {
    if (t.calls[c].callpath >= kLast) {
      unfinished.calls.push_back({t.calls[c], {.by_stream = trips[c].finish(), .classes = {}}});
    } else {
      numbers[c] = static_cast<std::uint32_t>(returned.size());
      returned.push_back(t.calls[c]);
    }
  }
  t.calls = std::move(returned);
  renumber(t.root.body, numbers);
  trace::set_unfinished(t, unfinished);
  return t;
}

TestCall init() { return {"MPI_Init", 1}; }
TestCall blocked(const char* function, std::uint32_t site,
                 std::map<std::string, std::int64_t> scalars) {
  return {function, kLast + site, std::move(scalars)};
}

TEST(Blocked, SendsThatNobodyReceivesAreACycle) {
  std::vector<TestStream> ranks;
  for (std::int64_t r = 0; r < 3; ++r)
    ranks.push_back({init(), blocked("MPI_Send", 0, {{"dest", (r + 1) % 3}, {"count", 9}})});
  const auto found = blocked_at_end(ended_early(ranks));
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE(found->deadlock);
  EXPECT_EQ(found->deadlock->cycles, (Cycles{{0, 1, 2}}));
  EXPECT_TRUE(found->deadlock->behind_cycles.empty());
  ASSERT_EQ(found->deadlock->waiting.size(), 3u);
  for (std::uint64_t r = 0; r < 3; ++r) {
    EXPECT_EQ(found->deadlock->waiting[r].rank, r);
    EXPECT_EQ(found->deadlock->waiting[r].reason().peer, (r + 1) % 3);
    EXPECT_EQ(found->deadlock->waiting[r].reason().what, Awaited::For::receiver);
  }
}

TEST(Blocked, AWaitIsForItsRequest) {
  const auto found = blocked_at_end(ended_early(
      {{init(), {"MPI_Isend", 2, {{"dest", 1}, {"tag", 5}}}, blocked("MPI_Wait", 0, {})},
       {init(), blocked("MPI_Recv", 1, {{"source", 0}, {"tag", 6}})}}));
  ASSERT_TRUE(found && found->deadlock);
  EXPECT_EQ(found->deadlock->cycles, (Cycles{{0, 1}}));
  ASSERT_EQ(found->deadlock->waiting.size(), 2u);
  EXPECT_EQ(found->deadlock->waiting[0].reason().what, Awaited::For::receiver);
  EXPECT_EQ(found->deadlock->waiting[1].reason().what, Awaited::For::message);
}

TEST(Blocked, WhoComputesIsWaitedFor) {
  const auto found =
      blocked_at_end(ended_early({{init(), blocked("MPI_Barrier", 0, {})}, {init()}}));
  ASSERT_TRUE(found && found->deadlock);
  EXPECT_TRUE(found->deadlock->cycles.empty());
  EXPECT_EQ(found->deadlock->waiting.back().reason().peer, 1u);
}

// Rank 1 waits for rank 0 to receive, too, who comes to that when rank 2 sends.
TEST(Blocked, AWaitForAllIsForAMessageRatherThanForAReceiver) {
  const auto found =
      blocked_at_end(ended_early({{init(), blocked("MPI_Recv", 0, {{"source", 2}})},
                                  {init(),
                                   {"MPI_Isend", 2, {{"dest", 0}}},
                                   {"MPI_Irecv", 3, {{"source", 2}}},
                                   {"MPI_Waitall", kLast + 1, {}, {{"requests", {1, 0}}}}},
                                  {init()}}));
  ASSERT_TRUE(found && found->deadlock) << found.error().message;
  ASSERT_EQ(found->deadlock->waiting.size(), 2u);
  EXPECT_EQ(found->deadlock->waiting[1].reason().what, Awaited::For::message);
  EXPECT_EQ(found->deadlock->waiting[1].reason().peer, 2u);
}

// The wait stands elsewhere than the collective that it is for.
TEST(Blocked, AWaitForACollectiveIsForItsCall) {
  const auto found = blocked_at_end(
      ended_early({{init(), {"MPI_Iallreduce", 2, {}}, blocked("MPI_Wait", 0, {})}, {init()}}));
  ASSERT_TRUE(found && found->deadlock);
  ASSERT_EQ(found->deadlock->waiting.size(), 1u);
  const Waiting& w = found->deadlock->waiting[0];
  EXPECT_EQ(w.reason().what, Awaited::For::collective);
  const auto name = [&](std::uint32_t call) {
    return trace::function(found->trace.calls[call].function).name;
  };
  EXPECT_EQ(name(w.call), "MPI_Wait");
  EXPECT_EQ(name(w.reason().operation), "MPI_Iallreduce");
  EXPECT_EQ(found->deadlock->not_blocked, (std::vector<std::uint64_t>{1}));
}

TEST(Blocked, AWaitForAnyIsOverWithTheFirst) {
  const auto blocked_ranks = [](std::int64_t sent_tag) {
    TestCall wait_any = blocked("MPI_Waitany", 0, {{"index", trace::kNone}});
    wait_any.lists["requests"] = {1, 0};
    const auto found =
        blocked_at_end(ended_early({{init(),
                                     {"MPI_Irecv", 2, {{"source", 1}, {"tag", 5}}},
                                     {"MPI_Irecv", 3, {{"source", 1}, {"tag", 6}}},
                                     wait_any},
                                    {init(), {"MPI_Send", 4, {{"dest", 0}, {"tag", sent_tag}}}}}));
    EXPECT_TRUE(found) << found.error().message;
    return found->deadlock ? found->deadlock->waiting.size() : 0;
  };
  EXPECT_EQ(blocked_ranks(5), 0u);
  EXPECT_EQ(blocked_ranks(6), 0u);
  EXPECT_EQ(blocked_ranks(7), 1u);
}

TestCall receives(std::uint32_t site, std::int64_t source) {
  return blocked("MPI_Recv", site,
                 {{"source", source}, {"tag", 1}, {"matched_source", trace::kNone}});
}

Deadlock deadlock_of(const std::vector<TestStream>& streams) {
  const auto found = blocked_at_end(ended_early(streams));
  EXPECT_TRUE(found && found->deadlock);
  return found && found->deadlock ? *found->deadlock : Deadlock{};
}

// Rank 0 waits for messages from 1 and 2.
TestStream waits_for_both(const char* function) {
  TestCall wait = blocked(function, 0, {{"index", trace::kNone}});
  wait.lists["requests"] = {1, 0};
  return {init(),
          {"MPI_Irecv", 2, {{"source", 1}, {"tag", 1}}},
          {"MPI_Irecv", 3, {{"source", 2}, {"tag", 1}}},
          wait};
}

TEST(Blocked, OfOneThatComputesAnyMessageIsEnough) {
  const auto cycles = [](const std::vector<TestStream>& s) { return deadlock_of(s).cycles; };
  const TestStream waits_for_0{init(), receives(1, 0)}, computes{init()};
  EXPECT_EQ(cycles({waits_for_both("MPI_Waitany"), waits_for_0, computes}), Cycles{});
  EXPECT_EQ(cycles({waits_for_both("MPI_Waitany"), waits_for_0, waits_for_0}), (Cycles{{0, 1}}));
  EXPECT_EQ(cycles({waits_for_both("MPI_Waitall"), computes, waits_for_0}), (Cycles{{0, 2}}));
  const TestStream waits_for_all{init(), receives(2, trace::kAnySource)};
  EXPECT_EQ(cycles({waits_for_all, waits_for_0, computes}), Cycles{});
  EXPECT_EQ(cycles({waits_for_all, waits_for_0, waits_for_0}), (Cycles{{0, 1}}));
  // Through a rank that waits for one that computes, though 0 and 1 wait for each other.
  EXPECT_EQ(
      cycles({waits_for_both("MPI_Waitany"), waits_for_0, {init(), receives(3, 3)}, computes}),
      Cycles{});
}

TEST(Blocked, ADeadlockIsFoundWhoeverElseWaits) {
  EXPECT_EQ(
      deadlock_of(
          {{init(), receives(0, 3)}, {init(), receives(1, 2)}, {init(), receives(2, 1)}, {init()}})
          .cycles,
      (Cycles{{1, 2}}));
}

TEST(Blocked, AllCyclesAreFoundAndWhoWaitsForThem) {
  const Deadlock d = deadlock_of({{init(), receives(0, 4)},  // for one that waits for a cycle
                                  {init(), receives(1, 5)},
                                  {init(), receives(2, 3)},
                                  {init(), receives(3, 2)},
                                  {init(), receives(4, 2)},
                                  {init(), receives(5, 1)},
                                  {init(), receives(6, 7)},  // for one that computes
                                  {init()}});
  EXPECT_EQ(d.cycles, (Cycles{{1, 5}, {2, 3}}));
  EXPECT_EQ(d.behind_cycles, (std::vector<std::uint64_t>{0, 4}));
  EXPECT_EQ(d.waiting.size(), 7u);
  EXPECT_EQ(d.not_blocked, (std::vector<std::uint64_t>{7}));
}

TEST(Blocked, AWaitForAnyIsForEachOfThem) {
  const TestStream waits_for_0{init(), receives(1, 0)};
  const Deadlock d = deadlock_of({waits_for_both("MPI_Waitany"), waits_for_0, waits_for_0});
  ASSERT_EQ(d.waiting[0].any_of.size(), 2u);
  EXPECT_EQ(d.waiting[0].any_of[0].peer, 1u);
  EXPECT_EQ(d.waiting[0].any_of[1].peer, 2u);
  const Deadlock all = deadlock_of({waits_for_both("MPI_Waitall"), waits_for_0, waits_for_0});
  EXPECT_EQ(all.waiting[0].any_of.size(), 1u);
}

TEST(Blocked, MembersOfWindowsAndFilesAreKnown) {
  for (const auto& [makes, id, meets] : {std::tuple("MPI_Win_create", "win", "MPI_Win_fence"),
                                         std::tuple("MPI_File_open", "fh", "MPI_File_write_all")}) {
    TestCall made{makes, 2, {{id, 0}}};
    if (makes == std::string("MPI_Win_create")) {
      made.scalars["win_rank"] = 0;
      made.scalars["win_size"] = 2;
    }
    const TestCall come = blocked(meets, 0, {{id, 0}});
    TestCall other = made;
    if (other.scalars.contains("win_rank")) other.scalars["win_rank"] = 1;
    const Deadlock d = deadlock_of({{init(), made, receives(1, 1)}, {init(), other, come}});
    EXPECT_EQ(d.cycles, (Cycles{{0, 1}})) << makes;
    EXPECT_EQ(d.waiting[1].reason().peer, 0u) << makes;
  }
}

TEST(Blocked, WhoHasNotStartedAPersistentCollectiveIsWaitedFor) {
  const TestCall makes{"MPI_Barrier_init", 2, {}};
  const auto found = blocked_at_end(ended_early(
      {{init(), makes, {"MPI_Start", 3, {}}, blocked("MPI_Wait", 0, {})}, {init(), makes}}));
  ASSERT_TRUE(found && found->deadlock);
  ASSERT_EQ(found->deadlock->waiting.size(), 1u);
  const Awaited& reason = found->deadlock->waiting[0].reason();
  EXPECT_EQ(reason.peer, 1u);
  EXPECT_EQ(trace::function(found->trace.calls[reason.operation].function).name,
            "MPI_Barrier_init");
}

// What comes of it differs from MPI to MPI: the root of a broadcast may go on to its barrier.
TEST(Blocked, CollectivesThatDoNotMatchAreNamed) {
  const auto found =
      blocked_at_end(ended_early({{init(), {"MPI_Bcast", 2, {}}, blocked("MPI_Barrier", 0, {})},
                                  {init(), blocked("MPI_Allreduce", 1, {})},
                                  {init(), blocked("MPI_Allreduce", 1, {})}}));
  ASSERT_TRUE(found && found->mismatch);
  EXPECT_FALSE(found->deadlock);
  EXPECT_EQ(found->mismatch->kind, Mismatch::Kind::function);
  EXPECT_EQ(found->mismatch->rank_a, 0u);
  EXPECT_EQ(found->mismatch->rank_b, 1u);
  EXPECT_EQ(found->mismatch->position, 0u);
}

// Ranks 0 and 1 face ranks 2 and 3. What rank 1 computes is no hope for rank 0, whose message
// could come from the other side only.
TEST(Blocked, AMessageFromAnyRankComesFromTheOtherSide) {
  const auto faces = [](std::int64_t r) {
    return TestStream{
        init(),
        {"MPI_Comm_split",
         2,
         {{"color", r / 2}, {"newcomm", 2}, {"newcomm_rank", r % 2}, {"newcomm_size", 2}}},
        {"MPI_Intercomm_create",
         3,
         {{"local_comm", 2},
          {"newintercomm", 3},
          {"newintercomm_rank", r % 2},
          {"newintercomm_size", 2}}}};
  };
  std::vector<TestStream> ranks;
  for (std::int64_t r = 0; r < 4; ++r) ranks.push_back(faces(r));
  ranks[0].push_back(blocked("MPI_Recv", 0, {{"source", trace::kAnySource}, {"comm", 3}}));
  ranks[2].push_back(blocked("MPI_Recv", 1, {{"source", 3}}));
  ranks[3].push_back(blocked("MPI_Recv", 2, {{"source", 2}}));
  const auto found = blocked_at_end(ended_early(ranks));
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE(found->deadlock);
  EXPECT_EQ(found->deadlock->waiting[0].reason().peer, 2u);
  EXPECT_EQ(found->deadlock->cycles, (Cycles{{2, 3}}));
  EXPECT_EQ(found->deadlock->behind_cycles, (std::vector<std::uint64_t>{0}));
}

// Of the makers of a communicator one has not returned: what it will send there is not known.
TEST(Blocked, AMessageFromAnyRankMayComeFromOneThatIsNotKnownYet) {
  const auto splits = [](std::int64_t r) {
    return TestCall{"MPI_Comm_split",
                    2,
                    {{"key", r}, {"newcomm", 2}, {"newcomm_rank", r}, {"newcomm_size", 3}}};
  };
  const TestStream is_splitting{init(), blocked("MPI_Comm_split", 0,
                                                {{"key", 1},
                                                 {"newcomm", trace::kNone},
                                                 {"newcomm_rank", trace::kNone},
                                                 {"newcomm_size", trace::kNone}})};
  const auto receives_there = [](std::uint32_t site, std::int64_t source) {
    TestCall call = receives(site, source);
    call.scalars["comm"] = 2;
    return call;
  };
  const TestStream from_any{init(), splits(0), receives_there(1, trace::kAnySource)};
  const Deadlock d =
      deadlock_of({from_any, is_splitting, {init(), splits(2), receives_there(2, 0)}});
  EXPECT_EQ(d.cycles, Cycles{});
  EXPECT_EQ(d.not_blocked, (std::vector<std::uint64_t>{1}));
  ASSERT_EQ(d.waiting.size(), 2u);
  EXPECT_EQ(d.waiting[0].reason().peer, std::nullopt);
  EXPECT_EQ(d.waiting[1].reason().peer, 0u);
  const Deadlock known = deadlock_of({from_any, is_splitting, {init(), splits(2)}});
  ASSERT_EQ(known.waiting.size(), 1u);
  EXPECT_EQ(known.waiting[0].reason().peer, 2u) << "one that is known is a better reason";
}

TEST(Blocked, RootsThatDoNotMatchAreNamed) {
  const auto found =
      blocked_at_end(ended_early({{init(), blocked("MPI_Bcast", 0, {{"root", 0}})},
                                  {init(), blocked("MPI_Bcast", 0, {{"root", 1}})}}));
  ASSERT_TRUE(found && found->mismatch);
  EXPECT_EQ(found->mismatch->kind, Mismatch::Kind::root);
  EXPECT_EQ(found->mismatch->root_b, 1);
}

TEST(Blocked, CallsThatAreMissingAreNoDeadlock) {
  trace::Trace t = ended_early({{init(), blocked("MPI_Barrier", 0, {})}, {init()}});
  trace::Unfinished unfinished = *trace::unfinished_of(t);
  unfinished.missing = trace::Value::constant(3);
  trace::set_unfinished(t, unfinished);
  EXPECT_FALSE(blocked_at_end(t));
}

TEST(Unfinished, SurvivesTheFile) {
  const trace::Trace t = ended_early({{init(), blocked("MPI_Recv", 0, {{"source", 1}})}, {init()}});
  const auto read = trace::decode_trace(*trace::encode_trace(t), "t");
  ASSERT_TRUE(read) << read.error().message;
  const auto calls = test::events_of(trace::with_unfinished(*read), 0);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[1].function->name, "MPI_Recv");
  EXPECT_EQ(test::events_of(*read, 0).size(), 1u);
  EXPECT_EQ(test::events_of(trace::only_unfinished(*read), 1).size(), 0u);
}

TEST(Unfinished, DamageIsRefused) {
  trace::Trace t = ended_early({{init(), blocked("MPI_Recv", 0, {})}, {init()}});
  const std::vector<std::uint8_t> content = t.sections[0].content;
  for (std::size_t i = 0; i < content.size(); ++i) {
    for (const int value : {0, 1, 127, 255}) {
      t.sections[0].content = content;
      t.sections[0].content[i] = static_cast<std::uint8_t>(value);
      const auto read = trace::decode_trace(*trace::encode_trace(t), "damaged");
      if (read) (void)trace::with_unfinished(*read);
    }
    t.sections[0].content.assign(content.begin(), content.begin() + static_cast<long>(i));
    EXPECT_FALSE(trace::decode_trace(*trace::encode_trace(t), "short")) << i;
  }
}

// Rank 0 came out of the barrier to which rank 1 must have come, and is not waiting in it.
TEST(Blocked, OfARankThatLeftNothingNothingIsSaid) {
  const TestStream known = {
      init(), {"MPI_Barrier", 2}, blocked("MPI_Recv", 0, {{"source", 1}, {"tag", 7}})};
  const auto found = blocked_at_end(ended_early({known, {}}));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "nothing is known of rank 1");
}

}  // namespace
}  // namespace reprise::transform
