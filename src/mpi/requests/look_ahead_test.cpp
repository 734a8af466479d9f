#include "mpi/requests/look_ahead.hpp"

#include <gtest/gtest.h>

#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

using trace::Call;
using trace::Item;
using trace::Series;
using trace::Term;
using trace::Trace;
using trace::Value;

Value constant(std::int64_t v) { return Value::constant(v); }

// The k-th execution has the k-th value.
Value listed(const std::vector<std::int64_t>& values) {
  std::vector<Term> terms;
  for (const std::int64_t v : values) terms.push_back({.value = v});
  return {.by_stream = {}, .classes = {Series(std::move(terms))}};
}

Call make(const char* name, std::vector<Value> columns) {
  return {.function = *trace::find_function(name), .callpath = 0, .columns = std::move(columns)};
}

void add(Trace& t, std::uint32_t call, std::int64_t trips) {
  t.root.body.push_back({.trips = constant(trips), .call = call, .body = {}});
}

// polls, buf, count, datatype, source, tag, comm
Call any_receive() {
  return make("MPI_Irecv", {constant(0), constant(0), constant(1), constant(8),
                            constant(trace::kAnySource), constant(7), constant(0)});
}

TEST(LookAhead, FindsWhatEachReceiveMeetsWhereItCompletes) {
  Trace t;
  t.ranks = 1;
  t.calls.push_back(any_receive());
  // Three receives, completed the second, the first, the third made: numbers 1, 1, 0.
  t.calls.push_back(
      make("MPI_Wait", {constant(0), listed({1, 1, 0}), listed({12, 11, 13}), constant(7)}));
  add(t, 0, 3);
  add(t, 1, 3);
  ASSERT_TRUE(LookAhead::is_needed(t));
  LookAhead ahead(t, 0);
  for (const std::int64_t source : {11, 12, 13}) {
    const Match m = ahead.next();
    EXPECT_EQ(m.kind, Match::Kind::message);
    EXPECT_EQ(m.source, source);
    EXPECT_EQ(m.tag, 7);
  }
}

TEST(LookAhead, KnowsThatNobodyCame) {
  Trace t;
  t.ranks = 1;
  t.calls.push_back(any_receive());
  add(t, 0, 1);
  LookAhead ahead(t, 0);
  EXPECT_EQ(ahead.next().kind, Match::Kind::nobody);
}

TEST(LookAhead, ReadsTheListsOfWaitall) {
  Trace t;
  t.ranks = 1;
  t.calls.push_back(any_receive());
  // Requests 0 and 1: the younger one first. Length and elements of each list.
  t.calls.push_back(make("MPI_Waitall", {constant(0), constant(2), listed({0, 1}), constant(2),
                                         listed({21, 22}), constant(2), constant(7)}));
  add(t, 0, 2);
  add(t, 1, 1);
  LookAhead ahead(t, 0);
  EXPECT_EQ(ahead.next().source, 22);
  EXPECT_EQ(ahead.next().source, 21);
}

}  // namespace
}  // namespace reprise::mpi
