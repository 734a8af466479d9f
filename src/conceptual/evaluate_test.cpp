// Values that the language's manual states, or that follow from its definitions by hand.
#include "conceptual/evaluate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "conceptual/execute/fake_machine.hpp"
#include "conceptual/values/progression.hpp"
#include "conceptual/values/topology.hpp"

namespace reprise::conceptual {
namespace {

// The program's only statement prints the expression; in integer context it is bound by LET.
Program program_of(const std::string& text) {
  auto program = parse_program(text, "p");
  if (!program) throw std::runtime_error(program.error().message);
  return std::move(*program);
}

std::string printed(const std::string& text, std::int64_t ranks) {
  const Program program = program_of(text);
  FakeMachine machine(0, ranks);
  run_on(program, *parse_arguments(program, {}, ranks), machine);
  std::string out;
  for (const std::string& line : machine.printed) out += line;
  return out.substr(0, out.size() - 1);
}

std::int64_t value(const std::string& expr, std::int64_t tasks = 8) {
  return std::stoll(printed("LET x BE " + expr + " WHILE TASK 0 OUTPUTS x", tasks));
}

std::string real(const std::string& expr) { return printed("TASK 0 OUTPUTS " + expr, 8); }

bool holds(const std::string& relation) { return value("1 IF " + relation + " OTHERWISE 0") == 1; }

void expect_undefined(const std::string& expr) { EXPECT_THROW(value(expr), Problem) << expr; }

TEST(Tasks, TheLeastThatIsAsserted) {
  const Program any = program_of("TASK 0 OUTPUTS 1");
  EXPECT_EQ(least_tasks(any, {}), 2);
  const Program some = program_of(
      "n IS \"n\" AND COMES FROM \"--n\" OR \"-n\" WITH DEFAULT 3. "
      "ASSERT THAT \"enough\" WITH num_tasks > n THEN "
      "ASSERT THAT \"even\" WITH num_tasks IS EVEN THEN TASK 0 OUTPUTS 1");
  EXPECT_EQ(least_tasks(some, {}), 4);
  EXPECT_EQ(least_tasks(some, {"--n", "4"}), 6);
  EXPECT_FALSE(least_tasks(some, {"--n", "9999"}));
  EXPECT_FALSE(least_tasks(some, {"--m", "4"}));
}

TEST(Integers, Operators) {
  EXPECT_EQ(value("24/5*5"), 20);
  EXPECT_EQ(value("-7/2"), -3);  // towards zero
  EXPECT_EQ(value("3 | 5"), 7);
  EXPECT_EQ(value("6 & 3"), 2);
  EXPECT_EQ(value("6 XOR 3"), 5);
  EXPECT_EQ(value("NOT 0"), -1);
  EXPECT_EQ(value("16 MOD 7"), 2);
  EXPECT_EQ(value("16 MOD -7"), 2);
  EXPECT_EQ(value("-16 MOD 7"), 5);
  EXPECT_EQ(value("-16 MOD -7"), 5);
  EXPECT_EQ(value("10 MOD 3"), 1);
  EXPECT_EQ(value("4-3-2"), -1);
  EXPECT_EQ(value("2**3**2"), 512);
  EXPECT_EQ(value("-2**2"), -4);
  EXPECT_EQ(value("2**-1"), 0);
  EXPECT_EQ(value("1 << 4"), 16);
  EXPECT_EQ(value("16 << -2"), 4);
  EXPECT_EQ(value("1 >> -4"), 16);
  EXPECT_EQ(value("2+3*4"), 14);
  EXPECT_EQ(value("666 IF 2+2=5 OTHERWISE 777"), 777);
  EXPECT_EQ(value("2 IF 1=0 OTHERWISE 1 IF 1=1 OTHERWISE 0"), 1);
  EXPECT_EQ(value("10-(MAX(1,2))"), 8);
  EXPECT_EQ(value("64K"), 65536);
}

TEST(Integers, WhatHasNoValueIsAnError) {
  for (const char* e : {"1/0", "1 MOD 0", "0**0", "0**-1", "2**63", "9223372036854775807+1",
                        "-9223372036854775807-2", "4T*4T", "1<<63", "1<<200", "ROOT(0,0)",
                        "ROOT(4,-245)", "LOG10(0)", "SQRT(-1)", "MESH_COORDINATE((4,3,2),18,3)",
                        "MESH_NEIGHBOR((0),0,(1))", "TREE_PARENT(1,0)", "KNOMIAL_PARENT(1,1)"})
    expect_undefined(e);
}

TEST(Integers, Functions) {
  EXPECT_EQ(value("ABS(-99)"), 99);
  EXPECT_EQ(value("BITS(12345)"), 14);
  EXPECT_EQ(value("BITS(0)"), 0);
  EXPECT_EQ(value("BITS(-1)"), 64);
  EXPECT_EQ(value("FACTOR10(4975)"), 4000);
  EXPECT_EQ(value("FACTOR10(-4975)"), -4000);
  EXPECT_EQ(value("LOG10(12345)"), 4);
  EXPECT_EQ(value("MIN(8,6,7,5,3,0,9)"), 0);
  EXPECT_EQ(value("MAX(8,6,7,5,3,0,9)"), 9);
  EXPECT_EQ(value("ROOT(5, 245)"), 3);
  EXPECT_EQ(value("ROOT(2, 16)"), 4);
  EXPECT_EQ(value("ROOT(3, 27)"), 3);
  EXPECT_EQ(value("ROOT(-3, 8)"), 0);
  EXPECT_EQ(value("SQRT(9223372036854775807)"), 3037000499);
  EXPECT_EQ(value("CBRT(26)"), 2);
  EXPECT_EQ(value("9/2 + 1/2"), 4);
  EXPECT_EQ(value("REAL(9/2 + 1/2)"), 5);
  EXPECT_EQ(value("CEILING(7/2)"), 3);
}

TEST(Reals, AreUsedInOutput) {
  EXPECT_EQ(real("24/5*5"), "24");
  EXPECT_EQ(real("24/5"), "4.8");
  EXPECT_EQ(real("22/7"), "3.142857143");
  EXPECT_EQ(real("CEILING(-7777/10)"), "-777");
  EXPECT_EQ(real("FLOOR(-7777/10)"), "-778");
  EXPECT_EQ(real("ROUND(-7777/10)"), "-778");
  EXPECT_EQ(real("SQRT(2)"), "1.414213562");
  EXPECT_EQ(real("LOG10(1000)"), "3");
  EXPECT_EQ(real("123456789012"), "123456789012");
  EXPECT_EQ(real("-7 MOD 4"), "1");
}

TEST(Places, Trees) {
  EXPECT_EQ(value("TREE_PARENT(0)"), -1);
  EXPECT_EQ(value("TREE_PARENT(3)"), 1);
  EXPECT_EQ(value("TREE_PARENT(4)"), 1);
  EXPECT_EQ(value("TREE_CHILD(1, 0)"), 3);
  EXPECT_EQ(value("TREE_CHILD(1, 1)"), 4);
  for (int i : {7, 8, 9}) EXPECT_EQ(value("TREE_PARENT(" + std::to_string(i) + ", 3)"), 2);
  for (int i : {0, 1, 2}) EXPECT_EQ(value("TREE_CHILD(2, " + std::to_string(i) + ", 3)"), 7 + i);
}

TEST(Places, KnomialTrees) {
  EXPECT_EQ(value("KNOMIAL_PARENT(0)"), -1);
  EXPECT_EQ(value("KNOMIAL_PARENT(1)"), 0);
  EXPECT_EQ(value("KNOMIAL_CHILDREN(1)"), 2);
  EXPECT_EQ(value("KNOMIAL_CHILD(1, 0)"), 3);
  EXPECT_EQ(value("KNOMIAL_CHILD(1, 1)"), 5);
  EXPECT_EQ(value("KNOMIAL_CHILDREN(7)"), 0);
  EXPECT_EQ(value("KNOMIAL_CHILD(7, 0)"), -1);
  EXPECT_EQ(value("KNOMIAL_PARENT(0, 3)", 27), -1);
  EXPECT_EQ(value("KNOMIAL_PARENT(2, 3)", 27), 0);
  EXPECT_EQ(value("KNOMIAL_CHILDREN(2, 3)", 27), 4);
  const int children[] = {5, 8, 11, 20, -1};
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(value("KNOMIAL_CHILD(2, " + std::to_string(i) + ", 3)", 27), children[i]);
  EXPECT_EQ(value("KNOMIAL_CHILDREN(8, 3)", 27), 2);
  EXPECT_EQ(value("KNOMIAL_CHILDREN(8, 3, 26)", 27), 1);
  EXPECT_EQ(value("KNOMIAL_CHILDREN(8, 3, 10)", 27), 0);
}

TEST(Places, Meshes) {
  const std::pair<const char*, int> kValues[] = {
      {"MESH_NEIGHBOR((4), 0, (-1))", -1},
      {"MESH_NEIGHBOR((4), 2, (+1))", 3},
      {"MESH_NEIGHBOR((4*), 0, (-1))", 3},
      {"MESH_NEIGHBOR((4*), 3, (+1))", 0},
      {"MESH_NEIGHBOR((4, 3), 5, (-1, -1))", 0},
      {"MESH_NEIGHBOR((4, 3), 5, (+1, +1))", 10},
      {"MESH_NEIGHBOR((4, 3), 5, (-2, 0))", -1},
      {"MESH_NEIGHBOR((4, 3*), 5, (-2, -2))", -1},
      {"MESH_NEIGHBOR((4*, 3), 5, (-2, 0))", 7},
      {"MESH_NEIGHBOR((4*, 3*), 5, (-2, -2))", 11},
      {"MESH_NEIGHBOR((4, 3, 2), 0, (+1, +1, +1))", 17},
      {"MESH_NEIGHBOR((4, 3, 2), 17, (+2, -1, -1))", 3},
      {"MESH_NEIGHBOR((4, 3, 2), 23, (+1, +1, +1))", -1},
      {"MESH_NEIGHBOR((4*, 3*, 2*), 7, (+100, -200, +300))", 11},
      {"MESH_NEIGHBOR((4, 3), 5, (1, 0))", 6},
      {"MESH_COORDINATE((4), -1, 0)", -1},
      {"MESH_COORDINATE((4), 4, 0)", -1},
      {"MESH_COORDINATE((4), 2, 2)", 0},
      {"MESH_COORDINATE((4, 3), 6, 1)", 1},
      {"MESH_COORDINATE((4, 3, 2), 18, 0)", 2},
      {"MESH_COORDINATE((4, 3, 2), 18, 2)", 1},
      {"MESH_DISTANCE((4), 0, 3)", 3},
      {"MESH_DISTANCE((4*), 0, 3)", 1},
      {"MESH_DISTANCE((4, 3), 11, 0)", 5},
      {"MESH_DISTANCE((4*, 3*), 11, 0)", 2},
      {"MESH_DISTANCE((4, 3, 2), 23, 24)", -1},
      {"MESH_DISTANCE((4*, 3*, 2*), 14, 8)", 4}};
  for (const auto& [expr, wanted] : kValues) EXPECT_EQ(value(expr), wanted) << expr;
}

TEST(Relations, Hold) {
  for (const char* r :
       {"456 IS EVEN", "-3 IS ODD", "2+2 = 4", "2 DIVIDES 1234", "3 IS IN {1, ..., 5}",
        "6 IS NOT IN {3, ..., 5}", "8 IS IN {0}, {1, 2, 4, ..., 16}", "456 IS EVEN \\/ 1/0 = 1",
        "1 <> 2 /\\ 1 <= 1 /\\ 2 >= 1 /\\ 1 < 2 /\\ 2 > 1", "(1) = 1", "((1 = 1))"})
    EXPECT_TRUE(holds(r)) << r;
  for (const char* r :
       {"64 MOD 6 IS ODD", "2**3 > 2**4", "2 DIVIDES 4321", "4 IS NOT IN {3, ..., 5}",
        "6 IS IN {0, 4, ..., 16}", "456 IS ODD /\\ 1/0 = 1", "3 IS IN {1, 2, 4, ..., 16}"})
    EXPECT_FALSE(holds(r)) << r;
}

std::string loop(const std::string& ranges) {
  std::string out = printed("FOR EACH i IN " + ranges + " TASK 0 OUTPUTS i AND \"\"", 4);
  for (char& c : out) c = c == '\n' ? ' ' : c;
  return out;
}

TEST(Ranges, FollowThePattern) {
  EXPECT_EQ(loop("{8, 7, 5, 4, 5}"), "8 7 5 4 5");
  EXPECT_EQ(loop("{1, ..., 5}"), "1 2 3 4 5");
  EXPECT_EQ(loop("{5, ..., 1}"), "5 4 3 2 1");
  EXPECT_EQ(loop("{1, ..., 3}, {8, 7}"), "1 2 3 8 7");
  EXPECT_EQ(loop("{1, 4, 7, ..., 30}"), "1 4 7 10 13 16 19 22 25 28");
  EXPECT_EQ(loop("{3**1, 3**2, 3**3, ..., 3**7}"), "3 9 27 81 243 729 2187");
  EXPECT_EQ(loop("{0}, {1, 2, 4, ..., 256}"), "0 1 2 4 8 16 32 64 128 256");
  EXPECT_EQ(loop("{20, 30, 40, ..., 55}"), "20 30 40 50");
  EXPECT_EQ(loop("{20, 30, 40, ..., 20}"), "20");
  EXPECT_EQ(loop("{4, 4, 4, ..., 4}"), "4");
  EXPECT_EQ(loop("{4, 4, 4}"), "4 4 4");
  EXPECT_EQ(loop("{16, 8, 4, ..., 1}"), "16 8 4 2 1");
  EXPECT_EQ(loop("{1K*1K*1K*1K*1K*1K*2, 1K*1K*1K*1K*1K*1K*4, 1K*1K*1K*1K*1K*1K*7}"),
            "2305843009213693952 4611686018427387904 8070450532247928832");
  EXPECT_EQ(
      printed("{ FOR EACH i IN {20, 30, 40, ..., 10} TASK 0 OUTPUTS i } THEN TASK 0 OUTPUTS 1", 1),
      "1");
  EXPECT_THROW(loop("{1, 2, 5, ..., 9}"), Problem);
  EXPECT_THROW(loop("{0, 1, 2, 4, ..., 256}"), Problem);
}

// A range contains exactly what a loop over it goes through.
RC_GTEST_PROP(Ranges, ContainWhatTheyHold, ()) {
  const auto a = *rc::gen::inRange(-20, 20), step = *rc::gen::inRange(-5, 6),
             last = *rc::gen::inRange(-60, 60);
  const auto factor = *rc::gen::inRange(2, 4);
  const auto text = [](auto n) { return std::to_string(n); };
  const std::string items = *rc::gen::arbitrary<bool>() || a == 0
                                ? text(a) + "," + text(a + step) + ",...," + text(last)
                                : text(a) + "," + text(a * factor) + "," +
                                      text(a * factor * factor) + ",...," + text(last);
  Program program = program_of("FOR EACH i IN {" + items + "} {}");
  const Environment variables(program.slots);
  const Evaluator evaluator(variables, {4, nullptr});
  const Range& range = std::get<ForEach>(program.statements[0].what).ranges[0];
  std::vector<std::int64_t> all;
  Progression numbers(range, evaluator);
  while (const auto x = numbers.next()) all.push_back(*x);
  for (std::int64_t x = -100; x <= 100; ++x)
    RC_ASSERT(Progression(range, evaluator).contains(x) ==
              (std::find(all.begin(), all.end(), x) != all.end()));
}

// The children of all tasks of a k-nomial tree are all tasks but the root, each once.
RC_GTEST_PROP(Places, KnomialTreesAreTrees, ()) {
  const std::int64_t k = *rc::gen::inRange(2, 6), n = *rc::gen::inRange(1, 60);
  const KnomialTree tree{k, n};
  std::vector<int> seen(static_cast<std::size_t>(n));
  for (std::int64_t t = 0; t < n; ++t) {
    const std::int64_t children = tree.children(t);
    for (std::int64_t c = 0; c < children; ++c) {
      const std::int64_t child = tree.child(t, c);
      RC_ASSERT(tree.parent(child) == t);
      ++seen[static_cast<std::size_t>(child)];
    }
    RC_ASSERT(tree.child(t, children) == -1);
  }
  for (std::size_t t = 0; t < seen.size(); ++t) RC_ASSERT(seen[t] == (t > 0 ? 1 : 0));
}

}  // namespace
}  // namespace reprise::conceptual
