#include "fit/scalaextrap.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace reprise::fit {
namespace {

const std::vector<double> kRanks = {16, 32, 64, 128};

std::vector<double> times(double (*truth)(double)) {
  std::vector<double> out;
  for (const double n : kRanks) out.push_back(truth(n));
  return out;
}

PaperModel chosen(double (*truth)(double)) { return choose_paper(kRanks, {times(truth)})[0].model; }

TEST(PaperModels, FitTheirOwnTrends) {
  EXPECT_EQ(chosen([](double n) { return 5 * n + 100; }), PaperModel::linear);
  EXPECT_EQ(chosen([](double n) { return 1e4 / n + 500; }), PaperModel::inverse_constant);
  const auto line = fit_paper(kRanks, times([](double n) { return 5 * n + 100; }))[1];
  EXPECT_NEAR(line.at(1024), 5220, 1e-6);
  const auto inverse = fit_paper(kRanks, times([](double n) { return 1e4 / n; }))[2];
  EXPECT_NEAR(inverse.at(1000), 10, 1e-9);
  const auto both = fit_paper(kRanks, times([](double n) { return 1e4 / n + 500; }))[3];
  EXPECT_NEAR(both.at(1000), 510, 1e-6);
}

TEST(PaperModels, DropTheOutlierOfConstantAndInverse) {
  const std::vector<double> with_outlier = {10, 10, 90, 10};
  const auto curves = fit_paper(kRanks, with_outlier);
  EXPECT_DOUBLE_EQ(curves[0].at(1024), 10);
  EXPECT_DOUBLE_EQ(curves[0].deviation, 0);
  EXPECT_EQ(choose_paper(kRanks, {with_outlier})[0].model, PaperModel::constant);
  const std::vector<double> inverse = {1600 / 16.0, 1600 / 32.0, 9, 1600 / 128.0};
  EXPECT_NEAR(fit_paper(kRanks, inverse)[2].at(1600), 1, 1e-12);
}

TEST(PaperModels, TakeASmallSlopeForNone) {
  const auto line = fit_paper(kRanks, times([](double n) { return 0.19 * n + 7; }))[1];
  EXPECT_EQ(line.factor, 0);
  EXPECT_NEAR(line.at(1024), 7, 1e-9);
  EXPECT_NE(fit_paper(kRanks, times([](double n) { return 0.21 * n + 7; }))[1].factor, 0);
}

TEST(PaperModels, FollowTheOtherFieldsWhereNoneWinsClearly) {
  const auto flat = times([](double) { return 10.0; });
  EXPECT_FALSE(clear_winner(fit_paper(kRanks, flat)));
  const auto rising = times([](double n) { return 5 * n + 100; });
  const auto curves = choose_paper(kRanks, {rising, flat, rising});
  EXPECT_EQ(curves[1].model, PaperModel::linear);
  EXPECT_EQ(choose_paper(kRanks, {flat})[0].model, PaperModel::constant);
}

}  // namespace
}  // namespace reprise::fit
