// A law as a value of the explained program.
#pragma once

#include <optional>
#include <span>

#include "program/program.hpp"
#include "scalable/law_names.hpp"
#include "scalable/world_samples.hpp"

namespace reprise::scalable {

// Where a value is asked for.
struct LawPlace {
  // Of a column of ranks: whether they are ranks of MPI_COMM_WORLD.
  bool is_peer = false, is_world = false;
  // Variables of loops around that expressions stand for.
  std::span<const expr::Binding> loops = {};
  // The ranks that come by; null: they are not known.
  const WorldSamples::Selected* coming = nullptr;
  // Of what a call makes: the rank there, or its size.
  std::optional<expr::Expr> placed = {};
  // Of the elements of a list: its length, if that is one number.
  std::optional<std::int64_t> length = {};
  // No loop is around it: there is one list at most.
  bool is_once = false;
};

class LawValues {
 public:
  // REQUIRES: both outlive it.
  LawValues(const LawNames& names, const WorldSamples& worlds) : names_(names), worlds_(worlds) {}

  program::Value value(const extrapolate::Law& law, const LawPlace& place) const;

 private:
  program::Content content(const extrapolate::Law& law, const LawPlace& place) const;
  expr::Expr number(const extrapolate::NumberLaw& law, const extrapolate::Law& of,
                    const LawPlace& place) const;
  std::vector<program::PatternTerm> terms(const std::vector<extrapolate::TermLaw>& laws,
                                          const extrapolate::Law& of, const LawPlace& place) const;
  expr::Expr decoded(const expr::Expr& e, trace::Encoding encoding, bool is_world) const;
  expr::Expr with_shortest(const expr::Expr& e, const WorldSamples::Selected& on) const;
  program::Value by_case(const expr::Expr& e, const LawPlace& place) const;

  const LawNames& names_;
  const WorldSamples& worlds_;
};

// Everyone, whoever comes by.
program::Who everyone();
program::Who those_where(expr::Expr condition);

}  // namespace reprise::scalable
