// Programs in coNCePTuaL of scalable traces, executed on numbers of ranks that the laws do not come
// from.
#include "scalable/conceptual.hpp"

#include <gtest/gtest.h>

#include "conceptual/execute/fake_machine.hpp"
#include "scalable/test_programs.hpp"

namespace reprise::scalable {
namespace {

using test::Stream;
using Lines = std::vector<std::string>;

constexpr std::int64_t kInt = 4;  // [bytes]

Result<std::string> written(const ScalableTrace& scalable) {
  return write_conceptual(scalable, {.trace = "t"});
}

// What a task sends by the program.
Lines sent(const std::string& text, std::int64_t rank, std::int64_t ranks) {
  const auto program = conceptual::parse_program(text, "t.ncptl");
  if (!program) return {program.error().message};
  const auto arguments = conceptual::parse_arguments(*program, {}, ranks);
  if (!arguments) return {arguments.error().message};
  conceptual::FakeMachine machine(rank, ranks);
  try {
    conceptual::run_on(*program, *arguments, machine);
  } catch (const conceptual::Problem& p) {
    return {conceptual::describe("t.ncptl", p)};
  }
  std::erase_if(machine.lines, [](const std::string& l) { return !l.starts_with("send"); });
  return machine.lines;
}

Lines expected(const Stream& stream) {
  Lines out;
  for (const test::Sent& s : stream) {
    out.push_back("send " + std::to_string(kInt * s.count) + " to " + std::to_string(s.dest));
    if (s.tag != 0) out.back() += " tag " + std::to_string(s.tag);
  }
  return out;
}

void expect_same(const test::RankProgram& program, const std::vector<std::int64_t>& from,
                 const std::vector<std::int64_t>& on) {
  const auto text = written(fitted(program, from));
  ASSERT_TRUE(text) << text.error().message;
  for (const std::int64_t ranks : on) {
    for (std::int64_t r = 0; r < ranks; ++r)
      ASSERT_EQ(sent(*text, r, ranks), expected(program(r, ranks))) << r << " of " << ranks << "\n"
                                                                    << *text;
  }
}

std::string refusal(const test::RankProgram& program, const std::vector<std::int64_t>& from) {
  const auto text = written(fitted(program, from));
  return text ? *text : text.error().message;
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
    if (y > 0) out.push_back({3, 16, rank - n, 7});
    if (y < n - 1) out.push_back({4, 16, rank + n, 7});
  }
  return out;
}

TEST(ScalableConceptual, MakesTheCallsOfARing) { expect_same(ring, {3, 4, 6}, {5, 17}); }

TEST(ScalableConceptual, KnowsBordersOfAGrid) {
  expect_same(stencil, {9, 16, 25}, {9, 36, 49});
  const auto text = written(fitted(stencil, {9, 16, 25}));
  ASSERT_TRUE(text);
  for (const char* part :
       {"LET nx BE SQRT(num_tasks) WHILE", "SQRT(num_tasks)**2 = num_tasks", "t MOD nx > 0"})
    EXPECT_NE(text->find(part), std::string::npos) << part << "\n" << *text;
}

// As many messages as there are ranks, of sizes that go on with the iterations.
TEST(ScalableConceptual, CountsLoops) {
  const auto program = [](std::int64_t rank, std::int64_t ranks) {
    Stream out;
    for (std::int64_t i = 0; i < ranks - 1; ++i)
      out.push_back({1, 8 + 4 * i, (rank + 1) % ranks, 0});
    if (rank == ranks - 1) out.push_back({2, 1, 0, 0});
    return out;
  };
  expect_same(program, {4, 6, 7, 9}, {5, 12});
}

// A size that is one number for as many iterations as there are ranks, and another one then.
TEST(ScalableConceptual, KnowsSeriesThatFollowTheRanks) {
  const auto program = [](std::int64_t rank, std::int64_t ranks) {
    Stream out;
    for (std::int64_t i = 0; i < 2 * ranks; ++i)
      out.push_back({1, i < ranks ? 8 : 32, (rank + 1) % ranks, 0});
    return out;
  };
  expect_same(program, {4, 6, 7, 9}, {5, 12});
}

// What is done in every third iteration, with a size that goes on from one time to the next.
TEST(ScalableConceptual, CountsWhatIsDoneNowAndThen) {
  const auto program = [](std::int64_t rank, std::int64_t ranks) {
    Stream out;
    for (std::int64_t i = 0; i < 12; ++i) {
      out.push_back({1, 8, (rank + 1) % ranks, 0});
      if (i % 3 == 1) out.push_back({2, i < 6 ? 16 : ranks, (rank + 1) % ranks, 0});
    }
    return out;
  };
  expect_same(program, {4, 6, 7, 9}, {5, 12});
}

TEST(ScalableConceptual, RefusesLoopsThatDifferBetweenRanks) {
  const auto program = [](std::int64_t rank, std::int64_t ranks) {
    Stream out;
    for (std::int64_t i = 0; i < 3 * rank; ++i) out.push_back({1, 8, (rank + 1) % ranks, 0});
    return out;
  };
  const std::string why = refusal(program, {4, 6, 7, 9});
  EXPECT_NE(why.find("has different trip counts on different ranks"), std::string::npos) << why;
  EXPECT_NE(why.find("take --language c, or make a trace with reprise extrapolate"),
            std::string::npos)
      << why;
}

TEST(ScalableConceptual, RunsOnNumbersOfRanksOfItsLawsAlone) {
  const auto text = written(fitted(stencil, {9, 16, 25}));
  ASSERT_TRUE(text);
  const Lines lines = sent(*text, 0, 12);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("it runs on as many tasks as its laws hold for: square numbers"),
            std::string::npos)
      << lines[0];
}

}  // namespace
}  // namespace reprise::scalable
