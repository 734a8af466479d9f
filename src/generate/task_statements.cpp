#include "generate/task_statements.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "generate/task_layout.hpp"
#include "write/conceptual/true_calls.hpp"

namespace reprise::generate {

using write::conceptual::check_count;
using write::conceptual::true_call;
using write::conceptual::TrueCall;
namespace {

const std::string kEveryS = "FOR EACH s IN {0, ..., num_tasks-1} ";
const std::string kEveryD = "FOR EACH d IN {0, ..., num_tasks-1} ";

std::string tag_text(const std::string& tag) { return tag == "0" ? "" : " USING TAG " + tag; }

std::string with(const std::string& condition, const std::string& statement) {
  return condition.empty() ? statement : "IF " + condition + " THEN " + statement;
}

bool is_number(const std::string& text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

// In the largest unit of a reduction that holds that many bytes.
std::string elements(const std::string& bytes) {
  if (is_number(bytes)) {
    const std::uint64_t n = std::stoull(bytes);
    if (n % 8 == 0 && n > 0) return std::to_string(n / 8) + " DOUBLEWORDS";
    return std::to_string((n + 3) / 4) + " INTEGERS";
  }
  return "((" + bytes + "+3)/4) INTEGERS";
}

}  // namespace

// The statement with definitions in front of it. Names that depend on a task and are not defined
// within it are written out.
std::string TaskStatements::defined(const std::string& statement) {
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
std::string TaskStatements::act(const std::string& who, const std::string& one,
                                const std::string& all, bool is_each, bool is_target) {
  const std::string whole = who + " " + one;
  const std::string names = names_.definitions(whole);
  if (!is_each && (names.empty() || !names_.depends(names, "t"))) {
    // Who receives is a target, and ALL TASKS are none.
    if (is_target && who.empty()) return names + tasks_such_that("t >= 0") + " " + all;
    // A variable that nothing uses is one that the language's compiler warns of.
    if (who.empty() && !uses(all, "t")) return names + "ALL TASKS " + all;
    return names + tasks_such_that(who) + " " + all;
  }
  return "FOR EACH t IN {0, ..., num_tasks-1} " + names +
         (who.empty() ? "" : "IF " + who + " THEN ") + "TASK t " + one;
}

// Percentages are multiplied before anything is divided, since the language divides whole numbers.
void TaskStatements::compute(const SpokenTime& time, std::vector<std::string>& out) {
  std::string percent = parameters_.compute_percent();
  std::int64_t parts = 100 * 1000 / time.unit;
  if (const auto own =
          time.function ? parameters_.function_percent(*time.function) : std::nullopt) {
    percent += "*" + *own;
    parts *= 100;
  }
  const std::string whole = std::to_string(parts);
  const auto scaled = [&](const std::string& of) { return of + "*" + percent; };
  std::string length;
  if (time.is_carried) {
    length = scaled(time.after) + "/" + whole;
    if (time.before != "0") length += "-" + scaled(time.before) + "/" + whole;
  } else if (time.unit == 1) {
    length = "(" + scaled(time.now) + "+" + std::to_string(parts / 2) + ")/" + whole;
  } else {
    length = scaled(time.now) + "/" + whole;
  }
  const std::string rest = " FOR " + length + " MICROSECONDS";
  out.push_back(act(time.condition, "COMPUTES" + rest, "COMPUTE" + rest, false));
}

void TaskStatements::operation(const SpokenOperation& o, std::vector<std::string>& out) {
  switch (o.verb) {
    case Verb::send:
    case Verb::send_later:
    case Verb::receive:
    case Verb::receive_later: return message(o, out);
    case Verb::await:
      out.push_back(act(o.condition("t"), "AWAITS COMPLETION", "AWAIT COMPLETION", false));
      return;
    default: return collective(o, out);
  }
}

// Sizes and tags may not depend on who sends: then a task is looked at after the other.
void TaskStatements::message(const SpokenOperation& o, std::vector<std::string>& out) {
  const bool sends = o.verb == Verb::send || o.verb == Verb::send_later;
  const bool later = o.verb == Verb::send_later || o.verb == Verb::receive_later;
  const std::string who = o.condition("t");
  const std::string size = "A " + parameters_.size(o.bytes("t")) + " BYTE MESSAGE";
  const std::string tag = tag_text(o.tag("t"));
  const std::string peer = o.peer("t");
  const std::string how = later ? "ASYNCHRONOUSLY " : "";
  const std::string rest =
      " " + size + tag + (sends ? " TO UNSUSPECTING TASK " : " FROM TASK ") + peer;
  out.push_back(act(who, how + (sends ? "SENDS" : "RECEIVES") + rest,
                    how + (sends ? "SEND" : "RECEIVE") + rest, names_.depends(size + tag, "t"),
                    !sends));
}

void TaskStatements::collective(const SpokenOperation& o, std::vector<std::string>& out) {
  std::vector<std::string> inner;
  if (!o.is_world) {
    group(o, "g", inner);
    out.push_back(defined("FOR EACH g IN {0, ..., num_tasks-1} IF " + o.stands + " THEN {\n" +
                          joined(inner, 1) + "\n}"));
    return;
  }
  const std::string when = o.condition("0");
  group(o, "0", inner);
  if (when.empty()) {
    for (const std::string& statement : inner) out.push_back(defined(statement));
  } else {
    out.push_back(defined("IF " + when + " THEN {\n" + joined(inner, 1) + "\n}"));
  }
}

// `leader`: a task that is one of the members, and by which sizes and roots are found.
void TaskStatements::group(const SpokenOperation& o, const std::string& leader,
                           std::vector<std::string>& out) {
  const bool world = o.is_world;
  const std::string all = world ? "ALL TASKS" : tasks_such_that(o.member("t"));
  if (!o.called.empty()) return call(o, leader, all, out);
  const std::string others = "TASKS u SUCH THAT " + (world ? std::string("u >= 0") : o.member("u"));
  const std::string root = o.peer(leader);
  const std::string bytes = o.bytes(leader);
  const bool is_message =
      o.verb == Verb::broadcast || o.verb == Verb::gather || o.verb == Verb::all_to_all;
  const std::string message =
      " A " + (is_message ? parameters_.size(bytes) : bytes) + " BYTE MESSAGE TO ";
  const std::string rest =
      world ? "ALL OTHER TASKS" : "TASKS u SUCH THAT " + o.member("u") + " /\\ u <> " + root;
  switch (o.verb) {
    case Verb::barrier: out.push_back(all + " SYNCHRONIZE"); return;
    case Verb::broadcast: out.push_back("TASK " + root + " MULTICASTS" + message + rest); return;
    case Verb::reduce:
      out.push_back(all + " REDUCE " + elements(bytes) + " TO TASK " + root);
      return;
    case Verb::all_reduce: out.push_back(all + " REDUCE " + elements(bytes)); return;
    case Verb::gather: out.push_back(all + " MULTICAST" + message + "TASK " + root); return;
    case Verb::all_to_all: out.push_back(all + " MULTICAST" + message + others); return;
    default: each(o, all, root, out);
  }
}

// What goes member by member, s: its own bytes.
void TaskStatements::each(const SpokenOperation& o, const std::string& all, const std::string& root,
                          std::vector<std::string>& out) {
  const std::string bytes = o.bytes("s");
  const std::string member_s = o.is_world ? "" : o.member("s");
  const std::string rest =
      o.is_world ? "ALL OTHER TASKS" : "TASKS u SUCH THAT " + o.member("u") + " /\\ u <> s";
  const std::string not_root = both(member_s, "s <> " + root);
  switch (o.verb) {
    case Verb::reduce_each:
      out.push_back(kEveryS + with(member_s, all + " REDUCE " + elements(bytes) + " TO TASK s"));
      return;
    case Verb::broadcast_each:
      out.push_back(kEveryS +
                    with(member_s, "TASK s MULTICASTS A " + bytes + " BYTE MESSAGE TO " + rest));
      return;
    case Verb::collect:
      out.push_back(kEveryS +
                    with(not_root, "TASK s SENDS A " + bytes + " BYTE MESSAGE TO TASK " + root));
      return;
    case Verb::distribute:
      out.push_back(kEveryS + with(not_root, "TASK " + root + " SENDS A " + bytes +
                                                 " BYTE MESSAGE TO TASK s"));
      return;
    case Verb::exchange: return exchange(o, all, member_s, out);
    default: return;
  }
}

void TaskStatements::exchange(const SpokenOperation& o, const std::string& all,
                              const std::string& member_s, std::vector<std::string>& out) {
  const std::string bytes = o.element();
  const std::string pair =
      both(both(member_s, o.is_world ? "" : o.member("d")), "s <> d /\\ " + bytes + " > 0");
  out.push_back(kEveryS + kEveryD + names_.definitions(pair) + "IF " + pair +
                " THEN TASK s ASYNCHRONOUSLY SENDS A " + bytes + " BYTE MESSAGE TO TASK d");
  out.push_back(all + " AWAIT COMPLETION");
}

// Expressions that are executed by the back end are of real numbers: what is more than a name has
// one of its own, n or r, which is whole.
void TaskStatements::call(const SpokenOperation& o, const std::string& leader,
                          const std::string& all, std::vector<std::string>& out) {
  has_calls_ = true;
  const TrueCall& form = *true_call(o.called);
  const auto named = [](const std::string& name, const std::string& text, std::string& lets) {
    const bool is_name =
        std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (is_name) return text;
    lets += "LET " + name + " BE " + text + " WHILE ";
    return name;
  };
  const auto units = [&](const std::string& bytes) {
    if (!form.is_reduction) {
      check_count(bytes);
      return parameters_.size(bytes);
    }
    if (is_number(bytes)) {
      const std::string count = std::to_string((std::stoull(bytes) + 3) / 4);
      check_count(count);
      return count;
    }
    return "((" + bytes + "+3)/4)";
  };
  const std::string execute = all + " BACKEND EXECUTE ";
  const bool is_exchange = o.verb == Verb::exchange;
  if (form.has_list || !o.is_world) {
    std::string lets;
    const std::string size =
        form.has_list && !is_exchange ? named("n", units(o.bytes("s")), lets) : "0";
    out.push_back(
        kEveryS + lets +
        with(o.is_world ? "" : o.member("s"),
             execute + "\"reprise_member(\" AND s AND \", \" AND " + size + " AND \");\""));
  }
  if (is_exchange) exchanged_sizes(o, out);
  std::string lets;
  const std::string size = form.has_list ? "" : named("n", units(o.bytes(leader)), lets);
  const std::string root = form.has_root ? named("r", o.peer(leader), lets) : "";
  out.push_back(lets + execute + form.text(size, root, o.is_world));
}

// What each member sends to each, and what it receives.
void TaskStatements::exchanged_sizes(const SpokenOperation& o, std::vector<std::string>& out) {
  const std::string members = o.is_world ? "" : both(o.member("s"), o.member("d"));
  const std::string bytes = o.element();
  const auto note = [](const char* who, const char* what, const char* peer) {
    return std::string("TASK ") + who + " BACKEND EXECUTES \"" + what + "(\" AND " + peer +
           " AND \", \" AND n AND \");\"";
  };
  out.push_back(kEveryS + kEveryD + names_.definitions(both(members, bytes)) + "LET n BE " + bytes +
                " WHILE IF " + both(members, "n > 0") + " THEN {\n  " +
                note("s", "reprise_to", "d") + " THEN\n  " + note("d", "reprise_from", "s") +
                "\n}");
}

}  // namespace reprise::generate
