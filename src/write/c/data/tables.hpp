// What a program keeps in tables: values over executions and over ranks that no expression
// explains, sets of ranks, and the ranks of neighbors. All of them have names, and are defined in
// front of the program; what hangs on the rank is found out when it is known.
#pragma once

#include <functional>
#include <map>

#include "program/program.hpp"
#include "write/c/language/syntax.hpp"
#include "write/names.hpp"

namespace reprise::write::c {

// How the numbers of a table are written.
using ElementOf = std::function<Expression(std::int64_t)>;

// The words of a folded series, as runtime/tables.h describes them.
Expression terms_of(const trace::Series& series, std::uint64_t length, const ElementOf& element);
// Whether some numbers of the table are not written, but follow from those before.
bool goes_on_by_steps(const program::Sequence& s);
Expression plain_terms(const trace::Series& series, std::uint64_t length);

// A series of some streams.
struct StreamTerms {
  program::Streams streams;
  Expression terms;
};
// Several in one, of which the last is for all streams that are left.
Expression terms_by_case(const std::vector<StreamTerms>& cases);

class Tables {
 public:
  // REQUIRES: all outlive it.
  Tables(const program::Program& program, Names& names) : program_(program), names_(names) {}

  // A pointer to a table, one for each place.
  Expression sequence(const program::Sequence& s, std::string_view wanted,
                      const ElementOf& element);
  // The same of some cases of a value, of which each is a table or a number.
  Expression by_case(const program::Value& v, const std::vector<const program::Case*>& cases,
                     std::string_view wanted, const ElementOf& element);
  // Of terms that follow from the number of ranks, which are found out when they are first asked
  // for. `value`: how a number of the table is written, an expression of ranks; `number`: a step or
  // a count.
  using CalculationOf = std::function<Expression(const expr::Expr&)>;
  Expression pattern(const program::Pattern& p, std::string_view wanted, const CalculationOf& value,
                     const CalculationOf& number);
  // Of the laws of an alternation, the positions in turn.
  Expression turn(const program::Alternation& a, std::string_view wanted);
  // The number of this rank.
  Expression by_stream(const program::Streams& streams, const trace::Series& values,
                       std::string_view wanted, const ElementOf& element);
  // The row of this rank, of a matrix.
  Expression matrix(const std::vector<std::vector<std::int64_t>>& rows, std::string_view wanted,
                    const ElementOf& element);
  // Whether this rank is in the set; in the group, which the condition tells.
  Expression is_in(const program::Who& who);
  Expression is_in(const program::Who& who, Expression condition);
  // The rank of a neighbor; so many times as far away, if a distance is given.
  Expression neighbor(const program::Neighbor& n, const Expression& distance);

  // Definitions in front of the program, and functions behind those that laws call; and what is
  // assigned once the rank is known.
  const Block& definitions() const { return definitions_; }
  Block neighbors() const;
  const Block& distant_neighbors() const { return distant_functions_; }
  Block groups() const;
  const Block& functions() const { return functions_; }
  const Block& of_rank() const { return of_rank_; }

 private:
  std::string define(std::string_view wanted, Expression terms);

  const program::Program& program_;
  Names& names_;
  Block definitions_, functions_, of_rank_;
  std::map<const program::Sequence*, std::string> sequences_;
  std::map<const program::Value*, std::string> cases_;
  std::map<const program::Alternation*, std::string> turns_;
  std::map<const program::Pattern*, std::string> patterns_;
  std::map<program::Streams, std::string> sets_;
  std::map<std::size_t, std::string> told_groups_;  // those that conditions tell
  std::vector<std::pair<program::Neighbor, std::string>> neighbors_, distant_neighbors_;
  Block distant_functions_;
  std::vector<std::pair<Expression, std::string>> shared_;  // tables that begin anew each time
};

}  // namespace reprise::write::c
