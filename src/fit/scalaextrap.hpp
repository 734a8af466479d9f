// The four time models of ScalaExtrap and how it chooses among them (section 3.5), thresholds
// included.
//
// It is here to be compared with `curves.hpp`. Two things the paper leaves open: the slope below
// which a line counts as constant depends on the unit of time, which the caller chooses, and its
// sign is ignored here; where all fields of a histogram are undecided, the least deviation decides.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace reprise::fit {

enum class PaperModel : std::uint8_t {
  constant,         // c, without the value that is farthest from the mean
  linear,           // a n + b by least squares; b alone if the slope is below 0.2
  inverse,          // k / n, without the k that is farthest from the mean
  inverse_constant  // k / n + c, by least squares on t n = c n + k
};
inline constexpr std::size_t kPaperModels = 4;
inline constexpr double kLeastSlope = 0.2;
inline constexpr double kClearWin = 0.05;

struct PaperCurve {
  PaperModel model = PaperModel::constant;
  double factor = 0;     // a or k
  double constant = 0;   // b or c
  double deviation = 0;  // standard deviation or root of the residual, over the mean

  double at(double ranks) const;
};

// The four fits of one field. REQUIRES: two points or more, as many times as numbers of ranks.
std::array<PaperCurve, kPaperModels> fit_paper(std::span<const double> ranks,
                                               std::span<const double> times);

// The model whose deviation is lower than all others by more than kClearWin.
std::optional<PaperModel> clear_winner(std::span<const PaperCurve> curves);

// A curve for each field of a histogram: [fields x points]. Undecided fields follow the model that
// most of the decided ones have.
std::vector<PaperCurve> choose_paper(std::span<const double> ranks,
                                     const std::vector<std::vector<double>>& fields);

}  // namespace reprise::fit
