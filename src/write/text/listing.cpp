#include "write/text/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "analyze/text/streams_text.hpp"
#include "expr/print.hpp"
#include "expr/program.hpp"
#include "program/nodes/distances.hpp"
#include "trace/calls/places.hpp"
#include "trace/series/series_search.hpp"
#include "write/text/call_words.hpp"
#include "write/text/calls_of_nodes.hpp"
#include "write/text/value_words.hpp"

namespace reprise::write {

using expr::Expr;
using expr::Op;
using program::Node;
using program::Value;
using program::Who;

namespace {

constexpr std::size_t kMostJoined = 76;   // characters of the calls of a function in one line
constexpr std::size_t kMostOnLine = 110;  // characters of a condition and what it is of
constexpr std::size_t kMostPassed = 3;    // arguments that go without their names

const trace::Column kNumber{"", trace::Kind::integer, -1};

std::string ordinal(std::int64_t n) {
  const char* end = n % 100 >= 11 && n % 100 <= 13 ? "th"
                    : n % 10 == 1                  ? "st"
                    : n % 10 == 2                  ? "nd"
                    : n % 10 == 3                  ? "rd"
                                                   : "th";
  return fmt::format("{}{}", n, end);
}

// The loop around a place.
struct Loop {
  std::string index;
  std::optional<std::int64_t> trips;
  bool is_named = false;  // lines ask for the index
};

// A condition on the iterations of the loop around it in words; empty if there are none for it.
std::string words_of(const Expr& e, const Loop& loop) {
  if ((e.op() != Op::equal && e.op() != Op::not_equal) || !e.operands()[1].is_constant()) return {};
  const Expr& number = e.operands()[0];
  const std::int64_t n = e.operands()[1].value();
  const bool is_equal = e.op() == Op::equal;
  if (number.is_variable() && number.name() == loop.index) {
    const bool is_first = n == 0, is_last = loop.trips && n == *loop.trips - 1;
    if ((!is_first && !is_last) || loop.is_named) return {};
    return fmt::format("{}the {} time", is_equal ? "" : "all but ", is_first ? "first" : "last");
  }
  if (number.op() != Op::modulo || !number.operands()[1].is_constant() || !is_equal) return {};
  const Expr& x = number.operands()[0];
  const std::int64_t period = number.operands()[1].value();
  if (!x.is_variable() || x.name() != loop.index || n != period - 1) return {};
  return fmt::format("every {} time", ordinal(period));
}

// Whether the node is a loop of so many passes as no expression tells, in functions or not.
bool is_open_loop(const program::Program& program, const Node& n) {
  switch (n.kind) {
    case Node::Kind::loop: return n.who.is_everyone() && !n.trips.expression();
    case Node::Kind::function: return n.body.size() == 1 && is_open_loop(program, n.body[0]);
    case Node::Kind::invocation: {
      const std::vector<Node>& body = program.procedures[n.procedure].body;
      return body.size() == 1 && is_open_loop(program, body[0]);
    }
    default: return false;
  }
}

// Where a node is looked at: in one iteration of a loop around it.
struct Place {
  std::vector<expr::Value> variables;  // with their values there
  const Node* invocation = nullptr;    // of the procedure around the node
  const Place* caller = nullptr;       // where that stands
  bool is_in_further_loop = false;     // within that iteration
};

// Whether a content may be 0 on some rank; nothing where that cannot be told.
std::optional<bool> may_be_zero(const program::Content& content, const Place& place) {
  if (const auto* e = std::get_if<Expr>(&content)) {
    const auto value = expr::evaluate(*e, place.variables);
    return value ? std::optional(*value == 0) : std::nullopt;
  }
  const auto* sequence = std::get_if<program::Sequence>(&content);
  if (!sequence || place.is_in_further_loop) return std::nullopt;
  const std::uint64_t n = sequence->length > 0 ? sequence->length : ~std::uint64_t{0};
  return trace::has_value_within(sequence->values, n, 0, 0);
}

std::optional<bool> may_be_zero(const Value& value, const Place& place) {
  if (value.parameter && place.invocation) {
    const auto* passed = std::get_if<Value>(&place.invocation->passed[*value.parameter]);
    return passed ? may_be_zero(*passed, *place.caller) : std::nullopt;
  }
  bool is_known = !value.cases.empty();
  for (const program::Case& c : value.cases) {
    const auto is_zero = may_be_zero(c.content, place);
    if (is_zero == true) return true;
    is_known = is_known && is_zero;
  }
  return is_known ? std::optional(false) : std::nullopt;
}

// Whether some rank may make no call of a node in an iteration of the loop around it. Where it
// cannot be told, a condition is taken for one that may not hold, and a loop for one that makes
// trips.
bool may_be_left_out(const program::Program& program, const Node& n, const Place& place) {
  const auto may_all_be = [&](const std::vector<Node>& body, const Place& within) {
    return std::ranges::all_of(body,
                               [&](const Node& b) { return may_be_left_out(program, b, within); });
  };
  switch (n.kind) {
    case Node::Kind::call:
    case Node::Kind::exchange: return false;
    case Node::Kind::branch:
    case Node::Kind::otherwise:
    case Node::Kind::function: return may_all_be(n.body, place);
    case Node::Kind::condition:
      return may_be_zero(n.trips, place).value_or(!place.is_in_further_loop) ||
             may_all_be(n.body, place);
    case Node::Kind::loop: {
      Place within = place;
      within.is_in_further_loop = true;
      return may_be_zero(n.trips, place).value_or(false) || may_all_be(n.body, within);
    }
    case Node::Kind::invocation: {
      const Place within{{}, &n, &place, place.is_in_further_loop};
      return may_all_be(program.procedures[n.procedure].body, within);
    }
  }
  return false;
}

// Whether there are iterations in which nothing but a loop within is executed. Several of them in a
// row look like one of more passes: no call tells where that loop is left and entered again.
bool hides_iterations(const program::Program& program, const Node& loop) {
  constexpr std::int64_t kMostLooked = 4096;  // iterations: conditions repeat, but for the last
  const auto open =
      std::ranges::find_if(loop.body, [&](const Node& n) { return is_open_loop(program, n); });
  if (open == loop.body.end() || loop.body.size() == 1) return false;
  const auto is_alone = [&](std::int64_t iteration) {
    const Place place{{{program::loop_index(loop.depth), iteration}}};
    return std::ranges::all_of(loop.body, [&](const Node& n) {
      return &n == &*open || may_be_left_out(program, n, place);
    });
  };
  const std::int64_t most = loop.most > 0 ? loop.most : kMostLooked;
  const std::int64_t iterations = loop.trips.constant().value_or(most);
  const auto first_ones =
      std::views::iota(std::int64_t{0}, std::clamp(iterations, std::int64_t{0}, kMostLooked));
  return std::ranges::any_of(first_ones, is_alone) ||
         (iterations > kMostLooked && is_alone(iterations - 1));
}

class Lister {
 public:
  Lister(const program::Program& program, const TextOptions& options)
      : program_(program),
        options_(options),
        places_(*program.trace),
        values_(program, options.full),
        calls_(program) {}

  std::vector<Line> run() {
    std::vector<Line> out;
    for (const program::Procedure& p : program_.procedures) {
      values_.set_procedure(&p);
      Line head;
      head.words.add(p.name, 0, true);
      std::string parameters;
      const auto number = static_cast<std::size_t>(&p - program_.procedures.data());
      for (std::size_t i = 0; i < p.parameters.size(); ++i) {
        if (!values_.is_unsaid(number, i))
          parameters += (parameters.empty() ? "" : ", ") + p.parameters[i].name;
      }
      head.words.split("(" + parameters + "):", 1, true);
      append(out, std::move(head), nodes(p.body, 1, nullptr));
    }
    values_.set_procedure(nullptr);
    const bool has_head = !program_.procedures.empty() || !program_.around.empty();
    std::vector<Line> body = nodes(program_.body, has_head ? 1 : 0, nullptr);
    if (!has_head) return body;
    Line head;
    for (const std::uint32_t f : program_.around) {
      if (is_said(f)) head.words.add(places_.function(f) + ":", 0, true);
    }
    const auto frame = program_.frame ? program_.frame : first_frame(program_.body);
    head.words.add((frame ? places_.function(*frame) : "main") + ":", 0, true);
    append(out, std::move(head), std::move(body));
    return out;
  }

  // Those that the lines name, and what other names in them stand for.
  const std::set<std::size_t>& groups() const { return values_.groups(); }
  std::vector<std::string> names() const { return values_.names(); }

 private:
  static void append(std::vector<Line>& out, Line head, std::vector<Line> body) {
    out.push_back(std::move(head));
    std::ranges::move(body, std::back_inserter(out));
  }

  // Those of a line that stands in the same one.
  static void add_calls(Line& line, const Line& other) {
    std::vector<std::uint32_t> both;
    std::ranges::set_union(line.calls, other.calls, std::back_inserter(both));
    line.calls = std::move(both);
  }

  static std::optional<std::uint32_t> first_frame(const std::vector<Node>& nodes) {
    for (const Node& n : nodes) {
      if (n.frame) return n.frame;
    }
    return std::nullopt;
  }

  static bool has_loop(const Node& n) {
    return n.kind == Node::Kind::loop || std::ranges::any_of(n.body, has_loop);
  }

  // Neighbors that read the same stand in one line; not loops, whose last call alone would seem to
  // be repeated.
  std::vector<Line> nodes(const std::vector<Node>& nodes, std::size_t depth, const Loop* loop) {
    std::vector<Line> out;
    std::size_t times = 1;
    bool is_whole = false;  // the last line is a node
    const auto finish = [&] {
      if (times > 1) out.back().words.add(fmt::format("x{}", times), 4);
      times = 1;
    };
    for (const Node& n : nodes) {
      std::vector<Line> lines = node(n, depth, loop);
      const bool may_join = lines.size() == 1 && !has_loop(n);
      if (may_join && is_whole && out.back().words == lines.front().words) {
        ++times;
        add_calls(out.back(), lines.front());
        continue;
      }
      finish();
      is_whole = may_join;
      std::ranges::move(lines, std::back_inserter(out));
    }
    finish();
    return out;
  }

  std::vector<Line> node(const Node& n, std::size_t depth, const Loop* loop) {
    switch (n.kind) {
      case Node::Kind::call:
        return {{depth, call_words(program_, n, values_), place(n), calls_.at(n)}};
      case Node::Kind::invocation: return {{depth, invocation(n), place(n), calls_.at(n)}};
      case Node::Kind::exchange: {
        Words words;
        words.split("drawn messages", 1);
        return {{depth, words, place(n), calls_.at(n)}};
      }
      case Node::Kind::function: return function(n, depth, loop);
      case Node::Kind::branch: return under("if " + values_.who(n.who) + ":", n, depth, loop);
      case Node::Kind::otherwise: return under("else:", n, depth, loop);
      case Node::Kind::condition: return under(condition(n.trips, loop), n, depth, loop);
      case Node::Kind::loop: {
        Loop here{program::loop_index(n.depth), n.trips.constant()};
        here.is_named = uses(n.body, here);
        const bool may_be_more = hides_iterations(program_, n);
        std::string head =
            values_.value(n.trips, kNumber) + (may_be_more ? " times or more" : " times");
        if (here.is_named) {
          const std::string index = values_.expression(Expr::variable(here.index));
          head = here.trips ? fmt::format("for {} in 0..{}{}", index, *here.trips - 1,
                                          may_be_more ? " (or more)" : "")
                            : fmt::format("{}, {} = 0, 1 ..", head, index);
        }
        return under(head + ":", n, depth, &here);
      }
    }
    return {};
  }

  std::string condition(const Value& taken, const Loop* loop) const {
    const Expr* e = taken.expression();
    if (e && loop) {
      if (const std::string words = words_of(*e, *loop); !words.empty()) return words + ":";
    }
    return "if " + values_.value(taken, kNumber) + ":";
  }

  std::vector<Line> under(const std::string& head, const Node& n, std::size_t depth,
                          const Loop* loop) {
    std::vector<Line> inner = nodes(n.body, depth + 1, loop);
    Words words;
    words.split(head, 1);
    return joined(std::move(words), std::move(inner), depth, {});
  }

  // In one line, if it is short enough.
  static std::vector<Line> joined(Words head, std::vector<Line> inner, std::size_t depth,
                                  std::string place) {
    const bool fits =
        inner.size() == 1 && 2 * depth + head.width() + inner.front().words.width() < kMostOnLine;
    if (fits) {
      head.append(inner.front().words);
      return {{depth, std::move(head), inner.front().place, std::move(inner.front().calls)}};
    }
    std::vector<Line> out;
    append(out, {depth, std::move(head), std::move(place)}, std::move(inner));
    return out;
  }

  // A function that is met once: its calls in one line if they are few, else below its name.
  std::vector<Line> function(const Node& n, std::size_t depth, const Loop* loop) {
    Words head = functions_between(n);
    if (n.entered && is_said(*n.entered)) head.add(places_.function(*n.entered) + ":", 0);
    std::vector<Line> inner = nodes(n.body, depth + 1, loop);
    if (head.width() == 0) {
      if (inner.size() == 1) {
        inner.front().depth = depth;
        return inner;
      }
      head.add("?:", 0);
    }
    const bool all_calls =
        std::ranges::all_of(n.body, [](const Node& b) { return b.kind == Node::Kind::call; });
    std::size_t width = 0;
    for (const Line& l : inner) width += l.words.width() + 2;
    if (!all_calls || inner.size() == 1 || width > kMostJoined || options_.callpaths)
      return joined(std::move(head), std::move(inner), depth, place(n));
    Line line{depth, std::move(head), place(n)};
    for (std::size_t i = 0; i < inner.size(); ++i) {
      line.words.append(inner[i].words);
      if (i + 1 < inner.size()) line.words.glue(";");
      add_calls(line, inner[i]);
    }
    return {std::move(line)};
  }

  Words functions_between(const Node& n) const {
    Words out;
    for (const std::uint32_t f : n.between) {
      if (is_said(f)) out.add(places_.function(f) + ":", 0);
    }
    return out;
  }

  // Functions of stripped binaries have no names; the places of their calls tell them apart.
  bool is_said(std::uint32_t frame) const {
    return options_.full || program_.trace->frames[frame].function != 0;
  }

  Words invocation(const Node& n) const {
    const program::Procedure& p = program_.procedures[n.procedure];
    Words out = functions_between(n);
    out.add(p.name, 0, true);
    std::vector<std::size_t> said;  // parameters
    for (std::size_t i = 0; i < n.passed.size(); ++i) {
      if (!values_.is_unsaid(n.procedure, i)) said.push_back(i);
    }
    if (said.empty()) {
      out.glue("()");
      return out;
    }
    for (const std::size_t i : said) {
      const trace::Column column = p.parameters[i].column.value_or(kNumber);
      const auto* value = std::get_if<Value>(&n.passed[i]);
      std::string text =
          value ? values_.value(*value, column) : condition_text(std::get<Who>(n.passed[i]));
      if (said.size() > kMostPassed || options_.full) text = p.parameters[i].name + "=" + text;
      if (i == said.front()) {
        out.split("(" + text, 3, true);
      } else {
        out.glue(",");
        const std::size_t space = std::min(text.find(' '), text.size());
        out.add(text.substr(0, space), 2);
        if (space < text.size()) out.split(std::string_view(text).substr(space + 1), 3);
      }
    }
    out.glue(")");
    return out;
  }

  std::string condition_text(const Who& who) const {
    if (who.is_everyone()) return "all";
    return values_.who(who);
  }

  std::string place(const Node& n) const {
    if (n.kind == Node::Kind::call) {
      const std::uint32_t path = program_.trace->calls[n.call].callpath;
      if (options_.callpaths) return places_.path_text(path);
      if (!n.frame) return {};
      return places_.location(*n.frame) + places_.wrappers(path);
    }
    return n.frame && !options_.callpaths ? places_.location(*n.frame) : std::string();
  }

  // Whether anything within says the index of a loop.
  bool uses(const std::vector<Node>& nodes, const Loop& loop) const {
    return std::ranges::any_of(nodes, [&](const Node& n) {
      if (n.kind == Node::Kind::condition) {
        const Expr* e = n.trips.expression();
        const bool in_words = e && !words_of(*e, loop).empty();
        if (!in_words && says(n.trips, loop.index)) return true;
      }
      if (n.kind == Node::Kind::loop && says(n.trips, loop.index)) return true;
      for (const program::Argument& a : n.arguments) {
        if (says(a.value, loop.index) || (a.length && says(*a.length, loop.index))) return true;
      }
      for (const auto& passed : n.passed) {
        const auto* value = std::get_if<Value>(&passed);
        if (value && says(*value, loop.index)) return true;
      }
      return uses(n.body, loop);
    });
  }

  static bool says(const Value& v, const std::string& index) {
    return std::ranges::any_of(v.cases, [&](const program::Case& c) {
      const auto* e = std::get_if<Expr>(&c.content);
      if (e) return expr::free_variables(*e).contains(index);
      const auto* s = std::get_if<program::Sequence>(&c.content);
      const auto* a = std::get_if<program::Alternation>(&c.content);
      const std::optional<program::ByLoop> by = s ? s->by_loop : a ? a->by_loop : std::nullopt;
      return by && (by->is_partial || by->per != 1) && program::loop_index(by->loop) == index;
    });
  }

  const program::Program& program_;
  TextOptions options_;
  trace::Places places_;
  ValueWords values_;
  CallsOfNodes calls_;
};

// How a rule chooses extents that no expression tells.
std::string rule_text(const infer::GridRule& rule, const program::Grid& grid) {
  using Kind = infer::GridRule::Kind;
  const auto extent = [&](std::size_t d) { return grid.prefix + std::string(program::extent(d)); };
  const std::string order =
      fmt::format("{} {} first", extent(0), rule.smallest_first ? "the least" : "the greatest");
  switch (rule.kind) {
    case Kind::line:
    case Kind::power: return {};
    case Kind::balanced: return "balanced as by MPI_Dims_create, " + order;
    case Kind::closest: return "as close as divisors of the number of ranks are, " + order;
    case Kind::greedy: return "each the greatest divisor up to the root of what is left, " + order;
    case Kind::fixed:
      return fmt::format("{} = {}, the others balanced as by MPI_Dims_create",
                         extent(rule.fixed_dimension), rule.fixed_extent);
    case Kind::listed: return "as they were in the inputs";
  }
  return {};
}

// "nx x ny grid, nx = sqrt(ranks), ny = sqrt(ranks): x = rank % nx, y = rank / nx".
std::string open_grid_text(const program::Grid& grid) {
  std::string text, extents;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const std::string name = grid.prefix + std::string(program::extent(d));
    text += (d ? " x " : "") + name;
    if (!grid.extents[d].is_variable())
      extents += fmt::format(", {} = {}", name, expr::print(grid.extents[d]));
  }
  const std::string rule = rule_text(*grid.rule, grid);
  text += grid.of_communicator ? " grid of the ranks of a communicator" : " grid";
  return text + extents + (rule.empty() ? "" : ", " + rule);
}

std::string coordinates_text(const program::Grid& grid) {
  std::string text = ":";
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    text += fmt::format("{}{}{} = {}", d ? ", " : " ", grid.prefix, program::coordinate(d),
                        expr::print(grid.coordinates[d]));
  }
  return text;
}

// "4 x 4 grid: x = rank % 4, y = rank / 4; west is x-1, north y-1; cyclic in x".
std::string grid_text(const program::Program& program) {
  const std::vector<Expr>& extents = program.grid->extents;
  std::string text;
  if (program.grid->rule) {
    text = open_grid_text(*program.grid);
  } else {
    for (const Expr& d : extents) text += (text.empty() ? "" : " x ") + expr::print(d);
    text += " grid";
  }
  text += coordinates_text(*program.grid);
  const program::GridEnds ends = program::grid_ends(program);
  if (ends.has_neighbors)
    text += extents.size() == 2 ? "; west is x-1, north y-1" : "; west is x-1, north y-1, down z-1";
  std::string around;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (ends.is_cyclic(d))
      around += (around.empty() ? "" : ", ") + std::string(program::coordinate(d));
  }
  return around.empty() ? text : text + "; cyclic in " + around;
}

std::string recursion_text(const program::Program& program, std::size_t number) {
  const program::Recursion& r = program.recursions[number];
  const trace::Call& call = program.trace->calls[r.call];
  return fmt::format(
      "depth{0}, first{0}: number of times that {1} splits the communicator it has made, on this "
      "rank and on rank 0; it continues where {2}",
      number, trace::describe_call(*program.trace, call.function, call.callpath),
      expr::print(r.goes_on));
}

}  // namespace

Listing list_program(const program::Program& program, const TextOptions& options) {
  Lister lister(program, options);
  Listing out;
  out.lines = lister.run();
  if (program.grid) out.ranks.push_back(grid_text(program));
  for (const program::Grid& g : program.other_grids)
    out.ranks.push_back(open_grid_text(g) + coordinates_text(g));
  for (std::size_t r = 0; r < program.recursions.size(); ++r)
    out.ranks.push_back(recursion_text(program, r));
  const std::vector<std::string> names = lister.names();
  for (const std::size_t g : lister.groups()) {
    const program::Group& group = program.groups[g];
    out.ranks.push_back(group.name + ": " +
                        (group.condition
                             ? expr::print(*group.condition)
                             : "ranks " + analyze::streams_text(*program.trace, *group.streams)));
  }
  out.ranks.insert(out.ranks.end(), names.begin(), names.end());
  return out;
}

}  // namespace reprise::write
