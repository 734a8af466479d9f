#include "scalable/c_laws.hpp"

#include <fmt/format.h>

#include "expr/print.hpp"
#include "scalable/c_grids.hpp"
#include "scalable/law_terms.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using extrapolate::Law;
using extrapolate::NumberLaw;
using extrapolate::TermLaw;

bool is_natural(std::string_view name) {
  return name == "index" || name == "length" || (name.size() >= 2 && (name[0] == 't')) ||
         name.find('_') != std::string_view::npos;
}

// False if it is more than a choice.
bool collect(const expr::Expr& e, std::set<std::int64_t>& out) {
  if (e.is_constant()) out.insert(e.value());
  if (e.op() != expr::Op::conditional) return e.is_constant();
  return collect(e.operands()[1], out) && collect(e.operands()[2], out);
}

bool collect(const std::vector<TermLaw>& terms, std::set<std::int64_t>& out) {
  for (const TermLaw& t : terms) {
    if (!t.step.expression.is_constant(0)) return false;
    if (t.body.empty() && !collect(t.value.expression, out)) return false;
    if (!collect(t.body, out)) return false;
  }
  return true;
}

using Index = std::map<std::int64_t, std::int64_t>;

// The expression with other numbers for those that it chooses among.
expr::Expr renumbered(const expr::Expr& e, const Index& index) {
  return expr::map_choices(e, [&](const expr::Expr& chosen) -> expr::Expr {
    if (chosen.is_constant() && index.contains(chosen.value())) return index.at(chosen.value());
    throw Unwritable{"what is no number is calculated with"};
  });
}

std::vector<TermLaw> renumbered(std::vector<TermLaw> terms, const Index& index) {
  for (TermLaw& t : terms) {
    if (!t.step.expression.is_constant(0)) throw Unwritable{"what is no number goes on by steps"};
    if (t.body.empty()) t.value.expression = renumbered(t.value.expression, index);
    t.body = renumbered(std::move(t.body), index);
  }
  return terms;
}

// A value that stands for itself.
std::string word_of(std::int64_t special) {
  const std::string_view name = trace::special_name(special);
  return name.starts_with("MPI_") ? std::string(name) : "none";
}

// The expression with another added to it where it is no special value.
expr::Expr moved(const expr::Expr& e, const expr::Expr& by) {
  return expr::map_choices(e, [&](const expr::Expr& chosen) {
    return chosen.is_constant() && trace::is_special(chosen.value()) ? chosen : chosen + by;
  });
}

std::vector<TermLaw> moved(std::vector<TermLaw> terms, const expr::Expr& by) {
  for (TermLaw& t : terms) {
    if (t.body.empty()) t.value.expression = moved(t.value.expression, by);
    t.body = moved(std::move(t.body), by);
  }
  return terms;
}

}  // namespace

std::optional<std::size_t> grid_of(const NumberLaw& law) {
  const auto used = free_variables(law.expression);
  for (std::size_t d = 0; law.grid && d < expr::kMaxDimensions; ++d) {
    if (used.contains(expr::extent_name(d)) || used.contains(expr::coordinate_name(d)))
      return law.grid;
  }
  return std::nullopt;
}

std::string size_name(const std::string& parameter) { return "size_" + parameter; }

bool is_condition(const Law& law) {
  const auto e = expression_of(law);
  return e && is_condition(e->op());
}

std::optional<std::set<std::int64_t>> numbers_in(const Law& law) {
  std::set<std::int64_t> out;
  if (law.form == Law::Form::distribution || law.depth) return std::nullopt;
  const bool is_choice = law.form == Law::Form::indexed ? collect(law.number.expression, out)
                                                        : collect(terms_of(law), out);
  return is_choice ? std::optional(std::move(out)) : std::nullopt;
}

std::string CLaws::constant(std::int64_t v) const {
  if (trace::is_special(v)) return word_of(v);
  const bool is_long = v > INT32_MAX || v < -INT32_MAX;
  return std::to_string(v) + (is_long ? "LL" : "");
}

// The grids of different laws have their own variables.
std::string CLaws::number(const NumberLaw& law, const std::string& over) {
  if (law.expression.is_constant()) return constant(law.expression.value());
  std::vector<expr::Binding> own;
  const auto grid = grid_of(law);
  if (grid) (over.empty() ? grids_ : local_grids_).insert(*grid);
  const std::size_t dimensions = grid ? scalable_.program.grids.rules[*grid].dimensions : 0;
  for (std::size_t d = dimensions; grid && d < expr::kMaxDimensions; ++d) {
    for (const std::string& name : {expr::extent_name(d), expr::coordinate_name(d)}) {
      if (free_variables(law.expression).contains(name)) throw Unwritable{"a law leaves its grid"};
    }
  }
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto name = [&](const char* what) {
      return expr::Expr::variable(fmt::format("{}{}_{}[{}]", over, what, *grid, d));
    };
    own.push_back({expr::extent_name(d), name("d")});
    own.push_back({expr::coordinate_name(d), name("x")});
  }
  for (const std::string name : {"rank", "ranks"}) {
    if (!over.empty()) own.push_back({name, expr::Expr::variable(over + name)});
  }
  for (const auto& p : scalable_.parameters) {
    own.push_back({p.name, expr::Expr::variable(size_name(p.name))});
  }
  // What is a constant of MPI has its own name.
  const auto named = [](const expr::Expr& chosen) {
    const bool is_word = chosen.is_constant() && trace::is_special(chosen.value());
    return is_word ? expr::Expr::variable(word_of(chosen.value())) : chosen;
  };
  return expr::print_c(expr::map_choices(expr::substitute(law.expression, own), named), is_natural);
}

// How many values a pass of the terms has.
std::string CLaws::period(const std::vector<TermLaw>& terms) {
  std::string out;
  for (const TermLaw& t : terms) {
    std::string values = "(" + number(t.count) + ")";
    if (!t.body.empty()) values += " * (" + period(t.body) + ")";
    out += (out.empty() ? "" : " + ") + values;
  }
  return out;
}

// Statements that return the k-th value of the terms, moved by `base`.
std::string CLaws::passes(const std::vector<TermLaw>& terms, const std::string& indent) {
  std::string out;
  for (const TermLaw& t : terms) {
    const std::string each = t.body.empty() ? "1" : period(t.body);
    const bool is_open = t.count.expression.is_constant(trace::kUnbounded);
    out += fmt::format("{}each = {}; n = {};\n", indent, each, is_open ? "-1" : number(t.count));
    out += fmt::format("{}if (each > 0 && (n < 0 || k < n * each)) {{\n", indent);
    if (t.body.empty()) {
      out += fmt::format("{}  return base + ({}) + ({}) * k;\n", indent, number(t.value),
                         number(t.step));
    } else {
      out += fmt::format("{0}  base += ({1}) * (k / each);\n{0}  k %= each;\n", indent,
                         number(t.step));
      out += passes(t.body, indent + "  ");
    }
    out += fmt::format("{0}}}\n{0}k -= n * each;\n", indent);
  }
  return out;
}

std::string CLaws::function_of(const std::vector<TermLaw>& terms) {
  std::string body = passes(terms, "  ");
  const auto [entry, is_new] =
      functions_.emplace(body, fmt::format("series_{}", functions_.size()));
  if (is_new) in_order_.push_back(body);
  return entry->second;
}

std::string CLaws::value(const Law& law, const std::string& place, Asked& asked) {
  if (law.form == Law::Form::distribution) {
    throw Unwritable{
        "trip counts depend on the data (fit without --approximate, or generate from a trace)"};
  }
  if (law.local) {
    if (law.form != Law::Form::indexed) throw Unwritable{"a law in a communicator is a series"};
    const auto used = free_variables(law.number.expression);
    const auto grid = grid_of(law.number);
    if (grid) asked.grids.insert(*grid);
    asked.rank = asked.rank || grid || used.contains("rank");
    asked.ranks = asked.ranks || grid || used.contains("ranks");
    return number(law.number, kLocal);
  }
  if (law.form == Law::Form::placed) throw Unwritable{"a value follows from color and key"};
  NumberLaw whole = law.number;
  std::vector<TermLaw> terms = terms_of(law);
  if (law.depth) {
    const expr::Expr more = expr::Expr::variable(depth(*law.depth));
    whole.expression = moved(whole.expression, more);
    terms = moved(std::move(terms), more);
  }
  if (law.form == Law::Form::indexed) return number(whole);
  if (is_one_value(terms)) return number(terms[0].value);
  asked.place = true;
  return fmt::format("{}({})", function_of(terms), place);
}

std::string CLaws::choice(const Law& law, const Index& index, const std::string& place,
                          Asked& asked) {
  Law chosen = law;
  if (law.form == Law::Form::indexed) {
    chosen.number.expression = renumbered(law.number.expression, index);
  } else {
    chosen.terms = renumbered(terms_of(law), index);
    chosen.form = Law::Form::terms;
  }
  return value(chosen, place, asked);
}

std::vector<std::string> CLaws::seat(const Asked& asked, const std::string& communicator) const {
  std::vector<std::string> out;
  const auto line = [&](const char* name, const char* function) {
    out.push_back(
        fmt::format("const long long {}{} = {}({});", kLocal, name, function, communicator));
  };
  if (asked.rank) line("rank", "rank_in");
  if (asked.ranks) line("ranks", "size_of");
  for (const std::size_t g : asked.grids) out.push_back(on_grid(g, kLocal));
  return out;
}

// Statements that declare the extents of a grid and the place in it.
std::string CLaws::on_grid(std::size_t grid, const std::string& over) const {
  return fmt::format(
      "long long {0}d_{1}[{2}], {0}x_{1}[{2}]; grid_{1}({0}ranks, {0}rank, {0}d_{1}, {0}x_{1});",
      over, grid, scalable_.program.grids.rules[grid].dimensions);
}

std::string CLaws::declarations() const {
  std::string out = grids_in_c(scalable_.program.grids.rules, grids_, local_grids_);
  for (const auto& [number, text] : descents_) out += "\n" + text;
  for (const auto& [name, text] : depths_) {
    out += fmt::format(
        "static long long {}(void) {{\n  static long long known = -1;\n"
        "  if (known < 0) known = {};\n  return known;\n}}\n",
        name, text);
  }
  for (const std::string& body : in_order_) {
    out += fmt::format(
        "\n/* The k-th value of a series. */\nstatic long long {}(long long k) {{\n"
        "  long long base = 0, n, each;\n{}  return 0;\n}}\n",
        functions_.at(body), body);
  }
  return out;
}

std::string CLaws::start() const {
  std::string out;
  for (const std::size_t g : grids_)
    out += fmt::format("  grid_{0}(ranks, rank, d_{0}, x_{0});\n", g);
  return out;
}

}  // namespace reprise::scalable
