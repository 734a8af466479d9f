// The parameters of a coNCePTuaL program, as its statements ask for them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::generate {

class TaskParameters {
 public:
  // The name of how often a loop is passed.
  std::string repetitions(std::int64_t trips);
  // A size [bytes] that is the same for all tasks and passes has a name; what is no number, or one
  // too many, is itself.
  std::string size(const std::string& bytes);
  // What computation is multiplied by: "compute_percent/100".
  std::string compute_scale();
  // One of the program's own.
  void add(const std::string& name, const std::string& what, const std::string& option,
           std::int64_t value);

  // A line each, before the first statement.
  std::string declarations() const;

 private:
  std::vector<std::int64_t> loops_;
  std::vector<std::string> sizes_, others_;
  bool computes_ = false;
};

}  // namespace reprise::generate
