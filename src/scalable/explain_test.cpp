// The explained programs of scalable traces, held against the traces that are instantiated.
#include "scalable/explain.hpp"

#include <gtest/gtest.h>

#include "scalable/check.hpp"
#include "scalable/test_programs.hpp"
#include "write/text/listing.hpp"

namespace reprise::scalable {
namespace {

using test::Stream;

void expect_exact(const ScalableTrace& scalable, const std::vector<std::int64_t>& ranks) {
  for (const std::int64_t p : ranks)
    EXPECT_EQ(first_difference(scalable, {.ranks = p}), "") << p << " ranks";
}

std::string listing(const ScalableTrace& scalable) {
  const write::Listing all = write::list_program(explain(scalable), {});
  std::string out;
  for (const std::string& l : all.ranks) out += "# " + l + "\n";
  for (const write::Line& l : all.lines) {
    out += std::string(2 * l.depth, ' ');
    for (std::size_t i = 0; i < l.words.list().size(); ++i)
      out += (i ? " " : "") + l.words.list()[i].text;
    out += "\n";
  }
  return out;
}

std::int64_t root(std::int64_t n) {
  std::int64_t k = 1;
  while (k * k < n) ++k;
  return k;
}

// Neighbors on a square without wrap, x fastest.
Stream stencil(std::int64_t rank, std::int64_t ranks) {
  const std::int64_t n = root(ranks), x = rank % n, y = rank / n;
  Stream out;
  for (int i = 0; i < 5; ++i) {
    if (x > 0) out.push_back({1, 8, rank - 1, 0});
    if (x < n - 1) out.push_back({2, 8, rank + 1, 0});
    if (y > 0) out.push_back({3, 16, rank - n, 0});
    if (y < n - 1) out.push_back({4, 16, rank + n, 0});
  }
  return out;
}

TEST(Explain, MakesTheCallsOfARing) { expect_exact(fitted(ring, {3, 4, 6}), {3, 5, 17, 100}); }

TEST(Explain, SaysNeighborsAndBorders) {
  const ScalableTrace scalable = fitted(stencil, {9, 16, 25});
  expect_exact(scalable, {9, 36, 100, 144});
  const std::string text = listing(scalable);
  EXPECT_NE(text.find("# nx x ny grid, nx = sqrt(ranks), ny = sqrt(ranks): x = rank % nx, "
                      "y = rank / nx"),
            std::string::npos)
      << text;
  for (const char* part : {"if x > 0: Send(8 int, to west)", "if x < nx - 1: Send(8 int, to east)",
                           "if y > 0: Send(16 int, to north)", "if y < ny - 1:", "5 times"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// As many messages as there are ranks, of sizes that go on with the iterations.
TEST(Explain, CountsLoops) {
  const auto program = [](std::int64_t rank, std::int64_t ranks) {
    Stream out;
    for (std::int64_t i = 0; i < ranks - 1; ++i)
      out.push_back({1, 8 + 4 * i, (rank + 1) % ranks, 0});
    if (rank == ranks - 1) out.push_back({2, 1, 0, 0});
    return out;
  };
  const ScalableTrace scalable = fitted(program, {4, 6, 7, 9});
  expect_exact(scalable, {4, 5, 12, 31});
}

// Ranks that differ in how often they do something.
TEST(Explain, KnowsRanksThatDoLess) {
  const auto program = [](std::int64_t rank, std::int64_t ranks) {
    Stream out;
    for (std::int64_t i = 0; i < 3 * rank; ++i) out.push_back({1, 8, (rank + 1) % ranks, 0});
    for (std::int64_t i = 0; i < 4; ++i) out.push_back({2, rank % 2 ? 8 : 32, 0, 0});
    return out;
  };
  const ScalableTrace scalable = fitted(program, {4, 6, 7, 9});
  expect_exact(scalable, {4, 5, 12, 31});
}

}  // namespace
}  // namespace reprise::scalable
