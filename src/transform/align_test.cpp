// What must hold of aligned traces, on random programs whose collectives stand in many places.
#include "transform/align.hpp"
#include "mpi/arguments.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/hash.hpp"
#include "transform/test_traces.hpp"

namespace reprise::transform {
namespace {

using test::TestCall;
using test::TestStream;

constexpr std::int64_t kHalf = 2;  // the number of a communicator of the even, or the odd ranks

// One collective of all, as each rank calls it from a place of its own choice.
struct Step {
  bool in_half = false;
  bool is_reduction = false;
  std::uint64_t choice = 0;  // decides the places
  int local_calls = 0;       // between it and the next, on some ranks
};

TestStream stream_of(const std::vector<Step>& steps, std::int64_t rank, std::int64_t ranks) {
  TestStream out{{"MPI_Init", 0}};
  out.push_back({"MPI_Comm_split",
                 1,
                 {{"color", rank % 2},
                  {"newcomm", kHalf},
                  {"newcomm_rank", rank / 2},
                  {"newcomm_size", (ranks + 1 - rank % 2) / 2}}});
  for (const Step& s : steps) {
    // A rank's place depends on the rank, the step, or neither.
    const std::uint64_t law = s.choice % 3;
    const auto r = static_cast<std::uint64_t>(rank);
    const auto place = static_cast<std::uint32_t>(law == 0   ? 0
                                                  : law == 1 ? r % 3
                                                             : mix(s.choice + r) % 4);
    const std::int64_t comm = s.in_half ? kHalf : 0;
    if (s.is_reduction) {
      out.push_back({"MPI_Allreduce", 10 + place, {{"count", 4}, {"datatype", 6}, {"comm", comm}}});
    } else {
      // The two halves need not do the same at the same time, nor have the same root.
      const bool odd = s.in_half && rank % 2 == 1;
      out.push_back({odd ? "MPI_Barrier" : "MPI_Bcast", (odd ? 30 : 20) + place, {{"comm", comm}}});
    }
    for (int i = 0; i < s.local_calls && (rank + i) % 2 == 0; ++i) {
      out.push_back({"MPI_Send", 40, {{"count", rank}, {"dest", trace::kProcNull}}});
    }
  }
  out.push_back({"MPI_Finalize", static_cast<std::uint32_t>(50 + rank % 2)});
  return out;
}

RC_GTEST_PROP(Align, EachCollectiveIsOneCallAndRanksKeepTheirOrder, ()) {
  const auto ranks = *rc::gen::inRange<std::int64_t>(2, 7);
  std::vector<Step> steps(*rc::gen::inRange<std::size_t>(0, 30));
  for (Step& s : steps) {
    s.in_half = *rc::gen::arbitrary<bool>();
    s.is_reduction = *rc::gen::arbitrary<bool>();
    s.choice = *rc::gen::inRange<std::uint64_t>(0, 6);
    s.local_calls = *rc::gen::inRange(0, 3);
  }
  std::vector<TestStream> streams;
  for (std::int64_t r = 0; r < ranks; ++r) streams.push_back(stream_of(steps, r, ranks));
  auto out = align(test::make_trace(streams));
  RC_ASSERT(static_cast<bool>(out));
  RC_ASSERT(!out->mismatch.has_value());
  const trace::Trace& aligned = out->aligned.trace;

  // By communicator and half of it, the calls in the order of each member.
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::uint32_t>> expected;
  for (std::int64_t r = 0; r < ranks; ++r) {
    const auto events = test::events_of(aligned, static_cast<std::uint64_t>(r));
    const TestStream& given = streams[static_cast<std::size_t>(r)];
    RC_ASSERT(events.size() == given.size());
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::uint32_t>> own;
    for (std::size_t i = 0; i < events.size(); ++i) {
      RC_ASSERT(events[i].function->name == given[i].function);
      const std::int64_t comm = mpi::scalar_named(events[i], "comm");
      for (const auto& [name, value] : given[i].scalars) {
        RC_ASSERT(mpi::scalar_named(events[i], name) == value);
      }
      if (given[i].function == "MPI_Send") continue;
      own[{comm, comm == kHalf ? r % 2 : 0}].push_back(events[i].call);
    }
    for (const auto& [group, calls] : own) {
      const auto [entry, is_new] = expected.emplace(group, calls);
      RC_ASSERT(is_new || entry->second == calls);
    }
  }
  // What is aligned stays as it is.
  const std::size_t calls = aligned.calls.size();
  auto again = align(std::move(out->aligned.trace));
  RC_ASSERT(static_cast<bool>(again));
  RC_ASSERT(again->aligned.sites == 0U);
  RC_ASSERT(again->aligned.trace.calls.size() == calls);
}

TEST(Align, NodesAreEnoughWhereAllRanksDoTheSame) {
  std::vector<TestStream> streams(4);
  for (TestStream& s : streams) {
    for (int i = 0; i < 100; ++i) {
      s.push_back({"MPI_Bcast", 1});
      s.push_back({"MPI_Barrier", 2});
    }
  }
  streams[2].push_back({"MPI_Send", 3, {{"dest", trace::kProcNull}}});
  auto out = align(test::make_trace(streams));
  ASSERT_TRUE(static_cast<bool>(out));
  EXPECT_FALSE(out->aligned.walked);
}

TEST(Align, AMemberOfPartOfTheRanksIsMissed) {
  std::vector<TestStream> streams(4);
  for (std::int64_t r = 0; r < 4; ++r) streams[r] = stream_of({{true, true, 0, 0}}, r, 4);
  streams[3].erase(streams[3].begin() + 2);
  auto out = align(test::make_trace(streams));
  ASSERT_TRUE(static_cast<bool>(out));
  ASSERT_TRUE(out->mismatch.has_value());
  EXPECT_EQ(out->mismatch->kind, Mismatch::Kind::missing);
}

}  // namespace
}  // namespace reprise::transform
