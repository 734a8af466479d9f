// Programs that ranks execute by a rule: fitted, written down, read, and instantiated.
#include <gtest/gtest.h>

#include <random>

#include "extrapolate/values/instantiate.hpp"
#include "scalable/codec.hpp"
#include "scalable/explain.hpp"
#include "scalable/test_programs.hpp"
#include "trace/file/file.hpp"
#include "write/c/write.hpp"
#include "write/text/listing.hpp"

namespace reprise::scalable {
namespace {

using program::NumberClass;
using test::Stream;
using trace::Trace;

TEST(Scalable, GivesWhatExtrapolatingGives) {
  const Inputs inputs = record(ring, {3, 4, 6});
  const auto read = again(fitted(ring, {3, 4, 6}));
  ASSERT_TRUE(read) << read.error().message;
  for (const std::int64_t ranks : {3, 5, 50, 1001}) {
    const extrapolate::Request request{.ranks = ranks};
    const auto inferred = extrapolate::infer_program(inputs.traces, inputs.names, request);
    ASSERT_TRUE(inferred && inferred->refused.empty());
    const auto expected = extrapolate::instantiate(inferred->program, inputs.traces, request);
    const auto made = instantiate(*read, {.ranks = ranks});
    ASSERT_TRUE(expected && made);
    EXPECT_EQ(trace::encode_body(*made), trace::encode_body(*expected)) << ranks;
  }
}

TEST(Scalable, SaysForWhichNumbersItHolds) {
  const ScalableTrace scalable = fitted(ring, {3, 4, 6});
  EXPECT_EQ(scalable.domain.ranks.numbers, NumberClass{});
  EXPECT_EQ(scalable.domain.ranks.least, 3);
  EXPECT_GT(scalable.domain.ranks.most, 100'000);
  const auto below = instantiate(scalable, {.ranks = 2});
  ASSERT_FALSE(below);
  EXPECT_NE(below.error().message.find("hold for all numbers from 3 to"), std::string::npos);
  EXPECT_FALSE(instantiate(scalable, {.ranks = 9, .parameters = {{"n", 3}}}));
}

// On all inputs the ranks divide 1,024. On 1,024 ranks, 2 * (512 / ranks) is another number.
TEST(Scalable, EndsWhereLawsPart) {
  const auto program = [](std::int64_t rank, std::int64_t ranks) {
    return Stream{{1, 1024 / ranks, (rank + 1) % ranks, 0}};
  };
  const ScalableTrace scalable = fitted(program, {4, 8, 16, 32});
  EXPECT_EQ(scalable.domain.ranks.numbers.shape, NumberClass::Shape::power_of_two);
  EXPECT_EQ(scalable.domain.ranks.most, 512);
  EXPECT_TRUE(instantiate(scalable, {.ranks = 512}));
  EXPECT_FALSE(instantiate(scalable, {.ranks = 1024}));
  EXPECT_FALSE(instantiate(scalable, {.ranks = 96}));
}

// A size of the problem is said when a trace is made, within what the laws were tried for.
TEST(Scalable, TakesSizes) {
  const std::vector<std::int64_t> ranks{3, 4, 6, 8, 9}, sizes{8, 16, 8, 32, 64};
  Inputs inputs;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto program = [&](std::int64_t rank, std::int64_t of) {
      return Stream{{1, 3 * sizes[i] + of, (rank + 1) % of, 0}};
    };
    Inputs one = record(program, {ranks[i]});
    inputs.traces.push_back(std::move(one.traces[0]));
    inputs.names.push_back(one.names[0]);
  }
  extrapolate::Request request{.parameters = {{"n", sizes, 0}}};
  const auto fitted = fit(inputs.traces, inputs.names, request);
  ASSERT_TRUE(fitted && fitted->trace) << (fitted ? fitted->differs : fitted.error().message);
  const auto read = again(*fitted->trace);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->parameters[0].values, sizes);
  request.ranks = 50;
  request.parameters[0].wanted = 128;
  const auto inferred = extrapolate::infer_program(inputs.traces, inputs.names, request);
  ASSERT_TRUE(inferred && inferred->refused.empty());
  const auto expected = extrapolate::instantiate(inferred->program, inputs.traces, request);
  const auto made = instantiate(*read, {.ranks = 50, .parameters = {{"n", 128}}});
  ASSERT_TRUE(expected && made) << made.error().message;
  EXPECT_EQ(trace::encode_body(*made), trace::encode_body(*expected));
  EXPECT_FALSE(instantiate(*read, {.ranks = 50}));                              // which n?
  EXPECT_FALSE(instantiate(*read, {.ranks = 50, .parameters = {{"n", 100}}}));  // no power of two
  EXPECT_FALSE(instantiate(*read, {.ranks = 50, .parameters = {{"n", 4}}}));    // too small
}

TEST(Scalable, IsWrittenInC) {
  const ScalableTrace scalable = fitted(ring, {3, 4, 6});
  const auto source = write::c::write(explain(scalable), "app.reprise", {});
  ASSERT_TRUE(source) << source.error().message;
  const std::string& text = source->program;
  for (const char* part : {"iterations(10)", "if (rank == 0) {", "(rank + 1) % RANKS",
                           "numbers_of_ranks = {3, ", "MPI_Send(OUT("}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(Scalable, IsNoTraceToOthers) {
  const auto file = trace::encode_trace(encode(fitted(ring, {3, 4, 6})));
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)[7], trace::kSectionsVersion);
  const auto refused = trace::decode_trace(*file, "app.reprise");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is a scalable trace"), std::string::npos);
  EXPECT_FALSE(decode(test::run_program(ring, 3), "app"));
}

TEST(Scalable, IsListedWithItsLaws) {
  const ScalableTrace scalable = fitted(ring, {3, 4, 6});
  std::string text;
  for (const write::Line& l : write::list_program(explain(scalable), {}).lines) {
    for (const write::Word& w : l.words.list()) text += w.text + " ";
    text += "\n";
  }
  EXPECT_NE(text.find("10 times: Send"), std::string::npos) << text;
  EXPECT_NE(text.find("to (rank + 1) % ranks"), std::string::npos) << text;
  EXPECT_NE(text.find("if rank == 0: Send(ranks int, to 1)"), std::string::npos) << text;
}

// Whatever is done to the laws, reading them ends, and so does what can be read of them.
TEST(Scalable, SurvivesDamage) {
  const Trace good = encode(fitted(ring, {3, 4, 6}));
  std::mt19937_64 random(7);
  int made = 0;
  for (int i = 0; i < 3000; ++i) {
    Trace bad = good;
    auto& bytes = bad.sections[0].content;
    for (int edits = 0; edits < 1 + i % 3; ++edits) {
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    }
    const auto read = decode(bad, "app");
    if (!read) continue;
    const program::Program program = explain(*read);
    (void)write::list_program(program, {});
    (void)write::c::write(program, "app", {});
    if (instantiate(*read, {.ranks = 7})) ++made;
  }
  EXPECT_GT(made, 0);
}

// Laws of communicators where there are none.
TEST(Scalable, RefusesLawsOfCommunicatorsThatAreNotMade) {
  for (const bool placed : {false, true}) {
    ScalableTrace scalable = fitted(ring, {3, 4, 6});
    for (extrapolate::Parameter& p : scalable.program.parameters) {
      if (p.slot.is_trips()) continue;
      if (placed) {
        p.law = {.form = extrapolate::Law::Form::placed};
      } else {
        p.law = {
            .form = extrapolate::Law::Form::indexed, .number = {.expression = 0}, .local = true};
      }
    }
    const auto read = again(scalable);
    ASSERT_TRUE(read) << read.error().message;
    const auto made = instantiate(*read, {.ranks = 7});
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message.find("members of its communicator"), std::string::npos)
        << made.error().message;
  }
}

// Depths of recursions that are not there, or of calls that split nothing.
TEST(Scalable, RefusesRecursionsThatAreNone) {
  ScalableTrace scalable = fitted(ring, {3, 4, 6});
  scalable.program.parameters.front().law.depth = extrapolate::Depth{0, false};
  const auto nowhere = again(scalable);
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("a recursion that is not there"), std::string::npos);
  scalable.program.descents.push_back({.site = 0, .first = {}, .goes_on = {}});
  const auto nothing = again(scalable);
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().message.find("a recursion of nothing"), std::string::npos);
}

// A line of ranks has one extent, whatever a file says.
TEST(Scalable, RefusesLinesOfSeveralDimensions) {
  ScalableTrace scalable = fitted(ring, {3, 4, 6});
  auto& rules = scalable.program.grids.rules;
  rules.push_back({.kind = infer::GridRule::Kind::line});
  ASSERT_TRUE(again(scalable));
  rules.back().dimensions = 2;
  const auto read = again(scalable);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("an unknown grid"), std::string::npos)
      << read.error().message;
}

// A law that asks for more values than anyone can write down.
TEST(Scalable, RefusesLawsWithoutEnd) {
  ScalableTrace scalable = fitted(ring, {3, 4, 6});
  for (extrapolate::Parameter& p : scalable.program.parameters) {
    if (!p.slot.is_trips() || !scalable.program.repeated[p.slot.item]) continue;
    p.law = {};
    p.law.form = extrapolate::Law::Form::series;
    p.law.series = trace::Series::constant(std::int64_t{1} << 60);
  }
  for (extrapolate::Parameter& p : scalable.program.parameters) {
    if (p.slot.is_trips() || p.shape.loops.empty()) continue;
    p.law = {};
    p.law.form = extrapolate::Law::Form::indexed;
    p.law.number.expression = expr::Expr::variable("i0") * expr::Expr::variable("i0");
    break;
  }
  const auto made = instantiate(scalable, {.ranks = 7, .steps = 1 << 16});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("more values than"), std::string::npos)
      << made.error().message;
}

}  // namespace
}  // namespace reprise::scalable
