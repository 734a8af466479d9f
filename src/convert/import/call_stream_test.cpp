#include "convert/import/call_stream.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "convert/import/rank.hpp"
#include "trace/values/special.hpp"

namespace reprise::convert {
namespace {

using Kind = CommDefinition::Kind;

trace::FunctionId function(const char* name) { return *trace::find_function(name); }

// The communicators of six ranks: the world, two rows of three and three columns of two.
SourceComms grid(bool says_creation = false) {
  return SourceComms({{.kind = Kind::world, .members = {}},
                      {.parent = 0, .members = {0, 1, 2}, .says_creation = says_creation},
                      {.parent = 0, .members = {0, 3}, .says_creation = says_creation},
                      {.parent = 0, .members = {3, 4, 5}, .says_creation = says_creation},
                      {.parent = 0, .members = {1, 4}, .says_creation = says_creation},
                      {.parent = 0, .members = {2, 5}, .says_creation = says_creation}},
                     6);
}

class CallStreamTest : public ::testing::Test {
 protected:
  // The stream of a rank in the grid.
  CallStream& begin(std::uint32_t rank, Creation creation = Creation::in_place) {
    comms_ = std::make_unique<RankComms>(source_, rank);
    stream_ = std::make_unique<CallStream>(*comms_, creation, compress::TimeOptions{}, losses_);
    return *stream_;
  }

  // A call that takes 10 ns after 5 ns of computation, with what `record` says of it.
  template <class Record>
  void call(const char* name, const Record& record) {
    stream_->enter_call(function(name), 0, time_ + 5);
    record();
    stream_->leave_call(time_ += 15);
  }
  void call(const char* name) {
    call(name, [] {});
  }

  // The values of a column over the executions of a function's only site.
  static std::vector<std::int64_t> column(const compress::FoldedStream& stream, const char* name,
                                          Slot slot) {
    const CallLayout& layout = CallLayout::of(function(name));
    trace::Event marked = layout.blank();
    for (auto& v : marked.scalars) v = 0;
    layout.set(marked, slot, 1);
    const auto at =
        static_cast<std::size_t>(std::ranges::find(marked.scalars, 1) - marked.scalars.begin());
    std::vector<std::int64_t> out;
    for (const compress::FoldedSite& site : stream.sites) {
      if (site.key.function != layout.function()) continue;
      for (std::uint64_t i = 0; i < site.executions; ++i) out.push_back(site.columns[at].at(i));
    }
    return out;
  }

  SourceComms source_ = grid();
  std::unique_ptr<RankComms> comms_;
  LossCounts losses_;
  std::unique_ptr<CallStream> stream_;
  std::int64_t time_ = 0;
};

// What a receive was given is known when it completes: the calls between wait for it.
TEST_F(CallStreamTest, ReceivesHaveWhatTheyMet) {
  CallStream& s = begin(1);
  call("MPI_Init");
  call("MPI_Irecv", [&] { s.posted(7); });
  call("MPI_Irecv", [&] { s.posted(8); });
  call("MPI_Isend", [&] { s.sent({2, 0, 5, 40}, 9); });
  call("MPI_Waitall", [&] {
    s.completed_receive(7, {0, 0, 3, 10});
    s.completed_receive(8, {4, 0, 3, 20});
    s.completed_send(9);
  });
  const compress::FoldedStream stream = s.finish();
  EXPECT_EQ(stream.calls, 5u);
  EXPECT_EQ(column(stream, "MPI_Irecv", Slot::source), (std::vector<std::int64_t>{0, 4}));
  EXPECT_EQ(column(stream, "MPI_Irecv", Slot::count), (std::vector<std::int64_t>{10, 20}));
  EXPECT_EQ(column(stream, "MPI_Isend", Slot::dest), (std::vector<std::int64_t>{2}));
  EXPECT_TRUE(losses_.empty());
}

// Sources record nothing of MPI_PROC_NULL: its requests end with the next wait that may be theirs.
TEST_F(CallStreamTest, MessagesToNobodyAreCallsToo) {
  CallStream& s = begin(0);
  call("MPI_Isend");
  call("MPI_Irecv", [&] { s.posted(1); });
  call("MPI_Waitall", [&] { s.completed_receive(1, {3, 0, 0, 8}); });
  call("MPI_Isend");
  call("MPI_Wait");
  const compress::FoldedStream stream = s.finish();
  EXPECT_EQ(column(stream, "MPI_Isend", Slot::dest),
            (std::vector<std::int64_t>{trace::kProcNull, trace::kProcNull}));
  EXPECT_EQ(column(stream, "MPI_Wait", Slot::request), (std::vector<std::int64_t>{0}));
}

TEST_F(CallStreamTest, UnsuccessfulTestsAreCounted) {
  CallStream& s = begin(0);
  call("MPI_Irecv", [&] { s.posted(1); });
  call("MPI_Test");
  call("MPI_Test");
  call("MPI_Test", [&] { s.completed_receive(1, {3, 0, 0, 8}); });
  const compress::FoldedStream stream = s.finish();
  EXPECT_EQ(stream.calls, 2u);
  EXPECT_EQ(stream.sites[1].columns[0].at(0), 2);
}

// Rows first, then columns: disjoint communicators of one parent are one split.
TEST_F(CallStreamTest, CommunicatorsOfAGridAreTwoSplits) {
  ASSERT_EQ(source_.layers().size(), 2u);
  CallStream& s = begin(4);
  call("MPI_Comm_split", [&] { s.made_comm_on(0); });
  call("MPI_Comm_split", [&] { s.made_comm_on(0); });
  call("MPI_Send", [&] { s.sent({0, 4, 0, 8}, std::nullopt); });  // in the column {1, 4}
  const compress::FoldedStream stream = s.finish();
  EXPECT_FALSE(s.misses_comms());
  EXPECT_EQ(column(stream, "MPI_Comm_split", Slot::color), (std::vector<std::int64_t>{3, 1}));
  EXPECT_EQ(column(stream, "MPI_Comm_split", Slot::key), (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(column(stream, "MPI_Comm_split", Slot::new_comm), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(column(stream, "MPI_Send", Slot::comm), (std::vector<std::int64_t>{3}));
}

TEST_F(CallStreamTest, CommunicatorsOfUnknownOriginAreMadeBehindInit) {
  CallStream& first = begin(4);
  call("MPI_Init");
  call("MPI_Send", [&] { first.sent({0, 4, 0, 8}, std::nullopt); });
  EXPECT_TRUE(first.misses_comms());
  CallStream& second = begin(4, Creation::at_init);
  call("MPI_Init");
  call("MPI_Send", [&] { second.sent({0, 4, 0, 8}, std::nullopt); });
  const compress::FoldedStream stream = second.finish();
  EXPECT_FALSE(second.misses_comms());
  EXPECT_EQ(stream.calls, 4u);
  EXPECT_EQ(column(stream, "MPI_Send", Slot::comm), (std::vector<std::int64_t>{3}));
}

// A call for each request that MPI_Waitsome completed; those before are null by then.
TEST_F(CallStreamTest, WaitsomeIsACallForEachRequest) {
  CallStream& s = begin(0);
  call("MPI_Isend", [&] { s.sent({1, 0, 0, 8}, 1); });
  call("MPI_Isend", [&] { s.sent({2, 0, 0, 8}, 2); });
  call("MPI_Waitsome", [&] {
    s.completed_send(1);
    s.completed_send(2);
  });
  const compress::FoldedStream stream = s.finish();
  EXPECT_EQ(stream.calls, 4u);
  EXPECT_EQ(column(stream, "MPI_Waitsome", Slot::index), (std::vector<std::int64_t>{0, 1}));
  // The list of requests stands behind the scalars: lengths, then elements.
  const trace::Function& f = trace::function(function("MPI_Waitsome"));
  const trace::Series& requests = stream.sites[1].columns[f.scalars.size() + 1];
  EXPECT_EQ(requests.at(0), 1);
  EXPECT_EQ(requests.at(1), 0);
  EXPECT_EQ(requests.at(2), trace::kNull);
  EXPECT_EQ(requests.at(3), 0);
}

TEST_F(CallStreamTest, WhatHasNoRecordsIsLost) {
  begin(0);
  call("MPI_Type_commit");
  call("MPI_Barrier", [&] { stream_->collective({std::nullopt, 0, 0, {}}); });
  const compress::FoldedStream stream = stream_->finish();
  EXPECT_EQ(stream.calls, 1u);
  ASSERT_EQ(losses_.size(), 1u);
  EXPECT_EQ(losses_.begin()->first,
            "calls of MPI_Type_commit, of which the source says too little");
  // Its time stands with the next call.
  EXPECT_EQ(stream.sites[0].times.communicate.total().sum, 20);
}

TEST_F(CallStreamTest, RecursionIsOneFrame) {
  RegionPaths paths;
  const std::uint32_t outer = paths.enter(RegionPaths::kOutside, 3);
  const std::uint32_t inner = paths.enter(outer, 4);
  EXPECT_EQ(paths.enter(inner, 3), outer);
  EXPECT_EQ(paths.frames(inner), (std::vector<RegionIndex>{4, 3}));
}

}  // namespace
}  // namespace reprise::convert
