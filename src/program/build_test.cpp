// What is found in traces: loops, conditions and laws over iterations, functions and procedures.
#include "program/build.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analyze/program_text.hpp"
#include "expr/print.hpp"
#include "program/check.hpp"

namespace reprise::program {
namespace {

using analyze::parse_program;

// The only call of a program.
const Node& call_in(const std::vector<Node>& nodes) {
  const Node& n = nodes.front();
  return n.kind == Node::Kind::call ? n : call_in(n.body);
}

std::string text_of(const Node& call, std::string_view name) {
  for (const Argument& a : call.arguments) {
    if (a.column.name != name) continue;
    return a.value.expression() ? expr::print(*a.value.expression()) : "no expression";
  }
  return "no argument";
}

// A sweep there and one back, in each of which one end has no neighbor.
TEST(Build, FindsLawsOfRanksThatLeaveOutIterations) {
  const trace::Trace trace = parse_program(R"(ranks 6
4:
  2:
    [{0 1 ...} 1 1 1 1 {1 0 ...}]: MPI_Send count=1 datatype=MPI_INT dest=[1 {0 2 ...} {1 3 ...} {2 4 ...} {3 5 ...} 4] tag=[1 {0 1 ...} {0 1 ...} {0 1 ...} {0 1 ...} 0] @ main a.c:1
)");
  const Program program = explain(trace);
  EXPECT_FALSE(program.grid);
  const Node& call = call_in(program.body);
  EXPECT_EQ(text_of(call, "dest"), "rank - 1 + i1 * 2");
  EXPECT_EQ(text_of(call, "tag"), "i1");
  expect_exact(trace);
}

const Argument& argument_of(const Node& call, std::string_view name) {
  return *std::ranges::find_if(call.arguments,
                               [&](const Argument& a) { return a.column.name == name; });
}

// A table whose entries the index of a loop chooses, also behind a condition on another one.
TEST(Build, FindsTheLoopThatChoosesFromATable) {
  const trace::Trace trace = parse_program(R"(ranks 4
5:
  3:
    MPI_Send count={32 8 9 ...} datatype=MPI_INT dest=rank^1 tag=0 @ main a.c:1
    {0 1 0 ...}: MPI_Send count={7 2 8 1 9} datatype=MPI_INT dest=rank^1 tag=0 @ main a.c:2
    {0 1 1 ...}: MPI_Send count={4 9 ...} datatype=MPI_INT dest=rank^1 tag=0 @ main a.c:3
)");
  const Program program = explain(trace);
  const std::vector<Node>& calls = program.body.front().body.front().body;
  const auto by_loop = [](const Node& call) {
    return std::get<Sequence>(argument_of(call, "count").value.cases.front().content).by_loop;
  };
  EXPECT_EQ(by_loop(calls[0]), (ByLoop{1, 0}));
  EXPECT_EQ(by_loop(calls[1].body.front()), (ByLoop{0, 0}));
  EXPECT_EQ(by_loop(calls[2].body.front()), (ByLoop{1, 1}));
  expect_exact(trace);
}

TEST(Build, TakesNoLineForALawOfTwoNumbers) {
  const trace::Trace trace = parse_program(R"(ranks 2
2:
  MPI_Send count={1950 20} datatype=MPI_INT dest=rank^1 tag={2 1} @ main a.c:1
  MPI_Send count={350 700} datatype=MPI_INT dest=rank^1 tag={1100 2100} @ main a.c:2
)");
  const Program program = explain(trace);
  const std::vector<Node>& calls = program.body.front().body;
  EXPECT_EQ(text_of(calls[0], "count"), "no expression");
  EXPECT_EQ(text_of(calls[0], "tag"), "2 - i0");
  EXPECT_EQ(text_of(calls[1], "count"), "i0 * 350 + 350");
  EXPECT_EQ(text_of(calls[1], "tag"), "no expression");
}

// Tags of a sweep over eight octants: a line of the indices for each half of them.
TEST(Build, FindsALineForSomeIterationsOfALoop) {
  const auto five_times = [](const std::vector<int>& values) {
    std::string out;
    for (const int v : values) {
      for (int k = 0; k < 5; ++k) out += std::to_string(v) + " ";
    }
    return "{" + out + "...}";
  };
  const auto sends = [&](const std::string& what, const std::vector<int>& values) {
    return "        MPI_Send " + what + "=" + five_times(values) +
           " datatype=MPI_INT dest=rank^1 @ main a.c:1\n";
  };
  const trace::Trace trace =
      parse_program("ranks 2\n3:\n  2:\n    4:\n      5:\n" +
                    sends("count=1 tag", {3000, 6000, 9000, 12000, 5000, 6000, 7000, 8000}) +
                    sends("count=1 tag", {4000, 8000, 6000, 8000, 20000, 24000, 14000, 16000}) +
                    sends("tag=0 count", {1, 2, 4, 8, 9, 7, 3, 1}));
  const Program program = explain(trace);
  const Node& octants = program.body.front().body.front();
  const std::vector<Node>& calls = octants.body.front().body.front().body;
  EXPECT_EQ(text_of(calls[0], "tag"), "i1 == 0 ? i2 * 3000 + 3000 : i2 * 1000 + 5000");
  EXPECT_EQ(text_of(calls[1], "tag"),
            "i2 < 2 ? i1 * 16000 + i2 * 4000 + 4000 : i1 * 8000 + i2 * 2000 + 2000");
  EXPECT_EQ(text_of(calls[2], "count"), "no expression");
  expect_exact(trace);
}

// Where only some ranks leave out iterations, that is one condition on the rank and the iteration.
TEST(Build, JoinsConditionsOfRanksAndIterations) {
  const trace::Trace trace = parse_program(R"(ranks 4
4:
  [{1 1 0 0} 1 1 {0 0 1 1}]: MPI_Barrier comm=0 @ main a.c:1
  [{1 1 0 0} 0 0 0]: MPI_Send count=1 datatype=MPI_INT dest=1 tag=0 @ main a.c:2
)");
  const Program program = explain(trace);
  const std::vector<Node>& calls = program.body.front().body;
  ASSERT_TRUE(calls[0].trips.expression());
  EXPECT_EQ(expr::print(*calls[0].trips.expression()),
            "(rank > 0 || i0 < 2) && (rank < 3 || i0 > 1)");
  expect_exact(trace);
}

// What all calls of a function have in common decides whether it is called, if more than one line
// is executed.
TEST(Build, PutsAConditionOfAWholeFunctionAroundItsCall) {
  const trace::Trace trace = parse_program(R"(ranks 2
60:
  MPI_Barrier @ main a.c:1
  [{0 0 0 0 7 ...} 0]: MPI_Recv count=8 datatype=MPI_INT source=1 tag=0 @ main a.c:2 > save b.c:1
  [0 {0 0 0 0 7 ...}]: MPI_Send count=8 datatype=MPI_INT dest=0 tag=0 @ main a.c:2 > save b.c:2
  {0 0 0 0 1 ...}: MPI_Bcast count=1 datatype=MPI_INT root=0 @ main a.c:2 > save b.c:3
)");
  const Program program = explain(trace);
  const Node& condition = program.body.front().body[1];
  ASSERT_EQ(condition.kind, Node::Kind::condition);
  ASSERT_TRUE(condition.trips.expression());
  EXPECT_EQ(expr::print(*condition.trips.expression()), "i0 % 5 == 4");
  ASSERT_EQ(condition.body.size(), 1U);
  EXPECT_EQ(condition.body.front().kind, Node::Kind::function);
  EXPECT_EQ(condition.body.front().body.size(), 3U);
  expect_exact(trace);
}

// A condition on the callers of a function is not repeated in functions that it calls.
TEST(Build, SaysWhoCallsAFunctionOnce) {
  const auto get = [](const std::string& ranks, const std::string& line,
                      const std::string& source) {
    const std::string rest = " source=" + source + " tag=1 ";
    const std::string at = "@ main a.c:" + line + " > get b.c:";
    return ranks + ": MPI_Probe" + rest + at + "1\n" + ranks +
           ": MPI_Recv count=8 datatype=MPI_INT" + rest + at + "2 > read c.c:1\n";
  };
  const trace::Trace trace =
      parse_program("ranks 4\n" + get("[0 1 1 1]", "1", "0") + get("[1 0 0 0]", "2", "3"));
  const Program program = explain(trace);
  ASSERT_EQ(program.procedures.size(), 1U);
  const Procedure& get_once = program.procedures.front();
  ASSERT_EQ(get_once.parameters.size(), 1U);
  EXPECT_EQ(get_once.parameters.front().name, "source");
  expect_exact(trace);
}

// What is left with one invocation stands there again, with what was passed, unless it is long.
TEST(Build, PutsProceduresOfOneInvocationInPlace) {
  const auto solve = [](const std::string& line, const std::string& count) {
    const std::string at = " @ main a.c:" + line + " > solve b.c:";
    const auto trade = [&](const std::string& tag) {
      return "    MPI_Send count=" + count + " datatype=MPI_INT dest=rank+1 tag=" + tag + at +
             "2 > trade c.c:1\n    MPI_Recv count=" + count +
             " datatype=MPI_INT source=rank-1 tag=" + tag + at + "2 > trade c.c:2\n";
    };
    return "MPI_Barrier" + at + "1\n5:\n  MPI_Barrier" + at + "3\n  2:\n" + trade("{3 4 ...}");
  };
  const trace::Trace trace =
      parse_program("ranks 4\n" + solve("1", "8") + "MPI_Barrier @ main a.c:2\n" + solve("3", "9"));
  const Program program = explain(trace);
  ASSERT_EQ(program.procedures.size(), 1U);
  EXPECT_EQ(program.procedures.front().name, "solve");
  const Node& loop = program.procedures.front().body[1].body[1];
  ASSERT_EQ(loop.kind, Node::Kind::loop);
  const Node& trade = loop.body.front();
  ASSERT_EQ(trade.kind, Node::Kind::function);
  EXPECT_EQ(argument_of(trade.body.front(), "count").value.parameter, 0U);
  EXPECT_EQ(text_of(trade.body.front(), "tag"), "i1 + 3");
  expect_exact(trace);
}

// A function that trades with the neighbors along each of two dimensions, so many steps away in
// each call, on 4 x 4 ranks.
std::string trades(int line, const std::vector<int>& distances, const std::string& count) {
  const auto peers = [&](int direction) {
    std::string out = "[";
    for (int rank = 0; rank < 16; ++rank) {
      const int x = rank % 4, y = rank / 4;
      out += rank ? " {" : "{";
      for (const int d : distances) {
        const int step = direction * d + 4;
        out += std::to_string((x + step) % 4 + 4 * y) + " " +
               std::to_string(x + 4 * ((y + step) % 4)) + " ";
      }
      out += "...}";
    }
    return out + "]";
  };
  const std::string at = " @ main a.c:" + std::to_string(line) + " > trade b.c:";
  const std::string rest = " count=" + count + " datatype=MPI_INT tag=0 ";
  const std::string indent = distances.size() > 1 ? "  " : "";
  return (distances.size() > 1 ? std::to_string(distances.size()) + ":\n" : "") + indent + "2:\n" +
         indent + "  MPI_Isend" + rest + "dest=" + peers(1) + at + "1\n" + indent + "  MPI_Recv" +
         rest + "source=" + peers(-1) + at + "2\n" + indent + "  MPI_Wait request=0" + at + "3\n" +
         indent + "MPI_Barrier" + at + "4\n";
}

// Peers that are further away in the same directions are no other procedure.
TEST(Build, PassesTheDistanceOfPeers) {
  const trace::Trace trace =
      parse_program("ranks 16\n" + trades(1, {1}, "8") + trades(2, {2}, "4") +
                    trades(3, {1, 1, 2}, "2") + trades(4, {1}, "8"));
  const Program program = explain(trace);
  ASSERT_EQ(program.procedures.size(), 1U);
  const Procedure& trade = program.procedures.front();
  ASSERT_EQ(trade.parameters.size(), 2U);
  EXPECT_EQ(trade.parameters[0].name, "count");
  EXPECT_EQ(trade.parameters[1].name, "distance");
  const Value& dest = argument_of(trade.body.front().body.front(), "dest").value;
  EXPECT_EQ(dest.distance, 1U);
  EXPECT_EQ(std::get<Alternation>(dest.cases.front().content).laws.size(), 2U);
  const auto passed = [&](const Node& n) { return std::get<Value>(n.passed[1]); };
  EXPECT_EQ(passed(program.body[0]).constant(), 1);
  EXPECT_EQ(passed(program.body[1]).constant(), 2);
  const auto& by_turns =
      std::get<Sequence>(passed(program.body[2].body.front()).cases.front().content);
  EXPECT_EQ(by_turns.by_loop, (ByLoop{0, 0}));
  EXPECT_EQ(by_turns.values.at(2), 2);
  expect_exact(trace);
}

// A sweep to and fro along a line of ranks, of which those at its ends skip iterations.
TEST(Build, FindsWhatIterationsHaveInCommonOnRanksThatSkipSome) {
  const trace::Trace trace = parse_program(R"(ranks 6
3:
  4:
    [{1 1 0 0 ...} 1 1 1 1 {0 0 1 1 ...}]: MPI_Recv count=1 datatype=MPI_INT source=[1 {2 2 0 0 ...} {3 3 1 1 ...} {4 4 2 2 ...} {5 5 3 3 ...} 4] tag=[7 {7 7 9 9 ...} {7 7 9 9 ...} {7 7 9 9 ...} {7 7 9 9 ...} 9] @ main a.c:1
  MPI_Barrier @ main a.c:2
)");
  const Program program = explain(trace);
  const Node& loop = program.body.front().body.front();
  ASSERT_EQ(loop.kind, Node::Kind::loop);
  const Node& receive = loop.body.front().body.front();
  const ByLoop by_halves{1, 0, 2, true};
  const Value& source = argument_of(receive, "source").value;
  ASSERT_EQ(source.cases.size(), 1U);
  const auto& sides = std::get<Alternation>(source.cases.front().content);
  EXPECT_EQ(sides.laws.size(), 2U);
  EXPECT_EQ(sides.by_loop, by_halves);
  const Value& tag = argument_of(receive, "tag").value;
  ASSERT_EQ(tag.cases.size(), 1U);
  const auto& tags = std::get<Sequence>(tag.cases.front().content);
  EXPECT_EQ(tags.length, 2U);
  EXPECT_EQ(tags.values.at(0), 7);
  EXPECT_EQ(tags.values.at(1), 9);
  EXPECT_EQ(tags.by_loop, by_halves);
  expect_exact(trace);
}

// A rank skips whole iterations of the outer loop, each another half of them.
TEST(Build, FindsExpressionsOfInnerLoopsWhereOuterIterationsAreSkipped) {
  const trace::Trace trace = parse_program(R"(ranks 3
4:
  3:
    [{1 1 1 0 0 0 ...} {0 0 0 1 1 1 ...} 1]: MPI_Send count=1 datatype=MPI_INT dest=0 tag=[{7 17 27 ...} {7 17 27 ...} {7 17 27 ...}] @ main a.c:1
)");
  const Program program = explain(trace);
  EXPECT_EQ(text_of(call_in(program.body), "tag"), "i1 * 10 + 7");
  expect_exact(trace);
}

// Each iteration is of one dimension of a cube, and on the ranks at one side of it.
TEST(Build, FindsAConditionForEachIteration) {
  const trace::Trace trace = parse_program(R"(ranks 8
2:
  3:
    MPI_Barrier @ main a.c:1
    [1 {0 1 1 ...} {1 0 1 ...} {0 0 1 ...} {1 1 0 ...} {0 1 0 ...} {1 0 0 ...} 0]: MPI_Send count=1 datatype=MPI_INT dest=[{1 2 4 ...} {3 5 ...} {3 6 ...} 7 {5 6 ...} 7 7 0] tag=0 @ main a.c:2
)");
  const Program program = explain(trace);
  const Node& condition = program.body.front().body.front().body[1];
  ASSERT_EQ(condition.kind, Node::Kind::condition);
  EXPECT_TRUE(condition.who.is_everyone());
  ASSERT_TRUE(condition.trips.expression());
  const std::string text = expr::print(*condition.trips.expression());
  for (const char* part : {"i1 == 0 && ", " || i1 == 1 && ", " || i1 == 2 && "})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  expect_exact(trace);
}

// The laws that the destinations of the first call go through in a grid; nothing if these are not
// the same for all ranks.
std::optional<Alternation> turns_of_dest(const trace::Trace& trace,
                                         const std::vector<std::int64_t>& extents) {
  Options options;
  options.extents = extents;
  const Program program = explain(trace, options);
  const Node& send = call_in(program.body);
  const auto dest = std::ranges::find(send.arguments, std::string_view("dest"),
                                      [](const Argument& a) { return a.column.name; });
  if (dest == send.arguments.end() || dest->value.cases.size() != 1) return std::nullopt;
  const auto* turns = std::get_if<Alternation>(&dest->value.cases[0].content);
  return turns ? std::optional(*turns) : std::nullopt;
}

// On a small torus, several of the 26 neighbors are the same rank. All are steps, nevertheless.
TEST(Build, FindsTheStepsOfALoopOverAllNeighbors) {
  std::string peers;
  for (int rank = 0; rank < 12; ++rank) {
    peers += rank == 0 ? "[{" : " {";
    for (int step = 0; step < 27; ++step) {
      if (step == 13) continue;
      const int x = (rank % 2 + step % 3 + 1) % 2, y = (rank / 2 % 2 + step / 3 % 3 + 1) % 2;
      const int z = (rank / 4 + step / 9 + 2) % 3;
      peers += std::to_string(x + 2 * y + 4 * z) + " ";
    }
    peers += "...}";
  }
  const trace::Trace trace =
      parse_program("ranks 12\n5:\n  26: MPI_Send count=1 datatype=MPI_INT dest=" + peers +
                    "] tag=0 @ main a.c:2\n  MPI_Barrier @ main a.c:3\n");
  const auto turns = turns_of_dest(trace, {2, 2, 3});
  ASSERT_TRUE(turns);
  EXPECT_EQ(turns->laws.size(), 26U);
  for (const auto& law : turns->laws) EXPECT_TRUE(std::holds_alternative<Neighbor>(law));
}

// In both directions, also where a dimension is two ranks wide.
TEST(Build, FindsStepsAcrossBordersInEachIteration) {
  for (const int step : {1, -1}) {
    std::string peers;
    for (int rank = 0; rank < 18; ++rank) {
      const int at[3] = {rank / 6, rank / 2 % 3, rank % 2}, extents[3] = {3, 3, 2};
      const int strides[3] = {6, 2, 1};
      peers += rank == 0 ? "[{" : " {";
      for (int d = 0; d < 3; ++d) {
        const bool is_inside = at[d] + step >= 0 && at[d] + step < extents[d];
        peers += (is_inside ? std::to_string(rank + step * strides[d]) : "MPI_PROC_NULL") + " ";
      }
      peers += "...}";
    }
    const trace::Trace trace =
        parse_program("ranks 18\n8:\n  3: MPI_Send count=1 datatype=MPI_INT dest=" + peers +
                      "] tag=0 @ main a.c:2\n  MPI_Barrier @ main a.c:3\n");
    EXPECT_TRUE(turns_of_dest(trace, {2, 3, 3})) << step;
  }
}

// Iterations in blocks: four blocks determine their size, two do not.
TEST(Build, FindsQuotientsOfALoop) {
  const auto count_of = [](const std::string& trips, const std::string& counts) {
    const trace::Trace trace =
        parse_program("ranks 2\n" + trips + ":\n  MPI_Bcast count={" + counts +
                      "} datatype=MPI_BYTE root=0 @ main a.c:1\n  MPI_Barrier @ main a.c:2\n");
    expect_exact(trace);
    return text_of(call_in(explain(trace).body.front().body), "count");
  };
  EXPECT_EQ(count_of("12", "5 5 5 7 7 7 9 9 9 11 11 11"), "2 * (i0 / 3) + 5");
  EXPECT_EQ(count_of("8", "90 90 80 80 70 70 60 60"), "90 - 10 * (i0 / 2)");
  EXPECT_EQ(count_of("3", "4 4 6"), "no expression");
}

// Message sizes of a benchmark: none, and then powers of two, whatever the inner loop does.
TEST(Build, FindsPowersOfTwoOfOneOfTwoLoops) {
  std::string counts;
  for (const int n : {0, 1, 2, 4, 8, 16}) {
    for (int k = 0; k < 3; ++k) counts += std::to_string(n) + " ";
  }
  const trace::Trace trace =
      parse_program("ranks 2\n6:\n  3: MPI_Bcast count={" + counts +
                    "} datatype=MPI_BYTE root=0 @ main a.c:1\n  MPI_Barrier @ main a.c:2\n");
  const Program program = explain(trace);
  EXPECT_EQ(text_of(call_in(program.body.front().body), "count"), "i0 == 0 ? 0 : 1 << i0 - 1");
  expect_exact(trace);
}

// All but the root receive, where each rank is the root of two broadcasts.
TEST(Build, ComparesTheRankWithANumberThatMoves) {
  std::string trips;
  for (int rank = 0; rank < 4; ++rank) {
    trips += rank == 0 ? "[{" : " {";
    for (int i = 0; i < 8; ++i) trips += (i / 2 == rank ? "0 " : "1 ");
    trips += "...}";
  }
  const trace::Trace trace =
      parse_program("ranks 4\n2:\n  8:\n    MPI_Barrier @ main a.c:1\n    " + trips +
                    "]: MPI_Recv count=1 datatype=MPI_INT source=0 tag=0 @ main a.c:2\n");
  const Program program = explain(trace);
  const Node& condition = program.body.front().body.front().body[1];
  ASSERT_EQ(condition.kind, Node::Kind::condition);
  ASSERT_TRUE(condition.trips.expression());
  EXPECT_EQ(expr::print(*condition.trips.expression()), "rank != i1 / 2");
  expect_exact(trace);
}

// Loops that are around each call of a function, of which no machine code is known, are its own.
TEST(Build, PutsLoopsAroundAllCallsOfAFunctionIntoIt) {
  const auto smooth = [](const std::string& trips, const std::string& line) {
    const std::string at = " @ main a.c:" + line + " > smooth a.c:";
    return trips + ":\n  MPI_Barrier" + at + "1\n  MPI_Bcast count=1 datatype=MPI_INT root=0" + at +
           "2\n";
  };
  const Program all = explain(
      parse_program("ranks 2\n" + smooth("2", "10") + smooth("3", "11") +
                    "4:\n  MPI_Barrier @ main a.c:12\n  5:\n    MPI_Barrier @ main a.c:13 > smooth "
                    "a.c:1\n    MPI_Bcast count=1 datatype=MPI_INT root=0 @ main a.c:13 > smooth "
                    "a.c:2\n"));
  ASSERT_EQ(all.procedures.size(), 1U);
  ASSERT_EQ(all.procedures[0].body.size(), 1U);
  EXPECT_EQ(all.procedures[0].body[0].kind, Node::Kind::loop);
  EXPECT_EQ(all.body[0].kind, Node::Kind::invocation);
  // One call is not: the loop may be that of either function. Nor are several of which one has
  // none.
  const Program one = explain(parse_program("ranks 2\n" + smooth("2", "10")));
  EXPECT_EQ(one.body[0].kind, Node::Kind::loop);
  const Program some = explain(
      parse_program("ranks 2\n" + smooth("2", "10") + smooth("3", "11") + smooth("1", "12")));
  EXPECT_EQ(some.body[0].kind, Node::Kind::loop);
}

// What ranks of one half do, each of its parity.
TEST(Build, TakesWhatBranchesHaveInCommonOutOfTheirConditions) {
  const trace::Trace trace = parse_program(R"(ranks 12
MPI_Barrier @ main a.c:1
[1 0 1 0 1 0 0 0 0 0 0 0]: MPI_Send count=1 datatype=MPI_INT dest=rank+1 tag=0 @ main a.c:2
[0 1 0 1 0 1 0 0 0 0 0 0]: MPI_Recv count=1 datatype=MPI_INT source=rank-1 tag=0 @ main a.c:3
[0 0 0 0 0 0 1 1 1 1 1 1]: MPI_Bcast count=1 datatype=MPI_INT root=0 @ main a.c:4
MPI_Barrier @ main a.c:5
)");
  const Program program = explain(trace);
  ASSERT_EQ(program.body.size(), 4U);
  const Node& outer = program.body[1];
  ASSERT_EQ(outer.kind, Node::Kind::branch);
  EXPECT_EQ(expr::print(*outer.who.condition), "rank < 6");
  EXPECT_EQ(program.body[2].kind, Node::Kind::otherwise);
  ASSERT_EQ(outer.body.size(), 2U);
  EXPECT_EQ(expr::print(*outer.body[0].who.condition), "rank % 2 == 0");
  EXPECT_EQ(outer.body[1].kind, Node::Kind::otherwise);
  expect_exact(trace);
}

// Ranks do different things in the same iterations.
TEST(Build, SharesConditionsOnIterationsBetweenRanks) {
  const trace::Trace trace = parse_program(R"(ranks 4
12:
  MPI_Barrier @ main a.c:1
  [{1 0 0 ...} 0 {1 0 0 ...} 0]: MPI_Send count=1 datatype=MPI_INT dest=rank+1 tag=0 @ main a.c:2
  [0 {1 0 0 ...} 0 {1 0 0 ...}]: MPI_Recv count=1 datatype=MPI_INT source=rank-1 tag=0 @ main a.c:3
)");
  const Program program = explain(trace);
  const std::vector<Node>& body = program.body.front().body;
  ASSERT_EQ(body.size(), 2U);
  EXPECT_EQ(expr::print(*body[1].trips.expression()), "i0 % 3 == 0");
  ASSERT_EQ(body[1].body.size(), 2U);
  EXPECT_EQ(body[1].body[0].kind, Node::Kind::branch);
  EXPECT_EQ(body[1].body[1].kind, Node::Kind::otherwise);
  expect_exact(trace);
}

// A request that is completed by the next call in two loops is not there the first time; another
// is left pending where both loops end.
TEST(Build, FindsConditionsOnTwoLoops) {
  const auto condition_of = [](bool (*is_executed)(int i, int j)) {
    std::string trips;
    for (int k = 0; k < 20; ++k) trips += is_executed(k / 5, k % 5) ? " 1" : " 0";
    const trace::Trace trace = parse_program("ranks 2\n4:\n  5:\n    {" + trips.substr(1) +
                                             "}: MPI_Barrier @ main a.c:1\n"
                                             "    MPI_Bcast count=1 datatype=MPI_INT root=0\n");
    expect_exact(trace);
    const Program program = explain(trace);
    const Node& call = program.body.front().body.front().body.front();
    const expr::Expr* trips_of_call = call.trips.expression();
    return trips_of_call ? expr::print(*trips_of_call) : "no expression";
  };
  EXPECT_EQ(condition_of([](int i, int j) { return i > 0 || j > 0; }), "i0 > 0 || i1 > 0");
  EXPECT_EQ(condition_of([](int i, int j) { return i < 3 || j < 4; }), "i0 < 3 || i1 < 4");
  EXPECT_EQ(condition_of([](int i, int j) { return i == 3 && j == 4; }), "i0 == 3 && i1 == 4");
  EXPECT_EQ(condition_of([](int i, int j) { return i > 0 && j % 2 == 1; }),
            "i0 > 0 && i1 % 2 == 1");
  EXPECT_EQ(condition_of([](int i, int j) { return (i + j) % 3 == 0; }), "no expression");
}

// A loop that each rank has in other iterations is in a condition on both.
TEST(Build, TakesConditionsOnRanksAndIterationsOutOfTrips) {
  std::string trips;
  for (int rank = 0; rank < 8; ++rank) {
    trips += rank == 0 ? "[{" : " {";
    for (int i = 0; i < 12; ++i) trips += (rank / 2 == i % 4 ? "6 " : "0 ");
    trips += "...}";
  }
  const trace::Trace trace =
      parse_program("ranks 8\n12:\n  MPI_Barrier @ main a.c:1\n  " + trips +
                    "]: MPI_Bcast count=1 datatype=MPI_INT root=0 @ main a.c:2\n");
  const Program program = explain(trace);
  const Node& condition = program.body.front().body[1];
  ASSERT_EQ(condition.kind, Node::Kind::condition);
  ASSERT_TRUE(condition.trips.expression());
  EXPECT_EQ(expr::print(*condition.trips.expression()), "rank / 2 == i0 % 4");
  ASSERT_EQ(condition.body.front().kind, Node::Kind::loop);
  EXPECT_EQ(condition.body.front().trips.constant(), 6);
  expect_exact(trace);
}

// A loop that only some iterations have is in a condition on these, which neighbors share.
TEST(Build, TakesConditionsOnIterationsOutOfTrips) {
  const trace::Trace trace = parse_program(R"(ranks 4
5:
  MPI_Barrier @ main a.c:1
  [{3 0 0 0 0} {2 0 0 0 0} {2 0 0 0 0} {3 0 0 0 0}]:
    MPI_Send count=1 datatype=MPI_INT dest=1 tag=0 @ main a.c:2
    MPI_Send count=2 datatype=MPI_INT dest=1 tag=0 @ main a.c:3
  [{1 0 0 0 0} {1 0 0 0 0} 0 0]: MPI_Barrier @ main a.c:4
)");
  const Program program = explain(trace);
  const std::vector<Node>& body = program.body.front().body;
  ASSERT_EQ(body.size(), 2U);
  EXPECT_EQ(body[1].kind, Node::Kind::condition);
  EXPECT_EQ(expr::print(*body[1].trips.expression()), "i0 == 0");
  ASSERT_EQ(body[1].body.size(), 2U);
  EXPECT_EQ(body[1].body[0].kind, Node::Kind::loop);
  expect_exact(trace);
}

}  // namespace
}  // namespace reprise::program
