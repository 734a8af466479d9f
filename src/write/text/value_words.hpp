// Values of the explained program as a person reads them.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "program/nodes/distances.hpp"
#include "program/program.hpp"
#include "write/text/repeated.hpp"
#include "write/text/unsaid.hpp"

namespace reprise::write {

class ValueWords {
 public:
  // `full`: nothing is cut short, and constants have MPI's names.
  ValueWords(const program::Program& program, bool full);

  bool is_full() const { return full_; }
  // What is not worth a word here, or in the procedure that is being written.
  bool is_unsaid(const program::Argument& a) const;
  bool is_unsaid(std::size_t procedure, std::size_t parameter) const {
    return !full_ && unsaid_.contains(procedure, parameter);
  }
  // The parameters of the procedure that is being written; null: none.
  void set_procedure(const program::Procedure* procedure) { procedure_ = procedure; }

  // "8", "rank + 1", "8 if x == 0, else 9", "{8 x4 9}"; in parentheses if it has several cases. A
  // name, if it is said often.
  std::string value(const program::Value& v, const trace::Column& column) const;
  // "[3 2 1 0]", "\"a.dat\"".
  std::string list(const program::Argument& a) const;
  // "x > 0", "rank in 0..3".
  std::string who(const program::Who& who) const;
  std::string expression(const expr::Expr& e) const;
  std::string number(const trace::Column& column, std::int64_t v) const;
  // The groups that were named so far.
  const std::set<std::size_t>& groups() const { return groups_; }
  // What the names of values that were said so far stand for: "a = 8 if x == 0, else 9".
  std::vector<std::string> names() const;

 private:
  struct CaseWords {
    std::string text;
    bool are_several = false;
  };
  using TextOfCase = std::function<std::string(const program::Case&)>;
  CaseWords cases(const program::Value& v, const trace::Column& column, const TextOfCase& text,
                  std::size_t most) const;
  CaseWords spelled(const program::Value& v, const trace::Column& column) const;
  // In parentheses if they are several.
  std::string enclosed_cases(const program::Value& v, const trace::Column& column,
                             const TextOfCase& text, std::size_t most) const;
  std::string content(const program::Case& c, const trace::Column& column) const;
  std::string entry(const std::optional<program::ByLoop>& by) const;
  std::optional<std::string> transposed(const expr::Expr& e) const;
  std::string named(const expr::Expr& e, const trace::Column& column) const;
  // Texts of an entry each; `length`: how many characters they have, null if that is not known.
  std::string texts(const program::Case& c, const program::Value* length) const;
  // How long a list is: a number if it is the same everywhere, and its words.
  struct ListLength {
    std::optional<std::int64_t> number;
    std::string text;
  };
  // `element`: of any position.
  std::string list_of(const expr::Expr& element, const trace::Column& column,
                      const ListLength& length) const;
  static program::Value length_on(const program::Value& length, const program::Who& who);
  static bool has_empty_case(const program::Argument& a);
  std::string pattern(const std::vector<program::PatternTerm>& terms,
                      const trace::Column& column) const;
  std::string drawn(const program::Drawn& drawn) const;
  std::string neighbor(const program::Neighbor& n) const;
  std::string written(const trace::Column& column, trace::Encoding encoding, std::int64_t v) const;
  std::size_t most_words() const;

  const program::Program& program_;
  bool full_;
  program::GridEnds ends_;
  const program::Procedure* procedure_ = nullptr;
  mutable std::set<std::size_t> groups_;
  mutable std::set<const Repeated*> said_;
  UnsaidParameters unsaid_;
  RepeatedValues repeated_;
};

}  // namespace reprise::write
