#include "write/conceptual/values.hpp"

#include <algorithm>

#include "expr/program.hpp"
#include "expr/simplify.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"
#include "write/conceptual/language/series.hpp"
#include "write/unwritable.hpp"
#include "write/variables.hpp"

namespace reprise::write::conceptual {

using expr::Expr;
using expr::Op;
using program::Case;
using program::Node;
using program::Value;

namespace {

// Iterations behind that of the first entry.
Expr place_behind(const program::ByLoop& by) {
  const Expr index = Expr::variable(program::loop_index(by.loop));
  return by.first == 0 ? index : index - Expr(by.first);
}

// Which entry of a table it is.
Expr place_by(const program::ByLoop& by) {
  return by.per == 1 ? place_behind(by) : place_behind(by) / Expr(by.per);
}

const Expr kRank = Expr::variable(expr::kRank);
const Expr kRanks = Expr::variable(expr::kRanks);

bool has_index(const Expr& e) {
  const auto variables = expr::free_variables(e);
  return std::ranges::any_of(variables, [](const std::string& v) {
    return v.size() > 1 && v[0] == 'i' && v.find_first_not_of("0123456789", 1) == v.npos;
  });
}

// Iterations whose trips are summed up one by one.
constexpr std::int64_t kMostSummed = 4096;

bool is_special(const Expr& e) { return e.is_constant() && trace::is_special(e.value()); }

bool may_be_special(const Expr& e) {
  return is_special(e) || std::ranges::any_of(e.operands(), may_be_special);
}

// An extent of the program's grid: a number, or the name that it has.
Expr extent_of(const program::Program& program, std::size_t dimension) {
  const program::Grid& grid = *program.grid;
  if (!program.domain) return grid.extents[dimension];
  return Expr::variable(grid.prefix + std::string(program::extent(dimension)));
}

// Throws for variables that no expression of tasks can be of.
void check_variables(const program::Program& program, const Expr& e) {
  using Kind = Variable::Kind;
  for (const std::string& name : expr::free_variables(e)) {
    const Variable v = variable_of(program, name);
    if (v.grid && v.grid->of_communicator)
      throw Unwritable{
          "it has values by the place in a grid that the ranks of a communicator form"};
    switch (v.kind) {
      case Kind::loop_trips: throw Unwritable{"a law refers to the trip count of a loop around"};
      case Kind::new_rank:
      case Kind::new_size: throw Unwritable{"it has values that depend on what a call makes"};
      case Kind::depth:
      case Kind::first:
        throw Unwritable{"it splits communicators again and again, by a rule of their ranks"};
      case Kind::other: throw Unwritable{"it has values that depend on " + name};
      default: break;
    }
  }
}

// Whether executions differ.
bool varies(const Value& v) {
  return std::ranges::any_of(v.cases, [](const Case& c) {
    if (const auto* e = std::get_if<Expr>(&c.content)) return has_index(*e);
    return std::holds_alternative<program::Sequence>(c.content) ||
           std::holds_alternative<program::Alternation>(c.content) ||
           std::holds_alternative<program::Pattern>(c.content) ||
           std::holds_alternative<program::Drawn>(c.content);
  });
}

// The value with number `place / per`; equal consecutive values share one condition.
Expr chosen(const std::vector<Expr>& values, const Expr& place, std::int64_t per = 1) {
  Expr out = values.back();
  for (std::size_t end = values.size(), begin = end; end > 0; end = begin) {
    begin = end - 1;
    while (begin > 0 && values[begin - 1] == values[end - 1]) --begin;
    if (end == values.size()) continue;
    const bool is_one = end - begin == 1 && per == 1;
    const auto bound = static_cast<std::int64_t>(is_one ? begin : end) * per;
    out = Expr::conditional(Expr::make(is_one ? Op::equal : Op::less, place, Expr(bound)),
                            values[begin], out);
  }
  return out;
}

}  // namespace

std::string parameter_of(const std::string& size) { return "problem_" + size; }

void check_choices(const Expr& e) {
  expr::map_choices(e, [](const Expr& chosen) {
    if (!is_special(chosen) && may_be_special(chosen))
      throw Unwritable{"a value is reckoned from one that is none on some ranks"};
    return chosen;
  });
}

Values::Values(const program::Program& program, Names& names) : program_(program), names_(names) {
  const auto add_grid = [&](const program::Grid& g) {
    for (std::size_t d = 0; d < g.coordinates.size(); ++d)
      known_.push_back({g.prefix + std::string(program::coordinate(d)), g.coordinates[d]});
  };
  if (program.grid) add_grid(*program.grid);
  if (!program.domain) {
    known_.push_back({std::string(program::kCommRank), kRank});
    known_.push_back({std::string(program::kCommSize), kRanks});
    return;
  }
  known_.push_back({std::string(program::kThread), Expr(0)});
  for (const program::Grid& g : program.other_grids) add_grid(g);
  for (const std::string& size : program.sizes)
    known_.push_back({size, Expr::variable(parameter_of(size))});
}

Expr Values::in_ranks(const Expr& e) const {
  if (program_.domain) check_variables(program_, e);
  return expr::substitute(e, known_);
}

Expr Values::is_one(const program::Who& who) const {
  if (who.condition) return in_ranks(*who.condition);
  return is_one_of(kRank, *who.streams);
}

Expr Values::number(const Value& v, const Around& around) {
  return value(v, around, As::number, std::nullopt);
}

Expr Values::condition(const Value& v, const Around& around) {
  return value(v, around, As::condition, std::nullopt);
}

Expr Values::element(const Value& v, const Around& around, const Expr& index) {
  return value(v, around, As::number, List{index});
}

Expr Values::value(const Value& v, const Around& around, As as, const std::optional<List>& list) {
  if (v.parameter || v.cases.empty()) throw Unwritable{"a procedure has parameters"};
  Expr out = content(v.cases.back(), around, as, list);
  for (std::size_t k = v.cases.size() - 1; k-- > 0;) {
    out = Expr::conditional(is_one(v.cases[k].who), content(v.cases[k], around, as, list), out);
  }
  return expr::simplify(out);
}

Expr Values::content(const Case& c, const Around& around, As as, const std::optional<List>& list) {
  if (const auto* e = std::get_if<Expr>(&c.content)) {
    const Expr out = in_ranks(*e);
    if (!list) return out;
    const std::vector<expr::Binding> of_list = {{std::string(program::kIndex), list->index},
                                                {std::string(program::kLength), kRanks}};
    return expr::substitute(out, of_list);
  }
  if (const auto* n = std::get_if<program::Neighbor>(&c.content)) return neighbor(*n);
  if (const auto* s = std::get_if<program::Sequence>(&c.content))
    return sequence(*s, around, as, list);
  if (const auto* a = std::get_if<program::Alternation>(&c.content)) return alternation(*a, around);
  if (const auto* p = std::get_if<program::Pattern>(&c.content)) {
    Expr place = position(around, 0);
    if (list) throw Unwritable{"a list has elements that no expression says"};
    return decoded(pattern(p->terms, names_.name_of(place)), p->encoding);
  }
  if (std::holds_alternative<program::Drawn>(c.content))
    throw Unwritable{"trip counts depend on the data, and are drawn from a distribution"};
  // Of ranks that are not in the table nobody asks.
  const auto& table = std::get<program::ByStream>(c.content);
  trace::SeriesFolder all;
  trace::SeriesCursor values(table.values);
  std::uint64_t rank = 0;
  for (const std::uint64_t s : *c.who.streams) {
    const std::int64_t v = values.next();
    for (; rank <= s; ++rank) all.append(v);
  }
  return value_at(all.finish(), kRank, rank);
}

Expr Values::alternation(const program::Alternation& a, const Around& around) {
  std::vector<Expr> laws;
  for (const auto& law : a.laws) {
    const auto* e = std::get_if<Expr>(&law);
    laws.push_back(e ? in_ranks(*e) : neighbor(std::get<program::Neighbor>(law)));
  }
  if (a.by_loop) return chosen(laws, place_behind(*a.by_loop), a.by_loop->per);
  const auto place_of_some = [&](const Around& nodes, std::size_t n) {
    const Expr place = position(nodes, a.scope);
    // The index of a loop with as many iterations at most is below that; 0: it is unknown how many.
    const bool is_below = std::ranges::any_of(nodes, [&](const Node* around_it) {
      return around_it->kind == Node::Kind::loop && around_it->most > 0 &&
             around_it->most <= static_cast<std::int64_t>(n) &&
             place == Expr::variable(program::loop_index(around_it->depth));
    });
    return is_below ? place : names_.name_of(place % Expr(static_cast<std::int64_t>(n)));
  };
  const Expr one_by_one = chosen(laws, place_of_some(around, laws.size()));
  // Or by the iteration of the innermost loop first, then by how often that loop was entered.
  const Node* const inner = around.empty() ? nullptr : around.back();
  const auto trips =
      inner && inner->kind == Node::Kind::loop ? inner->trips.constant() : std::nullopt;
  const auto columns = static_cast<std::size_t>(trips.value_or(0));
  if (columns < 2 || inner->depth < a.scope || laws.size() % columns != 0) return one_by_one;
  const Expr row = place_of_some({around.begin(), around.end() - 1}, laws.size() / columns);
  std::vector<Expr> by_column;
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<Expr> column;
    for (std::size_t k = c; k < laws.size(); k += columns) column.push_back(laws[k]);
    by_column.push_back(chosen(column, row));
  }
  const Expr in_columns = chosen(by_column, Expr::variable(program::loop_index(inner->depth)));
  return in_columns.nodes() < one_by_one.nodes() ? in_columns : one_by_one;
}

Expr Values::sequence(const program::Sequence& s, const Around& around, As as,
                      const std::optional<List>& list) {
  Expr place(0);
  if (list && s.each_time) {
    place = list->index;
  } else if (s.by_loop && !list) {
    place = place_by(*s.by_loop);
  } else {
    place = position(around, s.scope);
    // Lists have an element for each task.
    if (list && program_.domain) throw Unwritable{"a list has elements that no expression says"};
    if (list) place = place * kRanks + list->index;
    place = names_.name_of(expr::simplify(place), s.values.terms().size());
  }
  if (as == As::condition) return condition_at(s.values, place, s.length);
  std::uint64_t length = s.length;
  if (list && s.each_time && !program_.domain) {
    // Lists of a recorded trace have an element for each task.
    length = program_.trace->ranks;
  } else if (s.by_loop && !list) {
    for (const Node* n : around) {
      if (n->kind != Node::Kind::loop || n->depth != s.by_loop->loop) continue;
      const std::int64_t entries =
          (n->most - s.by_loop->first + s.by_loop->per - 1) / s.by_loop->per;
      if (entries > 0) length = static_cast<std::uint64_t>(entries);
    }
  }
  return decoded(value_at(s.values, place, length), s.encoding);
}

// Special values stand for themselves in every encoding; tasks of a recorded trace have none.
Expr Values::decoded(const Expr& written, trace::Encoding encoding) const {
  if (encoding == trace::Encoding::absolute) return written;
  const Expr self = program_.domain ? Expr::variable(program::kCommRank) : kRank;
  const Expr size = program_.domain ? Expr::variable(program::kCommSize) : kRanks;
  const auto one = [&](const Expr& value) {
    if (is_special(value)) return value;
    return encoding == trace::Encoding::relative ? (self + value) % size
                                                 : Expr::make(Op::bit_xor, self, value);
  };
  if (!program_.domain || !may_be_special(written)) return one(written);
  check_choices(written);
  return expr::map_choices(written, one);
}

Expr Values::length_of(const std::vector<program::PatternTerm>& terms) const {
  Expr out(0);
  for (const program::PatternTerm& t : terms)
    out = out + in_ranks(t.count) * (t.body.empty() ? Expr(1) : length_of(t.body));
  return expr::simplify(out);
}

// The last of the terms, and what goes on for ever, has the rest.
Expr Values::pattern(const std::vector<program::PatternTerm>& terms, const Expr& place) const {
  if (terms.empty()) return Expr(0);
  std::vector<Expr> values, ends;
  Expr begin(0);
  for (const program::PatternTerm& t : terms) {
    const Expr k = expr::simplify(place - begin);
    const Expr step = in_ranks(t.step);
    const Expr each = t.body.empty() ? Expr(1) : length_of(t.body);
    if (t.body.empty()) {
      values.push_back(in_ranks(t.value) + step * k);
    } else {
      values.push_back(pattern(t.body, expr::simplify(k % each)) + step * (k / each));
    }
    if (t.count.is_constant(static_cast<std::int64_t>(trace::kUnbounded))) break;
    begin = expr::simplify(begin + in_ranks(t.count) * each);
    ends.push_back(begin);
  }
  Expr out = values.back();
  for (std::size_t i = values.size() - 1; i-- > 0;)
    out = Expr::conditional(Expr::make(Op::less, place, ends[i]), values[i], out);
  return expr::simplify(out);
}

// rank + steps * stride; where a dimension wraps, with the coordinate behind the border.
Expr Values::neighbor(const program::Neighbor& n) const {
  Expr out = kRank, stride(1);
  bool is_first = true;  // along this dimension: coordinates of those before are the rank's
  std::vector<Expr> borders;
  for (std::size_t d = 0; d < n.steps.size(); ++d) {
    const Expr extent = extent_of(program_, d);
    const std::int64_t step = n.steps[d];
    const Expr steps(step < 0 ? -step : step);
    const Expr& x = program_.grid->coordinates[d];
    if (step != 0 && n.wraps[d]) {
      const Expr around = step < 0 ? extent - steps : steps;
      // Behind the last border all ranks end.
      const bool is_last = d + 1 == n.steps.size();
      if (is_last) {
        out = (out + around * stride) % kRanks;
      } else if (is_first) {
        const Expr row = stride * extent;
        out = out / row * row + (out + around * stride) % row;
      } else {
        out = out - x * stride + (x + around) % extent * stride;
      }
    } else if (step != 0) {
      out = step < 0 ? out - steps * stride : out + steps * stride;
      borders.push_back(step < 0 ? Expr::make(Op::less, x, steps)
                                 : Expr::make(Op::greater_equal, x, extent - steps));
    }
    is_first = is_first && step == 0;
    stride = stride * extent;
  }
  if (!n.has_borders) borders.clear();
  for (const Expr& border : borders) out = Expr::conditional(border, Expr(trace::kProcNull), out);
  return expr::simplify(out);
}

Expr Values::position(const Around& around, std::size_t scope) {
  // Behind the loops that it begins anew in, everything may be counted by itself if nothing depends
  // on what was before.
  std::size_t from = 0, loops = 0;
  while (loops < scope && from < around.size()) loops += around[from++]->kind == Node::Kind::loop;
  const bool is_regular =
      std::all_of(around.begin() + static_cast<std::ptrdiff_t>(from), around.end(),
                  [](const Node* n) { return !n->before.has_value() && !varies(n->trips); });
  if (is_regular) return executions_before(around, from);
  const Expr all = executions_before(around, 0);
  if (scope == 0) return all;
  std::vector<expr::Binding> first;
  for (std::size_t k = from; k < around.size(); ++k) {
    if (around[k]->kind == Node::Kind::loop)
      first.push_back({program::loop_index(around[k]->depth), Expr(0)});
  }
  return expr::simplify(all - names_.with(all, first));
}

Expr Values::summed(const Node& n, const Around& outside, const Expr& iteration) {
  const Unwritable too_many{"trip counts differ in more iterations than can be summed up"};
  std::vector<std::string> indices;
  std::vector<std::int64_t> trips;
  std::int64_t all = 1;
  for (const Node* loop : outside) {
    const auto count = loop->kind == Node::Kind::loop ? loop->trips.constant() : std::nullopt;
    if (!count || *count < 1 || *count > kMostSummed / all) throw too_many;
    all *= *count;
    indices.push_back(program::loop_index(loop->depth));
    trips.push_back(*count);
  }
  const bool is_loop = n.kind == Node::Kind::loop;
  const Expr each = is_loop ? number(n.trips, outside) : condition(n.trips, outside);
  const auto compiled = expr::Program::compile(names_.written_out(each), indices);
  if (!compiled) throw too_many;
  trace::SeriesFolder sums;
  std::int64_t sum = 0;
  for (std::int64_t k = 0; k < all; ++k) {
    sums.append(sum);
    std::vector<std::int64_t> slots(trips.size());
    std::int64_t rest = k;
    for (std::size_t d = trips.size(); d-- > 0; rest /= trips[d]) slots[d] = rest % trips[d];
    const auto here = compiled->run(slots);
    if (!here) throw too_many;
    sum += is_loop ? std::max<std::int64_t>(*here, 0) : static_cast<std::int64_t>(*here > 0);
  }
  return value_at(sums.finish(), iteration, static_cast<std::uint64_t>(all));
}

Expr Values::executions_before(const Around& around, std::size_t from) {
  // Names are the same within the outermost call, which comes to the same nodes again and again.
  struct Depth {
    explicit Depth(Values& v) : values(v) { ++values.counting_; }
    ~Depth() {
      if (--values.counting_ == 0) values.counted_.clear();
    }
    Values& values;
  } const depth(*this);
  Expr out(0);
  for (std::size_t k = from; k < around.size(); ++k) {
    const std::pair key(around[k], from);
    if (const auto known = counted_.find(key); known != counted_.end()) {
      out = known->second;
      continue;
    }
    const Node& n = *around[k];
    const Around outside(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(k));
    if (n.before) {
      out = number(*n.before, outside);
    } else if (varies(n.trips)) {
      out = summed(n, outside, out);
    } else if (n.kind == Node::Kind::loop) {
      out = out * number(n.trips, outside);
    }
    if (n.kind == Node::Kind::loop) out = out + Expr::variable(program::loop_index(n.depth));
    out = names_.name_of(expr::simplify(out));
    counted_.insert_or_assign(key, out);
  }
  return out;
}

}  // namespace reprise::write::conceptual
