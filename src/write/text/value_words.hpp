// Values of the explained program as a person reads them.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "program/program.hpp"

namespace reprise::write {

class ValueWords {
 public:
  // `full`: nothing is cut short, and constants have MPI's names.
  ValueWords(const program::Program& program, bool full) : program_(program), full_(full) {}

  bool is_full() const { return full_; }
  // The parameters of the procedure that is being written; null: none.
  void set_procedure(const program::Procedure* procedure) { procedure_ = procedure; }

  // "8", "rank + 1", "8 if x == 0, else 9", "{8 x4 9}"; in parentheses if it has several cases.
  std::string value(const program::Value& v, const trace::Column& column) const;
  // "[3 2 1 0]", "\"a.dat\"".
  std::string list(const program::Argument& a) const;
  // "x > 0", "rank in 0..3".
  std::string who(const program::Who& who) const;
  std::string expression(const expr::Expr& e) const;
  std::string number(const trace::Column& column, std::int64_t v) const;
  // The groups that were named so far.
  const std::set<std::size_t>& groups() const { return groups_; }

 private:
  std::string cases(const program::Value& v,
                    const std::function<std::string(const program::Case&)>& text,
                    std::size_t most) const;
  std::string content(const program::Case& c, const trace::Column& column) const;
  std::optional<std::string> transposed(const expr::Expr& e) const;
  std::string named(const expr::Expr& e, const trace::Column& column) const;
  // Texts of an entry each; `length`: how many characters they have, null if that is not known.
  std::string texts(const program::Case& c, const program::Value* length) const;
  std::string pattern(const std::vector<program::PatternTerm>& terms,
                      const trace::Column& column) const;
  std::string drawn(const program::Drawn& drawn) const;
  std::string neighbor(const program::Neighbor& n) const;
  std::string written(const trace::Column& column, trace::Encoding encoding, std::int64_t v) const;
  std::size_t most_words() const;

  const program::Program& program_;
  bool full_;
  const program::Procedure* procedure_ = nullptr;
  mutable std::set<std::size_t> groups_;
};

}  // namespace reprise::write
