#include "trace/series/series_map.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "trace/series/series_folder.hpp"

namespace reprise::trace {
namespace {

RC_GTEST_PROP(SeriesMap, EveryValueIsMappedInItsPlace, ()) {
  const auto body =
      *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 6));
  const int passes = *rc::gen::inRange(1, 6);
  const auto step = *rc::gen::inRange<std::int64_t>(0, 3);
  const auto factor = *rc::gen::inRange<std::int64_t>(-5, 6);
  std::vector<std::int64_t> values;
  for (int p = 0; p < passes; ++p) {
    for (const std::int64_t v : body) values.push_back(v + p * step);
  }
  const Series series = fold_numbers(values);
  const auto square = [](std::int64_t v) { return v * v - 7; };
  const Series mapped = map_values(series, values.size(), square);
  const Series multiplied = multiply_values(series, factor);
  for (std::size_t i = 0; i < values.size(); ++i) {
    RC_ASSERT(mapped.at(i) == square(values[i]));
    RC_ASSERT(multiplied.at(i) == factor * values[i]);
  }
}

}  // namespace
}  // namespace reprise::trace
