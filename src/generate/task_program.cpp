#include "generate/task_program.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "analyze/executions.hpp"
#include "base/escape.hpp"
#include "generate/task_calls.hpp"
#include "generate/task_collectives.hpp"
#include "generate/task_layout.hpp"
#include "generate/task_statements.hpp"
#include "generate/task_text.hpp"
#include "generate/task_times.hpp"
#include "generate/task_whole.hpp"
#include "trace/places.hpp"
#include "trace/series_folder.hpp"

namespace reprise::generate {

using trace::Item;
using trace::Series;
using trace::Trace;
using trace::Value;

namespace {

// Passes of a loop whose trips vary that are summed up, at most.
constexpr std::uint64_t kMaxPasses = std::uint64_t{1} << 20;

// Longer statements say nothing to a person, and take long to execute [bytes].
constexpr std::size_t kMaxStatement = std::size_t{1} << 20;

// Functions that less is computed in have no percentage of their own [parts of all].
constexpr double kLeastShare = 0.05;

struct Refused {
  Error error;
};

// Where statements stand: the loops around, by which ranks a body is passed, and how often a task
// has passed it before. Tasks are the variable t.
struct Context {
  std::string condition;                                     // on t; empty: all tasks
  std::function<std::string(const std::string& task)> pass;  // how many passes came before
  bool is_uniform = true;                                    // all tasks pass alike
  bool is_in_step = true;  // those that come here at all pass alike
  int depth = 0;           // loops around
};

class Writer {
 public:
  Writer(const Trace& trace, const TaskOperations& operations)
      : trace_(trace), places_(trace), operations_(operations), executions_(trace) {}

  std::string run(const std::string& name) {
    Context top;
    top.pass = [](const std::string&) { return "0"; };
    std::vector<std::string> statements;
    item(trace_.root, top, statements);
    const std::string ranks = std::to_string(trace_.ranks);
    return whole_program(
        {.name = name,
         .program = trace_.program,
         .operations = operations_,
         .parameters = parameters_,
         .assertions = {{"it runs on " + ranks + " tasks", "num_tasks = " + ranks}},
         .has_calls = statements_.has_calls()},
        statements);
  }

 private:
  std::string text_of(const Value& v, const std::string& task, const Context& c) {
    return value_expression(
        v, task, trace_.ranks, [&] { return c.pass(task); }, naming());
  }

  std::string condition_of(const Value& v, const std::string& task, const Context& c) {
    return value_condition(
        v, task, trace_.ranks, [&] { return c.pass(task); }, naming());
  }

  Naming naming() {
    return [this](const std::string& text) { return names_.name_of(text); };
  }

  void item(const Item& i, const Context& c, std::vector<std::string>& out) {
    if (const auto trips = constant_of(i.trips)) {
      if (*trips <= 0) return;
      if (*trips == 1) return body(i, c, out);
      return constant_loop(i, *trips, c, out);
    }
    varying(i, c, out);
  }

  void body(const Item& i, const Context& c, std::vector<std::string>& out) {
    if (i.is_call()) return call(i, c, out);
    for (const Item& inner : i.body) item(inner, c, out);
  }

  std::string variable(int depth) { return "i" + std::to_string(depth + 1); }

  void constant_loop(const Item& i, std::int64_t trips, const Context& c,
                     std::vector<std::string>& out) {
    const std::string name = variable(c.depth);
    Context inner = c;
    ++inner.depth;
    inner.pass = [this, outer = c.pass, trips, name](const std::string& task) {
      const std::string before = outer(task);
      return before == "0"
                 ? name
                 : names_.name_of("(" + before + "*" + std::to_string(trips) + "+" + name + ")");
    };
    std::vector<std::string> statements;
    body(i, inner, statements);
    const std::string n = repetitions(trips, c, statements, name);
    add_loop("FOR EACH " + name + " IN {0, ..., " + std::to_string(trips - 1) + "}",
             "FOR " + n + " REPETITIONS", name, statements, out);
  }

  // How often a loop is passed: a parameter of the program, unless what is in it depends on that.
  std::string repetitions(std::int64_t trips, const Context& c,
                          const std::vector<std::string>& statements, const std::string& name) {
    if (c.depth > 0 || statements.empty()) return std::to_string(trips);
    for (const std::string& s : statements) {
      if (uses(s, name)) return std::to_string(trips);
    }
    return parameters_.repetitions(trips);
  }

  std::int64_t most(const Item& i) { return analyze::trip_bounds(trace_, i, executions_).max; }

  // Sums of trips before each pass, by the class of streams that follow it. Cost: once.
  const Value& sums(const Item& i) {
    const auto known = sums_.find(&i);
    if (known != sums_.end()) return known->second;
    return sums_.emplace(&i, found_sums(i)).first->second;
  }

  Value found_sums(const Item& i) {
    Value out = i.trips;
    out.classes.clear();
    if (i.trips.classes.empty()) return out;
    for (std::size_t k = 0; k < i.trips.classes.size(); ++k) {
      std::uint64_t passes = 0;
      for (std::uint64_t s = 0; s < trace_.ranks; ++s) {
        if (i.trips.series_of(s) == &i.trips.classes[k]) {
          passes = std::max(passes, executions_.of(i, s));
        }
      }
      if (passes > kMaxPasses) {
        throw Refused{Error{"trip counts differ in more iterations than can be summed up (" +
                            std::to_string(passes) + "); take --language c"}};
      }
      trace::SeriesFolder folder;
      trace::SeriesCursor trips(i.trips.classes[k]);
      std::int64_t sum = 0;
      for (std::uint64_t n = 0; n < passes; ++n) {
        folder.append(sum);
        sum = trace::wrapping_add(sum, trips.next());
      }
      if (passes == 0) folder.append(0);
      out.classes.push_back(folder.finish());
    }
    return out;
  }

  // Trips that vary, by the task or from pass to pass.
  void varying(const Item& i, const Context& c, std::vector<std::string>& out) {
    const std::int64_t max = most(i);
    if (max <= 0) return;
    const bool uniform = is_uniform(i.trips) && c.is_uniform;
    const std::string trips = text_of(i.trips, uniform ? "0" : "t", c);
    const std::string name = variable(c.depth);
    Context inner = c;
    const bool is_branch = max == 1;
    if (!is_branch) ++inner.depth;
    inner.pass = [this, &i, outer = c.pass, name, is_branch](const std::string& task) {
      return names_.name_of(pass_of(i, outer, name, is_branch, task));
    };
    const std::string condition =
        is_branch ? condition_of(i.trips, uniform ? "0" : "t", c) : name + " < " + trips;
    if (!uniform) {
      inner.condition = both(c.condition, condition);
      inner.is_uniform = false;
      inner.is_in_step = c.is_in_step && is_same_inside(i.trips);
    }
    std::vector<std::string> statements;
    body(i, inner, statements);
    if (statements.empty()) return;
    const std::string text = joined(statements, 1);
    if (is_branch) {
      if (uniform && !condition.empty()) {
        out.push_back(names_.definitions(condition) + "IF " + condition + " THEN {\n" + text +
                      "\n}");
      } else {
        out.insert(out.end(), statements.begin(), statements.end());
      }
    } else if (uniform) {
      out.push_back(names_.definitions(trips) + "IF " + trips + " > 0 THEN FOR EACH " + name +
                    " IN {0, ..., " + trips + "-1} {\n" + text + "\n}");
    } else {
      out.push_back("FOR EACH " + name + " IN {0, ..., " + std::to_string(max - 1) + "} {\n" +
                    text + "\n}");
    }
  }

  // Whether those that take a trip at all take the same ones.
  bool is_same_inside(const Value& trips) const {
    if (!trips.classes.empty()) {
      return std::ranges::count_if(trips.classes, [](const trace::Series& c) {
               return !(c.is_constant() && c.at(0) == 0);
             }) == 1;
    }
    std::int64_t same = 0;
    for (std::uint64_t s = 0; s < trace_.streams(); ++s) {
      const std::int64_t n = trips.constant_of(s);
      if (n != 0 && same != 0 && n != same) return false;
      if (n != 0) same = n;
    }
    return true;
  }

  std::string pass_of(const Item& i, const std::function<std::string(const std::string&)>& outer,
                      const std::string& name, bool is_branch, const std::string& task) {
    const std::string before = outer(task);
    std::string sum;
    if (i.trips.classes.empty()) {
      const std::string trips = series_expression(i.trips.by_stream, task, trace_.ranks);
      if (is_branch) return before;  // who passes at all passes always
      sum = before == "0" ? "0" : "(" + before + "*" + trips + ")";
    } else {
      sum = value_expression(
          sums(i), task, trace_.ranks, [&] { return before; }, naming());
    }
    if (is_branch) return sum;
    return sum == "0" ? name : "(" + sum + "+" + name + ")";
  }

  void call(const Item& i, const Context& c, std::vector<std::string>& out) {
    const std::vector<Operation>& all = operations_.calls[i.call];
    std::vector<std::string> statements;
    compute(i.call, c, statements);
    const trace::Call& call = trace_.calls[i.call];
    const trace::Function& function = trace::function(call.function);
    const bool is_called = operations_.called.contains(std::string(function.name));
    const auto collective = collective_of(function, Substitutes::none);
    const std::string place = places_.call_text(call);
    for (const Operation& o : all) {
      check_trips(o, c);
      const std::string called(is_called && collective ? collective->name : "");
      try {
        statements_.operation(spoken(o, c, called), statements);
      } catch (const TooLarge& t) {
        throw Refused{Error{place + " cannot be called: " + t.why + "; leave out --exact"}};
      }
    }
    if (statements.empty()) return;
    statements.front() = "# " + in_conceptual_comment(place) + "\n" + statements.front();
    for (const std::string& statement : statements) {
      if (statement.size() > kMaxStatement) throw TooLong();
    }
    out.insert(out.end(), statements.begin(), statements.end());
  }

  // What was computed before the call.
  void compute(std::uint32_t call, const Context& c, std::vector<std::string>& out) {
    if (call >= times_.size() || !times_[call]) return;
    const TaskTime& time = *times_[call];
    SpokenTime said{.condition = c.condition, .is_carried = time.is_carried, .unit = time.unit};
    if (time.is_carried) {
      const std::string pass = c.pass("t");
      said.before = text_at(time.before, pass);
      said.after = text_at(time.before, next(pass));
    } else {
      said.now = text_of(time.now, "t", c);
    }
    if (!time.is_carried && said.now == "0") return;
    const std::string function = function_of(call);
    if (functions_.contains(function)) said.function = function;
    statements_.compute(said, out);
  }

  std::string text_at(const Value& v, const std::string& execution) {
    return value_expression(
        v, "t", trace_.ranks, [&] { return execution; }, naming());
  }

  static std::string next(const std::string& number) {
    const bool is_number = number.find_first_not_of("0123456789") == std::string::npos;
    return is_number ? std::to_string(std::stoull(number) + 1) : "(" + number + "+1)";
  }

  // The function that the call stands in; empty: not known.
  std::string function_of(std::uint32_t call) const {
    const std::uint32_t callpath = trace_.calls[call].callpath;
    const auto& path = trace_.callpaths[callpath];
    return path.empty() ? "" : places_.function(path[places_.index(callpath)]);
  }

  // Those that most is computed in, if there are several.
  std::set<std::string> find_functions() const {
    std::map<std::string, double> sums;
    double all = 0;
    for (std::uint32_t c = 0; c < times_.size(); ++c) {
      if (!times_[c]) continue;
      double& sum = sums[function_of(c)];
      for (const trace::Path& p : trace_.times[c].paths) {
        const auto of_path = static_cast<double>(p.compute.total().sum);
        sum += of_path;
        all += of_path;
      }
    }
    std::set<std::string> out;
    for (const auto& [function, sum] : sums) {
      if (!function.empty() && sum >= kLeastShare * all) out.insert(function);
    }
    return out.size() > 1 ? out : std::set<std::string>();
  }

  // Who does it: what the loops say, and whether the operation is done in this execution.
  std::string condition(const Operation& o, const Context& c) {
    return both(c.condition, condition_of(o.active, "t", c));
  }

  // The operation with its values as expressions.
  SpokenOperation spoken(const Operation& o, const Context& c, std::string called) {
    const auto of = [&](const Value& v) {
      return [&](const std::string& task) { return text_of(v, task, c); };
    };
    SpokenOperation out{o.verb, o.is_world, {}};
    out.condition = [&](const std::string& task) { return names_.for_task(condition(o, c), task); };
    out.peer = of(o.peer);
    out.bytes = of(o.bytes);
    out.tag = of(o.tag);
    out.member = [&, leader = of(o.leader), when = out.condition](const std::string& task) {
      return both(when(task), leader(task) + " = g");
    };
    if (is_collective(o.verb) && !o.is_world) out.stands = out.member("g");
    out.element = [&] { return element(o, c); };
    out.called = std::move(called);
    return out;
  }

  // What task s sends to task d.
  std::string element(const Operation& o, const Context& c) {
    const std::string ranks = std::to_string(trace_.ranks);
    const auto place = [&] {
      const std::string pass = c.pass("s");
      return pass == "0" ? std::string("d") : names_.name_of("(" + pass + "*" + ranks + "+d)");
    };
    return names_.name_of(value_expression(o.elements, "s", trace_.ranks, place, naming()));
  }

  // A statement is about all members at once: they must be in the same iteration of the loops
  // around.
  static void check_trips(const Operation& o, const Context& c) {
    if (c.is_in_step || !is_collective(o.verb)) return;
    throw Refused{Error{
        "ranks go through a loop with a collective in different ways (a statement in coNCePTuaL "
        "speaks of all at once); take --language c"}};
  }

  const Trace& trace_;
  trace::Places places_;
  const TaskOperations& operations_;
  analyze::Executions executions_;
  std::vector<std::optional<TaskTime>> times_ = find_task_times(trace_);
  std::set<std::string> functions_ = find_functions();  // that have a percentage
  std::map<const Item*, Value> sums_;
  TaskNames names_;
  TaskParameters parameters_;
  TaskStatements statements_{names_, parameters_};
};

}  // namespace

Result<std::string> write_task_program(const Trace& trace, const TaskOperations& operations,
                                       const std::string& name) {
  try {
    return Writer(trace, operations).run(name);
  } catch (const Refused& r) {
    return r.error;
  } catch (const TooLong&) {
    return Error{
        "its values differ too much from iteration to iteration to be written down as expressions; "
        "take "
        "--language c"};
  }
}

}  // namespace reprise::generate
