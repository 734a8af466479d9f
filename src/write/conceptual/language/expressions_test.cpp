// Expressions as trees of coNCePTuaL: printed, read again and evaluated, they are what the engine
// makes of the expression.
#include "write/conceptual/language/expressions.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <limits>
#include <map>

#include "conceptual/evaluate.hpp"
#include "conceptual/parse.hpp"
#include "conceptual/print.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"
#include "expr/random_expr.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {
namespace {

using expr::Expr;
using expr::Op;
using Variables = std::map<std::string, std::int64_t>;

// A relation as our reader of the language has it.
ast::Program asserting(const std::string& relation) {
  auto program = ast::parse_program("ASSERT THAT \"x\" WITH " + relation, "p");
  if (!program) throw std::runtime_error(program.error().message + "\n" + relation);
  return std::move(*program);
}

const ast::Relation& relation_of(const ast::Program& program) {
  return std::get<ast::Assert>(program.statements.at(0).what).relation;
}

std::int64_t number_in(const ast::Expr& e) {
  const ast::Program program = asserting("0 = " + ast::print(e));
  return ast::Evaluator({}, {}).integer(relation_of(program).operands.at(1));
}

bool holds(const ast::Relation& r) {
  const ast::Program program = asserting(ast::print(r));
  return ast::Evaluator({}, {}).holds(relation_of(program));
}

std::optional<std::int64_t> value_of(const Expr& e, const Variables& variables) {
  std::vector<expr::Value> values;
  for (const auto& [name, value] : variables) values.push_back({name, value});
  const auto out = expr::evaluate(e, values);
  return out ? std::optional(*out) : std::nullopt;
}

// Whether the tree says the same as a number and as a condition; nothing where there is none or no
// value. Variables are written as their values.
std::optional<bool> is_same(const Expr& e, const Variables& variables) {
  const auto value = value_of(e, variables);
  if (!value) return std::nullopt;
  std::vector<expr::Binding> values;
  for (const auto& [name, v] : variables) values.push_back({name, Expr(v)});
  const Expr bound = expr::substitute(e, values);
  try {
    return number_in(number_of(bound)) == *value && holds(condition_of(bound)) == (*value != 0);
  } catch (const Unwritable&) {
    return std::nullopt;
  }
}

// An operator over variables that take these values in all ways.
void try_all(Op op, const std::vector<std::int64_t>& values) {
  const std::array names{"a", "b", "c"};
  std::vector<Expr> operands;
  for (std::size_t i = 0; i < expr::traits(op).operands; ++i)
    operands.push_back(Expr::variable(names[i]));
  const Expr e = Expr::make(op, operands);
  int compared = 0;
  for (const std::int64_t a : values) {
    for (const std::int64_t b : values) {
      for (const std::int64_t c : {std::int64_t{0}, std::int64_t{7}}) {
        const auto same = is_same(e, {{"a", a}, {"b", b}, {"c", c}});
        EXPECT_TRUE(same.value_or(true)) << expr::print(e) << " of " << a << ", " << b;
        compared += same.has_value();
      }
    }
  }
  EXPECT_GT(compared, 0) << expr::print(e);
}

TEST(ConceptualExpressions, EveryOperatorIsWhatItIs) {
  for (int o = static_cast<int>(Op::add); o < expr::kOps; ++o) {
    const Op op = static_cast<Op>(o);
    if (op != Op::reverse && op != Op::sum)
      try_all(op, {0, 1, 2, 3, 4, 5, 7, 8, 12, 27, 63, 64, 96, std::int64_t{1} << 40});
  }
  EXPECT_THROW(number_of(Expr::make(Op::reverse, Expr(1), Expr(8))), Unwritable);
  const Expr k = Expr::variable("k");
  EXPECT_THROW(number_of(Expr::sum(k, Expr(8), k)), Unwritable);
}

RC_GTEST_PROP(ConceptualExpressions, TreesAreWhatTheExpressionIs, ()) {
  const Expr e = *expr::random_expr();
  Variables variables;
  for (const std::string& name : expr::kTestNames)
    variables[name] = *rc::gen::inRange<std::int64_t>(0, 40);
  RC_LOG() << expr::print(e);
  RC_ASSERT(is_same(e, variables).value_or(true));
}

// Expressions round downwards, and the language towards zero.
TEST(ConceptualExpressions, QuotientsOfNegativeNumbersRoundDown) {
  const Expr n = Expr::variable("a");
  for (std::int64_t a = 0; a < 20; ++a) {
    EXPECT_EQ(is_same((n - Expr(9)) / Expr(4), {{"a", a}}), true) << a;
    EXPECT_EQ(is_same((n - Expr(9)) % Expr(4), {{"a", a}}), true) << a;
  }
  const Expr least(std::numeric_limits<std::int64_t>::min() + 100);
  EXPECT_EQ(is_same((n + least) / Expr(std::numeric_limits<std::int64_t>::max()), {{"a", 3}}),
            true);
}

TEST(ConceptualExpressions, DivisorsAreSeenToBePositive) {
  const Expr n = Expr::variable("n"), d = Expr::variable("d0");
  const VariableLeast least = [](const std::string& v) { return v == "d0" ? 2 : 0; };
  for (const Op op : {Op::divide, Op::modulo}) {
    const auto by = [&](const Expr& divisor) { return Expr::make(op, n, divisor); };
    EXPECT_THROW(number_of(by(Expr(-2)), least), Unwritable);
    EXPECT_THROW(number_of(by(n - Expr(1)), least), Unwritable);
    EXPECT_THROW(number_of(by(d - Expr(3)), least), Unwritable);
    EXPECT_THROW(number_of(by(d - Expr(1))), Unwritable);
    EXPECT_NO_THROW(number_of(by(d - Expr(1)), least));
    EXPECT_NO_THROW(number_of(by((d * d) - Expr(4)), least));
  }
}

// What a condition around tells of a numerator spares the case that it is negative.
TEST(ConceptualExpressions, ConditionsTellWhatIsPositive) {
  const Expr i = Expr::variable("i");
  const Expr e =
      Expr::conditional(Expr::make(Op::less, i, Expr(3)), Expr(0), (i - Expr(3)) / Expr(2));
  EXPECT_EQ(ast::print(number_of(e)), "0 IF i < 3 OTHERWISE (i-3)/2");
}

TEST(ConceptualExpressions, ListsWhatANumberIs) {
  const Expr t = Expr::variable("t");
  const auto any = [&](std::vector<std::int64_t> of) {
    Expr out = Expr::make(Op::equal, t, Expr(of.front()));
    for (std::size_t k = 1; k < of.size(); ++k)
      out = Expr::make(Op::logical_or, out, Expr::make(Op::equal, t, Expr(of[k])));
    return ast::print(condition_of(out));
  };
  EXPECT_EQ(any({1, 5}), "t = 1 \\/ t = 5");
  EXPECT_EQ(any({1, 5, 6}), "t IS IN {1, 5, 6}");
  EXPECT_EQ(any({1, 3, 4, 6, 8, 10}), "t IS IN {1, 3}, {4, 6, ..., 10}");
}

}  // namespace
}  // namespace reprise::write::conceptual
