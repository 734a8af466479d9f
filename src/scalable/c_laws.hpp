// Laws as C: expressions of rank, ranks, the grid and the loops around, and functions for series.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scalable/c_objects.hpp"
#include "scalable/scalable_trace.hpp"
#include "scalable/unwritable.hpp"

namespace reprise::scalable {

// What the values of laws take that does not stand in the program yet.
struct Asked {
  bool place = false;           // how often the value was asked for before
  bool rank = false;            // in the call's communicator
  bool ranks = false;           // of that
  std::set<std::size_t> grids;  // that ranks of the communicator form

  void add(const Asked& other) {
    place = place || other.place;
    rank = rank || other.rank;
    ranks = ranks || other.ranks;
    grids.insert(other.grids.begin(), other.grids.end());
  }
};

class CLaws {
 public:
  // REQUIRES: both outlive this.
  CLaws(const ScalableTrace& scalable, CObjects& objects)
      : scalable_(scalable), objects_(objects) {}

  // The value of a law, without its encoding. `place`: C for how often the value has been asked for
  // before on this rank, if it takes that. What it takes is added to `asked`.
  std::string value(const extrapolate::Law& law, const std::string& place, Asked& asked);

  // Which of the numbers in a law it is, by what `index` says of them. Throws Unwritable where the
  // law is more than a choice of numbers that stand in it.
  std::string choice(const extrapolate::Law& law, const std::map<std::int64_t, std::int64_t>& index,
                     const std::string& place, Asked& asked);

  // Statements in front of a call that asks for the rank in a communicator.
  std::vector<std::string> seat(const Asked& asked, const std::string& communicator) const;

  // What stands in front of the program: the extents of grids, and how they are found; series; how
  // deep recursions are.
  std::string declarations() const;
  // The body of a function that sets the extents, once rank and ranks are known.
  std::string start() const;

 private:
  // Over which ranks a law is: "" of all, "local_" of a communicator.
  static constexpr const char* kLocal = "local_";
  std::string number(const extrapolate::NumberLaw& law, const std::string& over = "");
  std::string constant(std::int64_t v) const;
  std::string function_of(const std::vector<extrapolate::TermLaw>& terms);
  std::string passes(const std::vector<extrapolate::TermLaw>& terms, const std::string& indent);
  std::string period(const std::vector<extrapolate::TermLaw>& terms);
  std::string depth(const extrapolate::Depth& depth);
  std::string descent(std::uint32_t number);
  bool is_whole(std::int64_t comm) const;
  std::string on_grid(std::size_t grid, const std::string& over) const;
  std::string in_communicator(const std::string& name, const extrapolate::NumberLaw& law);

  const ScalableTrace& scalable_;
  CObjects& objects_;
  std::set<std::size_t> grids_;                    // that all ranks form, of those used
  std::set<std::size_t> local_grids_;              // that ranks of communicators form
  std::map<std::string, std::string> functions_;   // by body: the name
  std::vector<std::string> in_order_;              // bodies
  std::map<std::uint32_t, std::string> descents_;  // functions, by number
  std::map<std::string, std::string> depths_;      // by the function that remembers: what tells it
};

// The grid that a law's value takes.
std::optional<std::size_t> grid_of(const extrapolate::NumberLaw& law);

// The variable of a declared size.
std::string size_name(const std::string& parameter);

// Whether it is 0 or 1 by what it is made of.
bool is_condition(const extrapolate::Law& law);
// The numbers that a law chooses among; nothing if it is more than a choice of numbers that stand
// in it.
std::optional<std::set<std::int64_t>> numbers_in(const extrapolate::Law& law);

}  // namespace reprise::scalable
