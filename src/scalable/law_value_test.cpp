// What a law comes to as a value, against what its encoding says by definition.
#include "scalable/law_value.hpp"

#include <gtest/gtest.h>

#include <array>

#include "expr/program.hpp"
#include "trace/values/special.hpp"

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

// A program of 1 to 64 ranks without laws.
struct AnyRanks {
  program::Program program = [] {
    program::Program out;
    out.domain = program::Domain{{{}, 1, 64}, {}};
    return out;
  }();
  ScalableTrace none{};
  LawNames names{none};
  WorldSamples worlds{program};
  LawValues values{names, worlds};
};

// Rank 0 has nobody, by any encoding.
TEST(LawValues, NobodyIsNobodyInEveryEncoding) {
  const AnyRanks any;
  extrapolate::Law law;
  law.form = extrapolate::Law::Form::indexed;
  law.number.expression =
      Expr::conditional(Expr::make(Op::equal, Expr::variable(expr::kRank), Expr(0)),
                        Expr::variable(expr::kProcNull), Expr(3));
  for (const auto encoding :
       {trace::Encoding::absolute, trace::Encoding::relative, trace::Encoding::exclusive_or}) {
    law.encoding = encoding;
    const program::Value peer = any.values.value(law, {.is_peer = true, .is_world = true});
    for (std::int64_t r = 0; r < 8; ++r) {
      EXPECT_EQ(value_at(peer, r, 8),
                trace::decode_rank(encoding, r == 0 ? trace::kProcNull : 3, {r, 8}))
          << r;
    }
  }
}

// "tea" once: the series of its characters does not say where the list ends.
TEST(LawValues, AListThatIsThereOnceIsWhatItsLengthSays) {
  const AnyRanks any;
  extrapolate::Law law;
  for (const std::int64_t character : {116, 101, 97}) {
    extrapolate::TermLaw term;
    term.value.expression = Expr(character);
    term.step.expression = Expr(0);
    term.count.expression = Expr(character == 97 ? 0 : 1);
    law.terms.push_back(term);
  }
  law.form = extrapolate::Law::Form::terms;
  const program::Value once = any.values.value(law, {.length = 3, .is_once = true});
  const auto& list = std::get<program::Sequence>(once.cases.front().content);
  EXPECT_TRUE(list.each_time);
  EXPECT_EQ(list.length, 3u);
  trace::SeriesCursor cursor(list.values);
  for (const std::int64_t character : {116, 101, 97}) EXPECT_EQ(cursor.next(), character);
  // Of several lists the second may be another one.
  const program::Value often = any.values.value(law, {.length = 3});
  EXPECT_FALSE(std::get<program::Sequence>(often.cases.front().content).each_time);
}

}  // namespace
}  // namespace reprise::scalable
