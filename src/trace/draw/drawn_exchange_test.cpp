#include "trace/draw/drawn_exchange.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace reprise::trace {
namespace {

DrawnExchange some() {
  DrawnExchange e;
  e.seed = 1000;
  e.messages = {4, 8, 12};
  e.rounds = {1, 3};
  e.flows = {{{9, 0, 0, 0, 0}, {0, 1, 1, 1, 1}, {16}, 1},
             {{0, 2, 1, 1, 0}, {4, 0, 0, 0, 0}, {8, 24}, 1}};
  return e;
}

TEST(DrawnExchange, ShufflesEachPlaceOnce) {
  for (const std::int64_t n : {1, 2, 3, 7, 8, 100}) {
    std::set<std::int64_t> places;
    for (std::int64_t i = 0; i < n; ++i) places.insert(Shuffle{n, 42}.place_of(i));
    EXPECT_EQ(places.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(*places.rbegin(), n - 1);
  }
}

TEST(DrawnExchange, KeepsNumbersAndSizes) {
  const DrawnExchange e = some();
  ExchangeDraw draw(e, 5);
  std::map<std::size_t, std::size_t> messages;  // by round
  std::map<std::int64_t, std::size_t> sizes;
  std::multiset<std::size_t> numbers;
  for (int time = 0; time < 3; ++time) {
    std::size_t n = 0;
    const auto rounds = draw.next();
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      for (const DrawnMessage& m : rounds[r]) {
        ++sizes[m.bytes];
        EXPECT_NE(m.sender, m.receiver);
      }
      messages[r] += rounds[r].size();
      n += rounds[r].size();
    }
    numbers.insert(n);
  }
  // Each share of the numbers comes once, and so does each of the sizes of a flow in turn.
  EXPECT_EQ(numbers, (std::multiset<std::size_t>{4, 8, 12}));
  EXPECT_EQ(messages[0], 6u);
  EXPECT_EQ(messages[1], 18u);
  EXPECT_EQ(sizes, (std::map<std::int64_t, std::size_t>{{16, 6}, {8, 9}, {24, 9}}));
}

TEST(DrawnExchange, FollowsLoads) {
  const DrawnExchange e = some();
  ExchangeDraw draw(e, 5);
  std::vector<std::size_t> sent(5), received(5);
  for (int time = 0; time < 30; ++time) {
    const auto rounds = draw.next();
    for (const DrawnMessage& m : rounds[0]) EXPECT_EQ(m.sender, 0);
    for (const DrawnMessage& m : rounds[1]) {
      EXPECT_EQ(m.receiver, 0);
      ++sent[static_cast<std::size_t>(m.sender)];
    }
  }
  EXPECT_EQ(sent[0], 0u);
  EXPECT_EQ(sent[4], 0u);
  EXPECT_NEAR(static_cast<double>(sent[1]), 90, 9);
  EXPECT_NEAR(static_cast<double>(sent[2]), 45, 9);
}

TEST(DrawnExchange, CarriesOnWhatIsPolledFor) {
  DrawnExchange e = some();
  e.polls = 250;
  e.waits = 500;
  std::int64_t polled = 0, waited = 0;
  for (std::int64_t before = 0; before < 100; ++before) {
    const auto [polls, waits] = e.completions(before, 1);
    EXPECT_LE(polls + waits, 1);
    polled += polls;
    waited += waits;
  }
  EXPECT_EQ(polled, 25);
  EXPECT_GE(waited, 25);
  EXPECT_EQ(e.completions(0, 100).polled, 25);
  EXPECT_EQ(e.completions(0, 100).waited, 50);
}

TEST(DrawnExchange, MovesLoadsFromRankToRank) {
  DrawnExchange e = some();
  e.moves = true;
  ExchangeDraw draw(e, 5);
  std::set<std::int64_t> senders;
  for (int time = 0; time < 30; ++time) {
    std::set<std::int64_t> now;
    const auto rounds = draw.next();
    for (const DrawnMessage& m : rounds[0]) now.insert(m.sender);
    EXPECT_LE(now.size(), 1u);
    senders.insert(now.begin(), now.end());
  }
  EXPECT_EQ(senders.size(), 5u);
}

TEST(DrawnExchange, DrawsTheSameEachTimeItIsAsked) {
  const DrawnExchange e = some();
  ExchangeDraw a(e, 5), b(e, 5);
  for (int time = 0; time < 10; ++time) {
    const auto x = a.next(), y = b.next();
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t r = 0; r < x.size(); ++r) {
      ASSERT_EQ(x[r].size(), y[r].size());
      for (std::size_t i = 0; i < x[r].size(); ++i) {
        EXPECT_EQ(x[r][i].sender, y[r][i].sender);
        EXPECT_EQ(x[r][i].receiver, y[r][i].receiver);
        EXPECT_EQ(x[r][i].bytes, y[r][i].bytes);
      }
    }
  }
}

}  // namespace
}  // namespace reprise::trace
