#include "scalable/c_laws.hpp"

#include <fmt/format.h>

#include "expr/print.hpp"
#include "scalable/law_terms.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using extrapolate::Law;
using extrapolate::NumberLaw;
using extrapolate::TermLaw;
using infer::GridRule;

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
  if (e.is_constant() && index.contains(e.value())) return index.at(e.value());
  if (e.op() == expr::Op::conditional) {
    return expr::Expr::conditional(e.operands()[0], renumbered(e.operands()[1], index),
                                   renumbered(e.operands()[2], index));
  }
  throw Unwritable{"what is no number is calculated with"};
}

std::vector<TermLaw> renumbered(std::vector<TermLaw> terms, const Index& index) {
  for (TermLaw& t : terms) {
    if (!t.step.expression.is_constant(0)) throw Unwritable{"what is no number goes on by steps"};
    if (t.body.empty()) t.value.expression = renumbered(t.value.expression, index);
    t.body = renumbered(std::move(t.body), index);
  }
  return terms;
}

constexpr const char* kGridHelpers = R"(
/* The grid that the ranks form, ascending: prime factors, the largest first, each to the least extent. */
static void balanced(long long n, int dimensions, long long *extents) {
  long long factors[64];
  int found = 0;
  for (int i = 0; i < dimensions; i++) extents[i] = 1;
  for (long long p = 2; p * p <= n; p++)
    for (; n % p == 0; n /= p) factors[found++] = p;
  if (n > 1) factors[found++] = n;
  while (found > 0) {
    int least = 0;
    for (int i = 1; i < dimensions; i++)
      if (extents[i] < extents[least]) least = i;
    extents[least] *= factors[--found];
  }
  for (int i = 1; i < dimensions; i++)
    for (int k = i; k > 0 && extents[k] < extents[k - 1]; k--) {
      const long long swapped = extents[k];
      extents[k] = extents[k - 1];
      extents[k - 1] = swapped;
    }
}
)";

// Statements that find the extents of a rule, in `e`.
std::string extents_in_c(const GridRule& rule) {
  const std::size_t n = rule.dimensions;
  switch (rule.kind) {
    case GridRule::Kind::line: return "e[0] = ranks;";
    case GridRule::Kind::power:
      return fmt::format(
          "{{ long long k = 1; while ({0} < ranks) k++; if ({0} != ranks) no_grid(); "
          "for (int i = 0; i < {1}; i++) e[i] = k; }}",
          n == 2   ? "k * k"
          : n == 3 ? "k * k * k"
                   : "k * k * k * k",
          n);
    case GridRule::Kind::balanced: return fmt::format("balanced(ranks, {}, e);", n);
    case GridRule::Kind::fixed:
      return fmt::format("if (ranks % {1} != 0) no_grid(); balanced(ranks / {1}, {0}, e);", n - 1,
                         rule.fixed_extent);
    case GridRule::Kind::closest:
    case GridRule::Kind::greedy:
    case GridRule::Kind::listed: break;
  }
  throw Unwritable{"its ranks form a grid by a rule that takes a search (" + rule.describe() + ")"};
}

}  // namespace

std::string size_name(const std::string& parameter) { return "size_" + parameter; }

bool is_condition(const Law& law) {
  const auto e = expression_of(law);
  return e && is_condition(e->op());
}

std::optional<std::set<std::int64_t>> numbers_in(const Law& law) {
  std::set<std::int64_t> out;
  if (law.form == Law::Form::distribution) return std::nullopt;
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

std::string CLaws::name_on(std::size_t grid, const std::string& name) const {
  return fmt::format("{}_{}", name, grid);
}

// The grids of different laws have their own variables.
std::string CLaws::number(const NumberLaw& law) {
  if (law.expression.is_constant()) return constant(law.expression.value());
  std::vector<expr::Binding> own;
  const auto used = free_variables(law.expression);
  for (std::size_t d = 0; law.grid && d < expr::kMaxDimensions; ++d) {
    for (const std::string& name : {expr::extent_name(d), expr::coordinate_name(d)}) {
      if (!used.contains(name)) continue;
      grids_.insert(*law.grid);
      own.push_back({name, expr::Expr::variable(name_on(*law.grid, name))});
    }
  }
  for (const auto& p : scalable_.parameters) {
    own.push_back({p.name, expr::Expr::variable(size_name(p.name))});
  }
  // What is a constant of MPI has its own name.
  const auto named = [&](const auto& self, const expr::Expr& e) -> expr::Expr {
    if (e.is_constant() && trace::is_special(e.value())) {
      const std::string word(trace::special_name(e.value()));
      return expr::Expr::variable(e.value() == trace::kNone || word.find("MPI_") != 0 ? "none"
                                                                                      : word);
    }
    if (e.operands().empty()) return e;
    std::vector<expr::Expr> operands;
    for (const expr::Expr& o : e.operands()) operands.push_back(self(self, o));
    return expr::Expr::make(e.op(), operands);
  };
  const std::string text =
      expr::print_c(named(named, expr::substitute(law.expression, own)), is_natural);
  return text;
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

std::string CLaws::value(const Law& law, const std::string& place, bool& asks_place) {
  if (law.form == Law::Form::distribution) {
    throw Unwritable{
        "trips depend on the data (fit without --approximate, or generate from a trace)"};
  }
  if (law.local) throw Unwritable{"a law is one of ranks in a communicator"};
  if (law.depth) throw Unwritable{"a law counts from the depth of a recursion"};
  if (law.form == Law::Form::indexed) return number(law.number);
  const std::vector<TermLaw> terms = terms_of(law);
  if (is_one_value(terms)) return number(terms[0].value);
  asks_place = true;
  return fmt::format("{}({})", function_of(terms), place);
}

std::string CLaws::choice(const Law& law, const Index& index, const std::string& place,
                          bool& asks_place) {
  Law chosen = law;
  if (law.form == Law::Form::indexed) {
    chosen.number.expression = renumbered(law.number.expression, index);
  } else {
    chosen.terms = renumbered(terms_of(law), index);
    chosen.form = Law::Form::terms;
  }
  return value(chosen, place, asks_place);
}

std::string CLaws::declarations() const {
  std::string out, names;
  bool balances = false, fails = false;
  for (const std::size_t g : grids_) {
    const GridRule& rule = scalable_.program.grids.rules[g];
    balances =
        balances || rule.kind == GridRule::Kind::balanced || rule.kind == GridRule::Kind::fixed;
    fails = fails || rule.kind == GridRule::Kind::power || rule.kind == GridRule::Kind::fixed;
    for (std::size_t d = 0; d < rule.dimensions; ++d) {
      names += fmt::format("{}{}, {}", names.empty() ? "" : ", ", name_on(g, expr::extent_name(d)),
                           name_on(g, expr::coordinate_name(d)));
    }
  }
  if (!names.empty()) {
    out += "/* Extents of the grid that the ranks form, and the place in it of this one. */\n";
    out += "static long long " + names + ";\n";
    if (fails) out += "static void no_grid(void) { stop(\"so many ranks form no grid\"); }\n";
  }
  if (balances) out += kGridHelpers;
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
  for (const std::size_t g : grids_) {
    const GridRule& rule = scalable_.program.grids.rules[g];
    const std::size_t found =
        rule.kind == GridRule::Kind::fixed ? rule.dimensions - 1 : rule.dimensions;
    out += fmt::format("  {{\n    long long e[{}], rest = rank;\n    {}\n", rule.dimensions,
                       extents_in_c(rule));
    std::size_t next = 0;
    for (std::size_t d = 0; d < rule.dimensions; ++d) {
      const bool is_fixed = rule.kind == GridRule::Kind::fixed && d == rule.fixed_dimension;
      const std::size_t from = rule.smallest_first ? next : found - 1 - next;
      if (!is_fixed) ++next;
      out += fmt::format("    {0} = {2}; {1} = rest % {0}; rest /= {0};\n",
                         name_on(g, expr::extent_name(d)), name_on(g, expr::coordinate_name(d)),
                         is_fixed ? std::to_string(rule.fixed_extent) : fmt::format("e[{}]", from));
    }
    out += "    (void)rest;\n  }\n";
  }
  return out;
}

}  // namespace reprise::scalable
