#include "write/conceptual/language/names.hpp"

#include <gtest/gtest.h>

#include "expr/parse.hpp"
#include "expr/print.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {
namespace {

using expr::Expr;

Expr parsed(const std::string& text) { return *expr::parse(text); }

const std::string kPass = "i0 * (rank < 1 ? 3 : 2) + i1";

std::vector<expr::Binding> for_task(const std::string& task) {
  return {{std::string(expr::kRank), Expr::variable(task)}};
}

std::string definitions(const Names& names, const std::string& of) {
  std::string out;
  const std::vector<Expr> all = {parsed(of)};
  for (const Names::Definition& d : names.definitions(all))
    out += d.name + " = " + expr::print(d.value) + "; ";
  return out;
}

TEST(ConceptualNames, NamesWhatIsLongOnce) {
  Names names;
  EXPECT_EQ(expr::print(names.name_of(parsed("i0 * 3 + i1"))), "i0 * 3 + i1");
  EXPECT_EQ(expr::print(names.name_of(parsed(kPass))), "k1");
  EXPECT_EQ(expr::print(names.name_of(parsed(kPass))), "k1");
  EXPECT_EQ(definitions(names, "k1 < 7"), "k1 = " + kPass + "; ");
  EXPECT_EQ(definitions(names, "i0 < 7"), "");
  EXPECT_EQ(expr::print(names.name_of(parsed("i0"), 100)), "i0");
  EXPECT_EQ(expr::print(names.name_of(parsed("i0 * 3 + i1"), 100)), "k2");
  const std::vector<expr::Binding> inner = {{"i1", Expr::variable("d")}};
  EXPECT_EQ(expr::print(names.with(parsed("k2 < 3"), inner)), "k3 < 3");
}

TEST(ConceptualNames, DefinesWhatOthersNeedFirst) {
  Names names;
  names.name_of(parsed(kPass));
  const std::string second = "k1 < 2 ? 5 : k1 * 7 + 1";
  EXPECT_EQ(expr::print(names.name_of(parsed(second))), "k2");
  EXPECT_EQ(definitions(names, "k2"), "k1 = " + kPass + "; k2 = " + second + "; ");
  EXPECT_TRUE(names.depends(parsed("k2"), "rank"));
  EXPECT_FALSE(names.depends(parsed("k2"), "u"));
}

TEST(ConceptualNames, OfAnotherTaskAreOthers) {
  Names names;
  names.name_of(parsed(kPass));
  const auto u = for_task("u");
  EXPECT_EQ(expr::print(names.with(parsed("k1 == rank"), u)), "k2 == u");
  EXPECT_EQ(definitions(names, "k2"), "k2 = i0 * (u < 1 ? 3 : 2) + i1; ");
  EXPECT_EQ(expr::print(names.with(parsed("i0 == 3"), u)), "i0 == 3");
}

TEST(ConceptualNames, CanBeWrittenOut) {
  Names names;
  names.name_of(parsed(kPass));
  EXPECT_EQ(expr::print(names.written_out(parsed("k1 > 2"), "rank")), kPass + " > 2");
  EXPECT_EQ(expr::print(names.written_out(parsed("k1 > 2"), "u")), "k1 > 2");
}

// Each name stands twice in the next one: gone into each time, 60 of them would take 2^60 steps.
TEST(ConceptualNames, ChainsOfNamesTakeAStepForEach) {
  Names names;
  Expr last = names.name_of(parsed(kPass));
  constexpr int kNames = 60;
  for (int i = 1; i < kNames; ++i) {
    const std::string name = expr::print(last);
    last = names.name_of(parsed(name + " > 1 ? " + name + " : " + std::to_string(i)));
  }
  EXPECT_EQ(expr::print(last), "k60");
  EXPECT_TRUE(names.depends(last, "rank"));
  const auto u = for_task("u");
  EXPECT_EQ(expr::print(names.with(last, u)), "k120");
  EXPECT_EQ(expr::print(names.with(last, u)), "k120");
  const std::vector<Expr> all = {parsed("k120")};
  EXPECT_EQ(names.definitions(all).size(), std::size_t{kNames});
  EXPECT_THROW(names.written_out(last, "rank"), Unwritable);
}

}  // namespace
}  // namespace reprise::write::conceptual
