// The parameters of a coNCePTuaL program, as its statements ask for them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "write/conceptual/language/syntax.hpp"

namespace reprise::write::conceptual {

class Parameters {
 public:
  // How often a loop is passed: a parameter, or the number where there are parameters enough.
  // `call`: the first one in the loop, in words.
  ast::Expr repetitions(std::int64_t trips, const std::string& call);
  // The index of the last one, where that counts from 0. The parameter is asserted to be positive,
  // as a range that ends before it begins goes backwards.
  ast::Expr last_repetition(std::int64_t trips, const std::string& call);
  // A size [bytes]: a number but 0 has a name, unless there are enough; all else is itself.
  ast::Expr size(ast::Expr bytes);
  // What computation is multiplied by [percent].
  ast::Expr compute_percent();
  // What is computed in the function is multiplied by besides [percent]: a parameter of its own.
  // None where there are parameters enough.
  std::optional<ast::Expr> function_percent(const std::string& function);
  // One of the program's own, which has to be a parameter. `option`: without its dashes.
  void add(const std::string& name, const std::string& option, const std::string& what,
           std::int64_t value);

  // In the order in which they are declared.
  std::vector<ast::Parameter> declarations() const;
  Statements assertions() const;

 private:
  enum class Kind { percent, loop, size, own };
  struct Parameter {
    Kind kind;
    std::string name, what;
    std::int64_t value;
    std::string option = name;  // without its dashes
  };

  bool has_room() const;
  bool declare(Parameter parameter);

  std::vector<Parameter> all_;
  std::vector<std::string> positive_;  // names of those that are asserted to be
  std::size_t loops_ = 0;
  std::map<std::int64_t, std::string> sizes_;
  std::map<std::string, std::string> functions_;  // and their names
};

}  // namespace reprise::write::conceptual
