#include "trace/series/series.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <limits>

#include "base/hash.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::trace {
namespace {

using Values = std::vector<std::int64_t>;

Series fold(const Values& values) { return fold_numbers(values); }

Values repeated(const Values& values, int passes) {
  Values out;
  for (int i = 0; i < passes; ++i) out.insert(out.end(), values.begin(), values.end());
  return out;
}

Values expand(const Series& series, std::size_t n) {
  Values out;
  for (SeriesCursor c(series); out.size() < n && !c.at_end();) out.push_back(c.next());
  return out;
}

std::size_t encoded_size(const Series& series) {
  ByteWriter out;
  series.encode(out);
  return out.size();
}

std::size_t terms(const std::vector<Term>& list) {
  std::size_t n = 0;
  for (const Term& t : list) n += 1 + terms(t.body);
  return n;
}

// Values as a program would make them: nested loops over literals, strides and choices.
rc::Gen<Values> program_values() {
  return rc::gen::exec([] {
    Values out;
    const std::function<void(int)> block = [&](int depth) {
      const int parts = *rc::gen::inRange(1, 5);
      for (int i = 0; i < parts; ++i) {
        const int kind = depth == 0 ? 0 : *rc::gen::inRange(0, 3);
        if (kind == 0) {
          out.push_back(*rc::gen::inRange(-3, 4));
        } else if (kind == 1) {
          const auto start = *rc::gen::inRange(0, 5);
          const auto step = *rc::gen::inRange(-2, 3);
          const int n = *rc::gen::inRange(1, 8);
          for (int k = 0; k < n; ++k) out.push_back(start + k * step);
        } else {
          const std::size_t begin = out.size();
          block(depth - 1);
          const Values body(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
          const int n = *rc::gen::inRange(0, 6);
          const auto step = *rc::gen::inRange(0, 2);
          for (int k = 1; k <= n; ++k) {
            for (const std::int64_t v : body) out.push_back(v + k * step);
          }
        }
      }
    };
    block(4);
    return out;
  });
}

RC_GTEST_PROP(Series, ExpandsToWhatWasFolded, ()) {
  const Values values = *program_values();
  const Series series = fold(values);
  RC_ASSERT(expand(series, values.size()) == values);
  for (std::size_t i = 0; i < values.size(); ++i) RC_ASSERT(series.at(i) == values[i]);
}

RC_GTEST_PROP(Series, RandomValuesSurvive, (Values values)) {
  RC_ASSERT(expand(fold(values), values.size()) == values);
}

RC_GTEST_PROP(Series, DoesNotDependOnHowValuesWereGrouped, ()) {
  const Values values = *program_values();
  SeriesFolder grouped;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t n = 1;
    while (i + n < values.size() && values[i + n] == values[i]) ++n;
    grouped.append(values[i], n);
    i += n;
  }
  RC_ASSERT(grouped.finish() == fold(values));
  RC_ASSERT(grouped.size() == values.size());
}

RC_GTEST_PROP(Series, SurvivesTheFile, ()) {
  const Series series = fold(*program_values());
  ByteWriter out;
  series.encode(out);
  ByteReader in(out.bytes().data(), out.size());
  RC_ASSERT(Series::decode(in) == series);
  RC_ASSERT(!in.failed());
  RC_ASSERT(in.at_end());
}

RC_GTEST_PROP(Series, BadBytesAreAnErrorOrASeries, (std::vector<std::uint8_t> bytes)) {
  ByteReader in(bytes.data(), bytes.size());
  const Series series = Series::decode(in);
  if (!in.failed()) expand(series, 100);
}

TEST(Series, ConstantsDoNotDependOnTheirNumber) {
  EXPECT_EQ(fold({7}), Series::constant(7));
  EXPECT_EQ(fold(Values(1000, 7)), Series::constant(7));
}

TEST(Series, NestedLoopsFold) {
  Values values;
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 7; ++j) values.insert(values.end(), {1, 2, 5});
    values.push_back(9);
  }
  EXPECT_LE(terms(fold(values).terms()), 20u);
}

TEST(Series, StridesFoldInSeveralDimensions) {
  Values values;  // the interior of a 3-D grid of 20 x 30 x 40 ranks
  for (int z = 1; z < 19; ++z) {
    for (int y = 1; y < 29; ++y) {
      for (int x = 1; x < 39; ++x) values.push_back((z * 30 + y) * 40 + x);
    }
  }
  EXPECT_LE(terms(fold(values).terms()), 12u);
}

TEST(Series, LongPeriodsFoldWhereValuesRecurWithinThem) {
  std::uint64_t state = 1;
  Values body;
  for (int i = 0; i < 1000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    body.push_back(static_cast<std::int64_t>(state >> 63));
  }
  Values values;
  for (int k = 0; k < 100; ++k) values.insert(values.end(), body.begin(), body.end());
  EXPECT_LE(encoded_size(fold(values)), 6000u);
  EXPECT_EQ(expand(fold(values), values.size()), values);
}

TEST(Series, LongPeriodsFoldFarBehindTheirFirstPass) {
  Values values;
  for (std::uint64_t i = 0; i < 5 * 30000; ++i) {
    values.push_back(static_cast<std::int64_t>(mix(i % 30000) % 100000));
  }
  const Series series = fold(values);
  EXPECT_LT(terms(series.terms()), 31000u);
  EXPECT_EQ(expand(series, values.size()), values);
}

TEST(Series, ALoopFoldsBehindALongHistory) {
  Values values;
  for (std::uint64_t i = 0; i < 100000; ++i) values.push_back(static_cast<std::int64_t>(mix(i)));
  const std::size_t before = terms(fold(values).terms());
  for (std::int64_t i = 0; i < 20000; ++i) values.push_back(i * i % 7);
  const Series series = fold(values);
  EXPECT_LT(terms(series.terms()), before + 20);
  EXPECT_EQ(expand(series, values.size()), values);
}

// Terms are packed once there are some thousand behind them, single values and runs alike.
TEST(Series, PackedTermsAreFoundAgain) {
  Values body;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const auto value = static_cast<std::int64_t>(mix(i) % 100000);
    body.insert(body.end(), i % 7 == 0 ? 3 : 1, value - 50000);
  }
  // What follows the passes is no part of one, and the last of them is cut short.
  for (const std::size_t rest : {std::size_t{0}, std::size_t{1}, body.size() / 2}) {
    Values values = repeated({7, -3, 9}, 5);
    const Values passes = repeated(body, 4);
    values.insert(values.end(), passes.begin(), passes.end());
    values.insert(values.end(), body.begin(), body.begin() + static_cast<std::ptrdiff_t>(rest));
    for (std::int64_t i = 0; i < 100; ++i) values.push_back(1'000'000 + i * i * i);
    const Series series = fold(values);
    EXPECT_LT(terms(series.terms()), 8500u) << rest;
    EXPECT_EQ(expand(series, values.size()), values) << rest;
  }
}

TEST(Series, ManyTermsSurviveBeingPacked) {
  Values values;
  SeriesFolder folder;
  for (std::uint64_t i = 0; i < 30000; ++i) {
    const std::uint64_t random = mix(i);
    const auto value = static_cast<std::int64_t>(random >> (random % 60));
    const std::size_t times = random % 11 == 0 ? 2 : 1;
    values.insert(values.end(), times, random % 13 == 0 ? kProcNull : value);
    folder.append(values.back(), times);
    if (i % 7000 == 0) {
      EXPECT_EQ(expand(folder.finish(), values.size()), values);
    }
  }
  EXPECT_EQ(expand(folder.finish(), values.size()), values);
  EXPECT_EQ(folder.finish(), fold(values));
}

TEST(Series, AnInterruptedLoopCostsOnlyTheInterruption) {
  Values values;
  for (int k = 0; k < 1000; ++k) {
    values.insert(values.end(), {4, 8, 15, 16, 23, 42});
    if (k % 250 == 100) values.push_back(-1);
  }
  EXPECT_LE(encoded_size(fold(values)), 120u);
}

TEST(Series, ARepeatBeginsWithItsFirstPass) {
  // What the first pass begins with joins what the last one ends with.
  const Series series = fold(repeated({256, 16, 256}, 50));
  ASSERT_EQ(series.terms().size(), 1U);
  EXPECT_EQ(series.terms()[0].period, 3U);
  // Whatever stood before: contexts that were seen earlier are found again later or sooner.
  for (std::int64_t n = 1; n < 40; ++n) {
    Values values = repeated({1, 4, 16, 64}, 30);
    for (std::int64_t i = 0; i < n; ++i) values.push_back(1000 + i * i * i);
    const Values loop = repeated({12, 40, 144, 40}, 60);
    values.insert(values.end(), loop.begin(), loop.end());
    const Term last = fold(values).terms().back();
    ASSERT_EQ(last.period, 4U) << n;
    EXPECT_EQ(first_value(last), 12) << n;
  }
}

// 1 2 3 is one run, of which the first pass has the end alone.
TEST(Series, ARepeatBeginsWithItsFirstPassWithinARunOfSteps) {
  const Values values = repeated({3, 1, 2}, 50);
  const Series series = fold(values);
  ASSERT_EQ(series.terms().size(), 1U);
  EXPECT_EQ(first_value(series.terms()[0]), 3);
  EXPECT_EQ(series.terms()[0].period, 3U);
  SeriesCursor cursor(series);
  for (const std::int64_t v : values) ASSERT_EQ(cursor.next(), v);
}

TEST(Series, SpecialAndExtremeValuesSurvive) {
  const Values values = {kProcNull,
                         0,
                         kAnySource,
                         std::numeric_limits<std::int64_t>::max(),
                         std::int64_t{1} << 61,
                         -(std::int64_t{1} << 61),
                         kSpecialBase + 62,
                         5};
  const Series series = fold(values);
  ByteWriter out;
  series.encode(out);
  ByteReader in(out.bytes().data(), out.size());
  EXPECT_EQ(expand(Series::decode(in), values.size()), values);
}

// Their lengths add up to little, modulo 2^64.
TEST(Series, TermsThatAreTooLongTogetherAreRefused) {
  ByteWriter out;
  constexpr std::uint64_t kCount = (std::uint64_t{1} << 62) - 1;
  out.varint(5);
  for (int i = 0; i < 5; ++i) {
    out.varint(kCount << 2 | 1);
    encode_value(out, i);
  }
  ByteReader in(out.bytes().data(), out.size());
  (void)Series::decode(in);
  EXPECT_TRUE(in.failed());
}

}  // namespace
}  // namespace reprise::trace
