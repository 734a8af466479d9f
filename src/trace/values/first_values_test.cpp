#include "trace/values/first_values.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trace/series/series_folder.hpp"

namespace reprise::trace {
namespace {

Series folded(const std::vector<int>& values) { return fold_numbers(values); }

TEST(FirstValues, PassesStreamsWithoutOne) {
  const Value v{.by_stream = Series({Term{.value = 0, .count = std::uint64_t{1} << 40},
                                     Term{.value = 5, .step = 1, .count = 2},
                                     Term{.value = 0, .count = kUnbounded}}),
                .classes = {}};
  FirstValues values(v);
  EXPECT_EQ(values.find_nonzero(0, ~std::uint64_t{0}), std::uint64_t{1} << 40);
  EXPECT_EQ(values.at((std::uint64_t{1} << 40) + 1), 6);
  EXPECT_EQ(values.find_nonzero((std::uint64_t{1} << 40) + 2, ~std::uint64_t{0}),
            ~std::uint64_t{0});
}

RC_GTEST_PROP(FirstValues, AreWhatEachStreamHasFirst, ()) {
  Value v;
  const auto numbers =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3)));
  const int classes = *rc::gen::inRange(0, 4);
  if (classes != 1) v.by_stream = folded(numbers);
  for (int k = 0; k < classes; ++k) v.classes.push_back(folded({*rc::gen::inRange(-1, 2), 7}));
  FirstValues in_order(v), nonzero(v);
  std::uint64_t found = nonzero.find_nonzero(0, numbers.size());
  for (std::uint64_t s = 0; s < numbers.size(); ++s) {
    const std::int64_t first = ValueCursor(v, s).next();
    RC_ASSERT(in_order.at(s) == first);
    const auto number = static_cast<std::size_t>(in_order.number_at(s));
    if (classes > 0) RC_ASSERT(&v.classes.at(number) == v.series_of(s));
    RC_ASSERT((found == s) == (first != 0));
    if (found == s) found = nonzero.find_nonzero(s + 1, numbers.size());
  }
  RC_ASSERT(found == numbers.size());
}

}  // namespace
}  // namespace reprise::trace
