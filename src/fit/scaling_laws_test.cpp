#include "fit/scaling_laws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace reprise::fit {
namespace {

const std::vector<double> kSquares = {4, 9, 16, 25, 36, 49};

std::vector<ScalingSample> sampled(const std::function<double(double)>& law,
                                   const std::vector<double>& ranks = kSquares) {
  std::vector<ScalingSample> out;
  for (const double p : ranks) out.push_back({p, law(p)});
  return out;
}

// What a multipartition sends: shifts along the grid's rows, and a reduction at the end.
TEST(ScalingLaws, FindsRootsAndStepsOfTrees) {
  const auto truth = [](double p) { return 12 + 2 * std::ceil(std::log2(p)) + 48 * std::sqrt(p); };
  const auto fit = fit_scaling_law(sampled(truth));
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->law.describe(), "12 + 48 sqrt(P) + 2 ceil(log2 P)");
  EXPECT_EQ(fit->law.from, 4);
  EXPECT_NEAR(fit->law.at(1024), truth(1024), 1e-6);
  EXPECT_TRUE(fit->rivals.empty());
}

TEST(ScalingLaws, HaveCoefficientsOfAnySign) {
  const auto truth = [](double p) { return 3 * std::sqrt(p) - 3; };
  const auto fit = fit_scaling_law(sampled(truth));
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->law.describe(), "-3 + 3 sqrt(P)");
}

TEST(ScalingLaws, LeaveOutTheSmallestThatHasNoInside) {
  // A stencil on 2 x 2 ranks has two neighbors each, on more four.
  const auto truth = [](double p) { return (p < 9 ? 80 : 160) + 12 * std::ceil(std::log2(p)); };
  const auto fit = fit_scaling_law(sampled(truth));
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->law.from, 9);
  EXPECT_NEAR(fit->law.at(100), truth(100), 1e-6);
}

TEST(ScalingLaws, DoNotTakeWhatASingleSampleTells) {
  // Of these only 4 is a power of two: a term for such numbers would take it out, and miss 16.
  const std::vector<ScalingSample> samples{{4, 104}, {9, 197}, {25, 220}, {36, 232}, {49, 232}};
  const auto fit = fit_scaling_law(samples);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->law.at(16), 208, 10) << fit->law.describe();
}

TEST(ScalingLaws, PreferTheConstantToChance) {
  const auto fit = fit_scaling_law(sampled([](double) { return 7.0; }));
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->law.describe(), "7");
}

TEST(ScalingLaws, NameWhatIsAsGood) {
  // Within these few powers of four the noise hides which of several slow curves it is.
  const std::vector<ScalingSample> noisy{{4, 1.01}, {16, 1.98}, {64, 3.05}, {256, 3.97}};
  const auto fit = fit_scaling_law(noisy);
  ASSERT_TRUE(fit);
  EXPECT_FALSE(fit->rivals.empty());
  EXPECT_NEAR(fit->law.at(1024), 5, 0.1) << fit->law.describe();
}

TEST(ScalingLaws, NeedFourSamplesThatArePositive) {
  EXPECT_FALSE(fit_scaling_law(sampled([](double p) { return p; }, {4, 9, 16})));
  EXPECT_FALSE(fit_scaling_law(sampled([](double) { return 0.0; })));
  const auto fit = fit_scaling_law(sampled([](double p) { return p - 1; }, {1, 2, 4, 8, 16}));
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->law.from, 2) << "one rank sends nothing";
}

TEST(ScalingLaws, CountTheStepsOfRecursiveDoubling) {
  EXPECT_EQ(value_of(ScalingTerm::doubling_steps, 16), 4);
  EXPECT_EQ(value_of(ScalingTerm::doubling_steps, 9), 5);
  EXPECT_EQ(value_of(ScalingTerm::tree_steps, 9), 4);
  for (std::size_t t = 0; t <= static_cast<std::size_t>(ScalingTerm::doubling_steps); ++t) {
    const auto term = static_cast<ScalingTerm>(t);
    EXPECT_EQ(find_scaling_term(name_of(term)), term);
  }
  EXPECT_FALSE(find_scaling_term("P!"));
}

}  // namespace
}  // namespace reprise::fit
