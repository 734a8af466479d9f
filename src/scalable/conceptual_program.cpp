#include "scalable/conceptual_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/escape.hpp"
#include "expr/simplify.hpp"
#include "generate/task_layout.hpp"
#include "generate/task_statements.hpp"
#include "generate/task_whole.hpp"
#include "scalable/conceptual_calls.hpp"
#include "scalable/law_terms.hpp"
#include "scalable/task_expression.hpp"
#include "scalable/unwritable.hpp"
#include "trace/places.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using compress::LoopTree;
using expr::Expr;
using expr::Op;
using extrapolate::Delta;
using extrapolate::Law;
using extrapolate::Parameter;
using extrapolate::TimeLaw;
using generate::both;
using generate::SpokenOperation;
using write::conceptual::Verb;

bool may_be_nobody(const Expr& e) {
  return e == Expr(trace::kProcNull) || std::ranges::any_of(e.operands(), may_be_nobody);
}

// Where statements stand.
struct Around {
  std::vector<Expr> conditions = {};  // on the rank
  std::optional<Expr> place =
      {};  // how often a rank has come here before; nothing if none says that
  std::size_t loops = 0;
};

// Digits of the nanoseconds of a time whose rounding to microseconds does not matter.
constexpr std::size_t kShortTime = 5;

class Program {
 public:
  Program(const ScalableTrace& scalable, const generate::Options& options)
      : s_(scalable),
        places_(scalable.frame),
        options_(options),
        laws_(scalable),
        calls_(scalable, options.substitutes, laws_),
        trips_(s_.program.tree.items.size()) {
    for (const Parameter& p : s_.program.parameters) {
      if (p.slot.is_trips()) trips_[p.slot.item] = &p.law;
    }
    for (const auto& p : s_.parameters) {
      parameters_.add(task_size_name(p.name), "The size " + p.name + " of the problem",
                      "--" + p.name, p.values.back());
    }
  }

  std::string write() {
    std::vector<std::string> statements;
    item(0, {.place = Expr(0)}, statements);
    const std::string definitions = laws_.definitions();
    if (!definitions.empty() && !statements.empty())
      statements = {definitions + "{\n" + generate::joined(statements, 1) + "\n}"};
    return generate::whole_program({.name = options_.trace,
                                    .program = s_.frame.program,
                                    .operations = calls_.found(),
                                    .parameters = parameters_,
                                    .assertions = laws_.assertions(),
                                    .has_calls = statements_.has_calls()},
                                   statements);
  }

 private:
  std::string call_text(std::uint32_t site) const {
    return places_.call_text(s_.program.sites[site].function, s_.program.sites[site].callpath);
  }

  std::string place_of(std::uint32_t item) const {
    const LoopTree::Item& i = s_.program.tree.items[item];
    if (i.site == LoopTree::kBody) return i.body.empty() ? "" : place_of(i.body.front());
    return call_text(i.site);
  }

  // What `f` finds about how often an item is executed.
  template <class F>
  auto come_to(std::uint32_t i, const F& f) -> decltype(f()) {
    try {
      return f();
    } catch (const Unwritable& u) {
      throw Unwritable{"how often a rank comes to " + place_of(i) + ": " + u.why};
    }
  }

  Expr trips_of(std::uint32_t i, const Around& around) {
    return come_to(i, [&] { return laws_.value(*trips_[i], around.place); });
  }

  void item(std::uint32_t i, const Around& around, std::vector<std::string>& out) {
    const Expr trips = trips_of(i, around);
    if (s_.program.repeated[i]) return loop(i, trips, around, out);
    if (trips.is_constant(0)) return;
    if (trips.is_constant(1)) return inside(i, around, out);
    Around inner = around;
    // What comes once in a pass for some ranks does so in each.
    if (is_of_loop(trips)) inner.place.reset();
    // What is no condition is a number, below 0 for never.
    const Expr when = is_condition(trips.op()) ? trips : Expr::make(Op::greater, trips, Expr(0));
    if (is_of_task(trips)) {
      inner.conditions.push_back(when);
      return inside(i, inner, out);
    }
    std::vector<std::string> statements;
    inside(i, inner, statements);
    if (statements.empty()) return;
    const std::string condition = come_to(i, [&] { return laws_.condition(when, "0"); });
    out.push_back("IF " + condition + " THEN {\n" + generate::joined(statements, 1) + "\n}");
  }

  void loop(std::uint32_t i, const Expr& trips, const Around& around,
            std::vector<std::string>& out) {
    if (is_of_task(trips)) {
      throw Unwritable{
          "the loop with " + place_of(i) +
          " has different trip counts on different ranks (a loop is one of all tasks)"};
    }
    const std::string name = fmt::format("i{}", around.loops);
    Around inner = around;
    ++inner.loops;
    if (is_of_loop(trips)) {
      inner.place.reset();
    } else if (around.place) {
      inner.place = expr::simplify(*around.place * trips + Expr::variable(name));
    }
    std::vector<std::string> statements;
    inside(i, inner, statements);
    if (trips.is_constant()) {
      if (trips.value() > 0) constant_loop(name, trips.value(), around.loops, statements, out);
      return;
    }
    const std::string n = come_to(i, [&] { return laws_.number(trips, "0"); });
    const std::string guard = "IF " + n + " > 0 THEN ";
    generate::add_loop(guard + "FOR EACH " + name + " IN {0, ..., " + n + "-1}",
                       guard + "FOR " + n + " REPETITIONS", name, statements, out);
  }

  void constant_loop(const std::string& name, std::int64_t trips, std::size_t loops,
                     const std::vector<std::string>& statements, std::vector<std::string>& out) {
    const bool is_used = std::ranges::any_of(
        statements, [&](const std::string& s) { return generate::uses(s, name); });
    const bool is_parameter = loops == 0 && !is_used && !statements.empty();
    const std::string n = is_parameter ? parameters_.repetitions(trips) : std::to_string(trips);
    generate::add_loop(fmt::format("FOR EACH {} IN {{0, ..., {}}}", name, trips - 1),
                       "FOR " + n + " REPETITIONS", name, statements, out);
  }

  void inside(std::uint32_t i, const Around& around, std::vector<std::string>& out) {
    const LoopTree::Item& item_of = s_.program.tree.items[i];
    if (item_of.site != LoopTree::kBody) return call(item_of.site, around, out);
    for (const std::uint32_t child : item_of.body) item(child, around, out);
  }

  void call(std::uint32_t site, const Around& around, std::vector<std::string>& out) {
    const trace::Function& function = trace::function(s_.program.sites[site].function);
    const std::string place = call_text(site);
    std::vector<std::string> statements;
    try {
      say(site, function, around, statements);
    } catch (const Unwritable& u) {
      if (u.why.starts_with(function.name)) throw;
      throw Unwritable{place + ": " + u.why};
    }
    if (statements.empty()) return;
    statements.front() = "# " + in_conceptual_comment(place) + "\n" + statements.front();
    out.insert(out.end(), statements.begin(), statements.end());
  }

  void say(std::uint32_t site, const trace::Function& function, const Around& around,
           std::vector<std::string>& out) {
    if (!(function.traits & trace::traits::kInit)) {
      compute(site, around, out);
    }
    for (const LawOperation& o : calls_.of(site, around.place)) {
      if (write::conceptual::is_collective(o.verb)) check_members(o, around);
      statements_.operation(spoken(o, around), out);
    }
  }

  // A statement is about all members at once.
  static void check_members(const LawOperation& o, const Around& around) {
    const bool in_step = std::ranges::none_of(around.conditions, is_of_loop);
    if (in_step && (around.conditions.empty() || !o.group.is_world)) return;
    throw Unwritable{"not all ranks come there together (a statement speaks of all at once)"};
  }

  std::string condition(const Around& around, const std::string& task) const {
    std::string out;
    for (const Expr& c : around.conditions) out = both(out, laws_.condition(c, task));
    return out;
  }

  SpokenOperation spoken(const LawOperation& o, const Around& around) const {
    const auto of = [&](const Expr& e) {
      return [&](const std::string& task) { return laws_.number(e, task); };
    };
    SpokenOperation out{o.verb, o.group.is_world, {}};
    out.condition = [&](const std::string& task) {
      const std::string all = condition(around, task);
      // A message to nobody is left out by itself.
      if (o.verb != Verb::await || !may_be_nobody(o.peer)) return all;
      return both(all, laws_.number(o.peer, task) + " >= 0");
    };
    out.peer = of(o.peer);
    out.bytes = of(o.bytes);
    out.tag = of(o.tag);
    out.called = o.called;
    if (o.group.is_world) return out;
    out.member = [&](const std::string& task) {
      const Expr& color = o.group.color;
      return both(condition(around, task),
                  laws_.number(color, task) + " = " + laws_.number(color, "g"));
    };
    out.stands = both(condition(around, "g"), laws_.number(o.group.place, "g") + " = 0");
    return out;
  }

  // What is computed before a call. Where it may be so short that a microsecond matters, the rest
  // of one execution is carried on to the next, if how many came before can be said.
  void compute(std::uint32_t site, const Around& around, std::vector<std::string>& out) {
    const std::string ns = nanoseconds(site);
    if (ns.empty()) return;
    generate::SpokenTime said{.condition = condition(around, "t"), .now = ns};
    const bool is_number = ns.find_first_not_of("0123456789") == std::string::npos;
    const bool is_long = is_number && ns.size() > kShortTime;
    if (!is_long && around.place && !around.place->is_constant()) {
      said.is_carried = true;
      said.before = laws_.number(*around.place, "t") + "*" + ns;
      said.after = laws_.number(expr::simplify(*around.place + Expr(1)), "t") + "*" + ns;
    }
    statements_.compute(said, out);
  }

  // On average over all that come there.
  std::string nanoseconds(std::uint32_t site) const {
    const TimeLaw* found = nullptr;
    for (const TimeLaw& law : s_.program.times.laws) {
      if (law.delta.site != site || law.delta.what != Delta::What::compute) continue;
      if (found == nullptr || law.delta.from == trace::Path::kAny) found = &law;
    }
    if (found == nullptr || found->fit.curves.empty()) return "";
    const fit::Curve& curve = found->fit.curves.front();
    constexpr double kParts = 1e3;  // coefficients are whole numbers of them [1/kParts ns]
    std::string out;
    double constant = 0;
    for (std::size_t t = 0; t < curve.terms.size(); ++t) {
      const auto parts =
          static_cast<std::int64_t>(std::llround(std::min(curve.coefficients[t] * kParts, 1e15)));
      if (parts == 0) continue;
      if (curve.terms[t].empty()) constant += static_cast<double>(parts);
      out += (out.empty() ? "" : "+") + std::to_string(parts);
      for (const fit::Factor& f : curve.terms[t]) out += factor(f);
    }
    if (out.empty()) return "";
    // One number is rounded here rather than there.
    if (out == std::to_string(static_cast<std::int64_t>(constant))) {
      const auto ns = std::llround(constant / kParts);
      return ns == 0 ? "" : std::to_string(ns);
    }
    return fmt::format("REAL(({})/{})", out, static_cast<std::int64_t>(kParts));
  }

  // In real numbers. The language has the logarithm to the base of 10.
  std::string factor(const fit::Factor& f) const {
    const std::string name =
        f.variable == 0 ? "num_tasks" : task_size_name(s_.parameters[f.variable - 1].name);
    const auto sixths = static_cast<int>(std::lround(6 * f.exponent));
    std::string out;
    if (sixths > 0) out += fmt::format("*{}**({}/6)", name, sixths);
    if (sixths < 0) out += fmt::format("/{}**({}/6)", name, -sixths);
    for (int l = 0; l < f.logs; ++l) out += fmt::format("*(LOG10({})/LOG10(2))", name);
    return out;
  }

  const ScalableTrace& s_;
  trace::Places places_;
  const generate::Options& options_;
  TaskLaws laws_;
  ConceptualCalls calls_;
  std::vector<const Law*> trips_;
  generate::TaskNames names_;
  generate::TaskParameters parameters_;
  generate::TaskStatements statements_{names_, parameters_};
};

}  // namespace

Result<std::string> write_conceptual(const ScalableTrace& scalable,
                                     const generate::Options& options) {
  try {
    return Program(scalable, options).write();
  } catch (const Unwritable& u) {
    return Error{
        "this scalable trace cannot be written in coNCePTuaL: " + u.why +
        (u.suggests ? "" : "; take --language c, or make a trace with reprise extrapolate")};
  }
}

}  // namespace reprise::scalable
