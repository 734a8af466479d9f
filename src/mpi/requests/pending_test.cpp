#include "mpi/requests/pending.hpp"

#include <gtest/gtest.h>

#include "trace/values/special.hpp"

namespace reprise::mpi {
namespace {

using trace::Event;
using trace::Kind;
using trace::kNone;
using trace::kNull;
using trace::kUndefined;

// A call of a function that names requests, by their ages.
Event event(const char* name, const std::vector<std::int64_t>& numbers,
            std::int64_t index = kNone) {
  Event e;
  e.function = &trace::function(*trace::find_function(name));
  e.scalars.resize(e.function->scalars.size());
  e.lists.resize(e.function->lists.size());
  for (std::size_t c = 0; c < e.scalars.size(); ++c) {
    if (e.function->scalars[c].kind == Kind::request) e.scalars[c] = numbers.at(0);
    if (static_cast<int>(c) == e.function->completed) e.scalars[c] = index;
  }
  for (std::size_t l = 0; l < e.lists.size(); ++l) {
    if (e.function->lists[l].kind == Kind::request) e.lists[l] = numbers;
  }
  return e;
}

// Requests called 1 to n, the oldest first.
Pending<int> made(int n, bool persistent = false) {
  Pending<int> out;
  for (int i = 1; i <= n; ++i) out.add(i, persistent);
  return out;
}

std::vector<int> left(Pending<int>& pending) {
  std::vector<int> out;
  for (std::size_t i = pending.size(); i-- > 0;) out.push_back(*pending.at(static_cast<int>(i)));
  return out;
}

using Numbers = std::vector<int>;

TEST(Pending, RequestsAreNamedByAge) {
  Pending<int> p = made(3);
  EXPECT_EQ(*p.at(0), 3);
  EXPECT_EQ(*p.at(2), 1);
  EXPECT_EQ(p.at(3), nullptr);
  EXPECT_EQ(p.at(-1), nullptr);
  EXPECT_EQ(p.at(kNull), nullptr);
}

TEST(Pending, WaitEndsOne) {
  Pending<int> p = made(3);
  p.pass(event("MPI_Wait", {1}));
  EXPECT_EQ(left(p), (Numbers{1, 3}));
  EXPECT_EQ(*p.at(1), 1) << "those that are older are counted anew";
}

TEST(Pending, WaitallEndsAllThatItNames) {
  Pending<int> p = made(4);
  std::vector<int> done;
  p.pass(event("MPI_Waitall", {3, kNull, 0}), [&](int value) { done.push_back(value); });
  EXPECT_EQ(done, (Numbers{1, 4})) << "in the order of the call";
  EXPECT_EQ(left(p), (Numbers{2, 3}));
}

TEST(Pending, WaitanyEndsTheOneThatCompleted) {
  Pending<int> p = made(3);
  p.pass(event("MPI_Waitany", {2, 1, 0}, 1));
  EXPECT_EQ(left(p), (Numbers{1, 3}));
  p.pass(event("MPI_Waitany", {kNull, kNull}, kUndefined));
  EXPECT_EQ(left(p), (Numbers{1, 3})) << "none was active";
  p.pass(event("MPI_Waitany", {1, 0}, 7));
  EXPECT_EQ(left(p), (Numbers{1, 3})) << "damage ends nothing";
}

TEST(Pending, TheTableSaysWhichFunctionsReturnAtAny) {
  for (const char* name : {"MPI_Waitany", "MPI_Waitsome", "MPI_Testany", "MPI_Testsome"})
    EXPECT_TRUE(returns_at_any(*event(name, {0}).function)) << name;
  // Its list of that name is of neighbors.
  for (const char* name : {"MPI_Wait", "MPI_Waitall", "MPI_Testall", "MPI_Graph_create"})
    EXPECT_FALSE(returns_at_any(*event(name, {0}).function)) << name;
}

TEST(Pending, PersistentOnesStayUntilTheyAreFreed) {
  Pending<int> p = made(2, true);
  std::vector<int> done;
  p.pass(event("MPI_Waitall", {1, 0}), [&](int value) { done.push_back(value); });
  EXPECT_EQ(done, (Numbers{1, 2}));
  EXPECT_EQ(left(p), (Numbers{1, 2}));
  p.pass(event("MPI_Request_free", {1}));
  EXPECT_EQ(left(p), (Numbers{2}));
}

TEST(Pending, WhatAsksOnlyEndsNothing) {
  Pending<int> p = made(2);
  p.pass(event("MPI_Start", {0}));
  p.pass(event("MPI_Cancel", {1}));
  EXPECT_EQ(left(p), (Numbers{1, 2}));
}

TEST(Pending, OneThatIsNamedTwiceEndsOnce) {
  Pending<int> p = made(2);
  p.pass(event("MPI_Waitall", {0, 0}));
  EXPECT_EQ(left(p), (Numbers{1}));
}

TEST(Pending, OtherThreadsNameThemByHowManyWereMadeBefore) {
  Pending<int> p = made(3);
  EXPECT_EQ(p.find_made(0)->value, 1);
  p.pass(event("MPI_Wait", {2}));
  EXPECT_EQ(p.find_made(0), nullptr);
  EXPECT_EQ(p.find_made(2)->value, 3) << "which does not change when others end";
  EXPECT_EQ(p.find_made(3), nullptr);
  p.add(4, false);
  EXPECT_EQ(p.find_made(3)->value, 4);
}

TEST(Pending, WhatAnotherThreadHasEndedKeepsItsNumberBehindOlderOnes) {
  Pending<int> p = made(3);
  p.find_made(1)->is_gone = true;
  p.tidy_oldest();
  EXPECT_EQ(left(p), (Numbers{1, 2, 3}));
  p.find_made(0)->is_gone = true;
  p.tidy_oldest();
  EXPECT_EQ(left(p), (Numbers{3}));
}

TEST(Pending, TidyForgetsAllThatAreGone) {
  Pending<int> p = made(3);
  p.find(1)->is_gone = true;
  p.tidy();
  EXPECT_EQ(left(p), (Numbers{1, 3}));
}

TEST(Pending, OneThatIsTakenBackWasNeverMade) {
  Pending<int> p = made(2);
  EXPECT_EQ(p.take_back(), 2);
  p.add(3, true);
  EXPECT_EQ(p.find_made(1)->value, 3);
  EXPECT_TRUE(p.find(0)->is_persistent);
}

}  // namespace
}  // namespace reprise::mpi
