// The law of one number of a program: an expression over the rank, the number of ranks, a grid and
// the indices of loops, found from all samples and compared with all of them.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "expr/expr.hpp"
#include "extrapolate/inputs/problem.hpp"
#include "extrapolate/laws/leaves.hpp"
#include "extrapolate/laws/no_law.hpp"
#include "infer/grid.hpp"
#include "infer/samples.hpp"
#include "solve/solver.hpp"

namespace reprise::extrapolate {

struct NumberLaw {
  expr::Expr expression;
  std::optional<std::size_t> grid = {};  // index into Grids::rules that coordinates are of
  bool of_rank = false;                  // whether ranks differ
  solve::Standing standing = solve::Standing::confirmed;
  solve::Divisions divisions = 0;          // in the expression
  solve::BorderSet borders = 0;            // of shares in it
  std::optional<expr::Expr> rounded = {};  // as in solve::Law
};

// The grids that the ranks of a program form, and what each is at the target.
struct Grids {
  std::vector<infer::GridRule> rules;
  std::set<std::size_t> seen;        // which of them other calls follow; the others are guesses
  std::vector<std::int64_t> wanted;  // extents at the target that the user gave; empty: by the rule

  // In which order to try them: those that were seen, none, the others.
  std::vector<std::optional<std::size_t>> in_order() const;
  // The ranks on a grid, or without one; nothing if the rule has no grid for so many.
  std::optional<infer::World> world(std::int64_t ranks, std::optional<std::size_t> grid) const;
  std::optional<infer::World> target(std::int64_t ranks, std::optional<std::size_t> grid) const;
};

// How many loops are around the call, by the parameters of the samples.
std::size_t loops_of(const infer::Samples& samples);

// The laws of a program that were found so far, which others may repeat.
class FoundLaws {
 public:
  // `loops`: around the call, whose indices the law may have.
  void add(const NumberLaw& law, std::size_t loops);
  void add(const std::set<std::int64_t>& numbers) {
    numbers_.insert(numbers.begin(), numbers.end());
  }
  // What a law within so many loops, on a grid or without one, may repeat: conditions and whole
  // laws, of the same outermost or innermost loops.
  solve::Vocabulary within(std::size_t loops, std::optional<std::size_t> grid) const;
  solve::Divisions divisions() const { return divisions_; }
  const std::vector<expr::Expr>& moves() const { return moves_; }

 private:
  struct Found {
    solve::KnownLaw known;
    std::optional<std::size_t> grid;  // that its coordinates are of
    std::size_t loops = 0;
  };

  std::set<std::int64_t> numbers_, things_;
  std::vector<Found> laws_;
  std::vector<Found> conditions_;
  solve::Divisions divisions_ = 0;
  solve::BorderSet borders_ = 0;
  std::vector<expr::Expr> moves_;
};

// Finds laws, and remembers them: the same samples have the same law.
class LawSearch {
 public:
  // Where laws that all fit the samples must agree: on the number of ranks of the target, or also
  // on smaller numbers, which communicators there may have.
  enum class Sizes : std::uint8_t { target, up_to };

  // `ranks`: at the target. `numbers`: that the program is told; its laws are likely to have them.
  LawSearch(Grids grids, std::int64_t ranks, Problem problem = {},
            const std::set<std::int64_t>& numbers = {}, Sizes sizes = Sizes::target)
      : grids_(std::move(grids)), ranks_(ranks), sizes_(sizes), problem_(std::move(problem)) {
    found_.add(numbers);
  }

  // The worlds of the samples are without a grid, in ascending order. The error says what is
  // missing. Cost: some ms for most laws, seconds where there is none. Once the effort in vain is
  // used up, the program has no laws, and the others are not sought for long.
  Inference<NumberLaw> find(const infer::Samples& samples);

  // Adds a law that was found without a search, within so many loops: other laws may repeat it.
  void know(const NumberLaw& law, std::size_t loops) { found_.add(law, loops); }

  // Whether two laws without parameters have the same value on each of some ranks of the target,
  // except where `unwanted` holds.
  bool same_at_target(const NumberLaw& a, const NumberLaw& b,
                      const NumberLaw& unwanted = {.expression = 0}) const;

  const Grids& grids() const { return grids_; }
  // A call follows the grid: laws are sought on it from now on.
  void see(std::size_t grid) { grids_.seen.insert(grid); }
  // Adds a grid that no other call site has; returns its index.
  std::size_t add_grid(const infer::GridRule& rule) {
    grids_.rules.push_back(rule);
    return grids_.rules.size() - 1;
  }
  // The number of known grids, ways to divide and ways in which cells move, by which other laws may
  // be found.
  std::size_t knowledge() const {
    return grids_.seen.size() + static_cast<std::size_t>(std::popcount(found_.divisions())) +
           found_.moves().size();
  }
  // Maximum length of laws sought from now on [bits]. Returns the previous maximum.
  std::uint32_t bound(std::uint32_t longest) { return std::exchange(longest_, longest); }
  // From now on, laws need no value where this condition holds. Returns the previous condition.
  NumberLaw leave_out(NumberLaw absent) { return std::exchange(absent_, std::move(absent)); }
  // Retries failed searches after new grids or conditions were found.
  void forget_failures();
  std::int64_t ranks() const { return ranks_; }
  const Problem& problem() const { return problem_; }

 private:
  // solve_on_grids.cpp: by the solver, on any of the grids, with what is left of the effort.
  // `unwanted`: a condition where the law is not wanted.
  Inference<NumberLaw> solved(const infer::Samples& samples, solve::Effort& effort,
                              const NumberLaw& unwanted);
  // `loops`: around the call.
  Inference<NumberLaw> on_any_grid(const Needed& leaves, std::size_t loops, solve::Effort& effort,
                                   const NumberLaw& unwanted);
  Inference<NumberLaw> solved_with_specials(const infer::Samples& samples,
                                            const std::set<std::int64_t>& specials,
                                            solve::Effort& effort);
  // On some of the ranks, nothing where there is none; nothing if there is no grid for so many.
  using Values = std::vector<std::optional<std::int64_t>>;
  std::optional<Values> values_on(const NumberLaw& law, std::int64_t ranks) const;
  // The same, with nothing where `unwanted` holds, or the condition that is left out.
  std::optional<Values> wanted_values(const NumberLaw& law, const NumberLaw& unwanted,
                                      std::int64_t ranks) const;
  std::optional<std::int64_t> telling_run(const NumberLaw& a, const NumberLaw& b,
                                          const infer::Samples& samples,
                                          const NumberLaw& unwanted) const;

  Grids grids_;
  std::int64_t ranks_;
  Sizes sizes_;
  Problem problem_;
  struct Known {
    Inference<NumberLaw> law;
    std::uint32_t longest = 0;  // that was sought [bits]
  };

  FoundLaws found_;
  NumberLaw absent_ = {.expression = 0};        // a condition where no law is wanted
  std::uint32_t longest_ = solve::kLongestLaw;  // [bits]
  std::map<std::string, Known> known_;
  solve::Effort vain_{solve::kMostStepsInVain};  // what is left for laws that there are not
};

}  // namespace reprise::extrapolate
