#include "generate/task_program.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "analyze/describe.hpp"
#include "analyze/executions.hpp"
#include "generate/task_names.hpp"
#include "generate/task_text.hpp"
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

// More sizes than these stand in the text as they are.
constexpr std::size_t kMaxSizes = 16;

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

std::string both(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : a + " /\\ " + b;
}

class Writer {
 public:
  Writer(const Trace& trace, const TaskOperations& operations)
      : trace_(trace), operations_(operations), executions_(trace) {}

  std::string run(const std::string& name) {
    Context top;
    top.pass = [](const std::string&) { return "0"; };
    std::vector<std::string> statements;
    item(trace_.root, top, statements);
    std::string body = "TASK 0 RESETS ITS COUNTERS";
    if (!statements.empty()) body += " THEN\n" + join(statements, 0);
    return header(name) + body +
           " THEN\nTASK 0 LOGS THE elapsed_usecs/1000000 AS \"Total time (s)\".\n";
  }

 private:
  static std::string indent(int depth) {
    return std::string(2 * static_cast<std::size_t>(depth), ' ');
  }

  // Statements joined by THEN. Comments stand before them.
  static std::string join(const std::vector<std::string>& statements, int depth) {
    std::string out;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      std::string text = statements[i];
      std::string line;
      for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        line += indent(depth) + text.substr(at, end - at) + (end < text.size() ? "\n" : "");
        at = end + 1;
      }
      out += line + (i + 1 < statements.size() ? " THEN\n" : "");
    }
    return out;
  }

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

  // The statement with definitions in front of it. Names that depend on a task and are not defined
  // within it are written out.
  std::string defined(const std::string& statement) {
    const auto is_defined = [&](const std::string& name) {
      return statement.find("LET " + name + " BE ") != std::string::npos;
    };
    const auto is_of_task = [&](const std::string& name) {
      return !is_defined(name) &&
             std::ranges::any_of(std::array{"t", "u", "s", "d", "g"},
                                 [&](const char* v) { return names_.depends(name, v); });
    };
    const std::string text = names_.written_out(statement, is_of_task);
    return names_.definitions(text, [&](const auto& name) { return !is_defined(name); }) + text;
  }

  // What tasks do on their own, by the condition on t: all at once, or one after the other where
  // sizes or names depend on the task. `one` and `all` are the act of a task and of several.
  std::string act(const std::string& who, const std::string& one, const std::string& all,
                  bool is_each) {
    const std::string whole = who + " " + one;
    const std::string names = names_.definitions(whole);
    if (!is_each && (names.empty() || !names_.depends(names, "t")))
      return names + tasks(who) + " " + all;
    return "FOR EACH t IN {0, ..., num_tasks-1} " + names +
           (who.empty() ? "" : "IF " + who + " THEN ") + "TASK t " + one;
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

  static void loop(const std::string& head, const std::string& counted_head,
                   const std::string& name, const std::vector<std::string>& statements,
                   std::vector<std::string>& out) {
    if (statements.empty()) return;
    const std::string inner = join(statements, 1);
    out.push_back((uses(inner, name) || counted_head.empty() ? head : counted_head) + " {\n" +
                  inner + "\n}");
  }

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
    loop("FOR EACH " + name + " IN {0, ..., " + std::to_string(trips - 1) + "}",
         "FOR " + n + " REPETITIONS", name, statements, out);
  }

  // How often a loop is passed: a parameter of the program, unless what is in it depends on that.
  std::string repetitions(std::int64_t trips, const Context& c,
                          const std::vector<std::string>& statements, const std::string& name) {
    if (c.depth > 0 || statements.empty()) return std::to_string(trips);
    for (const std::string& s : statements) {
      if (uses(s, name)) return std::to_string(trips);
    }
    loops_.push_back(trips);
    return "reps" + std::to_string(loops_.size());
  }

  std::int64_t most(const Item& i) { return analyze::trip_bounds(trace_, i, executions_).max; }

  // Sums of trips before each pass, by the class of streams that follow it.
  Value sums(const Item& i) {
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
        throw Refused{Error{"trip counts differ in more passes than can be summed up (" +
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
      inner.is_in_step = c.is_in_step && is_branch && i.trips.classes.empty();
    }
    std::vector<std::string> statements;
    body(i, inner, statements);
    if (statements.empty()) return;
    const std::string text = join(statements, 1);
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
    for (const Operation& o : all) operation(o, c, statements);
    if (statements.empty()) return;
    const trace::Call& call = trace_.calls[i.call];
    statements.front() = "# " + std::string(trace::function(call.function).name) + " in " +
                         analyze::describe_place(trace_, call.callpath) + "\n" + statements.front();
    for (const std::string& statement : statements) {
      if (statement.size() > kMaxStatement) throw TooLong();
    }
    out.insert(out.end(), statements.begin(), statements.end());
  }

  // The mean of what was computed before the call.
  void compute(std::uint32_t call, const Context& c, std::vector<std::string>& out) {
    if (call >= trace_.times.size()) return;
    double sum = 0;
    std::uint64_t count = 0;
    for (const trace::Path& p : trace_.times[call].paths) {
      const trace::Bin all = p.compute.total();
      sum += static_cast<double>(all.sum);
      count += all.count;
    }
    const auto us =
        count == 0 ? 0 : static_cast<std::int64_t>(sum / static_cast<double>(count) / 1000 + 0.5);
    if (us <= 0) return;
    computes_ = true;
    const std::string rest = " FOR " + std::to_string(us) + "*compute_percent/100 MICROSECONDS";
    out.push_back(act(c.condition, "COMPUTES" + rest, "COMPUTE" + rest, false));
  }

  static std::string tasks(const std::string& condition, const std::string& name = "t") {
    if (condition.empty()) return "ALL TASKS " + name;
    return "TASKS " + name + " SUCH THAT " + condition;
  }

  // Who does it: what the loops say, and whether the operation is done in this execution.
  std::string condition(const Operation& o, const Context& c) {
    return both(c.condition, condition_of(o.active, "t", c));
  }

  void operation(const Operation& o, const Context& c, std::vector<std::string>& out) {
    switch (o.verb) {
      case Verb::send:
      case Verb::send_later:
      case Verb::receive:
      case Verb::receive_later: return message(o, c, out);
      case Verb::await:
        out.push_back(act(condition(o, c), "AWAITS COMPLETION", "AWAIT COMPLETION", false));
        return;
      default: return collective(o, c, out);
    }
  }

  // A size that is the same for all tasks and passes is a parameter of the program.
  std::string size_name(const std::string& bytes) {
    if (bytes == "0" || bytes.find_first_not_of("0123456789") != std::string::npos) return bytes;
    const auto found = std::ranges::find(sizes_, bytes);
    const auto n = static_cast<std::size_t>(found - sizes_.begin());
    if (found == sizes_.end()) {
      if (sizes_.size() == kMaxSizes) return bytes;
      sizes_.push_back(bytes);
    }
    return "size" + std::to_string(n + 1);
  }

  std::string size_text(const Value& bytes, const std::string& task, const Context& c) {
    return "A " + size_name(text_of(bytes, task, c)) + " BYTE MESSAGE";
  }

  static std::string tag_text(const std::string& tag) {
    return tag == "0" ? "" : " USING TAG " + tag;
  }

  // Sizes and tags may not depend on who sends: then a task is looked at after the other.
  void message(const Operation& o, const Context& c, std::vector<std::string>& out) {
    const bool sends = o.verb == Verb::send || o.verb == Verb::send_later;
    const bool later = o.verb == Verb::send_later || o.verb == Verb::receive_later;
    const std::string who = condition(o, c);
    std::string size = size_text(o.bytes, "t", c);
    const std::string tag = tag_text(text_of(o.tag, "t", c));
    const std::string peer = text_of(o.peer, "t", c);
    const std::string how = later ? "ASYNCHRONOUSLY " : "";
    const std::string rest =
        " " + size + tag + (sends ? " TO UNSUSPECTING TASK " : " FROM TASK ") + peer;
    out.push_back(act(who, how + (sends ? "SENDS" : "RECEIVES") + rest,
                      how + (sends ? "SEND" : "RECEIVE") + rest, names_.depends(size + tag, "t")));
  }

  // The members of the group that g leads, as a condition on a task.
  std::string member(const Operation& o, const Context& c, const std::string& task) {
    return both(names_.for_task(condition(o, c), task), text_of(o.leader, task, c) + " = g");
  }

  void collective(const Operation& o, const Context& c, std::vector<std::string>& out) {
    check_trips(c);
    if (!o.is_world) {
      std::vector<std::string> inner;
      group(o, c, "g", inner);
      const std::string leads = member(o, c, "g");
      out.push_back(defined("FOR EACH g IN {0, ..., num_tasks-1} IF " + leads + " THEN {\n" +
                            join(inner, 1) + "\n}"));
      return;
    }
    const std::string when = condition(o, c);
    std::vector<std::string> inner;
    group(o, c, "0", inner);
    if (when.empty()) {
      for (const std::string& statement : inner) out.push_back(defined(statement));
    } else {
      out.push_back(
          defined("IF " + names_.for_task(when, "0") + " THEN {\n" + join(inner, 1) + "\n}"));
    }
  }

  // A statement is about all members at once: they must be in the same pass of the loops around.
  static void check_trips(const Context& c) {
    if (c.is_in_step) return;
    throw Refused{
        Error{"ranks pass a loop with a collective in different ways (a statement in coNCePTuaL "
              "speaks of "
              "all at once); take --language c"}};
  }

  // `leader`: a task that is one of the members, and by which sizes and roots are found.
  void group(const Operation& o, const Context& c, const std::string& leader,
             std::vector<std::string>& out) {
    const bool world = o.is_world;
    const std::string all = world ? "ALL TASKS t" : tasks(member(o, c, "t"));
    const std::string others =
        "TASKS u SUCH THAT " + (world ? std::string("u >= 0") : member(o, c, "u"));
    const std::string root = text_of(o.peer, leader, c);
    const std::string bytes = text_of(o.bytes, leader, c);
    const bool is_message =
        o.verb == Verb::broadcast || o.verb == Verb::gather || o.verb == Verb::all_to_all;
    const std::string message =
        " A " + (is_message ? size_name(bytes) : bytes) + " BYTE MESSAGE TO ";
    const std::string rest =
        world ? "ALL OTHER TASKS" : "TASKS u SUCH THAT " + member(o, c, "u") + " /\\ u <> " + root;
    switch (o.verb) {
      case Verb::barrier: out.push_back((world ? "ALL TASKS" : all) + " SYNCHRONIZE"); return;
      case Verb::broadcast: out.push_back("TASK " + root + " MULTICASTS" + message + rest); return;
      case Verb::reduce:
        out.push_back(all + " REDUCE " + elements(bytes) + " TO TASK " + root);
        return;
      case Verb::all_reduce: out.push_back(all + " REDUCE " + elements(bytes)); return;
      case Verb::gather: out.push_back(all + " MULTICAST" + message + "TASK " + root); return;
      case Verb::all_to_all: out.push_back(all + " MULTICAST" + message + others); return;
      default: each(o, c, all, root, out);
    }
  }

  // What goes member by member, s: its own bytes.
  void each(const Operation& o, const Context& c, const std::string& all, const std::string& root,
            std::vector<std::string>& out) {
    const std::string bytes = text_of(o.bytes, "s", c);
    const std::string member_s = o.is_world ? "" : member(o, c, "s");
    const auto with = [](const std::string& condition, const std::string& statement) {
      return condition.empty() ? statement : "IF " + condition + " THEN " + statement;
    };
    const std::string every = "FOR EACH s IN {0, ..., num_tasks-1} ";
    const std::string rest =
        o.is_world ? "ALL OTHER TASKS" : "TASKS u SUCH THAT " + member(o, c, "u") + " /\\ u <> s";
    const std::string not_root = both(member_s, "s <> " + root);
    switch (o.verb) {
      case Verb::reduce_each:
        out.push_back(every + with(member_s, all + " REDUCE " + elements(bytes) + " TO TASK s"));
        return;
      case Verb::broadcast_each:
        out.push_back(every +
                      with(member_s, "TASK s MULTICASTS A " + bytes + " BYTE MESSAGE TO " + rest));
        return;
      case Verb::collect:
        out.push_back(every +
                      with(not_root, "TASK s SENDS A " + bytes + " BYTE MESSAGE TO TASK " + root));
        return;
      case Verb::distribute:
        out.push_back(every + with(not_root, "TASK " + root + " SENDS A " + bytes +
                                                 " BYTE MESSAGE TO TASK s"));
        return;
      case Verb::exchange: exchange(o, c, all, member_s, out); return;
      default: return;
    }
  }

  void exchange(const Operation& o, const Context& c, const std::string& all,
                const std::string& member_s, std::vector<std::string>& out) {
    const std::string ranks = std::to_string(trace_.ranks);
    const auto element = [&] {
      const std::string pass = c.pass("s");
      return pass == "0" ? std::string("d") : names_.name_of("(" + pass + "*" + ranks + "+d)");
    };
    const std::string bytes =
        names_.name_of(value_expression(o.elements, "s", trace_.ranks, element, naming()));
    const std::string pair =
        both(both(member_s, o.is_world ? "" : member(o, c, "d")), "s <> d /\\ " + bytes + " > 0");
    out.push_back("FOR EACH s IN {0, ..., num_tasks-1} FOR EACH d IN {0, ..., num_tasks-1} " +
                  names_.definitions(pair) + "IF " + pair + " THEN TASK s ASYNCHRONOUSLY SENDS A " +
                  bytes + " BYTE MESSAGE TO TASK d");
    out.push_back(all + " AWAIT COMPLETION");
  }

  // In the largest unit of a reduction that holds that many bytes.
  static std::string elements(const std::string& bytes) {
    if (!bytes.empty() &&
        std::ranges::all_of(bytes, [](unsigned char ch) { return std::isdigit(ch); })) {
      const std::uint64_t n = std::stoull(bytes);
      if (n % 8 == 0 && n > 0) return std::to_string(n / 8) + " DOUBLEWORDS";
      return std::to_string((n + 3) / 4) + " INTEGERS";
    }
    return "((" + bytes + "+3)/4) INTEGERS";
  }

  std::string header(const std::string& name) const {
    std::string out =
        "# The communication of " + name + ": " + trace_.program + "\n" +
        "# Written by reprise generate; run it with reprise run, or any coNCePTuaL 1.5.\n";
    list(operations_.changed,
         "What the language lacks is done otherwise (docs/conceptual.md):", out);
    list(operations_.left_out, "Left out, since the language has nothing like it:", out);
    out += "\nREQUIRE LANGUAGE VERSION \"1.5\".\n\n";
    if (computes_) {
      out +=
          "compute_percent IS \"Computation, in percent of what was recorded\" AND COMES FROM "
          "\"--compute_percent\" OR \"-c\" WITH DEFAULT 100.\n";
    }
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      const std::string n = std::to_string(i + 1);
      out += "reps" + n + " IS \"Repetitions of loop " + n + "\" AND COMES FROM \"--reps" + n +
             "\" WITH DEFAULT " + std::to_string(loops_[i]) + ".\n";
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const std::string n = std::to_string(i + 1);
      out += "size" + n + " IS \"Bytes of messages that had " + sizes_[i] +
             "\" AND COMES FROM \"--size" + n + "\" WITH DEFAULT " + sizes_[i] + ".\n";
    }
    return out + "ASSERT THAT \"it runs on " + std::to_string(trace_.ranks) +
           " tasks\" WITH num_tasks = " + std::to_string(trace_.ranks) + ".\n\n";
  }

  void list(const std::map<std::string, std::uint64_t>& calls, const std::string& head,
            std::string& out) const {
    if (calls.empty()) return;
    out += "# " + head + "\n";
    for (const auto& [function, n] : calls) {
      const auto instead = operations_.done_as.find(function);
      out += "#   " + function + ", " + std::to_string(n) + (n == 1 ? " call" : " calls") +
             (instead == operations_.done_as.end() ? "" : ": " + instead->second) + "\n";
    }
  }

  const Trace& trace_;
  const TaskOperations& operations_;
  analyze::Executions executions_;
  std::vector<std::int64_t> loops_;  // that are parameters
  std::vector<std::string> sizes_;   // likewise
  TaskNames names_;
  bool computes_ = false;
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
        "its values differ too much from pass to pass to be written down as expressions; take "
        "--language c"};
  }
}

}  // namespace reprise::generate
