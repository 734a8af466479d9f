// What loops tell about who follows whom, held against what a recorder counted call by call.
#include "extrapolate/times/arrivals.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "compress/random_program.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::extrapolate {
namespace {

using test::Sent;
using test::Stream;
using trace::Path;

ArrivalCounts by_walking(const trace::Trace& trace, std::uint64_t stream) {
  ArrivalCounts out;
  std::uint32_t last = Path::kStart;
  trace::Cursor cursor(trace, stream);
  while (cursor.next()) {
    ++out[{cursor.event().call, last}];
    last = cursor.event().call;
  }
  return out;
}

// As the recorder counts them: the executions by each path, on each stream.
void expect_as_recorded(const trace::Trace& trace) {
  const auto arrivals = count_arrivals(trace);
  ASSERT_TRUE(arrivals);
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    ArrivalCounts recorded;
    for (std::uint32_t call = 0; call < trace.times.size(); ++call) {
      for (const trace::Path& p : trace.times[call].paths) {
        const std::uint64_t n = p.compute.count_of(s);
        if (n > 0) recorded[{call, p.from}] = n;
      }
    }
    EXPECT_EQ(arrivals->counts[arrivals->class_of[s]], recorded) << "stream " << s;
  }
}

void expect_as_walked(const trace::Trace& trace) {
  const auto arrivals = count_arrivals(trace);
  ASSERT_TRUE(arrivals);
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    EXPECT_EQ(arrivals->counts[arrivals->class_of[s]], by_walking(trace, s)) << "stream " << s;
  }
}

Stream nested(std::int64_t rank) {
  Stream out;
  for (std::int64_t step = 0; step < 7; ++step) {
    if (rank > 0) out.push_back({0, 0, 0, 8});
    for (std::int64_t i = 0; i < 3; ++i) out.push_back({1, 0, 0, 8});
    if (step % 3 == 2) out.push_back({2, 0, 0, 8});
    for (std::int64_t i = 0; i < step; ++i) {
      out.push_back({3, 0, 0, 8});
      out.push_back({4, 0, 0, 8});
    }
  }
  return out;
}

TEST(Arrivals, AreThoseOfAWalk) {
  expect_as_walked(test::trace_of({nested(0), nested(1), nested(2)}));
}

TEST(Arrivals, OfAnEmptyStreamAreNone) { expect_as_walked(test::trace_of({nested(0), Stream{}})); }

TEST(Arrivals, RefuseMoreCallsThanCanBeAddedUp) {
  Stream steady;
  for (int step = 0; step < 5; ++step) {
    for (int i = 0; i < 4; ++i) steady.push_back({0, 0, 0, 8});
    steady.push_back({1, 0, 0, 8});
  }
  trace::Trace trace = test::trace_of({steady, steady});
  ASSERT_TRUE(count_arrivals(trace));
  for (trace::Item* item = &trace.root; !item->is_call(); item = &item->body.front()) {
    item->trips = trace::Value::constant(std::int64_t{1} << 40);
  }
  EXPECT_FALSE(count_arrivals(trace));
}

RC_GTEST_PROP(Arrivals, AreThoseOfAWalkForAnyProgram, ()) {
  const auto ranks = *rc::gen::inRange<std::int64_t>(1, 5);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  std::uint32_t sites = 0;
  const auto trace = test::trace_of(test::execute(test::random_body(3, sites), ranks, seed));
  expect_as_walked(trace);
  expect_as_recorded(trace);
}

TEST(Arrivals, AreTheNumbersThatARecorderKeeps) {
  const trace::Trace trace = test::trace_of({nested(0), nested(3)});
  const auto arrivals = count_arrivals(trace);
  ASSERT_TRUE(arrivals);
  PathNumbers numbers;
  for (const auto& counts : arrivals->counts) {
    for (const auto& [arrival, n] : counts) numbers[arrival] = arrival.from;
  }
  const auto order = order_of_arrivals(trace, 1, numbers, 1000);
  ASSERT_TRUE(order);
  std::vector<trace::SeriesCursor> cursors;
  for (const trace::Series& s : *order) cursors.emplace_back(s);
  std::uint32_t last = Path::kStart;
  trace::Cursor cursor(trace, 1);
  while (cursor.next()) {
    EXPECT_EQ(cursors[cursor.event().call].next(), last);
    last = cursor.event().call;
  }
  EXPECT_FALSE(order_of_arrivals(trace, 1, numbers, 10));
}

}  // namespace
}  // namespace reprise::extrapolate
