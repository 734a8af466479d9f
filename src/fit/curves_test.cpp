#include "fit/curves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "fit/shapes.hpp"

namespace reprise::fit {
namespace {

using Truth = std::function<double(double)>;

// Normal numbers that are the same with every standard library.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : bits_(seed) {}

  double next() {
    const double u = uniform();
    const double v = uniform();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v);
  }

 private:
  double uniform() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }

  std::mt19937_64 bits_;
};

struct Law {
  const char* name;
  Truth truth;
  double worst_median;  // of the relative error at 16 times the largest number of ranks
};

const std::vector<Law>& laws() {
  static const std::vector<Law> kLaws = {
      {"constant", [](double) { return 100; }, 0.02},
      {"linear", [](double p) { return 3 * p; }, 0.03},
      {"k/p", [](double p) { return 1e4 / p; }, 0.03},
      {"k/p + c", [](double p) { return 1e4 / p + 100; }, 0.05},
      {"log", [](double p) { return 10 * std::log2(p); }, 0.03},
      {"sqrt", [](double p) { return 10 * std::sqrt(p); }, 0.03},
      {"p^-1/2", [](double p) { return 1e3 / std::sqrt(p); }, 0.03},
      {"p^-2/3 + c", [](double p) { return 1e3 * std::pow(p, -2.0 / 3) + 20; }, 0.06},
  };
  return kLaws;
}

CurveSamples measure(const std::vector<double>& ranks, const std::vector<Truth>& fields,
                     std::size_t repetitions, double noise, Noise& random) {
  CurveSamples samples{{"ranks"}, {}, {}};
  for (const double p : ranks) samples.points.push_back({p});
  for (const Truth& truth : fields) {
    auto& field = samples.fields.emplace_back();
    for (const double p : ranks) {
      auto& at_point = field.emplace_back();
      for (std::size_t r = 0; r < repetitions; ++r) {
        at_point.push_back(truth(p) * (1 + noise * random.next()));
      }
    }
  }
  return samples;
}

const std::vector<double> kFivePoints = {4, 8, 16, 32, 64};

// Five points, five repetitions and 5 % noise, at 16 times the largest number of ranks.
TEST(Curves, ExtrapolateTheirOwnLaws) {
  Noise random(1);
  for (const Law& law : laws()) {
    std::vector<double> errors;
    for (int trial = 0; trial < 200; ++trial) {
      const auto samples = measure(kFivePoints, {law.truth}, 5, 0.05, random);
      const double found = fit_curves(samples).curves[0].at(std::vector<double>{1024});
      errors.push_back(std::abs(found / law.truth(1024) - 1));
    }
    std::sort(errors.begin(), errors.end());
    RecordProperty(law.name, std::to_string(errors[errors.size() / 2]));
    EXPECT_LE(errors[errors.size() / 2], law.worst_median) << law.name;
  }
}

double coverage(const Law& law, std::size_t repetitions, int trials, Noise& random) {
  int covered = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto samples = measure(kFivePoints, {law.truth}, repetitions, 0.05, random);
    const auto fit = fit_curves(samples);
    const Estimate e = predict(samples, fit, std::vector<double>{1024}, 100)[0];
    covered += e.low <= law.truth(1024) && law.truth(1024) <= e.high;
  }
  return static_cast<double>(covered) / trials;
}

TEST(Curves, IntervalsCoverTheTruth) {
  Noise random(2);
  double sum = 0;
  for (const Law& law : laws()) {
    const double share = coverage(law, 5, 60, random);
    RecordProperty(law.name, std::to_string(share));
    EXPECT_GE(share, 0.8) << law.name;
    sum += share;
  }
  const double mean = sum / static_cast<double>(laws().size());
  EXPECT_GE(mean, 0.85);
  EXPECT_LE(mean, 0.99);
}

TEST(Curves, AreExactWithoutNoise) {
  Noise random(3);
  for (const Law& law : laws()) {
    const auto samples = measure({4, 16, 36, 64}, {law.truth}, 1, 0, random);
    const auto fit = fit_curves(samples);
    EXPECT_NEAR(fit.curves[0].at(std::vector<double>{4096}) / law.truth(4096), 1, 1e-6) << law.name;
  }
}

TEST(Curves, GiveAllFieldsOneShape) {
  Noise random(4);
  const std::vector<Truth> fields = {[](double p) { return 1e4 / p; },
                                     [](double p) { return 2e3 / p; },
                                     [](double p) { return 3e4 / p; }};
  const auto fit = fit_curves(measure(kFivePoints, fields, 3, 0.05, random));
  ASSERT_EQ(fit.curves.size(), 3u);
  EXPECT_EQ(fit.curves[0].terms, fit.curves[1].terms);
  EXPECT_EQ(fit.curves[0].terms, fit.curves[2].terms);
  EXPECT_NEAR(fit.curves[1].at(std::vector<double>{1024}) / (2e3 / 1024), 1, 0.1);
}

TEST(Curves, NameARunnerUpWhereTheOrderIsOpen) {
  Noise random(5);
  const auto noisy = measure(kFivePoints, {laws().back().truth}, 2, 0.1, random);
  EXPECT_FALSE(fit_curves(noisy).runner_up.empty());
  const auto clear = measure({4, 16, 64, 256}, {[](double p) { return 3 * p; }}, 1, 0, random);
  EXPECT_TRUE(fit_curves(clear).runner_up.empty());
}

TEST(Curves, TakeFurtherVariables) {
  CurveSamples samples{{"ranks", "n"}, {}, {{}}};
  for (const double p : {4.0, 8.0, 16.0}) {
    for (const double n : {100.0, 200.0, 400.0}) {
      samples.points.push_back({p, n});
      samples.fields[0].push_back({2 * n * n / p + 7});
    }
  }
  const auto fit = fit_curves(samples);
  EXPECT_NEAR(fit.curves[0].at(std::vector<double>{1024, 1000}) / (2e6 / 1024 + 7), 1, 1e-6);
  EXPECT_EQ(fit.curves[0].describe(samples.variables), "7 + 2 * ranks^-1 * n^2");
}

// What is moved shrinks with the number of ranks, and grows again beyond all points.
TEST(Curves, FollowMeasures) {
  CurveSamples samples{{"ranks", "elements"}, {}, {{}}};
  samples.measures = 1;
  for (const auto& [p, elements] :
       {std::pair{9.0, 429.0}, {16.0, 248.0}, {25.0, 160.0}, {36.0, 114.0}, {64.0, 83.0}}) {
    samples.points.push_back({p, elements});
    samples.fields[0].push_back({20 + 1.5 * elements});
  }
  const auto fit = fit_curves(samples);
  EXPECT_NEAR(fit.curves[0].at(std::vector<double>{256, 104}), 20 + 1.5 * 104, 1e-6);
  EXPECT_EQ(fit.curves[0].describe(samples.variables), "20 + 1.5 * elements");
}

TEST(Curves, TakeTwoTermsOnlyFromSevenPointsOn) {
  const auto longest = [](std::size_t points) {
    std::vector<std::vector<double>> at;
    for (std::size_t i = 0; i < points; ++i) at.push_back({std::exp2(i + 1)});
    std::size_t terms = 0;
    for (const Shape& s : make_shapes(at)) terms = std::max(terms, s.size());
    return terms;
  };
  EXPECT_EQ(longest(1), 1u);
  EXPECT_EQ(longest(2), 1u);
  EXPECT_EQ(longest(6), 2u);
  EXPECT_EQ(longest(7), 3u);
}

TEST(Curves, AreDescribedAsFormulas) {
  const std::vector<std::string> names = {"ranks"};
  EXPECT_EQ(Curve({{{}, {{0, -2.0 / 3, 0}}}, {0.5, 12}}).describe(names),
            "0.5 + 12 * ranks^(-2/3)");
  EXPECT_EQ(Curve({{{{0, -1, 1}}}, {3}}).describe(names), "3 * log2(ranks) * ranks^-1");
}

TEST(Curves, SurviveZerosAndSinglePoints) {
  const CurveSamples zeros{{"ranks"}, {{4}, {8}, {16}}, {{{0}, {0}, {0}}}};
  EXPECT_EQ(fit_curves(zeros).curves[0].at(std::vector<double>{64}), 0);
  const CurveSamples one{{"ranks"}, {{4}}, {{{3, 5}}}};
  const auto fit = fit_curves(one);
  EXPECT_DOUBLE_EQ(fit.curves[0].at(std::vector<double>{64}), 4);
  EXPECT_EQ(fit.curves[0].describe(one.variables), "4");
  const Estimate e = predict(one, fit, std::vector<double>{64})[0];
  EXPECT_LE(e.low, 4);
  EXPECT_GE(e.high, 4);
}

}  // namespace
}  // namespace reprise::fit
