// The variables of laws as an explained program names them.
#pragma once

#include <map>
#include <vector>

#include "extrapolate/laws/law.hpp"
#include "program/program.hpp"
#include "scalable/scalable_trace.hpp"

namespace reprise::scalable {

class LawNames {
 public:
  // Of the grids that laws of all ranks take, the one that most take is the grid of the program;
  // others have prefixes.
  explicit LawNames(const ScalableTrace& scalable);

  // Puts the grids into the program.
  void put_grids(program::Program& program) const;
  // The expression of a law; `local`: over the ranks of the call's communicator.
  expr::Expr named(const extrapolate::NumberLaw& law, bool local) const;

 private:
  struct Key {
    std::size_t rule;
    bool local;
    auto operator<=>(const Key&) const = default;
  };
  static std::optional<Key> key_of(const ScalableTrace& s, const extrapolate::NumberLaw& law,
                                   bool local);

  const ScalableTrace& scalable_;
  std::vector<program::Grid> grids_;     // that of the program first, if it has one
  std::map<Key, std::size_t> index_of_;  // in `grids_`
  bool has_main_ = false;
};

}  // namespace reprise::scalable
