#include "trace/cursors/membership.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "trace/calls/predefined.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

constexpr std::uint64_t kMany = 1000;

std::size_t column(const Function& f, std::string_view name) {
  std::size_t c = 0;
  while (f.scalars[c].name != name) ++c;
  return c;
}

// A call whose columns are 0 but for those given.
Call call(std::string_view function_name, const std::map<std::string, Value>& columns) {
  Call out;
  out.function = *find_function(function_name);
  const Function& f = function(out.function);
  out.columns.assign(f.columns(), Value::constant(0));
  for (const auto& [name, value] : columns) out.columns[column(f, name)] = value;
  return out;
}

Event event(const Call& of, std::uint64_t stream) {
  Event out;
  EXPECT_TRUE(CallCursor(of, stream).next(out));
  return out;
}

Call made_comm(std::int64_t id, Membership place) {
  return call("MPI_Comm_dup", {{"newcomm", Value::constant(id)},
                               {"newcomm_rank", Value::constant(place.rank)},
                               {"newcomm_size", Value::constant(place.size)}});
}

Call made_window(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& ranks) {
  const auto values = [](const std::vector<std::int64_t>& all) {
    Value out = Value::constant(0);
    out.by_stream = {};
    out.classes = {fold_numbers(all)};
    return out;
  };
  return call(
      "MPI_Win_create",
      {{"win", values(ids)}, {"win_rank", values(ranks)}, {"win_size", Value::constant(4)}});
}

// The calls one after the other, each so many times.
Trace trace_of(std::vector<Call> calls, std::int64_t times) {
  Trace out;
  out.ranks = 3;
  for (std::uint32_t c = 0; c < calls.size(); ++c)
    out.root.body.push_back({Value::constant(times), c, {}});
  out.calls = std::move(calls);
  return out;
}

TEST(Memberships, OfAStreamInTheWorld) {
  Trace trace;
  trace.ranks = 3;
  EXPECT_EQ(in_world(trace, 2), (Membership{2, 3}));
  trace.threads = 2;
  EXPECT_EQ(in_world(trace, 3), (Membership{1, 3})) << "all threads of a rank are that rank";
}

TEST(Memberships, WorldAndSelf) {
  const Memberships known({1, 6});
  EXPECT_EQ(known.find(Kind::comm, kWorld), (Membership{1, 6}));
  EXPECT_EQ(known.find(Kind::comm, kSelf), (Membership{0, 1}));
  EXPECT_FALSE(known.find(Kind::comm, 7).is_known());
  EXPECT_FALSE(known.find(Kind::window, kWorld).is_known());
  EXPECT_FALSE(Memberships().find(Kind::comm, kWorld).is_known());
}

TEST(Memberships, OfWhatEventsMake) {
  Memberships known({1, 6});
  const Call dup = made_comm(2, {3, 5});
  known.learn(event(dup, 0));
  EXPECT_EQ(known.find(Kind::comm, 2), (Membership{3, 5}));
  EXPECT_FALSE(known.find(Kind::window, 2).is_known()) << "windows are numbered apart";
  EXPECT_EQ(known.of(event(call("MPI_Barrier", {{"comm", Value::constant(2)}}), 0)),
            (Membership{3, 5}));
  EXPECT_FALSE(known.of(event(call("MPI_Win_fence", {{"win", Value::constant(2)}}), 0)).is_known());
  EXPECT_FALSE(known.of(event(call("MPI_Wait", {}), 0)).is_known());
}

TEST(Memberships, NobodyIsInANullCommunicator) {
  Memberships known({1, 6});
  const Call none = made_comm(kNull, {kNone, kNone});
  known.learn(event(none, 0));
  EXPECT_EQ(known.size(), 2u);
}

TEST(Memberships, ANumberThatIsGivenAgainStandsForTheLast) {
  Memberships known({1, 6});
  known.add(Kind::window, 0, {1, 6});
  known.add(Kind::window, 0, {1, 6});
  EXPECT_FALSE(known.is_ambiguous(Kind::window, 0));
  known.add(Kind::window, 0, {0, 2});
  EXPECT_TRUE(known.is_ambiguous(Kind::window, 0));
  EXPECT_FALSE(known.is_ambiguous(Kind::comm, 0));
  EXPECT_EQ(known.find(Kind::window, 0), (Membership{0, 2}));
}

TEST(Memberships, OfAllThatAStreamMakes) {
  const Trace trace = trace_of({made_comm(2, {1, 3}), made_window({0, 1, 0}, {1, 2, 3})}, 3);
  Memberships known(in_world(trace, 1));
  std::uint64_t left = kMany;
  EXPECT_TRUE(known.learn_all(trace, 1, left));
  EXPECT_EQ(left, kMany - 6);
  EXPECT_EQ(known.find(Kind::comm, 2), (Membership{1, 3}));
  EXPECT_EQ(known.find(Kind::window, 1), (Membership{2, 4}));
  EXPECT_TRUE(known.is_ambiguous(Kind::window, 0));
}

TEST(Memberships, TakesNoMoreThanItMay) {
  const Trace trace = trace_of({made_window({0, 1, 2}, {0, 0, 0})}, 3);
  Memberships known;
  std::uint64_t left = 2;
  EXPECT_FALSE(known.learn_all(trace, 0, left));
  EXPECT_EQ(left, 0u);
  EXPECT_TRUE(known.find(Kind::window, 1).is_known());
  EXPECT_FALSE(known.find(Kind::window, 2).is_known());
}

// What another thread of its rank has made is known to a stream that uses it.
TEST(Memberships, CursorsKnowThoseOfOtherThreads) {
  Trace trace =
      trace_of({made_comm(2, {1, 2}), call("MPI_Barrier", {{"comm", Value::constant(2)}})}, 1);
  trace.threads = 2;
  const auto only_on = [](std::uint64_t thread) {
    SeriesFolder folder;
    for (std::uint64_t s = 0; s < 6; ++s) folder.append(s % 2 == thread);
    Value out = Value::constant(0);
    out.by_stream = folder.finish();
    return out;
  };
  trace.root.body[0].trips = only_on(0);
  trace.root.body[1].trips = only_on(1);
  Cursor maker(trace, 2);
  ASSERT_TRUE(maker.next());
  EXPECT_EQ(maker.memberships().find(Kind::comm, 2), (Membership{1, 2}));
  Cursor user(trace, 3);
  ASSERT_TRUE(user.next());
  EXPECT_EQ(user.call_membership(), (Membership{1, 2}));
  EXPECT_FALSE(user.memberships().find(Kind::comm, 2).is_known()) << "it made nothing itself";
}

}  // namespace
}  // namespace reprise::trace
