#include "write/conceptual/statements.hpp"

#include <algorithm>

#include "expr/simplify.hpp"
#include "program/program.hpp"
#include "write/conceptual/calls/true_calls.hpp"

namespace reprise::write::conceptual {

using expr::Expr;
using expr::Op;
using Kind = ast::Relation::Kind;

namespace {

constexpr std::int64_t kDoubleword = 8, kInteger = 4;  // [bytes]

// More ranges, or more numbers in them, than these read worse than a condition.
constexpr std::size_t kFewRanges = 2, kFewNumbers = 4;

bool are_few(const std::vector<ast::Range>& ranges) {
  std::size_t numbers = 0;
  for (const ast::Range& r : ranges) numbers += r.items.size();
  return ranges.size() <= kFewRanges && numbers <= kFewNumbers;
}

Expr equal(const Expr& a, const Expr& b) { return Expr::make(Op::equal, a, b); }
Expr unequal(const Expr& a, const Expr& b) { return Expr::make(Op::not_equal, a, b); }

Expr task_variable(std::string_view name) { return Expr::variable(name); }

// Of the length of a computation [kDrawUnit].
Expr drawn(const Draw& draw, const Expr& execution, const Expr& task) {
  const Expr place = expr::simplify(
      (execution * Expr(draw.multiplier) + task * Expr(draw.by_task) + Expr(draw.first)) %
      Expr(draw.places));
  Expr out = place * Expr(draw.slope) + Expr(draw.base);
  if (draw.tail > 0) {
    const Expr behind = Expr::make(Op::maximum, place - Expr(draw.tail_from), Expr(0));
    out = out + behind * Expr(draw.tail);
  }
  return expr::simplify(out);
}

// In the largest unit of a reduction that holds that many bytes.
ast::Message reduced(const Expr& bytes, const Names& names) {
  ast::Message out = message(number(1));
  out.unit = ast::Unit::integer;
  if (!bytes.is_constant()) {
    out.count =
        binary(ast::Op::divide, binary(ast::Op::add, names.number_of(bytes), number(kInteger - 1)),
               number(kInteger));
    return out;
  }
  const std::int64_t n = bytes.value();
  if (n > 0 && n % kDoubleword == 0) {
    out.unit = ast::Unit::doubleword;
    out.count = number(n / kDoubleword);
  } else {
    out.count = number((n + kInteger - 1) / kInteger);
  }
  return out;
}

ast::Statement await(ast::Tasks source) { return statement(ast::Await{std::move(source)}); }

ast::Statement send(ast::Tasks source, ast::Message m, ast::Tasks target) {
  ast::Send out;
  out.source = std::move(source);
  out.message = std::move(m);
  out.target = std::move(target);
  return statement(std::move(out));
}

// The compiler of coNCePTuaL compares ALL OTHER TASKS in C with the one task, which has no
// parentheses there.
bool is_below_comparison(const ast::Expr& e) {
  return e.op == ast::Op::conditional || e.op == ast::Op::bit_and || e.op == ast::Op::bit_or ||
         e.op == ast::Op::bit_xor;
}

}  // namespace

// The tasks of a collective.
struct StatementWriter::Group {
  bool is_all = false;
  Expr leader = Expr(0);  // a member, by which sizes and roots are found
  std::function<Expr(const Expr& task)> member;
};

Expr StatementWriter::for_task(const Expr& e, std::string_view task) {
  const std::vector<expr::Binding> binding = {
      {std::string(expr::kRank), task == "0" ? Expr(0) : Expr::variable(task)}};
  return names_.with(e, binding);
}

Statements defined(const Names& names, const std::vector<Expr>& all, Statements body) {
  const auto definitions = names.definitions(all);
  for (auto d = definitions.rbegin(); d != definitions.rend(); ++d) {
    Statements inner;
    inner.push_back(let(d->name, names.number_of(d->value), std::move(body)));
    body = std::move(inner);
  }
  return body;
}

// The statement, if the condition holds.
Statements StatementWriter::guarded(const Expr& condition, ast::Statement s) const {
  Statements body;
  body.push_back(std::move(s));
  if (condition.is_constant(1)) return body;
  Statements out;
  out.push_back(if_holds(names_.condition_of(condition), std::move(body)));
  return out;
}

// Receivers are written as the target of messages, which ALL TASKS cannot be.
ast::Tasks StatementWriter::every_receiver(std::string_view name) {
  all_receive_ = true;
  return tasks_such_that(name, relation(Kind::at_least, variable(std::string(name)), number(0)));
}

// What tasks do on their own, by the condition on t: all at once, or one after the other where
// sizes or names depend on the task. `all`: the expressions that it has.
void StatementWriter::own(const Doers& who, const std::vector<Expr>& all, bool is_each,
                          bool is_target, const Make& make, Statements& out) {
  const Expr condition = for_task(who.condition, "t");
  std::vector<Expr> used = all;
  used.push_back(condition);
  for (const Names::Definition& d : names_.definitions(used))
    is_each = is_each || names_.depends(d.value, "t");
  const bool is_everyone = condition.is_constant(1);
  if (is_each) {
    std::vector<ast::Range> ranges = every_task();
    bool is_listed = is_everyone;
    if (!is_everyone && !who.ranks.empty()) {
      auto listed = ranges_of({who.ranks.begin(), who.ranks.end()});
      is_listed = are_few(listed);
      if (is_listed) ranges = std::move(listed);
    }
    Statements body =
        defined(used, guarded(is_listed ? Expr(1) : condition, make(task(variable("t")))));
    out.push_back(for_each("t", std::move(ranges), std::move(body)));
    return;
  }
  ast::Tasks source;
  if (!is_everyone) {
    source = tasks_such_that("t", names_.condition_of(condition));
  } else if (is_target) {
    source = every_receiver("t");
  } else {
    // A variable that nothing uses is one that the language's compiler warns of.
    const bool is_used =
        std::ranges::any_of(all, [&](const Expr& e) { return names_.depends(e, "t"); });
    source = all_tasks(is_used ? "t" : "");
  }
  for (ast::Statement& s : defined(used, guarded(Expr(1), make(std::move(source)))))
    out.push_back(std::move(s));
}

// Percentages are multiplied before anything is divided, since the language divides whole numbers.
void StatementWriter::compute(const Computation& c, Statements& out) {
  std::vector<ast::Expr> percentages = {parameters_.compute_percent()};
  std::int64_t parts = 100 * 1000 / c.unit;
  if (c.function) {
    if (auto own = parameters_.function_percent(*c.function)) {
      percentages.push_back(std::move(*own));
      parts *= 100;
    }
  }
  std::vector<Expr> all = {for_task(c.length, "t")};
  ast::Expr length = names_.number_of(all.front());
  if (c.draw) {
    all.push_back(drawn(*c.draw, for_task(*c.execution, "t"), task_variable("t")));
    length = binary(ast::Op::multiply, std::move(length), names_.number_of(all.back()));
    length = binary(ast::Op::divide, std::move(length), number(kDrawUnit));
  }
  for (const ast::Expr& p : percentages) length = binary(ast::Op::multiply, std::move(length), p);
  if (c.unit == 1) {
    rounds_ = true;
    const std::int64_t scale = parts / kFractions;
    Expr fraction(c.first_fraction * scale);
    if (c.execution) {
      all.push_back(for_task(*c.execution, "t"));
      fraction = expr::simplify((all.back() * Expr(kGolden * scale) + fraction) % Expr(parts));
    }
    length = binary(ast::Op::add, std::move(length), names_.number_of(fraction));
  }
  length = binary(ast::Op::divide, std::move(length), number(parts));
  const Make make = [&](ast::Tasks source) {
    return statement(ast::Delay{std::move(source), length});
  };
  if (!c.duration) return own(c.who, all, false, false, make, out);
  Statements body;
  own(c.who, all, false, false, make, body);
  out.push_back(let(kDuration, *c.duration, std::move(body)));
}

void StatementWriter::add(const TaskOperation& a, Statements& out) {
  switch (a.verb) {
    case Verb::send:
    case Verb::send_later:
    case Verb::receive:
    case Verb::receive_later: return message(a, out);
    case Verb::await: return own(a.who, {}, false, false, await, out);
    default: return collective(a, out);
  }
}

// Sizes and tags may not depend on who sends: then a task is looked at after the other.
void StatementWriter::message(const TaskOperation& a, Statements& out) {
  const bool sends = a.verb == Verb::send || a.verb == Verb::send_later;
  const bool later = a.verb == Verb::send_later || a.verb == Verb::receive_later;
  const Expr bytes = for_task(a.bytes, "t"), tag = for_task(a.tag, "t"),
             peer = for_task(a.peer, "t");
  ast::Message m = conceptual::message(parameters_.size(names_.number_of(bytes)));
  if (!tag.is_constant(0)) m.tag = names_.number_of(tag);
  const Make make = [&](ast::Tasks who) {
    if (sends) {
      ast::Statement sent = send(std::move(who), m, task(names_.number_of(peer)));
      std::get<ast::Send>(sent.what).unsuspecting = true;
      std::get<ast::Send>(sent.what).asynchronously = later;
      return sent;
    }
    ast::Receive receive;
    receive.target = std::move(who);
    receive.source = task(names_.number_of(peer));
    receive.message = m;
    receive.asynchronously = later;
    return statement(std::move(receive));
  };
  const bool is_each = names_.depends(bytes, "t") || names_.depends(tag, "t");
  own(a.who, {bytes, tag, peer}, is_each, !sends, make, out);
}

void StatementWriter::collective(const TaskOperation& a, Statements& out) {
  Group g;
  Statements inner;
  if (!a.leader) {
    g.is_all = true;
    group(a, g, inner);
    const Expr when = for_task(a.who.condition, "0");
    if (!when.is_constant(1)) {
      Statements guarded_all;
      guarded_all.push_back(if_holds(names_.condition_of(when), std::move(inner)));
      inner = defined({when}, std::move(guarded_all));
    }
    std::ranges::move(inner, std::back_inserter(out));
    return;
  }
  const auto condition = [&](const Expr& task) { return for_task(a.who.condition, task.name()); };
  if (a.leaders.size() == 1) {
    g.leader = Expr(a.leaders.front());
    g.member = condition;
    group(a, g, inner);
    std::ranges::move(inner, std::back_inserter(out));
    return;
  }
  const bool is_known = !a.leaders.empty();
  g.leader = task_variable("g");
  g.member = [&](const Expr& task) {
    const Expr of = for_task(*a.leader, task.name());
    return both(condition(task), equal(of, a.place ? for_task(*a.leader, "g") : g.leader));
  };
  group(a, g, inner);
  if (!is_known) {
    const Expr stands = a.place ? both(condition(g.leader), equal(for_task(*a.place, "g"), Expr(0)))
                                : g.member(g.leader);
    Statements all;
    all.push_back(if_holds(names_.condition_of(stands), std::move(inner)));
    inner = defined({stands}, std::move(all));
  }
  out.push_back(for_each("g", is_known ? ranges_of(a.leaders) : every_task(), std::move(inner)));
}

void StatementWriter::group(const TaskOperation& a, const Group& g, Statements& out) {
  std::vector<Expr> used;
  // In a condition on a variable, names that depend on it are written out.
  const auto tasks = [&](std::string_view name, const std::optional<Expr>& but) {
    const Expr task = task_variable(name);
    Expr who = g.is_all ? Expr(1) : names_.written_out(g.member(task), std::string(name));
    if (who.is_constant(1) && !but) return every_receiver(name);
    if (but) who = both(who, unequal(task, *but));
    used.push_back(who);
    return tasks_such_that(name, names_.condition_of(who));
  };
  const auto all = [&] { return g.is_all ? all_tasks() : tasks("t", std::nullopt); };
  if (!a.called.empty()) return call(a, g, out);
  const std::vector<expr::Binding> of_leader = {{std::string(expr::kRank), g.leader}};
  const Expr root = names_.with(a.peer, of_leader);
  const Expr bytes = names_.with(a.bytes, of_leader);
  used.push_back(root);
  used.push_back(bytes);
  const auto sized = [&] { return conceptual::message(parameters_.size(names_.number_of(bytes))); };
  ast::Statement what;
  switch (a.verb) {
    case Verb::barrier: what = statement(ast::Synchronize{all()}); break;
    case Verb::broadcast: {
      const bool is_named = g.is_all && is_below_comparison(names_.number_of(root));
      what = statement(ast::Multicast{task(is_named ? variable("r") : names_.number_of(root)),
                                      g.is_all ? all_other_tasks() : tasks("u", root), sized()});
      if (!is_named) break;
      Statements named;
      named.push_back(std::move(what));
      what = let("r", names_.number_of(root), std::move(named));
      break;
    }
    case Verb::reduce:
      what = statement(ast::Reduce{all(), reduced(bytes, names_), task(names_.number_of(root))});
      break;
    case Verb::all_reduce: what = statement(ast::Reduce{all(), reduced(bytes, names_), {}}); break;
    case Verb::gather:
      what = statement(ast::Multicast{all(), task(names_.number_of(root)), sized()});
      break;
    case Verb::all_to_all:
      what = statement(ast::Multicast{all(), tasks("u", std::nullopt), sized()});
      break;
    case Verb::exchange: return exchange(a, g, out);
    default: return each(a, g, out);
  }
  Statements body;
  body.push_back(std::move(what));
  std::ranges::move(defined(used, std::move(body)), std::back_inserter(out));
}

// What goes member by member, s: its own bytes.
void StatementWriter::each(const TaskOperation& a, const Group& g, Statements& out) {
  const Expr s = task_variable("s");
  const Expr bytes = for_task(a.bytes, "s");
  const std::vector<expr::Binding> of_leader = {{std::string(expr::kRank), g.leader}};
  const Expr root = names_.with(a.peer, of_leader);
  const Expr member = g.is_all ? Expr(1) : g.member(s);
  std::vector<Expr> used = {bytes, root, member};
  const auto others = [&](std::string_view name, const std::optional<Expr>& but) {
    const Expr task = task_variable(name);
    Expr who = names_.written_out(g.member(task), std::string(name));
    if (but) who = both(who, unequal(task, *but));
    used.push_back(who);
    return tasks_such_that(name, names_.condition_of(who));
  };
  const auto all = [&] { return g.is_all ? all_tasks() : others("t", std::nullopt); };
  const auto sized = [&] { return conceptual::message(names_.number_of(bytes)); };
  const auto self = [&] { return task(names_.number_of(s)); };
  const auto sent = [&](ast::Tasks from, ast::Tasks to) {
    ast::Statement one = send(std::move(from), sized(), std::move(to));
    std::get<ast::Send>(one.what).asynchronously = true;
    return one;
  };
  Statements body;
  switch (a.verb) {
    case Verb::reduce_each:
      body = guarded(member, statement(ast::Reduce{all(), reduced(bytes, names_), self()}));
      break;
    case Verb::spread:
      body = guarded(member, sent(self(), g.is_all ? all_other_tasks() : others("u", s)));
      break;
    case Verb::collect:
      body = guarded(both(member, unequal(s, root)), sent(self(), task(names_.number_of(root))));
      break;
    default:  // distribute
      body = guarded(both(member, unequal(s, root)), sent(task(names_.number_of(root)), self()));
  }
  out.push_back(for_each("s", every_task(), defined(used, std::move(body))));
}

void StatementWriter::exchange(const TaskOperation& a, const Group& g, Statements& out) {
  const Expr s = task_variable("s"), d = task_variable("d");
  const std::vector<expr::Binding> pair = {{std::string(expr::kRank), s},
                                           {std::string(program::kIndex), d}};
  const Expr bytes = names_.name_of(names_.with(*a.element, pair));
  Expr when = g.is_all ? Expr(1) : both(g.member(s), g.member(d));
  when = both(both(when, unequal(s, d)), Expr::make(Op::greater, bytes, Expr(0)));
  ast::Statement sent =
      send(task(names_.number_of(s)), conceptual::message(names_.number_of(bytes)),
           task(names_.number_of(d)));
  std::get<ast::Send>(sent.what).asynchronously = true;
  Statements to_each;
  to_each.push_back(
      for_each("d", every_task(), defined({bytes, when}, guarded(when, std::move(sent)))));
  out.push_back(for_each("s", every_task(), std::move(to_each)));
}

namespace {

ast::Item text_item(std::string text) {
  ast::Item out;
  out.text = std::move(text);
  return out;
}

ast::Item number_item(ast::Expr e) {
  ast::Item out;
  out.kind = ast::Item::Kind::number;
  out.number = std::move(e);
  return out;
}

bool is_name(const ast::Expr& e) { return e.op == ast::Op::number || e.op == ast::Op::variable; }

// Elements of a call: bytes, or integers of a reduction.
ast::Expr units(const TrueCall& form, const Expr& bytes, const Names& names,
                Parameters& parameters) {
  if (form.is_reduction) {
    ast::Message m = reduced(bytes, names);
    if (m.unit == ast::Unit::doubleword) m.count.value *= kDoubleword / kInteger;
    check_count(m.count);
    return m.count;
  }
  ast::Expr out = names.number_of(bytes);
  check_count(out);
  return parameters.size(std::move(out));
}

// Expressions that are executed by the back end are of real numbers: what is more than a name has
// one of its own, which is whole.
struct Whole {
  std::vector<std::pair<std::string, ast::Expr>> lets = {};

  ast::Expr name(const std::string& name, ast::Expr value) {
    if (is_name(value)) return value;
    lets.emplace_back(name, std::move(value));
    return variable(name);
  }

  Statements around(Statements body) {
    for (auto l = lets.rbegin(); l != lets.rend(); ++l) {
      Statements outer;
      outer.push_back(let(l->first, std::move(l->second), std::move(body)));
      body = std::move(outer);
    }
    return body;
  }
};

ast::Statement execute(ast::Tasks source, std::vector<ast::Item> items) {
  return statement(ast::Backend{std::move(source), std::move(items)});
}

// "function(" AND a AND ", " AND b AND ");"
std::vector<ast::Item> call_items(const std::string& function, ast::Expr a, ast::Expr b) {
  std::vector<ast::Item> out;
  out.push_back(text_item(function + "("));
  out.push_back(number_item(std::move(a)));
  out.push_back(text_item(", "));
  out.push_back(number_item(std::move(b)));
  out.push_back(text_item(");"));
  return out;
}

}  // namespace

void StatementWriter::call(const TaskOperation& a, const Group& g, Statements& out) {
  has_calls_ = true;
  const TrueCall& form = *true_call(a.called);
  const Expr s = task_variable("s");
  std::vector<Expr> used;
  const auto all = [&] {
    if (g.is_all) return all_tasks();
    const Expr who = names_.written_out(g.member(task_variable("t")), "t");
    used.push_back(who);
    return tasks_such_that("t", names_.condition_of(who));
  };
  const bool is_exchange = a.verb == Verb::exchange;
  if (form.has_list || !g.is_all) {
    Whole whole;
    const Expr bytes = for_task(a.bytes, "s");
    const bool is_sized = form.has_list && !is_exchange;
    ast::Expr size =
        is_sized ? whole.name("n", units(form, bytes, names_, parameters_)) : number(0);
    const Expr member = g.is_all ? Expr(1) : g.member(s);
    used = {member};
    if (is_sized) used.push_back(bytes);
    ast::Tasks tasks = all();
    Statements body = whole.around(guarded(
        member, execute(std::move(tasks),
                        call_items("reprise_member", names_.number_of(s), std::move(size)))));
    out.push_back(for_each("s", every_task(), defined(used, std::move(body))));
  }
  if (is_exchange) exchanged_sizes(a, g, out);
  used.clear();
  Whole whole;
  const std::vector<expr::Binding> of_leader = {{std::string(expr::kRank), g.leader}};
  std::optional<ast::Expr> size, root;
  if (!form.has_list) {
    used.push_back(names_.with(a.bytes, of_leader));
    size = whole.name("n", units(form, used.back(), names_, parameters_));
  }
  if (form.has_root) {
    used.push_back(names_.with(a.peer, of_leader));
    root = whole.name("r", names_.number_of(used.back()));
  }
  ast::Tasks tasks = all();
  Statements body;
  body.push_back(execute(std::move(tasks), form.items(size, root, g.is_all)));
  std::ranges::move(defined(used, whole.around(std::move(body))), std::back_inserter(out));
}

// What each member sends to each, and what it receives.
void StatementWriter::exchanged_sizes(const TaskOperation& a, const Group& g, Statements& out) {
  const Expr s = task_variable("s"), d = task_variable("d");
  const std::vector<expr::Binding> pair = {{std::string(expr::kRank), s},
                                           {std::string(program::kIndex), d}};
  const Expr bytes = names_.with(*a.element, pair);
  const Expr members = g.is_all ? Expr(1) : both(g.member(s), g.member(d));
  Statements notes;
  notes.push_back(
      execute(task(variable("s")), call_items("reprise_to", variable("d"), variable("n"))));
  notes.push_back(
      execute(task(variable("d")), call_items("reprise_from", variable("s"), variable("n"))));
  const Expr when = both(members, Expr::make(Op::greater, Expr::variable("n"), Expr(0)));
  Statements body;
  body.push_back(if_holds(names_.condition_of(when), std::move(notes)));
  Statements named;
  named.push_back(let("n", names_.number_of(bytes), std::move(body)));
  Statements to_each;
  to_each.push_back(for_each("d", every_task(), defined({bytes, members}, std::move(named))));
  out.push_back(for_each("s", every_task(), std::move(to_each)));
}

}  // namespace reprise::write::conceptual
