// Runs a program on a machine: every rank goes through all statements, and does its part of each.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "conceptual/ast.hpp"
#include "conceptual/evaluate.hpp"
#include "conceptual/execute/log.hpp"
#include "conceptual/execute/machine.hpp"
#include "conceptual/execute/memory.hpp"

namespace reprise::conceptual {

struct Execution {
  std::vector<std::int64_t> parameters;               // by Program::parameters
  std::function<void(const std::string&)> write_log;  // appends a table to this rank's log
  std::function<std::string(const std::string&)>
      comment;             // what the log's comments say under a name
  std::uint64_t seed = 1;  // of A RANDOM TASK, the same on all ranks
  // So many statements are executed, counting each time: for tests of programs that nobody wrote.
  std::uint64_t most_statements = std::numeric_limits<std::uint64_t>::max();
};

class Executor {
 public:
  Executor(const Program& program, Machine& machine, const Execution& execution);

  // The whole program. Throws Problem.
  void run();

  // One statement of each kind; for std::visit.
  void operator()(const Sequence& s);
  void operator()(const ForCount& s);
  void operator()(const ForEach& s);
  void operator()(const ForTime& s);
  void operator()(const Let& s);
  void operator()(const If& s);
  void operator()(const Send& s);
  void operator()(const Receive& s);
  void operator()(const Await& s);
  void operator()(const Synchronize& s);
  void operator()(const Multicast& s);
  void operator()(const Reduce& s);
  void operator()(const Delay& s);
  void operator()(const Output& s);
  void operator()(const Log& s);
  void operator()(const ComputeAggregates& s);
  void operator()(const Counters& s);
  void operator()(const Assert& s);
  void operator()(const Touch& s);
  void operator()(const Assign& s);
  void operator()(const Backend& s);

 private:
  // The counters of the language; times are not kept but told from when they began.
  struct Tallies {
    std::int64_t began_us = 0;
    Traffic sent, received;
    std::int64_t bit_errors = 0;
  };

  // Plans of a statement, by the values of what it depends on.
  struct Plans {
    std::vector<std::int64_t> last_key;
    const Plan* last = nullptr;
    std::map<std::vector<std::int64_t>, Plan> by_key;
  };

  void execute(const Statement& s);
  template <class S>
  void communicate(const S& s);
  void warm_up(bool synchronize, const std::function<void()>& rounds);
  const Plan& plan_of(const std::function<Plan(const Planner&)>& make, bool cheap);
  void carry_out(const Plan& plan);
  void count(const Operation& operation);
  bool is_mine(const Tasks& tasks);
  // What only some tasks evaluate, only they find wrong.
  template <class F>
  auto of_this_task(const F& f) {
    try {
      return f();
    } catch (Problem& p) {
      p.finders = Finders::some;
      throw;
    }
  }
  void refresh_counters();
  std::string text_of(const Item& item);
  std::int64_t random_task(const Binding& b);
  std::int64_t draw(std::int64_t low, std::int64_t high,
                    std::optional<std::int64_t> but_not = std::nullopt);
  void assign(std::int64_t task, std::int64_t processor);
  void finish_table();

  const Program& program_;
  Machine& machine_;
  const Execution& execution_;
  Environment variables_;
  std::mt19937_64 own_random_, common_random_;
  Evaluator evaluator_;
  TaskSets tasks_;
  std::int64_t num_tasks_, me_;
  std::vector<std::int64_t> processors_;  // by task
  std::vector<Plans> plans_;              // by Statement::id
  std::size_t planned_ = 0;               // operations in all plans that are kept
  const Statement* now_ = nullptr;
  std::uint64_t executed_ = 0;
  Tallies tallies_;
  struct Stored {
    Tallies tallies;
    std::int64_t at_us;
  };
  std::vector<Stored> stored_;
  Traffic pending_;  // received, once it is waited for
  int warming_up_ = 0;
  LogTable table_;
  MemoryRegion region_;
};

}  // namespace reprise::conceptual
