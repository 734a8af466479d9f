#include "scalable/explain.hpp"

#include <algorithm>

#include "expr/conditions.hpp"
#include "expr/simplify.hpp"
#include "program/build.hpp"
#include "program/nodes/callers.hpp"
#include "program/nodes/functions.hpp"
#include "program/nodes/procedures.hpp"
#include "scalable/law_terms.hpp"
#include "scalable/law_value.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::scalable {
namespace {

using compress::LoopTree;
using expr::Expr;
using expr::Op;
using extrapolate::Law;
using program::Node;
using program::Value;
using trace::Kind;

// Who comes by a place, and the loops around it.
struct Around {
  std::optional<WorldSamples::Selected> coming;  // none: not known
  std::size_t loops = 0;
  std::vector<expr::Binding> trips = {};  // of those whose trip count is an expression
};

// The computation before each call, on average over all that come there.
std::vector<std::optional<fit::Curve>> computation_of(const ScalableTrace& s) {
  using extrapolate::Delta;
  std::vector<std::optional<fit::Curve>> out(s.program.sites.size());
  std::vector<bool> is_whole(out.size(), false);
  for (const extrapolate::TimeLaw& law : s.program.times.laws) {
    const std::uint32_t site = law.delta.site;
    if (law.delta.what != Delta::What::compute || law.fit.curves.empty()) continue;
    const bool is_of_all = law.delta.from == trace::Path::kAny;
    if (out[site] && (is_whole[site] || !is_of_all)) continue;
    out[site] = law.fit.curves.front();
    is_whole[site] = is_of_all;
  }
  return out;
}

bool has_loop_variables(const Expr& e, std::size_t loops) {
  const auto used = expr::free_variables(e);
  for (std::size_t d = 0; d < loops; ++d) {
    if (used.contains(program::loop_index(d)) || used.contains(program::loop_trips(d))) return true;
  }
  return false;
}

class Explainer {
 public:
  Explainer(const ScalableTrace& scalable, const program::Program& program, const LawNames& names)
      : program_(scalable.program),
        worlds_(program),
        values_(names, worlds_),
        trips_(program_.tree.items.size()),
        columns_(program_.sites.size()) {
    for (const extrapolate::Parameter& p : program_.parameters) {
      if (p.slot.is_trips()) {
        trips_[p.slot.item] = &p.law;
      } else {
        columns_[p.slot.site].push_back(&p.law);
      }
    }
  }

  std::vector<Node> run() {
    std::vector<Node> out;
    item(0, {worlds_.all()}, out);
    return out;
  }

 private:
  // Those of the ranks that come by on which a condition holds.
  Around where(const Around& around, const Expr& condition) const {
    Around out = around;
    if (!out.coming) return out;
    if (worlds_.knows(condition)) {
      out.coming = worlds_.among(*out.coming, condition);
    } else {
      out.coming.reset();
    }
    return out;
  }

  LawPlace place(const Around& around) const {
    return {.loops = around.trips, .coming = around.coming ? &*around.coming : nullptr};
  }

  void item(std::uint32_t i, const Around& around, std::vector<Node>& out) {
    const Law& law = *trips_[i];
    const bool is_loop = program_.repeated[i];
    if (constant_of(law) == 1 && !is_loop) return body(i, around, out);
    Value trips = values_.value(law, place(around));
    if (is_loop) return loop(i, std::move(trips), around, out);
    const Expr* e = trips.expression();
    std::optional<Expr> condition;
    if (e || trips.cases.size() > 1) condition = condition_of(trips);
    if (!condition || has_loop_variables(*condition, around.loops))
      return sometimes(i, std::move(trips), around, out);
    if (around.coming && worlds_.knows(*condition))
      condition = worlds_.shortest(*condition, *around.coming);
    std::vector<Node> inner;
    body(i, where(around, *condition), inner);
    for (Node& n : inner) {
      n.who.condition = expr::simplify(Expr::make(Op::logical_and, *condition, *n.who.condition));
      out.push_back(std::move(n));
    }
  }

  // Whether a number is not 0, if expressions tell.
  static std::optional<Expr> condition_of(const Value& trips) {
    std::optional<Expr> out;
    for (auto c = trips.cases.rbegin(); c != trips.cases.rend(); ++c) {
      const Expr* e = std::get_if<Expr>(&c->content);
      if (!e) return std::nullopt;
      const bool is_truth = is_condition(e->op()) || e->is_constant(0) || e->is_constant(1);
      const Expr here = is_truth ? *e : Expr::make(Op::greater, *e, Expr(0));
      out = out ? Expr::conditional(*c->who.condition, here, *out) : here;
    }
    return expr::simplify(*out);
  }

  // Taken in some of the executions.
  void sometimes(std::uint32_t i, Value trips, Around around, std::vector<Node>& out) {
    Node node;
    node.kind = Node::Kind::condition;
    node.who = everyone();
    node.trips = std::move(trips);
    node.depth = around.loops;
    around.coming.reset();
    body(i, around, node.body);
    if (!node.body.empty()) out.push_back(std::move(node));
  }

  void loop(std::uint32_t i, Value trips, Around around, std::vector<Node>& out) {
    Node node;
    node.kind = Node::Kind::loop;
    node.who = everyone();
    node.depth = around.loops;
    // Ranks that make no trips do not come by.
    const bool is_on_some = trips.cases.size() == 2 &&
                            std::holds_alternative<Expr>(trips.cases[1].content) &&
                            std::get<Expr>(trips.cases[1].content).is_constant(0);
    if (is_on_some) {
      node.who = trips.cases[0].who;
      around = where(around, *node.who.condition);
      trips.cases = {{everyone(), std::move(trips.cases[0].content)}};
    }
    const std::string name = program::loop_trips(around.loops);
    if (const Expr* e = trips.expression()) around.trips.push_back({name, *e});
    node.trips = std::move(trips);
    ++around.loops;
    body(i, around, node.body);
    if (!node.body.empty()) out.push_back(std::move(node));
  }

  void body(std::uint32_t i, const Around& around, std::vector<Node>& out) {
    const LoopTree::Item& of = program_.tree.items[i];
    if (of.site != LoopTree::kBody) {
      out.push_back(call(of.site, around));
      return;
    }
    for (const std::uint32_t child : of.body) item(child, around, out);
  }

  Node call(std::uint32_t site, const Around& around) {
    const trace::Function& f = trace::function(program_.sites[site].function);
    const std::vector<const Law*>& laws = columns_[site];
    const bool is_world =
        f.communicator >= 0 &&
        f.scalars[static_cast<std::size_t>(f.communicator)].kind == Kind::comm &&
        constant_of(*laws[static_cast<std::size_t>(f.communicator)]) == trace::kWorld;
    Node out;
    out.kind = Node::Kind::call;
    out.call = site;
    out.who = everyone();
    for (std::size_t c = 0; c < f.scalars.size(); ++c) {
      LawPlace here = place(around);
      here.is_peer = f.scalars[c].kind == Kind::peer || f.scalars[c].kind == Kind::matched;
      here.is_world = is_world;
      for (const Kind kind : {Kind::comm, Kind::window}) {
        const auto made = trace::made_column(f, kind);
        if (made && c == *made + 1) here.placed = Expr::variable(program::kNewRank);
        if (made && c == *made + 2) here.placed = Expr::variable(program::kNewSize);
      }
      out.arguments.push_back({f.scalars[c], values_.value(*laws[c], here), {}});
    }
    for (std::size_t l = 0; l < f.lists.size(); ++l) {
      const Law& length = *laws[f.scalars.size() + 2 * l];
      const Law& elements = *laws[f.scalars.size() + 2 * l + 1];
      LawPlace here = place(around);
      here.is_peer = f.lists[l].kind == Kind::peer || f.lists[l].kind == Kind::matched;
      here.is_world = is_world;
      here.length = constant_of(length);
      here.is_once = around.loops == 0;
      out.arguments.push_back(
          {f.lists[l], values_.value(elements, here), values_.value(length, place(around))});
    }
    return out;
  }

  const extrapolate::Scalable& program_;
  WorldSamples worlds_;
  LawValues values_;
  std::vector<const Law*> trips_;                 // by item
  std::vector<std::vector<const Law*>> columns_;  // [sites x columns]
};

}  // namespace

program::Program explain(const ScalableTrace& scalable, Functions functions) {
  program::Program out;
  out.trace = &scalable.frame;
  out.domain = scalable.domain;
  for (const auto& p : scalable.parameters) out.sizes.push_back(p.name);
  const LawNames names(scalable);
  names.put_grids(out);
  for (const extrapolate::Descent& d : scalable.program.descents)
    out.recursions.push_back({d.site, names.named(d.first, false), names.named(d.goes_on, true)});
  out.computation = computation_of(scalable);
  out.body = Explainer(scalable, out, names).run();
  if (functions == Functions::told) {
    out.body = program::by_function(scalable.frame, std::move(out.body));
    program::find_callers(out);
    program::find_procedures(out);
  }
  program::finish(out, nullptr);
  return out;
}

}  // namespace reprise::scalable
