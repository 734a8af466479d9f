// Programs that ranks execute by a rule, extrapolated and held against what they do on more ranks.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "compress/random_program.hpp"
#include "extrapolate/test_traces.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::extrapolate {
namespace {

using test::RankProgram;
using test::Sent;
using test::Stream;

Stream walk(const trace::Trace& trace, std::uint64_t stream) {
  Stream out;
  trace::Cursor cursor(trace, stream);
  while (cursor.next()) {
    const auto& v = cursor.event().scalars;
    const auto& path = trace.callpaths[trace.calls[cursor.event().call].callpath];
    out.push_back({trace.frames[path.front()].line - 1, v[2], v[4], v[5]});
  }
  EXPECT_FALSE(cursor.damaged());
  return out;
}

Result<trace::Trace> extrapolate_to(const RankProgram& program,
                                    const std::vector<std::int64_t>& inputs, std::int64_t ranks,
                                    Exactness exactness = Exactness::required) {
  std::vector<trace::Trace> traces;
  for (const std::int64_t p : inputs) traces.push_back(test::run_program(program, p));
  Request request{ranks, {}};
  request.exactness = exactness;
  return test::extrapolate_from(traces, request);
}

void expect_exact(const RankProgram& program, const std::vector<std::int64_t>& inputs,
                  std::int64_t ranks) {
  const auto trace = extrapolate_to(program, inputs, ranks);
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->ranks, static_cast<std::uint64_t>(ranks));
  for (std::int64_t r = 0; r < ranks; ++r) {
    ASSERT_TRUE(walk(*trace, static_cast<std::uint64_t>(r)) == program(r, ranks)) << "rank " << r;
  }
}

TEST(Extrapolate, ARing) {
  expect_exact(
      [](auto rank, auto ranks) {
        Stream out;
        for (int i = 0; i < 10; ++i) out.push_back({1, 64, (rank + 1) % ranks, 0});
        return out;
      },
      {3, 4, 6}, 50);
}

TEST(Extrapolate, AButterflyWhoseLoopVanishesOnOneRank) {
  expect_exact(
      [](auto rank, auto ranks) {
        Stream out{{0, 1, 0, 0}};
        for (int step = 0; step < 5; ++step) {
          for (std::int64_t bit = 1; bit < ranks; bit *= 2) out.push_back({1, bit, rank ^ bit, 0});
          out.push_back({2, 8, 0, 0});
        }
        return out;
      },
      {1, 4, 8, 16}, 64);
}

TEST(Extrapolate, AGatherWhereTheRootDoesOtherwise) {
  expect_exact(
      [](auto rank, auto ranks) {
        Stream out;
        if (rank == 0) {
          for (std::int64_t r = 1; r < ranks; ++r) out.push_back({1, 4, r, 7});
        } else {
          out.push_back({2, 4, 0, 7});
        }
        return out;
      },
      {3, 4, 7}, 30);
}

TEST(Extrapolate, SharesOfAWhole) {
  expect_exact(
      [](auto rank, auto ranks) {
        return Stream{{1, 1000 / ranks + (rank < 1000 % ranks ? 1 : 0), 0, 0}};
      },
      {3, 4, 7, 9}, 64);
}

// Rows of 610 numbers, of which the first ranks have one more.
TEST(Extrapolate, RowsTimesTheirLength) {
  const auto rows = [](std::int64_t rank, std::int64_t ranks) {
    return Stream{{1, 610 * (33 / ranks + (rank < 33 % ranks)), (rank + 1) % ranks, 0}};
  };
  expect_exact(rows, {4, 6, 9, 14}, 20);
  // Parts of which all are multiples of five, or rows of five?
  const auto parts = [](std::int64_t rank, std::int64_t ranks) {
    return Stream{{1, 720 * (720 / ranks), (rank + 1) % ranks, 0}};
  };
  const auto untold = extrapolate_to(parts, {4, 6, 9, 11}, 20);
  ASSERT_FALSE(untold);
  EXPECT_NE(untold.error().message.find("both fit"), std::string::npos) << untold.error().message;
}

// Rounded, so that each size alone has several laws, and their differences others.
TEST(Extrapolate, SizesThatDoubleAndAreDivided) {
  expect_exact(
      [](auto, auto ranks) {
        Stream out;
        for (int step = 0; step < 4; ++step) {
          out.push_back({1, (1024 << step) / ranks / ranks + 1, 0, 0});
        }
        return out;
      },
      {4, 9, 16}, 36);
}

TEST(Extrapolate, NeighborsThatAreLoopedOver) {
  expect_exact(
      [](auto rank, auto ranks) {
        std::int64_t d = 1;
        while (d * d < ranks) ++d;
        Stream out;
        for (int step = 0; step < 3; ++step) {
          for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
            const std::int64_t x = rank % d + dx, y = rank / d + dy;
            if (x < 0 || y < 0 || x >= d || y >= d) continue;
            out.push_back({1, 8, y * d + x, 10 + dx + 3 * dy});
          }
          out.push_back({2, 1, 0, 0});
        }
        return out;
      },
      {9, 16, 25}, 64);
}

// On 8 ranks no rank has a neighbor at both sides. Faces, edges and corners are of different sizes,
// and those of the second of two levels are smaller.
TEST(Extrapolate, TwentySixNeighbors) {
  expect_exact(
      [](auto rank, auto ranks) {
        std::int64_t d = 1;
        while (d * d * d < ranks) ++d;
        Stream out;
        for (int step = 0; step < 3; ++step) {
          for (std::int64_t n = 32; n >= 8; n /= 4) {
            for (std::int64_t z = -1; z <= 1; ++z) {
              for (std::int64_t y = -1; y <= 1; ++y) {
                for (std::int64_t x = -1; x <= 1; ++x) {
                  const std::int64_t to[] = {rank % d + x, rank / d % d + y, rank / d / d + z};
                  const bool is_within =
                      std::ranges::all_of(to, [d](auto k) { return 0 <= k && k < d; });
                  if (!is_within || (x == 0 && y == 0 && z == 0)) continue;
                  const std::int64_t size = (x ? 1 : n) * (y ? 1 : n) * (z ? 1 : n);
                  out.push_back({n == 32 ? 1U : 2U, size, to[0] + d * (to[1] + d * to[2]), 99});
                }
              }
            }
          }
          out.push_back({3, 1, 0, 0});
        }
        return out;
      },
      {8, 27, 64}, 125);
}

TEST(Extrapolate, ChanceIsRefused) {
  const auto chance = [](std::int64_t rank, std::int64_t ranks) {
    const auto n = combine(static_cast<std::uint64_t>(ranks), static_cast<std::uint64_t>(rank));
    return Stream{{1, static_cast<std::int64_t>(n % 1000), 0, 0}};
  };
  EXPECT_FALSE(extrapolate_to(chance, {4, 8, 12}, 32));
}

// Parts of a surface, which no two ranks have the same of.
TEST(Extrapolate, SizesThatDependOnDataAreTheirMean) {
  const auto mean = [](std::int64_t ranks) {
    return 60000 / std::pow(static_cast<double>(ranks), 2.0 / 3);
  };
  const RankProgram exchange = [&](std::int64_t rank, std::int64_t ranks) {
    Stream out;
    for (std::int64_t i = 0; i < 20; ++i) {
      const auto key =
          combine(static_cast<std::uint64_t>(ranks * 1000 + rank), static_cast<std::uint64_t>(i));
      const double share = 0.9 + 0.2 * static_cast<double>(mix(key) % 1001) / 1000;
      out.push_back({1, std::llround(share * mean(ranks)), (rank + 1) % ranks, 0});
    }
    return out;
  };
  const auto refused = extrapolate_to(exchange, {4, 8, 12, 16}, 40);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("--approximate takes their mean"), std::string::npos)
      << refused.error().message;
  const auto trace = extrapolate_to(exchange, {4, 8, 12, 16}, 40, Exactness::approximate);
  ASSERT_TRUE(trace) << trace.error().message;
  for (std::uint64_t r = 0; r < 40; ++r) {
    const Stream calls = walk(*trace, r);
    ASSERT_EQ(calls.size(), 20U);
    for (const Sent& s : calls) EXPECT_NEAR(static_cast<double>(s.count) / mean(40), 1, 0.02);
  }
}

// A row further is two ranks further on 4, 6 and 8 ranks.
TEST(Extrapolate, GridsThatAreAllAsWideAreRefused) {
  const auto column = [](std::int64_t rank, std::int64_t ranks) {
    std::int64_t d = 1;
    for (std::int64_t i = 1; i * i <= ranks; ++i) d = ranks % i == 0 ? i : d;
    return Stream{{1, 8, (rank + d) % ranks, 0}};
  };
  EXPECT_FALSE(extrapolate_to(column, {4, 6, 8}, 16));
  EXPECT_TRUE(extrapolate_to(column, {4, 6, 8}, 10));  // as wide
  EXPECT_TRUE(extrapolate_to(column, {4, 6, 12, 16, 20}, 30));
}

// A torus of three dimensions, the first as wide as the others or wider: on 4 and 9 ranks a square,
// on which each rank is its own neighbor along the last axis; on 4 and 8 ranks a hypercube.
TEST(Extrapolate, AxesThatAreOneRankWideAreRefused) {
  const auto torus = [](std::int64_t rank, std::int64_t ranks) {
    const std::map<std::int64_t, std::array<std::int64_t, 3>> all{
        {4, {2, 2, 1}}, {8, {2, 2, 2}}, {9, {3, 3, 1}}, {12, {3, 2, 2}}, {16, {4, 2, 2}}};
    Stream out;
    std::int64_t stride = 1;
    for (const std::int64_t extent : all.at(ranks)) {
      const std::int64_t x = rank / stride % extent;
      out.push_back({1, 8, rank + ((x + 1) % extent - x) * stride, 0});
      stride *= extent;
    }
    return out;
  };
  for (const std::vector<std::int64_t>& inputs :
       std::vector<std::vector<std::int64_t>>{{4, 9}, {4, 8}}) {
    const auto refused = extrapolate_to(torus, inputs, 16);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("4x2x2"), std::string::npos) << refused.error().message;
  }
  expect_exact(torus, {8, 9, 12}, 16);
}

TEST(Extrapolate, AWrongNumberIsRefused) {
  const auto square = [](std::int64_t rank, std::int64_t ranks) {
    std::int64_t d = 1;
    while (d * d < ranks) ++d;
    return Stream{{1, 8, rank / d * d + (rank + 1) % d, 0}, {2, 8, (rank + d) % ranks, 0}};
  };
  EXPECT_TRUE(extrapolate_to(square, {9, 16, 25}, 64));
  const auto none = extrapolate_to(square, {9, 16, 25}, 37);
  EXPECT_FALSE(none);
}

}  // namespace
}  // namespace reprise::extrapolate
