// Values of any number of ranks as expressions, against what tables and encodings say by
// definition.
#include "write/conceptual/values.hpp"

#include <gtest/gtest.h>

#include <array>

#include "expr/print.hpp"
#include "expr/program.hpp"
#include "expr/simplify.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"
#include "trace/values/value.hpp"
#include "write/conceptual/language/series.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::conceptual {
namespace {

using expr::Expr;
using expr::Op;
using program::Node;

constexpr std::int64_t kRanks = 8;

program::Program open_program() {
  program::Program out;
  out.domain = program::Domain{{{}, 1, 64}, {}};
  return out;
}

program::Value everywhere(program::Content content) {
  program::Value out;
  out.cases.push_back({{nullptr, Expr(1), {}, {}}, std::move(content)});
  return out;
}

// In the world, in an iteration of the loop around.
std::int64_t at(const Names& names, const Expr& e, std::int64_t rank, std::int64_t i = 0) {
  const std::array<expr::Value, 5> known = {expr::Value{std::string(expr::kRank), rank},
                                            {std::string(expr::kRanks), kRanks},
                                            {std::string(program::kCommRank), rank},
                                            {std::string(program::kCommSize), kRanks},
                                            {"i0", i}};
  return *expr::evaluate(names.written_out(e), known);
}

Node loop(std::int64_t trips) {
  Node out;
  out.kind = Node::Kind::loop;
  out.trips = everywhere(Expr(trips));
  return out;
}

// 5, 6, 7, then 1, 3 again and again, each pass 1 more: as many of the former as ranks - 5.
program::Pattern pattern(trace::Encoding encoding) {
  const Expr ranks = Expr::variable(expr::kRanks);
  program::PatternTerm first{Expr(5), Expr(1), ranks - Expr(5), {}};
  program::PatternTerm second{Expr(0), Expr(1), Expr(0), {}};
  second.body.push_back({Expr(1), Expr(2), Expr(2), {}});
  return {{first, second}, encoding};
}

constexpr std::array<std::int64_t, 9> kPattern = {5, 6, 7, 1, 3, 2, 4, 3, 5};

TEST(ConceptualValues, PatternsAreWhatTheirTermsSay) {
  const program::Program program = open_program();
  const Node around = loop(std::ssize(kPattern));
  for (const auto encoding :
       {trace::Encoding::absolute, trace::Encoding::relative, trace::Encoding::exclusive_or}) {
    Names names;
    Values values(program, names);
    const Expr e = values.number(everywhere(pattern(encoding)), {&around});
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
      for (std::int64_t i = 0; i < std::ssize(kPattern); ++i)
        EXPECT_EQ(
            at(names, e, rank, i),
            trace::decode_rank(encoding, kPattern[static_cast<std::size_t>(i)], {rank, kRanks}))
            << rank << ", " << i;
    }
  }
}

// Rank 0 has nobody, by any encoding.
TEST(ConceptualValues, NobodyIsNobodyInEveryEncoding) {
  const program::Program program = open_program();
  const Node around = loop(2);
  const Expr is_first = Expr::make(Op::equal, Expr::variable(expr::kRank), Expr(0));
  const Expr number = Expr::conditional(is_first, Expr(trace::kProcNull), Expr(3));
  for (const auto encoding :
       {trace::Encoding::absolute, trace::Encoding::relative, trace::Encoding::exclusive_or}) {
    Names names;
    Values values(program, names);
    const program::Pattern all{{{number, Expr(0), Expr(0), {}}}, encoding};
    const Expr e = values.number(everywhere(all), {&around});
    for (std::int64_t rank = 0; rank < kRanks; ++rank) {
      const std::int64_t written = rank == 0 ? trace::kProcNull : 3;
      EXPECT_EQ(at(names, e, rank), trace::decode_rank(encoding, written, {rank, kRanks})) << rank;
    }
  }
}

TEST(ConceptualValues, NobodyIsNotReckonedWith) {
  const Expr rank = Expr::variable(expr::kRank);
  const Expr chosen = Expr::conditional(rank, rank + Expr(1), Expr(trace::kProcNull));
  EXPECT_NO_THROW(check_choices(chosen));
  EXPECT_THROW(check_choices(Expr::make(Op::maximum, Expr(trace::kProcNull), rank)), Unwritable);
  EXPECT_THROW(check_choices(chosen + Expr(1)), Unwritable);
}

TEST(ConceptualValues, VariablesThatNoTaskKnowsAreRefused) {
  const program::Program program = open_program();
  Names names;
  Values values(program, names);
  for (const char* name : {"t0", "new_rank", "new_size", "depth0", "first0", "anything"})
    EXPECT_THROW(values.number(everywhere(Expr::variable(name)), {}), Unwritable) << name;
  EXPECT_THROW(values.number(everywhere(program::Drawn{}), {}), Unwritable);
}

// Of a torus: on every rank what the coordinates say, and along the first dimension by its row.
TEST(ConceptualValues, NeighborsAreBesideTheRankInEachDimension) {
  program::Program p;
  const Expr rank = Expr::variable(expr::kRank);
  p.grid.emplace();
  p.grid->extents = {Expr(2), Expr(2), Expr(2)};
  p.grid->coordinates = {rank % Expr(2), rank / Expr(2) % Expr(2), rank / Expr(4)};
  Names names;
  Values values(p, names);
  const auto neighbor = [&](std::vector<std::int64_t> steps) {
    return values.number(everywhere(program::Neighbor{std::move(steps), {true, true, true}}), {});
  };
  EXPECT_EQ(expr::print(neighbor({1, 0, 1})), "(rank / 2 * 2 + (rank + 1) % 2 + 4) % ranks");
  for (int steps = 0; steps < 8; ++steps) {
    const std::array<std::int64_t, 3> by = {steps & 1, steps >> 1 & 1, steps >> 2};
    const Expr e = neighbor({by.begin(), by.end()});
    for (std::int64_t r = 0; r < kRanks; ++r)
      EXPECT_EQ(at(names, e, r), r ^ steps) << expr::print(e) << " on " << r;
  }
}

// The index of a loop is below the number of its iterations.
TEST(ConceptualValues, LawsOfRowsAreChosenByTheOuterIndex) {
  const program::Program p = open_program();
  const Expr next = Expr::variable(expr::kRank) + Expr(1), last = Expr::variable(expr::kRank);
  Node rows = loop(2), columns = loop(2);
  rows.most = 2;
  columns.depth = 1;
  Names names;
  Values values(p, names);
  const program::Alternation laws{{next, next, next, last}, 0, std::nullopt};
  const Expr found = values.number(everywhere(laws), {&rows, &columns});
  EXPECT_EQ(expr::print(found).find('%'), std::string::npos) << expr::print(found);
}

// As in programs for many numbers of ranks.
TEST(ConceptualValues, LawsRepeatInLoopsOfUnknownTripCount) {
  const program::Program p = open_program();
  const Expr next = Expr::variable(expr::kRank) + Expr(1), last = Expr::variable(expr::kRank);
  const Node around = loop(9);
  Names names;
  Values values(p, names);
  const program::Alternation laws{{next, last}, 0, std::nullopt};
  const Expr found = values.number(everywhere(laws), {&around});
  EXPECT_EQ(at(names, found, 1, 2), 2) << expr::print(found);
  EXPECT_EQ(at(names, found, 1, 3), 1) << expr::print(found);
}

TEST(Values, LawsThatAreTheSameOneBehindTheOtherAreOne) {
  const program::Program p = open_program();
  const Expr next = Expr::variable(expr::kRank) + Expr(1);
  const Expr last = Expr::variable(expr::kRank) - Expr(1);
  Names names;
  Values values(p, names);
  Node four = loop(4);
  const program::Alternation laws{{next, next, next, last}, 0, program::ByLoop{0, 0}};
  const Expr found = values.number(everywhere(laws), {&four});
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(at(names, found, 3, i), i < 3 ? 4 : 2);
  const Expr expected =
      Expr::conditional(Expr::make(Op::less, Expr::variable("i0"), Expr(3)), next, last);
  EXPECT_EQ(found, expected);
}

// Each of two entries belongs to three iterations.
TEST(ConceptualValues, EntriesOfSeveralIterationsAreToldByTheIndexItself) {
  const program::Program p = open_program();
  const Expr next = Expr::variable(expr::kRank) + Expr(1), last = Expr::variable(expr::kRank);
  Names names;
  Values values(p, names);
  Node six = loop(6);
  const program::Alternation laws{{next, last}, 0, program::ByLoop{0, 0, 3}};
  const Expr found = values.number(everywhere(laws), {&six});
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(at(names, found, 3, i), i < 3 ? 4 : 3);
  EXPECT_EQ(expr::print(found).find('/'), std::string::npos) << expr::print(found);
}

TEST(ConceptualValues, FewNumbersStandOneBehindTheOther) {
  trace::SeriesFolder folder;
  for (const std::int64_t v : {32, 8, 8, 2, 9}) folder.append(v);
  const Expr i = Expr::variable("i0");
  const auto is = [&](Op op, std::int64_t n) { return Expr::make(op, i, Expr(n)); };
  EXPECT_EQ(
      value_at(folder.finish(), i, 5),
      Expr::conditional(is(Op::equal, 0), Expr(32),
                        Expr::conditional(is(Op::less, 3), Expr(8),
                                          Expr::conditional(is(Op::equal, 3), Expr(2), Expr(9)))));
}

TEST(ConceptualValues, StairsAreAQuotient) {
  const Expr i = Expr::variable("i0");
  trace::SeriesFolder folder;
  for (std::int64_t k = 0; k < 40; ++k) folder.append((k + 2) / 3 * 5 + 7);
  const Expr found = value_at(folder.finish(), i, 40);
  EXPECT_EQ(expr::simplify(found), expr::simplify((i + Expr(2)) / Expr(3) * Expr(5) + Expr(7)))
      << expr::print(found);
}

TEST(ConceptualValues, ManyNumbersAreFoundInAFewSteps) {
  trace::SeriesFolder folder;
  for (std::int64_t k = 0; k < 200; ++k) folder.append(k * k * 7 % 101);
  const trace::Series all = folder.finish();
  const Expr found = value_at(all, Expr::variable("i0"), 200);
  Names names;
  for (std::int64_t k = 0; k < 200; ++k)
    EXPECT_EQ(at(names, found, 0, k), all.at(static_cast<std::uint64_t>(k)));
}

}  // namespace
}  // namespace reprise::write::conceptual
