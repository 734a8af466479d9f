// What a law comes to as a value, against what its encoding says by definition.
#include "scalable/law_value.hpp"

#include <gtest/gtest.h>

#include <array>

#include "expr/program.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;

std::int64_t value_at(const program::Value& v, std::int64_t rank, std::int64_t ranks) {
  const std::array<expr::Value, 2> known = {expr::Value{std::string(expr::kRank), rank},
                                            expr::Value{std::string(expr::kRanks), ranks}};
  const auto own = std::ranges::find_if(v.cases, [&](const program::Case& c) {
    return *expr::evaluate(*c.who.condition, known) != 0;
  });
  return *expr::evaluate(std::get<Expr>(own->content), known);
}

// Rank 0 has nobody, by any encoding.
TEST(LawValues, NobodyIsNobodyInEveryEncoding) {
  program::Program program;
  program.domain = program::Domain{{{}, 1, 64}, {}};
  const ScalableTrace none{};
  const LawNames names(none);
  const WorldSamples worlds(program);
  const LawValues values(names, worlds);
  extrapolate::Law law;
  law.form = extrapolate::Law::Form::indexed;
  law.number.expression =
      Expr::conditional(Expr::make(Op::equal, Expr::variable(expr::kRank), Expr(0)),
                        Expr::variable(expr::kProcNull), Expr(3));
  for (const auto encoding :
       {trace::Encoding::absolute, trace::Encoding::relative, trace::Encoding::exclusive_or}) {
    law.encoding = encoding;
    const program::Value peer = values.value(law, {.is_peer = true, .is_world = true});
    for (std::int64_t r = 0; r < 8; ++r) {
      EXPECT_EQ(value_at(peer, r, 8),
                trace::decode_rank(encoding, r == 0 ? trace::kProcNull : 3, {r, 8}))
          << r;
    }
  }
}

}  // namespace
}  // namespace reprise::scalable
