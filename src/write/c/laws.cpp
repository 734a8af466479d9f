#include "write/c/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trace/values/special.hpp"
#include "write/c/recursions.hpp"
#include "write/curve_factors.hpp"
#include "write/extents.hpp"
#include "write/unwritable.hpp"

namespace reprise::write::c {

using program::Grid;
using program::NumberClass;
using program::Program;
using Kind = Variable::Kind;

namespace {

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
constexpr const char* kRank = "r";  // parameters of functions of a rank in a communicator
constexpr const char* kSize = "n";

std::string_view shape_name(NumberClass::Shape shape) {
  switch (shape) {
    case NumberClass::Shape::any: return "ANY";
    case NumberClass::Shape::square: return "SQUARE";
    case NumberClass::Shape::twice_square: return "TWICE_SQUARE";
    case NumberClass::Shape::oblong: return "OBLONG";
    case NumberClass::Shape::cube: return "CUBE";
    case NumberClass::Shape::power_of_two: return "POWER_OF_TWO";
  }
  return "";
}

Expression range(const program::Range& r) {
  return list({number(r.least), number(r.most), number(r.numbers.multiple_of),
               name(std::string(shape_name(r.numbers.shape))), text(r.describe())});
}

std::string coordinate_of(const Grid& g, std::size_t d) {
  return g.prefix + std::string(program::coordinate(d));
}
std::string extent_of(const Grid& g, std::size_t d) {
  return g.prefix + std::string(program::extent(d));
}

Extents known_extents(const Grid& g) {
  auto out = extents_of(g);
  if (!out)
    throw Unwritable{fmt::format("its ranks form a grid by a rule that takes a search ({})",
                                 g.rule->describe())};
  return *std::move(out);
}

// An extent of the grid of so many ranks.
Expression extent(const Extents& extents, std::size_t d, const Expression& ranks,
                  const ExpressionNames& names) {
  if (const auto* e = std::get_if<expr::Expr>(&extents.of[d])) return c_of(*e, names);
  const Balanced& b = *extents.balanced;
  return call("balanced",
              {b.parts == 1 ? ranks : binary(Operator::divide, ranks, number(b.parts)),
               number(static_cast<std::int64_t>(b.extents)),
               number(static_cast<std::int64_t>(std::get<std::size_t>(extents.of[d])))});
}

// Stops where so many ranks form no grid of these extents.
Statement form_grid(const std::vector<Expression>& extents, const Expression& ranks) {
  Expression all;
  for (const Expression& e : extents)
    all = all ? binary(Operator::multiply, std::move(all), e) : cast("long long", e);
  return evaluate(call("form_grid", {std::move(all), ranks}));
}

}  // namespace

Laws::Laws(const Program& program, Objects& objects, Names& names)
    : program_(program), objects_(objects), descents_(program.recursions.size()), names_(names) {
  if (!is_open()) return;
  std::vector<const Grid*> grids;
  if (program.grid) grids.push_back(&*program.grid);
  for (const Grid& g : program.other_grids) grids.push_back(&g);
  for (const Grid* g : grids) {
    for (std::size_t d = 0; d < g->dimensions(); ++d) {
      names.add(coordinate_of(*g, d));
      names.add(extent_of(*g, d));
    }
  }
  for (const std::string& s : program.sizes) sizes_.push_back(names.add("size_" + s));
}

std::int64_t Laws::most(const Variable& v) const {
  if (v.kind == Kind::size) return program_.domain->parameters[v.which].most;
  const std::int64_t ranks = std::min(kMaxInt, program_.domain->ranks.most);
  if (v.kind != Kind::coordinate && v.kind != Kind::extent) return ranks;
  // Roots are less than what they are of.
  const expr::Expr& extent = v.grid->extents[v.which];
  if (extent.is_variable()) return ranks;
  return std::min(ranks, most_of(extent, {[](const std::string& n) { return name(n); },
                                          [](std::int64_t n) { return number(n); },
                                          [&](const std::string&) { return ranks; }}));
}

ExpressionNames Laws::of_all() const {
  return {[this](const std::string& v) {
            const Variable known = variable_of(program_, v);
            if (known.kind == Kind::ranks) return name("RANKS");
            return known.kind == Kind::size ? size(known.which) : name(v);
          },
          [](std::int64_t v) { return number(v); },
          [this](const std::string& v) { return most(variable_of(program_, v)); }};
}

ExpressionNames Laws::of_communicator(Expression rank, Expression size) {
  return {[this, rank = std::move(rank), size = std::move(size)](const std::string& v) {
            const Variable known = variable_of(program_, v);
            switch (known.kind) {
              case Kind::comm_rank: return rank;
              case Kind::comm_size: return size;
              case Kind::ranks: return name("RANKS");
              case Kind::size: return this->size(known.which);
              case Kind::coordinate:
              case Kind::extent: {
                if (!known.grid->of_communicator) return name(v);
                if (std::ranges::count(local_grids_, known.grid) == 0)
                  local_grids_.push_back(known.grid);
                std::vector<Expression> arguments = {size};
                if (known.kind == Kind::coordinate) arguments.insert(arguments.begin(), rank);
                return call(v, std::move(arguments));
              }
              default: break;
            }
            throw Unwritable{"it has values of a communicator that depend on more than its ranks"};
          },
          [](std::int64_t v) {
            return trace::is_special(v) ? name(std::string(trace::special_name(v))) : number(v);
          },
          [this](const std::string& v) { return most(variable_of(program_, v)); }};
}

Expression Laws::on_grid(const Variable& v, const std::function<Expression()>& communicator) {
  const bool is_coordinate = v.kind == Kind::coordinate;
  const std::string own =
      is_coordinate ? coordinate_of(*v.grid, v.which) : extent_of(*v.grid, v.which);
  if (!v.grid->of_communicator) return name(own);
  const Expression comm = communicator();
  return of_communicator(call("rank_in", {comm}), call("size_of", {comm})).variable(own);
}

Expression Laws::depth(std::size_t recursion, bool of_rank_0) {
  const auto [known, is_new] = depths_.try_emplace({recursion, of_rank_0});
  if (!is_new) return call(known->second);
  const program::Recursion& r = program_.recursions[recursion];
  if (!r.first.is_constant())
    throw Unwritable{"a recursion of splits starts from one of several communicators"};
  const bool whole = is_whole(program_, r.first.value());
  if (of_rank_0 && !whole)
    throw Unwritable{"a recursion of splits starts, on rank 0, from a part of all ranks"};
  const std::string number_text = std::to_string(recursion);
  if (descents_[recursion].empty()) {
    const auto split = split_by(program_, r.call);
    if (!split) throw Unwritable{"a recursion splits by a value without a law in its communicator"};
    const ExpressionNames names = of_communicator(name(kRank), name(kSize));
    const auto define = [&](const char* what, const expr::Expr& e) {
      std::string own = names_.add(what + number_text);
      recursion_functions_.push_back({Function{"long long",
                                               own,
                                               {{"int", kRank}, {"int", kSize}},
                                               {evaluate(cast("void", name(kRank))),
                                                evaluate(cast("void", name(kSize))),
                                                {Return{c_of(e, names)}}}}});
      return name(std::move(own));
    };
    const Expression goes_on = define("goes_on", r.goes_on), color = define("color", split->color),
                     key = define("key", split->key);
    descents_[recursion] = names_.add("descent" + number_text);
    recursion_functions_.push_back(
        {Declare{"static const struct descent", descents_[recursion], "",
                 list({goes_on, color, key})},
         "how communicators are split, by the rank in one and its size"});
  }
  known->second = names_.add((of_rank_0 ? "first" : "depth") + number_text);
  const Expression descent = address_of(name(descents_[recursion]));
  Expression found;
  if (whole) {
    found = call("descend", {descent, of_rank_0 ? number(0) : name("rank"), name("RANKS")});
  } else {
    const Expression comm = objects_.object(trace::Kind::comm, r.first.value());
    found =
        conditional(binary(Operator::equal, comm, name("MPI_COMM_NULL")), number(0),
                    call("descend", {descent, call("rank_in", {comm}), call("size_of", {comm})}));
  }
  recursion_functions_.push_back(
      {Function{"int",
                known->second,
                {},
                {{Declare{"static int", "known", "", number(-1)}},
                 {If{{{binary(Operator::less, name("known"), number(0)),
                       {assign(name("known"), std::move(found))}}}}},
                 {Return{name("known")}}}},
       of_rank_0 ? "Number of times that rank 0 splits the communicator it has made."
                 : "Number of times that this rank splits the communicator it has made."});
  return call(known->second);
}

Block Laws::domain() const {
  Block out;
  out.push_back({Declare{"static const struct range", "numbers_of_ranks", "",
                         range(program_.domain->ranks)}});
  if (program_.sizes.empty()) return out;
  for (const std::string& s : sizes_) out.push_back(declare("static long long", s, nullptr));
  std::vector<Expression> all;
  for (std::size_t p = 0; p < sizes_.size(); ++p)
    all.push_back(list({text("--" + program_.sizes[p]), address_of(name(sizes_[p])),
                        range(program_.domain->parameters[p])}));
  out.push_back(
      {Declare{"static const struct problem_size", "problem_sizes", "[]", list(std::move(all))}});
  return out;
}

std::vector<Entry> Laws::members() const {
  std::vector<Entry> out = {{"runs_on", address_of(name("numbers_of_ranks"))}};
  if (sizes_.empty()) return out;
  out.push_back({"sizes", number(std::ssize(sizes_))});
  out.push_back({"size", name("problem_sizes")});
  return out;
}

Block Laws::grid_functions(const Grid& g) const {
  Block out;
  const Extents extents = known_extents(g);
  std::vector<Expression> all;
  const ExpressionNames names = {
      [&](const std::string& v) -> Expression {
        const Variable known = variable_of(program_, v);
        if (known.kind == Kind::comm_rank) return name(kRank);
        return known.kind == Kind::comm_size ? name(kSize) : call(v, {name(kSize)});
      },
      [](std::int64_t v) { return number(v); },
      [this](const std::string& v) { return most(variable_of(program_, v)); }};
  for (std::size_t d = 0; d < g.dimensions(); ++d) {
    const std::string own = extent_of(g, d);
    all.push_back(call(own, {name(kSize)}));
    out.push_back({Function{"int",
                            own,
                            {{"int", kSize}},
                            {{Return{cast("int", extent(extents, d, name(kSize), names))}}}}});
  }
  for (std::size_t d = 0; d < g.dimensions(); ++d)
    out.push_back({Function{
        "int",
        coordinate_of(g, d),
        {{"int", kRank}, {"int", kSize}},
        {form_grid(all, name(kSize)), {Return{cast("int", c_of(g.coordinates[d], names))}}}}});
  out.front().comment = "The grid that so many ranks of a communicator form.";
  return out;
}

Block Laws::functions() const {
  Block out;
  for (const Grid* g : local_grids_) std::ranges::move(grid_functions(*g), std::back_inserter(out));
  out.insert(out.end(), recursion_functions_.begin(), recursion_functions_.end());
  return out;
}

const Grid* Laws::used_grid(std::size_t index, const std::set<std::string>& used) const {
  const Grid* g = nullptr;
  if (index > 0) {
    g = &program_.other_grids[index - 1];
  } else if (program_.grid) {
    g = &*program_.grid;
  }
  if (!g || g->of_communicator) return nullptr;
  const bool has_steps = index == 0 && used.contains("GRID");
  return has_steps || is_named(*g, used) ? g : nullptr;
}

Block Laws::variables(const std::set<std::string>& used) const {
  Block out;
  for (std::size_t i = 0; i <= program_.other_grids.size(); ++i) {
    const Grid* g = used_grid(i, used);
    if (!g) continue;
    std::string all;
    for (std::size_t d = 0; d < g->dimensions(); ++d) all += (d > 0 ? ", " : "") + extent_of(*g, d);
    for (std::size_t d = 0; d < g->dimensions(); ++d) {
      if (used.contains(coordinate_of(*g, d))) all += ", " + coordinate_of(*g, d);
    }
    out.push_back({Declare{"static int", all}, "a grid, and where the rank is in it"});
  }
  if (used.contains("GRID"))
    out.push_back(
        {Declare{"static int", "GRID", fmt::format("[{}]", program_.grid->dimensions())}});
  return out;
}

Block Laws::assignments(const std::set<std::string>& used) const {
  Block out;
  out.push_back(assign(name("RANKS"), call("local_size", {name("everyone")})));
  const ExpressionNames names = of_all();
  for (std::size_t i = 0; i <= program_.other_grids.size(); ++i) {
    const Grid* g = used_grid(i, used);
    if (!g) continue;
    const Extents extents = known_extents(*g);
    std::vector<Expression> all;
    for (std::size_t d = 0; d < g->dimensions(); ++d) {
      all.push_back(name(extent_of(*g, d)));
      out.push_back(assign(all.back(), cast("int", extent(extents, d, name("RANKS"), names))));
    }
    out.push_back(form_grid(all, name("RANKS")));
    for (std::size_t d = 0; d < g->dimensions(); ++d) {
      const std::string x = coordinate_of(*g, d);
      if (used.contains(x)) out.push_back(assign(name(x), c_of(g->coordinates[d], names)));
    }
  }
  for (std::size_t d = 0; used.contains("GRID") && d < program_.grid->dimensions(); ++d)
    out.push_back(assign(subscript(name("GRID"), number(static_cast<std::int64_t>(d))),
                         name(extent_of(*program_.grid, d))));
  return out;
}

Expression Laws::curve(const std::vector<CurveFactors>& terms) const {
  constexpr double kNanoseconds = 1e-6;  // of a femtosecond
  constexpr std::int64_t kOne = 6;       // sixths
  Expression out;
  for (const CurveFactors& t : terms) {
    Expression term = real(kNanoseconds * static_cast<double>(t.femtoseconds));
    const auto multiply = [&](Expression by) {
      term = binary(Operator::multiply, std::move(term), std::move(by));
    };
    for (const CurvePower& p : t.powers) {
      const Expression v = of_all().variable(p.variable);
      if (p.sixths == kOne) multiply(v);
      if (p.sixths != kOne && p.sixths != 0) multiply(call("power", {v, number(p.sixths)}));
      for (int l = 0; l < p.logs; ++l) multiply(call("logarithm", {v}));
    }
    out = out ? binary(Operator::add, std::move(out), std::move(term)) : std::move(term);
  }
  return out;
}

TimeRows Laws::computation(const std::vector<std::uint32_t>& sites, Names& names) const {
  TimeRows out;
  std::vector<Expression> rows;
  std::vector<std::pair<Expression, std::string>> known;  // functions by what they return
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (trace::begins_mpi(trace::function(program_.trace->calls[sites[i]].function))) continue;
    const std::vector<CurveFactors> terms = computation_of(program_, sites[i]);
    if (terms.empty()) continue;
    std::vector<Entry> members = {{"site", number(static_cast<std::int64_t>(i))},
                                  {"from", name("ANYWHERE")}};
    const Expression value = curve(terms);
    const auto* alone = std::get_if<Real>(&value->content);
    if (alone) {
      out.of_sites.emplace(static_cast<std::int64_t>(i), value);
      continue;
    }
    auto same = std::ranges::find_if(known, [&](const auto& k) { return is_same(k.first, value); });
    if (same == known.end()) {
      std::string own = names.add("time_before_" + std::to_string(i));
      out.definitions.push_back({Function{"double", own, {}, {{Return{value}}}}});
      known.emplace_back(value, std::move(own));
      same = known.end() - 1;
    }
    members.push_back({"law", name(same->second)});
    rows.push_back(initializer(std::move(members)));
  }
  out.rows = rows.size();
  if (!rows.empty())
    out.definitions.push_back(
        {Declare{"static struct computation", "computations", "[]", list(std::move(rows))}});
  return out;
}

}  // namespace reprise::write::c
