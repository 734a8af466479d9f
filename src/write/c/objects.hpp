// The communicators, datatypes and other objects of a program: variables, or where the trace names
// them by tables, arrays. Those whose numbers are calculated are in arrays by number.
#pragma once

#include <map>
#include <set>

#include "program/program.hpp"
#include "write/c/language/constants.hpp"
#include "write/names.hpp"

namespace reprise::write::c {

class Objects {
 public:
  // `arrays`: kinds of which all objects are in an array. `calculated`: those in arrays by number.
  Objects(const program::Program& program, Names& names, std::set<trace::Kind> arrays,
          std::set<trace::Kind> calculated);

  // An object: one that there is from the start, or that the program makes.
  Expression object(trace::Kind kind, std::int64_t number);
  // Where an object is, or is to be.
  Expression place(trace::Kind kind, std::int64_t number);
  // Its number in the array of its kind, for tables; and the object of such a number.
  Expression key(trace::Kind kind, std::int64_t number);
  Expression at(trace::Kind kind, Expression key);
  // Numbers of the kind are calculated.
  void ask_by_number(trace::Kind kind);
  // The key of an object by its number as it is calculated, which a program makes.
  Expression calculated_key(trace::Kind kind, Expression number);
  Expression array(trace::Kind kind);

  // How many objects an array has.
  std::size_t size(trace::Kind kind) const;

  // The definitions of all that were asked for.
  Block definitions() const;
  // What fills arrays by number before anything is made.
  Block assignments();
  // Kinds that were asked for by numbers.
  const std::set<trace::Kind>& asked_by_key() const { return asked_by_key_; }
  // And kinds whose numbers were calculated.
  const std::set<trace::Kind>& asked_by_calculation() const { return asked_by_calculation_; }

 private:
  struct Class {
    std::map<std::int64_t, std::int64_t> slots;  // by number
    std::vector<std::int64_t> numbers;           // by slot
    std::vector<std::string> variables;
    std::map<std::int64_t, std::string> known;  // variables by number
    std::string array;                          // its name
  };

  void find_makers(const std::vector<program::Node>& nodes);
  const std::string& variable(trace::Kind kind, std::int64_t number);

  const program::Program& program_;
  Names& names_;
  std::set<trace::Kind> arrays_, calculated_, asked_by_key_, asked_by_calculation_;
  std::map<trace::Kind, Class> classes_;
  std::map<std::pair<trace::Kind, std::int64_t>, std::string> made_by_;  // words for what does
};

}  // namespace reprise::write::c
