// Expressions as text of coNCePTuaL: our reader and evaluator of the language are to make of it
// what the engine makes of the expression.
#include "scalable/task_expression.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <map>

#include "conceptual/evaluate.hpp"
#include "conceptual/parse.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"
#include "expr/random_expr.hpp"
#include "scalable/unwritable.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;
using Variables = std::map<std::string, std::int64_t>;

// Variables are written as their values.
VariableText text_of(const Variables& variables) {
  return [&](const std::string& name) { return std::to_string(variables.at(name)); };
}

const conceptual::Relation& relation_of(const conceptual::Program& program) {
  return std::get<conceptual::Assert>(program.statements.at(0).what).relation;
}

conceptual::Program asserting(const std::string& relation) {
  auto program = conceptual::parse_program("ASSERT THAT \"x\" WITH " + relation, "p");
  if (!program) throw std::runtime_error(program.error().message);
  return std::move(*program);
}

std::int64_t number(const std::string& text) {
  const conceptual::Program program = asserting("0 = " + text);
  return conceptual::Evaluator({}, {}).integer(relation_of(program).operands.at(1));
}

bool holds(const std::string& text) {
  const conceptual::Program program = asserting(text);
  return conceptual::Evaluator({}, {}).holds(relation_of(program));
}

std::optional<std::int64_t> value_of(const Expr& e, const Variables& variables) {
  std::vector<expr::Value> values;
  for (const auto& [name, value] : variables) values.push_back({name, value});
  const auto out = expr::evaluate(e, values);
  return out ? std::optional(*out) : std::nullopt;
}

// Whether the text says the same as a number and as a condition; nothing where there is no text or
// no value.
std::optional<bool> is_same(const Expr& e, const Variables& variables) {
  const auto value = value_of(e, variables);
  if (!value) return std::nullopt;
  try {
    const auto text = text_of(variables);
    return number(task_number(e, text)) == *value &&
           holds(task_condition(e, text)) == (*value != 0);
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

TEST(TaskExpression, EveryOperatorIsWhatItIs) {
  for (int o = static_cast<int>(Op::add); o < expr::kOps; ++o) {
    const Op op = static_cast<Op>(o);
    if (op != Op::reverse)
      try_all(op, {0, 1, 2, 3, 4, 5, 7, 8, 12, 27, 63, 64, 96, std::int64_t{1} << 40});
  }
  EXPECT_THROW(task_number(Expr::make(Op::reverse, Expr(1), Expr(8)), {}), Unwritable);
}

RC_GTEST_PROP(TaskExpression, TextIsWhatTheExpressionIs, ()) {
  const Expr e = *expr::random_expr();
  Variables variables;
  for (const std::string& name : expr::kTestNames)
    variables[name] = *rc::gen::inRange<std::int64_t>(0, 40);
  RC_LOG() << expr::print(e);
  RC_ASSERT(is_same(e, variables).value_or(true));
}

// Laws round downwards, and the language towards zero.
TEST(TaskExpression, QuotientsOfNegativeNumbersRoundDown) {
  const Expr n = Expr::variable("a");
  for (std::int64_t a = 0; a < 20; ++a) {
    EXPECT_EQ(is_same((n - Expr(9)) / Expr(4), {{"a", a}}), true) << a;
    EXPECT_EQ(is_same((n - Expr(9)) % Expr(4), {{"a", a}}), true) << a;
  }
  const Expr least(std::numeric_limits<std::int64_t>::min() + 100);
  EXPECT_EQ(is_same((n + least) / Expr(std::numeric_limits<std::int64_t>::max()), {{"a", 3}}),
            true);
}

TEST(TaskExpression, DivisorsAreSeenToBePositive) {
  const Expr n = Expr::variable("n"), d = Expr::variable("d0");
  const VariableText name = [](const std::string& v) { return v; };
  const VariableLeast least = [](const std::string& v) { return v == "d0" ? 2 : 0; };
  for (const Op op : {Op::divide, Op::modulo}) {
    const auto by = [&](const Expr& divisor) { return Expr::make(op, n, divisor); };
    EXPECT_THROW(task_number(by(Expr(-2)), name, least), Unwritable);
    EXPECT_THROW(task_number(by(n - Expr(1)), name, least), Unwritable);
    EXPECT_THROW(task_number(by(d - Expr(3)), name, least), Unwritable);
    EXPECT_THROW(task_number(by(d - Expr(1)), name), Unwritable);
    EXPECT_NO_THROW(task_number(by(d - Expr(1)), name, least));
    EXPECT_NO_THROW(task_number(by((d * d) - Expr(4)), name, least));
  }
}

}  // namespace
}  // namespace reprise::scalable
