#include "scalable/c_laws.hpp"

#include <fmt/format.h>

#include "expr/print.hpp"
#include "extrapolate/split_columns.hpp"
#include "scalable/c_grids.hpp"
#include "scalable/law_terms.hpp"
#include "trace/call_cursor.hpp"
#include "trace/predefined.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using extrapolate::Depth;
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

constexpr const char* kLocal = "local_";

// The grid that a law's value takes.
std::optional<std::size_t> grid_of(const NumberLaw& law) {
  const auto used = free_variables(law.expression);
  for (std::size_t d = 0; law.grid && d < expr::kMaxDimensions; ++d) {
    if (used.contains(expr::extent_name(d)) || used.contains(expr::coordinate_name(d)))
      return law.grid;
  }
  return std::nullopt;
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
  if (v == trace::kNone || v == trace::kNull) return "-1";
  if (trace::is_special(v)) return std::string(trace::special_name(v));
  const bool is_long = v > INT32_MAX || v < -INT32_MAX;
  return std::to_string(v) + (is_long ? "LL" : "");
}

// The grids of different laws have their own variables.
std::string CLaws::number(const NumberLaw& law, const std::string& over) {
  if (law.expression.is_constant()) return constant(law.expression.value());
  std::vector<expr::Binding> own;
  const auto grid = grid_of(law);
  if (grid) grids_.insert(*grid);
  for (std::size_t d = 0; grid && d < expr::kMaxDimensions; ++d) {
    const auto name = [&](const char* what) {
      return expr::Expr::variable(fmt::format("{}{}_{}[{}]", over, what, *grid, d));
    };
    own.push_back({expr::extent_name(d), name("n")});
    own.push_back({expr::coordinate_name(d), name("d")});
  }
  for (const std::string name : {"rank", "ranks"}) {
    if (!over.empty()) own.push_back({name, expr::Expr::variable(over + name)});
  }
  for (const auto& p : scalable_.parameters) {
    own.push_back({p.name, expr::Expr::variable(size_name(p.name))});
  }
  // What is a constant of MPI has its own name.
  const auto named = [](const expr::Expr& chosen) {
    if (!chosen.is_constant() || !trace::is_special(chosen.value())) return chosen;
    const std::string word(trace::special_name(chosen.value()));
    return expr::Expr::variable(word.starts_with("MPI_") ? word : "none");
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
        "trips depend on the data (fit without --approximate, or generate from a trace)"};
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
      "long long {0}n_{1}[{2}], {0}d_{1}[{2}]; grid_{1}({0}ranks, {0}rank, {0}n_{1}, {0}d_{1});",
      over, grid, scalable_.program.grids.rules[grid].dimensions);
}

// A function of the rank in a communicator and its size.
std::string CLaws::in_communicator(const std::string& name, const NumberLaw& law) {
  const std::string text = number(law);
  return fmt::format(
      "static long long {}(long long rank, long long ranks) {{\n  (void)rank, (void)ranks;\n{}"
      "  return {};\n}}\n",
      name, grid_of(law) ? "  " + on_grid(*law.grid, "") + "\n" : "", text);
}

// The recursion is gone through on paper: who shares a communicator with a rank, and which rank it
// gets there (MPI 3.1, section 6.4.2), level by level.
std::string CLaws::descent(std::uint32_t number) {
  const extrapolate::Descent& descent = scalable_.program.descents[number];
  std::map<std::uint32_t, const Law*> columns;
  trace::FunctionId function = scalable_.program.sites[descent.site].function;
  for (const extrapolate::Parameter& p : scalable_.program.parameters) {
    if (!p.slot.is_trips() && p.slot.site == descent.site) columns[p.slot.column] = &p.law;
  }
  const auto split = extrapolate::split_columns(trace::function(function));
  if (!split) throw Unwritable{"a recursion splits by something else than colors and keys"};
  const auto law_at = [&](std::size_t column) {
    const Law& law = *columns.at(static_cast<std::uint32_t>(column));
    if (law.local && law.form == Law::Form::indexed) return law.number;
    const auto v = constant_of(law);
    if (!v) throw Unwritable{"a recursion splits by what is no law in its communicator"};
    return NumberLaw{.expression = *v};
  };
  const std::string own = fmt::format("_{}", number);
  return in_communicator("goes_on" + own, descent.goes_on) +
         in_communicator("color" + own, law_at(split->color)) +
         in_communicator("key" + own, law_at(split->key)) +
         fmt::format(
             R"(/* How often a rank splits what it has made, from its rank in a communicator of so many on. */
static long long descend{0}(long long rank, long long ranks) {{
  long long depth = 0;
  for (const long long most = ranks; depth <= most && goes_on{0}(rank, ranks);) {{
    const long long color = color{0}(rank, ranks), key = key{0}(rank, ranks);
    long long before = 0, members = 0;
    depth++;
    if (color == MPI_UNDEFINED) break;
    for (long long r = 0; r < ranks; r++) {{
      if (color{0}(r, ranks) != color) continue;
      const long long other = key{0}(r, ranks);
      before += other < key || (other == key && r < rank);
      members++;
    }}
    rank = before;
    ranks = members;
  }}
  return depth;
}}
)",
             own);
}

std::string CLaws::depth(const Depth& depth) {
  const extrapolate::Descent& descent = scalable_.program.descents[depth.descent];
  const expr::Expr& first = descent.first.expression;
  if (!first.is_constant())
    throw Unwritable{"a recursion starts from one of several communicators"};
  const std::uint32_t d = depth.descent;
  if (!descents_.contains(d)) descents_[d] = this->descent(d);
  const bool whole = is_whole(first.value());
  if (depth.of_rank_0 && !whole) {
    throw Unwritable{"a recursion of rank 0 starts from a part of all ranks"};
  }
  const std::string comm = objects_.handle(trace::Kind::comm, first.value());
  const std::string name = name_of(depth);
  depths_.emplace(name, fmt::format("descend_{}({})", d,
                                    depth.of_rank_0 ? "0, ranks"
                                    : whole         ? "rank, ranks"
                                            : fmt::format("rank_in({0}), size_of({0})", comm)));
  return name + "()";
}

// Whether a communicator has all ranks in their order.
bool CLaws::is_whole(std::int64_t comm) const {
  if (comm == trace::kWorld) return true;
  const auto& parameters = scalable_.program.parameters;
  for (std::size_t i = 0; i + 2 < parameters.size(); ++i) {
    const extrapolate::Parameter& made = parameters[i];
    if (made.slot.is_trips()) continue;
    const trace::Function& f = trace::function(scalable_.program.sites[made.slot.site].function);
    if (trace::made_column(f, trace::Kind::comm) != made.slot.column) continue;
    if (constant_of(made.law) != comm) continue;
    // Behind the communicator stand the rank in it and its size.
    const auto says = [&](const Law& law, const char* name) {
      if (law.form == Law::Form::placed) return false;
      const auto e = expression_of(law);
      return e && e->is_variable() && e->name() == name;
    };
    return says(parameters[i + 1].law, "rank") && says(parameters[i + 2].law, "ranks");
  }
  return false;
}

std::string CLaws::declarations() const {
  std::string out = grids_in_c(scalable_.program.grids.rules, grids_);
  for (const std::string& body : in_order_) {
    out += fmt::format(
        "\n/* The k-th value of a series. */\nstatic long long {}(long long k) {{\n"
        "  long long base = 0, n, each;\n{}  return 0;\n}}\n",
        functions_.at(body), body);
  }
  for (const auto& [number, text] : descents_) out += "\n" + text;
  for (const auto& [name, text] : depths_) {
    out += fmt::format(
        "static long long {}(void) {{\n  static long long known = -1;\n"
        "  if (known < 0) known = {};\n  return known;\n}}\n",
        name, text);
  }
  return out;
}

std::string CLaws::start() const {
  std::string out;
  for (const std::size_t g : grids_)
    out += fmt::format("  grid_{0}(ranks, rank, n_{0}, d_{0});\n", g);
  return out;
}

}  // namespace reprise::scalable
