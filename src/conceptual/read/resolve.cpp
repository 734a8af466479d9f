#include "conceptual/read/resolve.hpp"

#include <algorithm>
#include <initializer_list>
#include <set>

#include "conceptual/read/scope.hpp"
#include "conceptual/read/walk.hpp"
#include "conceptual/values/functions.hpp"
#include "conceptual/values/variables.hpp"

namespace reprise::conceptual {
namespace {

// Whether a number has to be the same for all tasks, so that they agree on what happens, or may
// differ between tasks.
enum class Value { common, own };

// Whether a set of tasks depends on the variable of that name.
bool mentions(Tasks tasks, const std::string& name) {
  bool found = false;
  if (name.empty() || tasks.kind == Tasks::Kind::group) return false;
  // The set's own variable hides the other.
  if (tasks.kind == Tasks::Kind::such_that && tasks.name == name) return false;
  for_each_variable(tasks, [&](Expr& e) { found = found || e.name == name; });
  return found;
}

class Resolver {
 public:
  void run(Program& program) {
    for (const std::string_view name : kPredeclaredNames) scope_.declare(std::string(name), {});
    parameters(program);
    constants_ = static_cast<Slot>(scope_.slots());
    for (Statement& s : program.statements) statement(s);
    program.slots = scope_.slots();
  }

 private:
  void parameters(Program& program) {
    std::set<std::string> options{"--help",    "-?", "--logfile", "-L",
                                  "--comment", "-C", "--no-trap"};
    for (Parameter& p : program.parameters) {
      if (scope_.find(p.name) && scope_.find(p.name)->slot >= kPredeclared)
        throw Problem{p.at, p.name +
                                " is declared twice (each parameter needs a name of its own); "
                                "rename one"};
      for (const std::string& option : {p.long_option, p.short_option}) {
        if (!option.empty() && !options.insert(option).second)
          throw Problem{p.at, option +
                                  " is taken (another parameter has it, or every program does); "
                                  "choose another"};
      }
      check_default(p);
      p.slot = scope_.declare(p.name, p.at);
    }
  }

  // A default is worked out before there are tasks and parameters.
  void check_default(Parameter& p) {
    for_each_variable(p.value, [&](Expr& e) {
      throw Problem{e.at, "the default of " + p.name + " has the variable " + e.name +
                              " in it (a default is a number of its own); write it out"};
    });
    number(p.value, Value::common);
  }

  void number(Expr& e, Value value) {
    if (e.op == Op::variable) variable(e, value);
    if (e.op == Op::call) {
      check_arguments(e);
      if (value == Value::common && e.name.starts_with("RANDOM_"))
        throw Problem{e.at, e.name +
                                " cannot stand here (its value differs between tasks, which "
                                "have to agree); take LET x BE A RANDOM TASK"};
    }
    for (Expr& operand : e.operands) number(operand, value);
    if (e.condition) relation(*e.condition, value);
  }

  void variable(Expr& e, Value value) {
    const Scope::Symbol* symbol = scope_.find(e.name);
    if (!symbol && scope_.find_group(e.name))
      throw Problem{e.at, e.name +
                              " is a group of tasks (a number is needed here); say TASK GROUP " +
                              e.name + " where tasks are meant"};
    if (!symbol)
      throw Problem{e.at, e.name +
                              " is not known (it is not a parameter, and nothing around declares "
                              "it); check its name"};
    e.slot = symbol->slot;
    if (value == Value::common && is_counter(e.slot))
      throw Problem{e.at, e.name +
                              " cannot stand here (its value differs between tasks, which have "
                              "to agree); it can in LOGS, OUTPUTS, COMPUTES and SLEEPS"};
  }

  void relation(Relation& r, Value value) {
    for (Expr& e : r.operands) number(e, value);
    for (Range& range : r.ranges) this->range(range, value);
    for (Relation& part : r.parts) relation(part, value);
  }

  void range(Range& r, Value value) {
    for (Expr& e : r.items) number(e, value);
    if (r.last) number(*r.last, value);
  }

  // Leaves the variable of the tasks, if any, in the scope.
  void tasks(Tasks& t) {
    if (t.kind == Tasks::Kind::group) return take_group(t);
    if (t.kind == Tasks::Kind::single) return number(t.expr, Value::common);
    if (!t.name.empty()) t.slot = scope_.declare(t.name, t.at);
    if (t.kind == Tasks::Kind::such_that) relation(t.relation, Value::common);
  }

  void target(Tasks& t, const Tasks& source) {
    t.by_source = t.kind == Tasks::Kind::all_others || mentions(t, source.name);
    tasks(t);
  }

  // The same as the group's tasks, but its variable has the group's name and a slot of its own.
  void take_group(Tasks& t) {
    const Scope::Symbol* symbol = scope_.find_group(t.name);
    if (!symbol)
      throw Problem{t.at, t.name + " is not a group of tasks (only LET " + t.name +
                              " BE TASKS ... makes one); check its name"};
    Tasks copy = *symbol->group;
    separate(copy.expr);
    separate(copy.relation);
    copy.at = t.at;
    copy.name = t.name;
    const Slot before = copy.slot;
    copy.slot = scope_.declare(t.name, t.at);
    for_each_variable(copy, [&](Expr& e) {
      if (e.slot == before) e.slot = copy.slot;
    });
    t = std::move(copy);
  }

  // Messages are the same for all senders, and resolved before these are. `acting`: the senders or
  // receivers.
  void message(Message& m, std::initializer_list<const Tasks*> acting) {
    for (const Tasks* tasks : acting) {
      for_each_variable(m, [&](Expr& e) {
        if (e.name != tasks->name || scope_.find(e.name)) return;
        throw Problem{e.at, e.name +
                                " is not known here (counts, sizes and tags cannot be functions "
                                "of the task that sends or receives); say FOR EACH " +
                                e.name + " IN {0, ..., num_tasks-1} TASK " + e.name + " ..."};
      });
    }
    number(m.count, Value::common);
    number(m.size, Value::common);
    if (m.tag) number(*m.tag, Value::common);
    for (Expr& e : m.without_effect) number(e, Value::common);
  }

  void items(std::vector<Item>& all) {
    for (Item& i : all) {
      if (i.kind == Item::Kind::number) number(i.number, Value::own);
    }
  }

  void statement(Statement& s) {
    const std::size_t mark = scope_.mark();
    const auto first = static_cast<Slot>(scope_.slots());
    std::visit([this](auto& what) { (*this)(what); }, s.what);
    scope_.cut_back(mark);
    depend(s, first);
  }

 public:
  void operator()(Sequence& s) {
    for (Statement& part : s.statements) statement(part);
  }

  void operator()(ForCount& s) {
    number(s.count, Value::common);
    if (s.warmup) number(*s.warmup, Value::common);
    statement(*s.body);
  }

  void operator()(ForEach& s) {
    for (Range& r : s.ranges) range(r, Value::common);
    s.slot = scope_.declare(s.name, {});
    statement(*s.body);
  }

  void operator()(ForTime& s) {
    number(s.length, Value::common);
    if (s.warmup) number(*s.warmup, Value::common);
    statement(*s.body);
  }

  void operator()(Let& s) {
    for (Binding& b : s.bindings) bind(b);
    statement(*s.body);
  }

  void operator()(If& s) {
    relation(s.relation, Value::common);
    statement(*s.then);
    if (s.otherwise) statement(*s.otherwise);
  }

  void operator()(Send& s) {
    if (s.source.kind == Tasks::Kind::all && s.target.kind == Tasks::Kind::all_others &&
        !s.asynchronously && !s.unsuspecting)
      throw Problem{s.source.at,
                    "tasks would wait for each other for ever (all send to all others, and each "
                    "receives first); send ASYNCHRONOUSLY and AWAIT COMPLETION"};
    message(s.message, {&s.source, &s.target});
    if (s.received_tag) number(*s.received_tag, Value::common);
    tasks(s.source);
    target(s.target, s.source);
  }

  void operator()(Receive& s);
  void check_receive(const Receive& s) const;

  void operator()(Multicast& s) {
    message(s.message, {&s.source, &s.target});
    tasks(s.source);
    target(s.target, s.source);
  }

  void operator()(Reduce& s) {
    message(s.message, {&s.source});
    tasks(s.source);
    if (s.target) target(*s.target, s.source);
  }

  void operator()(Delay& s) {
    tasks(s.source);
    number(s.length, Value::own);
  }

  void operator()(Output& s) {
    tasks(s.source);
    items(s.items);
  }

  void operator()(Backend& s) {
    tasks(s.source);
    items(s.items);
  }

  void operator()(Log& s) {
    tasks(s.source);
    for (Column& c : s.columns) number(c.expr, Value::own);
  }

  void operator()(Touch& s) {
    tasks(s.source);
    number(s.size, Value::own);
    for (auto* e : {&s.touches, &s.times, &s.stride}) {
      if (*e) number(**e, Value::own);
    }
  }

  void operator()(Assign& s) {
    tasks(s.source);
    if (s.processor) number(*s.processor, Value::common);
  }

  void operator()(Assert& s) { relation(s.relation, Value::common); }
  void operator()(Await& s) { tasks(s.source); }
  void operator()(Synchronize& s) { tasks(s.source); }
  void operator()(ComputeAggregates& s) { tasks(s.source); }
  void operator()(Counters& s) { tasks(s.source); }

 private:
  void bind(Binding& b) {
    if (b.kind == Binding::Kind::tasks) {
      const std::size_t mark = scope_.mark();
      tasks(b.tasks);
      scope_.cut_back(mark);
      scope_.declare_group(b.name, b.tasks, b.at);
      return;
    }
    number(b.value, Value::common);
    if (b.high) number(*b.high, Value::common);
    if (b.but_not) number(*b.but_not, Value::common);
    b.slot = scope_.declare(b.name, b.at);
  }

  // Notes the variables that a communication depends on: those declared before it that may change.
  void depend(Statement& s, Slot first) {
    std::set<Slot> found;
    const auto visit = [&](Expr& e) {
      if (e.slot >= constants_ && e.slot < first) found.insert(e.slot);
    };
    const auto all = [&](auto&... parts) { (for_each_variable(parts, visit), ...); };
    if (auto* send = std::get_if<Send>(&s.what)) {
      all(send->source, send->message, send->target);
      if (send->received_tag) all(*send->received_tag);
    }
    if (auto* receive = std::get_if<Receive>(&s.what))
      all(receive->source, receive->message, receive->target);
    if (auto* cast = std::get_if<Multicast>(&s.what))
      all(cast->source, cast->message, cast->target);
    if (auto* sync = std::get_if<Synchronize>(&s.what)) all(sync->source);
    if (auto* reduce = std::get_if<Reduce>(&s.what)) {
      all(reduce->source, reduce->message);
      if (reduce->target) all(*reduce->target);
    }
    s.depends_on.assign(found.begin(), found.end());
  }

  Scope scope_;
  Slot constants_ = 0;  // those below never change
};

bool has_variable(const Tasks& t) {
  return t.kind == Tasks::Kind::such_that || (t.kind == Tasks::Kind::all && !t.name.empty());
}

// Either the sources are functions of the target, as in TASKS t SUCH THAT ... RECEIVE ... FROM TASK
// t+1, or the targets are functions of the source.
void Resolver::operator()(Receive& s) {
  check_receive(s);
  const std::string &target = s.target.name, &source = s.source.name;
  s.target_first = !has_variable(s.source) && s.target.kind != Tasks::Kind::all_others;
  if (has_variable(s.source) && has_variable(s.target)) {
    for (const std::string& name : {target, source}) {
      if (target != source && !scope_.find(name)) continue;
      throw Problem{s.target.at, "it is not clear who receives from whom (" + name +
                                     " can be understood in two ways); rename a variable"};
    }
    s.target_first = mentions(s.source, target);
  }
  message(s.message, {&s.target, &s.source});
  tasks(s.target_first ? s.target : s.source);
  tasks(s.target_first ? s.source : s.target);
}

// Checks the receivers of a RECEIVE statement, and its senders.
void Resolver::check_receive(const Receive& s) const {
  using Kind = Tasks::Kind;
  if (s.target.kind == Kind::all)
    throw Problem{s.target.at,
                  "ALL TASKS cannot receive (who receives is a target, and the language has no "
                  "such target); say TASKS t SUCH THAT t >= 0"};
  for (const Tasks* t : {&s.target, &s.source}) {
    if (t->kind == Kind::group)
      throw Problem{t->at,
                    "a group of tasks is used in RECEIVES (the language does not allow it there); "
                    "say TASKS t SUCH THAT ..."};
  }
}

}  // namespace

void resolve(Program& program) { Resolver().run(program); }

}  // namespace reprise::conceptual
