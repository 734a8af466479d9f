#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "expr/codec.hpp"
#include "expr/leaf.hpp"
#include "expr/parse.hpp"
#include "expr/prefix_sum.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"
#include "expr/random_expr.hpp"
#include "expr/simplify.hpp"

namespace rc {
template <>
struct Arbitrary<reprise::expr::Expr> {
  static Gen<reprise::expr::Expr> arbitrary() { return reprise::expr::random_expr(); }
};
}  // namespace rc

namespace reprise::expr {

inline void showValue(const Expr& e, std::ostream& out) { out << print(e); }  // NOLINT

namespace {

Expr parsed(std::string_view text) {
  const Result<Expr> e = parse(text);
  EXPECT_TRUE(e) << text << ": " << (e ? "" : e.error().message);
  return e ? *e : Expr();
}

std::string problem(std::string_view text) {
  const Result<Expr> e = parse(text);
  return e ? "none" : e.error().message;
}

std::int64_t value(std::string_view text) {
  const std::array<Value, 2> values = {Value{"rank", 5}, {"ranks", 8}};
  const Result<std::int64_t> v = evaluate(parsed(text), values);
  EXPECT_TRUE(v) << text << ": " << (v ? "" : v.error().message);
  return v ? *v : -1;
}

std::string fault(std::string_view text) {
  const Result<std::int64_t> v = evaluate(parsed(text), {});
  return v ? std::to_string(*v) : v.error().message;
}

// What Program computes, by the definitions alone.
std::size_t slot_of(const Expr& variable) {
  const auto found = std::find(kTestNames.begin(), kTestNames.end(), variable.name());
  return static_cast<std::size_t>(found - kTestNames.begin());
}

std::optional<std::int64_t> interpret(const Expr& e, std::span<const std::int64_t> slots) {
  if (e.is_constant()) return e.value();
  if (e.is_variable()) return slots[slot_of(e)];
  if (e.op() == Op::sum) {
    const auto count = interpret(e.operands()[1], slots);
    std::vector<std::int64_t> inner(slots.begin(), slots.end());
    std::int64_t& index = inner[slot_of(e.operands()[0])];
    std::int64_t sum = 0;
    for (index = 0; count && index < *count; ++index) {
      const auto term = interpret(e.operands()[2], inner);
      if (!term || __builtin_add_overflow(sum, *term, &sum)) return std::nullopt;
    }
    return count ? std::optional(sum) : std::nullopt;
  }
  const auto operand = [&](std::size_t i) { return interpret(e.operands()[i], slots); };
  const auto a = operand(0);
  if (!a) return std::nullopt;
  if (e.op() == Op::conditional) return operand(*a != 0 ? 1 : 2);
  if (e.op() == Op::logical_and && *a == 0) return 0;
  if (e.op() == Op::logical_or && *a != 0) return 1;
  const auto b = e.operands().size() > 1 ? operand(1) : 0;
  std::int64_t result = 0;
  if (!b || apply(e.op(), *a, *b, result) != Fault::none) return std::nullopt;
  return result;
}

std::vector<std::int64_t> random_slots() {
  return *rc::gen::container<std::vector<std::int64_t>>(kTestNames.size(),
                                                        rc::gen::inRange<std::int64_t>(0, 20));
}

Program compiled(const Expr& e) { return *Program::compile(e, kTestNames); }

RC_GTEST_PROP(Expr, ParsesAsItWasPrinted, (const Expr& e)) { RC_ASSERT(parsed(print(e)) == e); }

RC_GTEST_PROP(Expr, DecodesAsItWasEncoded, (const Expr& e)) {
  ByteWriter out;
  encode(out, e);
  ByteReader in(out.bytes().data(), out.size());
  RC_ASSERT(decode(in) == e);
  RC_ASSERT(in.at_end() && !in.failed());
}

RC_GTEST_PROP(Expr, DecodesAnyBytesOrFails, (const std::vector<std::uint8_t>& bytes)) {
  ByteReader in(bytes.data(), bytes.size());
  const Expr e = decode(in);
  RC_ASSERT(in.failed() || parsed(print(e)).nodes() <= e.nodes());
}

RC_GTEST_PROP(Expr, CompiledComputesTheDefinition, (const Expr& e)) {
  const auto slots = random_slots();
  RC_ASSERT(compiled(e).run(slots) == interpret(e, slots));
}

RC_GTEST_PROP(Expr, SimplifiedHasTheSameValue, (const Expr& e)) {
  const auto slots = random_slots();
  const Expr simple = simplify(e);
  RC_ASSERT(simple.nodes() <= e.nodes());
  if (const auto v = compiled(e).run(slots)) RC_ASSERT(compiled(simple).run(slots) == v);
}

TEST(Expr, BindsLikeC) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("1 << 2 + 1"), 8);
  EXPECT_EQ(value("rank & 4 | 2 ^ 3"), (5 & 4) | (2 ^ 3));
  EXPECT_EQ(value("rank ^ 1 << 1"), 7);
  EXPECT_EQ(value("1 < 2 == 1 && !0"), 1);
  EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(value("(rank + 1) % ranks # the ring\n"), 6);
}

TEST(Expr, DividesTowardsMinusInfinity) {
  EXPECT_EQ(value("-7 / 2"), -4);
  EXPECT_EQ(value("-7 % 2"), 1);
  EXPECT_EQ(value("7 / -2"), -4);
  EXPECT_EQ(value("7 % -2"), -1);
  EXPECT_EQ(value("(rank - 6) % ranks"), 7);
  EXPECT_EQ(value("-1 >> 1"), -1);
}

TEST(Expr, KnowsItsFunctions) {
  EXPECT_EQ(value("min(rank, 3) + max(rank, 9)"), 12);
  EXPECT_EQ(value("log2(ranks) + sqrt(24) + cbrt(27)"), 10);
  EXPECT_EQ(value("reverse(3, 16)"), 12);
  EXPECT_EQ(value("ctz(1) + ctz(40) + ctz(4611686018427387904)"), 65);
  EXPECT_EQ(value("sqrt(9223372036854775807)"), 3037000499);
  EXPECT_EQ(value("cbrt(9223372036854775807)"), 2097151);
}

TEST(Expr, AddsUp) {
  EXPECT_EQ(value("sum(k, ranks, k)"), 28);
  EXPECT_EQ(value("sum(k, 3, sum(j, k, rank + j))"), 0 + 5 + (5 + 6));
  EXPECT_EQ(value("rank + sum(rank, 4, rank * rank) * rank"), 5 + 14 * 5);
  EXPECT_EQ(value("sum(k, rank - 5, 1 / 0) + sum(k, -1, 1)"), 0);
  EXPECT_EQ(fault("sum(k, 1048577, 1)"), "sums of too many terms in 'sum(k, 1048577, 1)'");
  EXPECT_EQ(fault("sum(k, 1024, sum(j, 1024, 1))"),
            "sums of too many terms in 'sum(k, 1024, sum(j, 1024, 1))'");
  EXPECT_EQ(problem("sum(1, 2, 3)"), "1:13: the first argument of a sum is the name of its index");
}

TEST(Expr, KeepsIndicesOfSumsApart) {
  const std::array<Binding, 2> names = {Binding{"n", parsed("k + 1")}, {"k", Expr(7)}};
  EXPECT_EQ(print(substitute(parsed("sum(k, n + k, n * k)"), names)),
            "sum(k_, k + 1 + 7, (k + 1) * k_)");
  EXPECT_EQ(free_variables(parsed("sum(k, k + n, k * rank)")),
            (std::set<std::string>{"k", "n", "rank"}));
}

TEST(Expr, EvaluatesOnlyWhatItNeeds) {
  EXPECT_EQ(value("rank == 5 ? 1 : 1 / 0"), 1);
  EXPECT_EQ(value("0 && 1 / 0"), 0);
  EXPECT_EQ(value("7 || 1 / 0"), 1);
}

TEST(Expr, ReportsFaults) {
  EXPECT_EQ(fault("1 / (1 - 1)"), "division by zero in '1 / (1 - 1)'");
  EXPECT_EQ(fault("1 % 0"), "division by zero in '1 % 0'");
  EXPECT_EQ(fault("9223372036854775807 + 1"), "overflow of 64 bits in '9223372036854775807 + 1'");
  EXPECT_EQ(fault("-9223372036854775808 / -1"),
            "overflow of 64 bits in '-9223372036854775808 / -1'");
  EXPECT_EQ(fault("-9223372036854775808 % -1"), "0");
  EXPECT_EQ(fault("1 << 63"), "overflow of 64 bits in '1 << 63'");
  EXPECT_EQ(fault("1 << 64"), "a shift by less than 0 or more than 63 in '1 << 64'");
  EXPECT_EQ(fault("n + 1"), "the variable 'n' is not known here");
  EXPECT_EQ(fault("log2(0)"), "an argument for which the function is not defined in 'log2(0)'");
}

TEST(Expr, SaysWhereTextIsWrong) {
  EXPECT_EQ(problem("1 +"), "1:4: the expression ends early");
  EXPECT_EQ(problem("1 +\n  *"), "2:3: unexpected '*'");
  EXPECT_EQ(problem("(1"), "1:3: expected ')'");
  EXPECT_EQ(problem("1 2"), "1:3: unexpected '2'");
  EXPECT_EQ(problem("foo(1)"), "1:1: there is no function 'foo'");
  EXPECT_EQ(problem("min(1)"), "1:6: expected ','");
  EXPECT_EQ(problem("9223372036854775808"), "1:1: the number does not fit into 64 bits");
  EXPECT_EQ(problem("-9223372036854775808"), "none");
  EXPECT_EQ(problem("1 ? 2"), "1:6: expected ':'");
  EXPECT_EQ(problem("3x"), "1:2: a number ends in a letter");
  EXPECT_EQ(problem(""), "1:1: the expression ends early");
}

TEST(Expr, BoundsNesting) {
  const std::string deep(100000, '(');
  EXPECT_NE(problem(deep).find("nested too deeply"), std::string::npos);
  EXPECT_NE(problem(std::string(100000, '!')).find("nested too deeply"), std::string::npos);
  std::string sum = "1";
  for (int i = 0; i < 1000; ++i) sum += " + 1";
  EXPECT_NE(problem(sum).find("nested too deeply"), std::string::npos);
  const std::vector<std::uint8_t> bytes(100000, static_cast<std::uint8_t>(Op::negate));
  ByteReader in(bytes.data(), bytes.size());
  decode(in);
  EXPECT_TRUE(in.failed());
}

TEST(Expr, Simplifies) {
  const auto simple = [](std::string_view text) { return print(simplify(parsed(text))); };
  EXPECT_EQ(simple("a == b ? 0 : 1"), "a != b");
  EXPECT_EQ(simple("a < b ? 1 : 0"), "a < b");
  EXPECT_EQ(simple("1 + rank + 2 - 3 + 0 * n"), "rank");
  EXPECT_EQ(simple("rank + -1"), "rank - 1");
  EXPECT_EQ(simple("rank * 1 / 1 % ranks"), "rank % ranks");
  EXPECT_EQ(simple("!(x0 < d0)"), "x0 >= d0");
  EXPECT_EQ(simple("2 > 1 ? rank : n"), "rank");
  EXPECT_EQ(simple("rank - rank ^ x0"), "x0");
  EXPECT_EQ(simple("a > 0 && (b > 0 && (c > 0 && d > 0))"), "a > 0 && b > 0 && c > 0 && d > 0");
  EXPECT_EQ(simple("x0 ? n + 1 : n + 2"), "n + (x0 ? 1 : 2)");
}

TEST(Expr, SumsUpInClosedForm) {
  const Expr k = Expr::variable("k"), n = Expr::variable("n");
  const auto sum = [&](std::string_view text) { return print(prefix_sum(k, n, parsed(text))); };
  EXPECT_EQ(sum("7"), "7 * n");
  EXPECT_EQ(sum("8 * k + 3"), "8 * (n * (n - 1) / 2) + 3 * n");
  EXPECT_EQ(sum("100 / d + (k < 100 % d)"), "100 / d * n + min(n, max(100 % d, 0))");
  EXPECT_EQ(sum("100 * (k + 1) / d - 100 * k / d"), "100 * n / d");
  EXPECT_EQ(sum("min(b, max(100 - k * b, 0))"), "min(n * b, 100)");
  EXPECT_EQ(sum("k ^ rank"), "sum(k, n, k ^ rank)");
}

// Wherever both have a value.
RC_GTEST_PROP(Expr, PrefixSumsHaveTheValuesOfSums, (const Expr& term)) {
  const auto slots = random_slots();
  const Expr index = Expr::variable("n"), count = Expr::variable("ranks");
  const auto sum = compiled(Expr::sum(index, count, term)).run(slots);
  const auto closed = compiled(prefix_sum(index, count, term)).run(slots);
  if (sum && closed) RC_ASSERT(*sum == *closed);
}

TEST(Expr, SubstitutesAllAtOnce) {
  const std::array<Binding, 2> swap = {Binding{"x0", Expr::variable("x1")},
                                       {"x1", Expr::variable("x0")}};
  EXPECT_EQ(print(substitute(parsed("x0 + d0 * x1"), swap)), "x1 + d0 * x0");
  EXPECT_EQ(free_variables(parsed("x0 + d0 * x0")), (std::set<std::string>{"d0", "x0"}));
}

TEST(Leaf, IsToldByItsWholeName) {
  EXPECT_EQ(leaf_of("rank").kind, LeafKind::rank);
  EXPECT_EQ(leaf_of("index").kind, LeafKind::element);
  EXPECT_EQ(leaf_of("x2").kind, LeafKind::coordinate);
  EXPECT_EQ(leaf_of("x2").number, 2U);
  EXPECT_EQ(leaf_of(trips_name(12)).kind, LeafKind::trips);
  EXPECT_EQ(leaf_of(trips_name(12)).number, 12U);
  for (const char* name : {"x", "d01", "depth", "iterations", "t1x", "n"}) {
    EXPECT_EQ(leaf_of(name).kind, LeafKind::declared) << name;
  }
  EXPECT_TRUE(uses(parsed("x0 + depth"), {LeafKind::coordinate}));
  EXPECT_FALSE(uses(parsed("xs + ranks"), {LeafKind::coordinate, LeafKind::rank}));
}

}  // namespace
}  // namespace reprise::expr
