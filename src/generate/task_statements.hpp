// What tasks do, as statements of coNCePTuaL. The parameters of an operation are expressions; it is
// the same to a statement whether they come from folded values or from laws.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generate/task_names.hpp"
#include "generate/task_parameters.hpp"
#include "write/conceptual/operations.hpp"

namespace reprise::generate {

using write::conceptual::Verb;

// An operation whose parameters are expressions of a task, which is text as well: "t", "u", "0".
struct SpokenOperation {
  using OfTask = std::function<std::string(const std::string& task)>;

  Verb verb{};
  bool is_world = true;  // the group is always all
  OfTask condition;      // who does it; empty text: all
  OfTask peer = {}, bytes = {}, tag = {};
  OfTask member = {};                         // that the task is in the group that g stands for
  std::string stands = {};                    // that g stands for a group
  std::function<std::string()> element = {};  // the bytes from task s to task d
  std::string called = {};                    // "Gather": it is called as MPI has it
};

// How long tasks compute in front of a call: expressions of the task t.
struct SpokenTime {
  std::string condition = {};  // who does it; empty: all
  // In this execution, or, where the rest below a microsecond is carried on, in all before it and
  // in all up to it [unit]. Parenthesised if they are more than names or numbers.
  std::string now = {}, before = {}, after = {};
  bool is_carried = false;
  std::int64_t unit = 1;                     // [ns]: 1 or 1000
  std::optional<std::string> function = {};  // that has a percentage of its own
};

class TaskStatements {
 public:
  TaskStatements(TaskNames& names, TaskParameters& parameters)
      : names_(names), parameters_(parameters) {}

  void compute(const SpokenTime& time, std::vector<std::string>& out);
  // REQUIRES, of a collective: those of which the condition holds come here equally often.
  void operation(const SpokenOperation& o, std::vector<std::string>& out);

  // Whether something was called as MPI has it, and with lists.
  bool has_calls() const { return has_calls_; }

 private:
  std::string defined(const std::string& statement);
  std::string act(const std::string& who, const std::string& one, const std::string& all,
                  bool is_each, bool is_target = false);
  void message(const SpokenOperation& o, std::vector<std::string>& out);
  void collective(const SpokenOperation& o, std::vector<std::string>& out);
  void group(const SpokenOperation& o, const std::string& leader, std::vector<std::string>& out);
  void each(const SpokenOperation& o, const std::string& all, const std::string& root,
            std::vector<std::string>& out);
  void exchange(const SpokenOperation& o, const std::string& all, const std::string& member_s,
                std::vector<std::string>& out);
  void call(const SpokenOperation& o, const std::string& leader, const std::string& all,
            std::vector<std::string>& out);
  void exchanged_sizes(const SpokenOperation& o, std::vector<std::string>& out);

  TaskNames& names_;
  TaskParameters& parameters_;
  bool has_calls_ = false;
};

}  // namespace reprise::generate
