// The parameters of a coNCePTuaL program, as its statements ask for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reprise::generate {

class TaskParameters {
 public:
  // The name of how often a loop is passed, or the number where there are parameters enough.
  std::string repetitions(std::int64_t trips);
  // A size [bytes] that is the same for all tasks and passes has a name; what is no number, or one
  // too many, is itself.
  std::string size(const std::string& bytes);
  // What computation is multiplied by [percent].
  std::string compute_percent();
  // What is computed in the function is multiplied by besides [percent]: a parameter of its own.
  // None where there are parameters enough.
  std::optional<std::string> function_percent(const std::string& function);
  // One of the program's own, which has to be a parameter.
  void add(const std::string& name, const std::string& what, const std::string& option,
           std::int64_t value);

  // A line each, before the first statement.
  std::string declarations() const;

 private:
  // In the order in which they are declared.
  enum class Kind { percent, loop, size, own };
  struct Parameter {
    Kind kind;
    std::string name, what, option, value;
  };

  // Whether another one may be declared.
  bool has_room() const;
  std::optional<std::string> declare(Parameter parameter);

  std::vector<Parameter> all_;
  std::size_t loops_ = 0;
  std::vector<std::string> sizes_;
  std::vector<std::pair<std::string, std::string>> functions_;  // and their names
};

}  // namespace reprise::generate
