// What a law comes to as an expression, against what its encoding says by definition.
#include "scalable/task_laws.hpp"

#include <gtest/gtest.h>

#include "expr/expr.hpp"
#include "scalable/unwritable.hpp"
#include "trace/special.hpp"
#include "trace/value.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;
using extrapolate::Law;

Law law_of(trace::Encoding encoding, const Expr& number) {
  Law out;
  out.form = Law::Form::indexed;
  out.encoding = encoding;
  out.number.expression = number;
  return out;
}

// Rank 0 has nobody, by any encoding.
TEST(TaskLaws, NobodyIsNobodyInEveryEncoding) {
  const ScalableTrace none{};
  TaskLaws laws(none);
  const Expr rank = Expr::variable(expr::kRank);
  const Expr number = Expr::conditional(Expr::make(Op::equal, rank, Expr(0)),
                                        Expr::variable(expr::kProcNull), Expr(3));
  for (const auto encoding :
       {trace::Encoding::absolute, trace::Encoding::relative, trace::Encoding::exclusive_or}) {
    const Expr peer = laws.peer(law_of(encoding, number), std::nullopt);
    for (std::int64_t r = 0; r < 8; ++r) {
      EXPECT_EQ(laws.at(peer, r, 8, 0),
                trace::decode_rank(encoding, r == 0 ? trace::kProcNull : 3, r, 8))
          << r;
    }
  }
}

TEST(TaskLaws, NobodyIsNotReckonedWith) {
  const ScalableTrace none{};
  TaskLaws laws(none);
  const Expr mixed =
      Expr::make(Op::maximum, Expr::variable(expr::kProcNull), Expr::variable(expr::kRank));
  EXPECT_THROW(laws.peer(law_of(trace::Encoding::relative, mixed), std::nullopt), Unwritable);
}

}  // namespace
}  // namespace reprise::scalable
