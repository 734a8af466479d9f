// What the tasks of a generated program compute, against what the ranks of the trace did: executed
// on a machine that writes down what it is asked for.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compress/random_program.hpp"
#include "conceptual/execute/fake_machine.hpp"
#include "generate/conceptual_language.hpp"

namespace reprise {
namespace {

using test::Stream;

// What a rank computes [us], one after the other.
std::vector<double> spins_of(const conceptual::Program& program, std::int64_t rank,
                             std::int64_t ranks, const std::vector<std::string>& words) {
  conceptual::FakeMachine machine(rank, ranks, 100000);
  conceptual::run_on(program, *conceptual::parse_arguments(program, words, ranks), machine);
  std::vector<double> out;
  for (const std::string& line : machine.lines) {
    if (line.starts_with("spin ")) out.push_back(std::stod(line.substr(5)));
  }
  return out;
}

// [us] of each rank; none if the program takes longer than a test is to wait for.
std::optional<std::vector<double>> computed(const std::string& text, std::int64_t ranks,
                                            int percent) {
  const auto program = conceptual::parse_program(text, "p");
  if (!program) throw std::runtime_error(program.error().message + "\n" + text);
  std::vector<std::string> words;
  if (text.find("compute_percent IS") != std::string::npos)
    words = {"--compute_percent", std::to_string(percent)};
  std::vector<double> out;
  for (std::int64_t r = 0; r < ranks; ++r) {
    try {
      const std::vector<double> spins = spins_of(*program, r, ranks, words);
      out.push_back(std::accumulate(spins.begin(), spins.end(), 0.0));
    } catch (const conceptual::Problem& p) {
      if (p.text.find("too long") != std::string::npos) return std::nullopt;
      throw std::runtime_error(p.text + "\n" + text);
    }
  }
  return out;
}

double recorded(const Stream& stream) {
  double sum = 0;
  for (const test::Sent& call : stream) sum += 1e-3 * static_cast<double>(call.compute);
  return sum;
}

// Within 1 %, and a few microseconds that the sums of all calls lose together, however many they
// are.
bool is_near(double computed, double recorded, int percent) {
  const double wanted = recorded * percent / 100;
  return std::abs(computed - wanted) <= 0.01 * wanted + 5;
}

void expect_kept(const std::vector<Stream>& streams) {
  const trace::Trace trace = test::trace_of(streams);
  const auto text = generate::conceptual_language().write(trace, {.trace = "t"});
  ASSERT_TRUE(text) << text.error().message;
  for (const int percent : {100, 50, 37, 10, 1}) {
    const auto sums = computed(text->text, static_cast<std::int64_t>(streams.size()), percent);
    ASSERT_TRUE(sums);
    for (std::size_t r = 0; r < streams.size(); ++r) {
      EXPECT_TRUE(is_near((*sums)[r], recorded(streams[r]), percent))
          << "rank " << r << " at " << percent << " %: " << (*sums)[r] << " us of "
          << recorded(streams[r]) << "\n"
          << text->text;
    }
  }
}

// `ns` of a rank, a pass of the loop and a call in it.
template <class Duration>
std::vector<Stream> loop_of(std::size_t ranks, std::int64_t passes, std::uint32_t calls,
                            const Duration& ns) {
  std::vector<Stream> out(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    for (std::int64_t k = 0; k < passes; ++k) {
      for (std::uint32_t site = 0; site < calls; ++site) {
        out[r].push_back({site, 8, static_cast<std::int64_t>((r + 1) % ranks), 0,
                          ns(static_cast<std::int64_t>(r), k, site), 100});
      }
    }
  }
  return out;
}

TEST(TaskTimes, WhatIsBelowAMicrosecondIsKept) {
  expect_kept(loop_of(4, 1000, 3, [](auto, auto, auto) { return 412; }));
  expect_kept(loop_of(4, 1000, 3, [](auto, auto, auto site) { return 80 + 500 * site; }));
}

// 40 calls of which each comes to less than a microsecond.
TEST(TaskTimes, WhatCallsLoseIsMadeUpFor) {
  const auto streams = loop_of(2, 2, 40, [](auto, auto, auto) { return 330; });
  const auto text = generate::conceptual_language().write(test::trace_of(streams), {.trace = "t"});
  ASSERT_TRUE(text);
  EXPECT_NEAR((*computed(text->text, 2, 100))[0], 26.4, 1) << text->text;
  EXPECT_NEAR((*computed(text->text, 2, 50))[0], 13.2, 1) << text->text;
}

// Calls that ranks compute for differently, so that one of them cannot carry on for all.
TEST(TaskTimes, WhatRanksLoseDoesNotAddUp) {
  const auto ns = [](auto r, auto, auto site) {
    return 300 + static_cast<std::int64_t>(mix(17 * static_cast<std::uint64_t>(r) + site) % 4000);
  };
  expect_kept(loop_of(4, 1, 300, ns));
  expect_kept(loop_of(16, 3, 300, ns));
}

TEST(TaskTimes, RanksAreToldApart) {
  expect_kept(loop_of(8, 100, 2, [](auto r, auto, auto) { return 10000 + 3000 * r; }));
  expect_kept(loop_of(8, 100, 2, [](auto r, auto, auto) { return r == 3 ? 90000 : 30000; }));
  expect_kept(loop_of(16, 100, 3, [](auto r, auto, auto site) {
    return 2000 + static_cast<std::int64_t>(mix(17 * static_cast<std::uint64_t>(r) + site) % 900);
  }));
}

TEST(TaskTimes, PathsAreToldApart) {
  // The first call of a pass is reached from outside once, and from the last one else.
  const auto streams = loop_of(
      4, 50, 3, [](auto, auto k, auto site) { return k == 0 && site == 0 ? 40000000 : 20000; });
  expect_kept(streams);
  const auto text = generate::conceptual_language().write(test::trace_of(streams), {.trace = "t"});
  ASSERT_TRUE(text);
  EXPECT_NE(text->text.find("40000"), std::string::npos) << text->text;
}

// Which path an execution comes by takes more space than a trace has for it.
TEST(TaskTimes, PathsWhoseOrderIsNotKeptAreToldApart) {
  std::vector<Stream> streams(2);
  for (std::size_t r = 0; r < streams.size(); ++r) {
    bool is_behind = false;
    for (std::uint64_t k = 0; k < 300; ++k) {
      const auto other = static_cast<std::int64_t>(1 - r);
      streams[r].push_back({0, 8, other, 0, is_behind ? 40000 : 10000, 100});
      is_behind = mix(k) % 3 == 0;
      if (is_behind) streams[r].push_back({1, 8, other, 0, 0, 100});
    }
  }
  const trace::Trace trace = test::trace_of(streams);
  ASSERT_TRUE(std::ranges::any_of(trace.times,
                                  [](const trace::CallTimes& t) { return !t.knows_arrivals(); }));
  const auto text = generate::conceptual_language().write(trace, {.trace = "t"});
  ASSERT_TRUE(text);
  const auto program = conceptual::parse_program(text->text, "p");
  ASSERT_TRUE(program);
  std::vector<double> spins = spins_of(*program, 0, 2, {});
  std::erase(spins, 0);
  std::vector<double> expected;
  for (const test::Sent& call : streams[0]) {
    if (call.compute > 0) expected.push_back(1e-3 * static_cast<double>(call.compute));
  }
  EXPECT_EQ(spins, expected) << text->text;
}

// As the levels of a multigrid cycle: which executions are long decides how long ranks wait.
TEST(TaskTimes, ModesAreToldApart) {
  const auto streams =
      loop_of(4, 60, 1, [](auto r, auto k, auto) { return (20000 + 50 * r) << (k % 3); });
  expect_kept(streams);
  const auto text = generate::conceptual_language().write(test::trace_of(streams), {.trace = "t"});
  ASSERT_TRUE(text);
  const auto program = conceptual::parse_program(text->text, "p");
  ASSERT_TRUE(program);
  const std::vector<double> spins = spins_of(*program, 1, 4, {});
  ASSERT_EQ(spins.size(), 60u);
  for (std::size_t k = 1; k < spins.size(); ++k)
    EXPECT_NEAR(spins[k], 20.05 * static_cast<double>(1 << (k % 3)), 1) << k << text->text;
}

// How far one of the values of a rank is from the others [parts of the mean].
double spread_of(const std::vector<double>& values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return (std::ranges::max(values) - std::ranges::min(values)) / mean;
}

// What each task of the program that is written computes [us]; none if it cannot be written.
std::vector<std::vector<double>> written_spins(const std::vector<Stream>& streams) {
  const auto text = generate::conceptual_language().write(test::trace_of(streams), {.trace = "t"});
  if (!text) return {};
  const auto program = conceptual::parse_program(text->text, "p");
  if (!program) return {};
  const auto ranks = static_cast<std::int64_t>(streams.size());
  std::vector<std::vector<double>> out;
  for (std::int64_t r = 0; r < ranks; ++r) out.push_back(spins_of(*program, r, ranks, {}));
  return out;
}

// In a branch that is taken in three of four iterations.
TEST(TaskTimes, ExecutionsInABranchVary) {
  std::vector<Stream> streams(4);
  for (std::size_t r = 0; r < streams.size(); ++r) {
    const auto other = static_cast<std::int64_t>((r + 1) % streams.size());
    for (std::uint64_t k = 0; k < 400; ++k) {
      const auto noise = static_cast<std::int64_t>(mix(1000 * r + k) % 40000);
      if (k % 4 < 3) streams[r].push_back({0, 8, other, 0, 80000 + noise, 100});
      streams[r].push_back({1, 8, other, 0, 0, 100});
    }
  }
  expect_kept(streams);
  const auto spins_of_ranks = written_spins(streams);
  ASSERT_EQ(spins_of_ranks.size(), streams.size());
  for (std::vector<double> spins : spins_of_ranks) {
    std::erase(spins, 0);
    ASSERT_EQ(spins.size(), 300u);
    EXPECT_GT(spread_of(spins), 0.3);
  }
}

// Entering a loop takes long, and going round it varies: neither takes what is the other's.
TEST(TaskTimes, WhatAPathVariesByIsNotDrawnForOthers) {
  std::vector<Stream> streams(4);
  for (std::size_t r = 0; r < streams.size(); ++r) {
    const auto other = static_cast<std::int64_t>((r + 1) % streams.size());
    for (std::uint64_t k = 0; k < 300; ++k) {
      const std::uint64_t drawn = mix(1000 * r + k);
      const std::int64_t rare = drawn % 10 == 0 ? 20000 : 0;
      for (const bool is_first : {true, false, false, false})
        streams[r].push_back({0, 8, other, 0, is_first ? 200000 : 500 + rare, 100});
      streams[r].push_back({1, 8, other, 0, 0, 100});
    }
  }
  expect_kept(streams);
  const auto spins_of_ranks = written_spins(streams);
  ASSERT_EQ(spins_of_ranks.size(), streams.size());
  for (const std::vector<double>& spins : spins_of_ranks) {
    std::vector<double> entering, inside;
    for (const double s : spins) {
      if (s > 0) (s > 100 ? entering : inside).push_back(s);
    }
    ASSERT_EQ(entering.size(), 300u);
    EXPECT_LT(spread_of(entering), 0.02);
    EXPECT_GT(std::ranges::max(inside), 10);
  }
}

TEST(TaskTimes, WhatDoesNotMatterIsLeftOut) {
  const auto text = generate::conceptual_language().write(
      test::trace_of(loop_of(2, 100, 2, [](auto, auto, auto site) { return site ? 1000000 : 1; })),
      {.trace = "t"});
  ASSERT_TRUE(text);
  const std::size_t first = text->text.find("COMPUTE");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(text->text.find("COMPUTE", first + 1), std::string::npos) << text->text;
}

RC_GTEST_PROP(TaskTimes, SumsOfRanksStay, ()) {
  std::uint32_t sites = 0;
  const std::vector<test::Node> program = test::random_body(3, sites);
  const auto ranks = *rc::gen::inRange<std::int64_t>(1, 8);
  const std::vector<Stream> streams =
      test::execute(program, ranks, *rc::gen::arbitrary<std::uint64_t>());
  const trace::Trace trace = test::trace_of(streams);
  const auto text = generate::conceptual_language().write(trace, {.trace = "t"});
  RC_PRE(static_cast<bool>(text));
  for (const int percent : {100, 50}) {
    const auto sums = computed(text->text, ranks, percent);
    RC_PRE(sums.has_value());
    for (std::size_t r = 0; r < streams.size(); ++r) {
      if (!is_near((*sums)[r], recorded(streams[r]), percent))
        RC_FAIL("rank " + std::to_string(r) + ": " + std::to_string((*sums)[r]) + " of " +
                std::to_string(recorded(streams[r])) + " us at " + std::to_string(percent) +
                " %\n" + text->text);
    }
  }
}

}  // namespace
}  // namespace reprise
