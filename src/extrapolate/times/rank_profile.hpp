// The variation of the time at a place from rank to rank, in a form that holds on other numbers of
// ranks: a mean for each execution is f(number of ranks) x ratio(rank) x what is left.
//
// Ratios go by one of three rules, or none: the first and last ranks (a root, the ends of a
// pipeline); the position among all ranks (the upper half is slow, the load grows with the rank);
// the part that a rank has in the program (corner, edge or inside of a grid, by what it executes).
// A rule counts if, taken from the other runs, it predicts at least half of the variance in the
// largest. What no rule explains is kept as a distribution over ranks, and is given to ranks in an
// order without meaning: which rank of a larger run is slow is not known then.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace reprise::extrapolate {

// Distinguishes the parts that ranks have in a program: their numbers of executions of some call
// sites, each as a level among those of the run (0: never).
using Part = std::vector<std::uint8_t>;

// What each rank of a run spent at one place.
struct RankTimes {
  std::span<const std::uint64_t> counts;  // [ranks] executions
  std::span<const double> sums;           // [ranks] [ns]
  std::span<const Part> parts;            // [ranks]
};

class RankProfile {
 public:
  enum class Rule : std::uint8_t { even, ends, position, part };

  // The complete state, to store and restore a profile.
  struct Parts {
    Rule rule = Rule::even;
    std::size_t ends = 0;                // ranks at either end that count for themselves
    std::map<Part, std::size_t> places;  // in `ratios`
    std::vector<double> ratios;          // by index; of positions: at equal distances
    std::vector<double> spread;          // none, or kQuantiles of them
  };
  static constexpr std::size_t kQuantiles = 61;  // a prime: they do not step with rows of a grid

  RankProfile() = default;
  // REQUIRES: ratios, if ranks go by position.
  explicit RankProfile(Parts parts)
      : rule_(parts.rule),
        ends_(parts.ends),
        parts_(std::move(parts.places)),
        ratios_(std::move(parts.ratios)),
        spread_(std::move(parts.spread)) {}
  Parts parts() const { return {rule_, ends_, parts_, ratios_, spread_}; }
  // `runs` by ranks, ascending.
  explicit RankProfile(std::span<const RankTimes> runs);

  Rule rule() const { return rule_; }
  // What a rank takes for an execution, in means over all executions.
  double ratio(std::uint64_t rank, std::uint64_t ranks, const Part& part) const;
  // The mean of an execution where the ratio is 1 [ns]; 0 if there is none.
  double level(const RankTimes& run) const;
  // Quantiles of what is left, ascending, with mean 1; none if nothing varies.
  const std::vector<double>& spread() const { return spread_; }
  // The quantile of a rank. Equal keys give equal orders.
  double left_over(std::uint64_t rank, std::uint64_t key) const;

 private:
  void learn(Rule rule, std::span<const RankTimes> runs);
  std::size_t index_of(std::uint64_t rank, std::uint64_t ranks, const Part& part) const;
  double misses(const RankTimes& run) const;
  void keep_spread(const RankTimes& run);

  Rule rule_ = Rule::even;
  std::size_t ends_ = 0;  // ranks at either end that count for themselves
  std::map<Part, std::size_t> parts_;
  std::vector<double> ratios_;  // by index; of positions: at equal distances
  std::vector<double> spread_;
};

}  // namespace reprise::extrapolate
