// Goes through the tasks that a description means, and asks whether one is among them.
#pragma once

#include <cstdint>

#include "conceptual/ast.hpp"
#include "conceptual/evaluate.hpp"

namespace reprise::conceptual {

class TaskSets {
 public:
  // Binds the descriptions' variables in `variables`, which `evaluator` reads.
  TaskSets(Environment& variables, const Evaluator& evaluator, std::int64_t num_tasks)
      : variables_(variables), evaluator_(evaluator), num_tasks_(num_tasks) {}

  static constexpr std::int64_t kNoTask = -1;

  // Whether the task is meant; binds the variable to it if so. `source` is what ALL OTHER TASKS
  // are other than. Cost: O(1).
  bool contains(const Tasks& tasks, std::int64_t task, std::int64_t source = kNoTask) const {
    if (task < 0 || task >= num_tasks_) return false;
    if (tasks.kind == Tasks::Kind::single) {
      if (evaluator_.integer(tasks.expr) != task) return false;
      bind(tasks, task);
      return true;
    }
    if (tasks.kind == Tasks::Kind::all_others && task == source) return false;
    bind(tasks, task);
    return tasks.kind != Tasks::Kind::such_that || evaluator_.holds(tasks.relation);
  }

  // Visits all that are meant, in increasing order, with the variable bound. Those out of bounds
  // are ignored, as the language has it. Cost: O(1) for a single task, else O(tasks).
  template <class Visit>
  void for_each(const Tasks& tasks, std::int64_t source, const Visit& visit) const {
    if (tasks.kind == Tasks::Kind::single) {
      const std::int64_t task = evaluator_.integer(tasks.expr);
      if (task < 0 || task >= num_tasks_) return;
      bind(tasks, task);
      visit(task);
      return;
    }
    for (std::int64_t task = 0; task < num_tasks_; ++task) {
      if (contains(tasks, task, source)) visit(task);
    }
  }

 private:
  void bind(const Tasks& tasks, std::int64_t task) const {
    if (tasks.slot != kNoSlot) variables_[tasks.slot] = task;
  }

  Environment& variables_;
  const Evaluator& evaluator_;
  std::int64_t num_tasks_;
};

}  // namespace reprise::conceptual
