#include "extrapolate/laws/absence.hpp"

#include <gtest/gtest.h>

#include "expr/parse.hpp"
#include "expr/print.hpp"

namespace reprise::extrapolate {
namespace {

Law trips_law(const std::string& text, std::optional<std::size_t> grid = {}) {
  return {.form = Law::Form::indexed,
          .number = {.expression = *expr::parse(text), .grid = grid, .of_rank = true}};
}

// Of a call in two items, by the laws of their trips.
Absence absence_within(const Law* outer, const Law* inner) {
  SlotShape shape;
  shape.chain = {0, 1};
  return absence(shape, [&](std::uint32_t item) { return item == 0 ? outer : inner; });
}

TEST(Absence, IsWhereAnItemHasNoTrips) {
  const Law outer = trips_law("rank > 0"), inner = trips_law("x0 < d0 - 1", 0);
  const Absence both = absence_within(&outer, &inner);
  EXPECT_EQ(print(both.where.expression), "rank > 0 <= 0 || x0 < d0 - 1 <= 0");
  EXPECT_TRUE(both.is_all);
}

TEST(Absence, IsNotAllOfItWhereALawIsUnknownOrOnAnotherGrid) {
  const Law outer = trips_law("x0 > 0", 0), inner = trips_law("x1 > 0", 1);
  EXPECT_TRUE(absence_within(&outer, &outer).is_all);
  EXPECT_FALSE(absence_within(&outer, &inner).is_all);
  EXPECT_FALSE(absence_within(&outer, nullptr).is_all);
}

TEST(Absence, OfElementsOfListsIsNotCertain) {
  const std::vector<Site> sites = {{.function = *trace::find_function("MPI_Alltoallv")}};
  const auto scalars =
      static_cast<std::uint32_t>(trace::function(sites[0].function).scalars.size());
  EXPECT_TRUE(certain_absence({}, sites, {.column = 0}));
  EXPECT_FALSE(certain_absence({}, sites, {.column = scalars + 1}));
  EXPECT_FALSE(certain_absence({.where = {}, .is_all = false}, sites, {.column = 0}));
}

}  // namespace
}  // namespace reprise::extrapolate
