// What a program keeps in tables: values over executions and over ranks that no expression
// explains, sets of ranks, and the ranks of neighbors. All of them have names, and are defined in
// front of the program or when it learns its rank.
#pragma once

#include <functional>
#include <map>

#include "program/program.hpp"
#include "write/python/names.hpp"
#include "write/python/parts.hpp"
#include "write/python/syntax.hpp"
#include "write/series_terms.hpp"

namespace reprise::write::python {

// How the numbers of a table are written.
using ElementOf = std::function<Expression(std::int64_t)>;

// The terms of a series as numbers, runs and repeats, up to its first `length` values.
std::vector<Expression> terms_of(const trace::Series& series, std::uint64_t length,
                                 const ElementOf& element);

class Tables {
 public:
  // REQUIRES: all outlive it.
  Tables(const program::Program& program, Names& names, Parts& parts)
      : program_(program), names_(names), parts_(parts) {}

  // The name of a Table, one for each place.
  std::string sequence(const program::Sequence& s, std::string_view wanted,
                       const ElementOf& element);
  // The same of a value with several cases, of which each is a table or a number.
  std::string by_case(const program::Value& v, std::string_view wanted, const ElementOf& element);
  // Of terms that the number of ranks tells, made once the rank is known. `number`: an expression
  // of ranks.
  std::string pattern(const program::Pattern& p, std::string_view wanted,
                      const std::function<Expression(const expr::Expr&)>& number);
  // Of the laws of an alternation, the positions in turn.
  std::string turn(const program::Alternation& a, std::string_view wanted);
  // By rank: a dictionary, or a list if it has all of them.
  std::string by_stream(const program::Streams& streams, const trace::Series& values,
                        std::string_view wanted, const ElementOf& element);
  // A set of ranks.
  std::string ranks(const program::StreamSet& streams);
  // The rank of a neighbor.
  std::string neighbor(const program::Neighbor& n);
  // The same, so many times as far away.
  Expression neighbor(const program::Neighbor& n, const Expression& distance);

  // Assignments of constants, in front of the program.
  const Block& constants() const { return constants_; }
  // What is assigned once the rank is known, and the names of that.
  const Block& of_rank() const { return of_rank_; }
  const std::vector<std::string>& names_of_rank() const { return names_of_rank_; }

 private:
  // Ranks in ascending order as terms.
  std::vector<Expression> ranks_terms(const program::Streams& streams) const;

  const program::Program& program_;
  Names& names_;
  Parts& parts_;
  Block constants_, of_rank_;
  std::vector<std::string> names_of_rank_;
  std::map<const program::Sequence*, std::string> sequences_;
  std::map<const program::Value*, std::string> cases_;
  std::map<const program::Alternation*, std::string> turns_;
  std::map<const program::Pattern*, std::string> patterns_;
  std::map<program::Streams, std::string> sets_;
  std::vector<std::pair<program::Neighbor, std::string>> neighbors_;
};

}  // namespace reprise::write::python
