// Folded values as coNCePTuaL says them, read back by its parser, are the values.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "conceptual/execute/fake_machine.hpp"
#include "conceptual/print.hpp"
#include "trace/series/series_folder.hpp"
#include "write/conceptual/language/expressions.hpp"
#include "write/conceptual/language/series.hpp"

namespace reprise {
namespace {

// What an expression of `k` comes to.
std::int64_t value_of(const std::string& text, std::int64_t k) {
  const auto program = conceptual::parse_program(
      "FOR EACH k IN {" + std::to_string(k) + "} LET x BE " + text + " WHILE TASK 0 OUTPUTS x.",
      "p");
  RC_ASSERT(static_cast<bool>(program));
  conceptual::FakeMachine machine(0, 1);
  conceptual::run_on(*program, *conceptual::parse_arguments(*program, {}, 1), machine);
  RC_ASSERT(machine.printed.size() == 1u);
  return std::stoll(machine.printed.front());
}

std::vector<std::int64_t> random_values() {
  std::vector<std::int64_t> out;
  const auto blocks = *rc::gen::inRange(1, 4);
  for (int b = 0; b < blocks; ++b) {
    const auto body = *rc::gen::container<std::vector<int>>(*rc::gen::inRange<std::size_t>(1, 4),
                                                            rc::gen::inRange(-3, 9));
    const auto passes = *rc::gen::inRange(1, 6);
    const auto step = *rc::gen::inRange(-2, 3);
    for (int p = 0; p < passes; ++p) {
      for (const int v : body) out.push_back(v + p * step);
    }
  }
  return out;
}

std::string text_of(const expr::Expr& e) {
  return conceptual::print(write::conceptual::number_of(e));
}

const expr::Expr kPlace = expr::Expr::variable("k");

RC_GTEST_PROP(ConceptualSeries, ASeriesIsAnExpressionOfThePlaceInIt, ()) {
  const std::vector<std::int64_t> values = random_values();
  trace::SeriesFolder folder;
  for (const std::int64_t v : values) folder.append(v);
  const trace::Series series = folder.finish();
  const bool length_known = *rc::gen::arbitrary<bool>();
  const std::string text =
      text_of(write::conceptual::value_at(series, kPlace, length_known ? values.size() : 0));
  for (std::size_t k = 0; k < values.size(); ++k) {
    RC_ASSERT(value_of(text, static_cast<std::int64_t>(k)) == values[k]);
    const expr::Expr place(static_cast<std::int64_t>(k));
    RC_ASSERT(value_of(text_of(write::conceptual::value_at(series, place, 0)), 0) == values[k]);
  }
}

RC_GTEST_PROP(ConceptualSeries, AConditionHoldsWhereThereIsAOne, ()) {
  const auto bits =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<bool>>(rc::gen::arbitrary<bool>()));
  const auto passes = *rc::gen::inRange<std::size_t>(1, 4);
  trace::SeriesFolder folder;
  for (std::size_t i = 0; i < passes * bits.size(); ++i)
    folder.append(bits[i % bits.size()] ? 1 : 0);
  const bool length_known = *rc::gen::arbitrary<bool>();
  const expr::Expr condition = write::conceptual::condition_at(
      folder.finish(), kPlace, length_known ? passes * bits.size() : 0);
  for (std::size_t k = 0; k < passes * bits.size(); ++k) {
    const std::int64_t holds = value_of(text_of(condition), static_cast<std::int64_t>(k));
    RC_ASSERT(holds == (bits[k % bits.size()] ? 1 : 0));
  }
}

RC_GTEST_PROP(Conceptual, AnyWordsAreReadOrRefused, ()) {
  const std::vector<std::string> words{"TASK",
                                       "ALL",
                                       "TASKS",
                                       "t",
                                       "SUCH",
                                       "THAT",
                                       "SENDS",
                                       "A",
                                       "8",
                                       "BYTE",
                                       "MESSAGE",
                                       "TO",
                                       "UNSUSPECTING",
                                       "OTHER",
                                       "THEN",
                                       ".",
                                       "{",
                                       "}",
                                       "(",
                                       ")",
                                       "FOR",
                                       "EACH",
                                       "i",
                                       "IN",
                                       "...",
                                       ",",
                                       "REPETITIONS",
                                       "LET",
                                       "BE",
                                       "WHILE",
                                       "IF",
                                       "OTHERWISE",
                                       "=",
                                       "<",
                                       "/\\",
                                       "-",
                                       "*",
                                       "REDUCES",
                                       "INTEGERS",
                                       "MULTICASTS",
                                       "LOGS",
                                       "AS",
                                       "\"x\"",
                                       "IS",
                                       "AND",
                                       "COMES",
                                       "FROM"};
  std::string text;
  for (const std::size_t w : *rc::gen::container<std::vector<std::size_t>>(
           rc::gen::inRange<std::size_t>(0, words.size()))) {
    text += words[w] + " ";
  }
  const auto program = conceptual::parse_program(text, "p");
  const bool said = program ? true : program.error().message.starts_with("p:");
  RC_ASSERT(said);
}

}  // namespace
}  // namespace reprise
