// Laws as C: expressions of rank, ranks, the grid and the loops around, and functions for series.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "scalable/scalable_trace.hpp"
#include "scalable/unwritable.hpp"

namespace reprise::scalable {

class CLaws {
 public:
  explicit CLaws(const ScalableTrace& scalable) : scalable_(scalable) {}

  // The value of a law, without its encoding. `place`: C for how often the value has been asked for
  // before on this rank, if it takes that; `asks_place` becomes true if it did.
  std::string value(const extrapolate::Law& law, const std::string& place, bool& asks_place);

  // Which of the numbers in a law it is, by what `index` says of them. Throws Unwritable where the
  // law is more than a choice of numbers that stand in it.
  std::string choice(const extrapolate::Law& law, const std::map<std::int64_t, std::int64_t>& index,
                     const std::string& place, bool& asks_place);

  // What stands in front of the program: the extents of grids, and how they are found; series.
  std::string declarations() const;
  // The body of a function that sets the extents, once rank and ranks are known.
  std::string start() const;

 private:
  std::string number(const extrapolate::NumberLaw& law);
  std::string constant(std::int64_t v) const;
  std::string function_of(const std::vector<extrapolate::TermLaw>& terms);
  std::string passes(const std::vector<extrapolate::TermLaw>& terms, const std::string& indent);
  std::string period(const std::vector<extrapolate::TermLaw>& terms);
  std::string name_on(std::size_t grid, const std::string& name) const;

  const ScalableTrace& scalable_;
  std::set<std::size_t> grids_;                   // that are used
  std::map<std::string, std::string> functions_;  // by body: the name
  std::vector<std::string> in_order_;             // bodies
};

// The variable of a declared size.
std::string size_name(const std::string& parameter);

// Whether it is 0 or 1 by what it is made of.
bool is_condition(const extrapolate::Law& law);
// The numbers that a law chooses among; nothing if it is more than a choice of numbers that stand
// in it.
std::optional<std::set<std::int64_t>> numbers_in(const extrapolate::Law& law);

}  // namespace reprise::scalable
