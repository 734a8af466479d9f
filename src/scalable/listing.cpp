#include "scalable/listing.hpp"

#include <algorithm>
#include <set>

#include "analyze/describe.hpp"
#include "expr/print.hpp"
#include "scalable/law_terms.hpp"
#include "trace/places.hpp"
#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using compress::LoopTree;
using extrapolate::Law;
using extrapolate::NumberLaw;
using extrapolate::Parameter;
using extrapolate::TermLaw;
using trace::Column;
using trace::Kind;

// Behind a law over the rank in a communicator.
constexpr std::string_view kThere = " in the communicator";

const Column kNumber{"", Kind::integer, -1};

// With names for numbers that have one, where they are what a condition chooses.
expr::Expr with_names(const expr::Expr& e, const Column& column) {
  return expr::map_choices(e, [&](const expr::Expr& chosen) {
    return chosen.is_constant()
               ? expr::Expr::variable(analyze::describe_number(column, chosen.value()))
               : chosen;
  });
}

std::string number_text(const expr::Expr& e, const Column& column) {
  return expr::print(with_names(e, column));
}

std::string terms_text(const std::vector<TermLaw>& terms, const Column& column) {
  std::string out;
  for (const TermLaw& t : terms) {
    if (!out.empty()) out += ", ";
    out += t.body.empty() ? number_text(t.value.expression, column)
                          : "(" + terms_text(t.body, column) + ")";
    const expr::Expr& step = t.step.expression;
    if (!step.is_constant(0)) out += " step " + expr::print(step);
    const expr::Expr& count = t.count.expression;
    if (count.is_constant(0)) {
      out += " ...";
    } else if (!count.is_constant(1)) {
      out += " x " + expr::print(count);
    }
  }
  return out;
}

// As the listing of a trace leaves it out (docs/notation.md).
bool says_nothing(const Law& law, const Column& column) {
  if (law.form == Law::Form::none || column.kind == Kind::matched) return true;
  if (law.encoding != trace::Encoding::absolute) return false;
  const auto value = constant_of(law);
  if (!value) return false;
  if (*value == trace::kNone) return true;
  const bool is_zero = column.kind == Kind::polls || column.kind == Kind::buffer;
  return (is_zero && *value == 0) || (column.kind == Kind::comm && *value == trace::kWorld);
}

class Lister {
 public:
  explicit Lister(const ScalableTrace& scalable)
      : program_(scalable.program),
        trips_(program_.tree.items.size()),
        columns_(program_.sites.size()) {
    for (const Parameter& p : program_.parameters) {
      if (p.slot.is_trips()) {
        trips_[p.slot.item] = &p.law;
      } else {
        columns_[p.slot.site].push_back(&p.law);
      }
    }
  }

  std::vector<ListingLine> run() {
    body(0, 0);
    return std::move(lines_);
  }

 private:
  std::string condition_of(std::uint32_t item) const {
    const Law& law = *trips_[item];
    if (constant_of(law) == 1) return "";
    const std::string text = law_text(law, kNumber);
    return program_.repeated[item] ? text + " times" : "if " + text;
  }

  // What is in a body; neighbours under one condition stand under it once.
  void body(std::uint32_t parent, std::size_t depth) {
    std::string before;
    for (const std::uint32_t item : program_.tree.items[parent].body) {
      const std::string condition = condition_of(item);
      const bool is_call = program_.tree.items[item].site != LoopTree::kBody;
      if (condition.empty()) {
        is_call ? call(item, depth, "") : body(item, depth);
      } else if (program_.repeated[item]) {
        if (is_call) {
          call(item, depth, condition);
        } else {
          lines_.push_back({depth, condition, "", std::nullopt});
          body(item, depth + 1);
        }
      } else {
        if (condition != before) lines_.push_back({depth, condition, "", std::nullopt});
        is_call ? call(item, depth + 1, "") : body(item, depth + 1);
      }
      before = program_.repeated[item] ? "" : condition;
    }
  }

  void call(std::uint32_t item, std::size_t depth, const std::string& condition) {
    const std::uint32_t site = program_.tree.items[item].site;
    const trace::Function& f = trace::function(program_.sites[site].function);
    const std::vector<const Law*>& laws = columns_[site];
    const bool of_world =
        f.communicator >= 0 &&
        constant_of(*laws[static_cast<std::size_t>(f.communicator)]) == trace::kWorld;
    std::string arguments;
    const auto add = [&](const std::string& text) {
      arguments += (arguments.empty() ? "" : ", ") + text;
    };
    for (std::size_t c = 0; c < f.scalars.size(); ++c) {
      if (says_nothing(*laws[c], f.scalars[c])) continue;
      add(std::string(f.scalars[c].name) + " = " + law_text(*laws[c], f.scalars[c], of_world));
    }
    for (std::size_t l = 0; l < f.lists.size(); ++l) {
      const Law& length = *laws[f.scalars.size() + 2 * l];
      const Law& elements = *laws[f.scalars.size() + 2 * l + 1];
      if (constant_of(length) == 0 || says_nothing(elements, f.lists[l])) continue;
      add(std::string(f.lists[l].name) + "[" + law_text(length, kNumber) +
          "] = " + law_text(elements, f.lists[l]));
    }
    lines_.push_back({depth, condition, std::string(f.name) + "(" + arguments + ")",
                      program_.sites[site].callpath});
  }

  const extrapolate::Scalable& program_;
  std::vector<const Law*> trips_;                 // by item
  std::vector<std::vector<const Law*>> columns_;  // [sites x columns]
  std::vector<ListingLine> lines_;
};

// "rank + 1", and for the ranks before "rank - d0": what is ranks - d0 further is d0 before.
std::string around_text(const expr::Expr& e, const std::string& text) {
  const bool is_before = e.op() == expr::Op::subtract && e.operands()[0].is_variable() &&
                         e.operands()[0].name() == expr::kRanks;
  if (!is_before) return "rank + " + text;
  const expr::Expr& by = e.operands()[1];
  const std::string of = expr::print(by);
  return "rank - " + (by.operands().empty() ? of : "(" + of + ")");
}

}  // namespace

std::string law_text(const Law& law, const Column& column, bool of_world) {
  if (law.form == Law::Form::distribution || law.form == Law::Form::placed) {
    return "(" + print(law) + ")";
  }
  if (law.depth) {
    Law rest = law;
    rest.depth.reset();
    return print(*law.depth, law_text(rest, column, of_world));
  }
  std::string text;
  bool is_plain = true;  // one number
  if (law.form == Law::Form::indexed) {
    text = number_text(law.number.expression, column);
  } else {
    const std::vector<TermLaw> terms = terms_of(law);
    is_plain = is_one_value(terms);
    text = is_plain ? number_text(terms[0].value.expression, column)
                    : "{" + terms_text(terms, column) + "}";
  }
  if (law.local) return text + std::string(kThere);
  if (law.encoding == trace::Encoding::absolute) return text;
  const bool special = is_plain && constant_of(law) && trace::is_special(*constant_of(law));
  if (special) return text;
  if (law.encoding == trace::Encoding::exclusive_or) return "rank ^ " + text;
  if (!is_plain || !of_world) return "rank + " + text;
  return around_text(*expression_of(law), text);
}

std::vector<ListingLine> list_laws(const ScalableTrace& scalable) { return Lister(scalable).run(); }

std::vector<std::string> explain_names(const ScalableTrace& scalable) {
  std::set<std::string> used;
  std::set<std::size_t> grids;
  bool relative = false, local = false;
  std::set<std::uint32_t> descents;
  const auto visit = [&](const NumberLaw& n) {
    const auto names = free_variables(n.expression);
    used.insert(names.begin(), names.end());
    const bool on_grid = std::ranges::any_of(
        names, [](const std::string& v) { return v.size() == 2 && (v[0] == 'x' || v[0] == 'd'); });
    if (n.grid && on_grid) grids.insert(*n.grid);
  };
  for (const Parameter& p : scalable.program.parameters) {
    relative = relative || p.law.encoding == trace::Encoding::relative;
    local = local || p.law.local;
    if (p.law.depth && descents.insert(p.law.depth->descent).second) {
      visit(scalable.program.descents[p.law.depth->descent].goes_on);
    }
    if (p.law.form == Law::Form::indexed) visit(p.law.number);
    if (p.law.form == Law::Form::terms) for_each_number(p.law.terms, visit);
  }
  const auto begins = [&](char c) {
    return std::ranges::any_of(used, [c](const std::string& v) {
      return v.size() == 2 && v[0] == c && '0' <= v[1] && v[1] <= '9';
    });
  };
  std::vector<std::string> out;
  if (relative) out.emplace_back("rank + ...: modulo the size of the communicator");
  if (local) {
    out.push_back(
        "..." + std::string(kThere) +
        ": the rank in the call's communicator, the number of ranks there, and their grid");
  }
  for (const std::uint32_t d : descents) {
    const extrapolate::Descent& descent = scalable.program.descents[d];
    const extrapolate::Site& site = scalable.program.sites[descent.site];
    out.push_back(extrapolate::name_of(extrapolate::Depth{d, false}) + ", " +
                  extrapolate::name_of(extrapolate::Depth{d, true}) + ": how often " +
                  trace::describe_call(scalable.frame, site.function, site.callpath) +
                  " splits what it has made, on this rank and on rank 0; it goes on where '" +
                  expr::print(descent.goes_on.expression) + "'" + std::string(kThere));
  }
  for (const std::size_t g : grids) {
    out.push_back("d0, d1, ...: the extents of the grid of the ranks (" +
                  scalable.program.grids.rules[g].describe() +
                  "), x0, x1, ...: the place of the rank in it; d0 varies fastest");
  }
  if (begins('i'))
    out.emplace_back("i0, i1, ...: indices of the loops around, the outermost first");
  if (begins('t')) out.emplace_back("t0, t1, ...: trip counts of the loops around");
  if (used.contains("index")) out.emplace_back("index, length: of the elements of a list");
  return out;
}

}  // namespace reprise::scalable
