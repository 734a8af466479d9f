// The families of exact laws, by the number of constants that a law takes from the samples.
#pragma once

#include <optional>
#include <vector>

#include "expr/cost.hpp"
#include "expr/expr.hpp"
#include "fit/exact.hpp"
#include "fit/terms.hpp"

namespace reprise::fit {

inline constexpr unsigned kMostConstants = 4;

struct Candidate {
  Candidate(expr::Expr e) : law(std::move(e)), cost(expr::cost_of(law)) {}

  expr::Expr law;
  std::uint32_t cost;
  bool is_confirmed = true;  // false: its factors take all runs
};

class Families {
 public:
  explicit Families(const ExactSamples& samples);

  // All laws with this many constants, in the order of `exact.hpp`. Where a range of constants
  // fits, its ends and its roundest number stand for it. A fraction that is not whole at a target
  // makes no law.
  std::vector<Candidate> laws(unsigned constants) const;

 private:
  using Laws = std::vector<Candidate>;

  Laws without_constants() const;
  Laws with_one() const;
  Laws with_two() const;
  Laws with_three() const;
  Laws with_four() const;

  bool is_certain(std::size_t constants) const;
  bool may_be_curved(std::size_t constants) const;
  bool tells_roundings() const;
  std::size_t terms_to_combine(std::size_t constants) const;
  void add_sums(const Term& term, Laws& laws) const;
  void add_unit_sums(bool constant, Laws& laws) const;
  void add_quotients(const Term& term, std::int64_t scale, std::size_t constants, Laws& laws) const;
  void add_quotients_of(const Term& dividend, const Term& divisor, Laws& laws) const;
  void add_multiples_of_quotients(const Term& factor, const Term& divisor, Laws& laws) const;
  void add_linear_quotients(const Term& divisor, std::size_t index, std::int64_t more,
                            Laws& laws) const;
  void add_linear_quotients(Laws& laws) const;
  void add_divided(const Term& term, Laws& laws) const;
  void add_shifted_quotients(std::int64_t scale, Laws& laws) const;
  void add_scaled_quotients(Laws& laws) const;
  void add_blocks(std::int64_t scale, Laws& laws) const;
  void add_combination(std::vector<const Term*> terms, bool constant, Laws& laws) const;
  bool is_confirmed(std::span<const Term* const> terms) const;
  void add_halos(Laws& laws) const;

  const ExactSamples& samples_;
  std::vector<std::int64_t> values_;
  std::vector<std::int64_t>
      divisors_;              // sizes of elements that divide all values, the greatest first
  std::size_t distinct_ = 0;  // points
  std::size_t runs_ = 0;      // distinct numbers of ranks; points, where those are no variable
  std::vector<Term> terms_;
  std::vector<Term> rough_;
  Term one_;
};

}  // namespace reprise::fit
