#include "scalable/task_laws.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "expr/program.hpp"
#include "expr/simplify.hpp"
#include "scalable/law_terms.hpp"
#include "scalable/task_expression.hpp"
#include "scalable/unwritable.hpp"
#include "trace/special.hpp"

namespace reprise::scalable {
namespace {

using expr::Expr;
using expr::Op;
using extrapolate::Law;
using extrapolate::NumberLaw;
using extrapolate::TermLaw;
using infer::GridRule;
using program::NumberClass;
using program::Range;

// Extents that take a search are listed for so many numbers of ranks, the least ones.
constexpr std::size_t kListed = 256;

Expr rank() { return Expr::variable(expr::kRank); }
Expr ranks() { return Expr::variable(expr::kRanks); }

constexpr const char* kMixed = "a peer is reckoned from a value that is none on some ranks";

bool may_be_special(const Expr& e) {
  return (e.is_constant() && trace::is_special(e.value())) ||
         std::ranges::any_of(e.operands(), may_be_special);
}

// Special values stand for themselves in every encoding.
Expr decoded(trace::Encoding encoding, const Expr& written) {
  if (written.is_constant() && trace::is_special(written.value())) return written;
  const auto o = written.operands();
  if (written.op() == Op::conditional && may_be_special(written)) {
    if (may_be_special(o[0])) throw Unwritable{kMixed};
    return Expr::conditional(o[0], decoded(encoding, o[1]), decoded(encoding, o[2]));
  }
  if (may_be_special(written)) throw Unwritable{kMixed};
  switch (encoding) {
    case trace::Encoding::absolute: return written;
    case trace::Encoding::relative: return (rank() + written) % ranks();
    case trace::Encoding::exclusive_or: return Expr::make(Op::bit_xor, rank(), written);
  }
  return written;
}

bool is_index(const std::string& name) {
  return name.size() >= 2 && name[0] == 'i' &&
         name.find_first_not_of("0123456789", 1) == std::string::npos;
}

// Roots have functions; the other rules take a search.
bool has_formula(const GridRule& rule) {
  return rule.kind == GridRule::Kind::line || rule.dimensions == 1 ||
         (rule.kind == GridRule::Kind::power && rule.dimensions <= 3);
}

std::string shape_condition(NumberClass::Shape shape, const std::string& n) {
  switch (shape) {
    case NumberClass::Shape::any: return "";
    case NumberClass::Shape::square: return fmt::format("SQRT({0})**2 = {0}", n);
    case NumberClass::Shape::twice_square: return fmt::format("2*SQRT({0}/2)**2 = {0}", n);
    case NumberClass::Shape::oblong: return fmt::format("SQRT({0})*(SQRT({0})+1) = {0}", n);
    case NumberClass::Shape::cube: return fmt::format("CBRT({0})**3 = {0}", n);
    case NumberClass::Shape::power_of_two: return fmt::format("({0} & ({0}-1)) = 0", n);
  }
  return "";
}

std::string range_condition(const Range& range, const std::string& n) {
  std::string out = range.least == range.most
                        ? fmt::format("{} = {}", n, range.least)
                        : fmt::format("{0} >= {1} /\\ {0} <= {2}", n, range.least, range.most);
  if (range.numbers.multiple_of > 1)
    out += fmt::format(" /\\ {} MOD {} = 0", n, range.numbers.multiple_of);
  const std::string shape = shape_condition(range.numbers.shape, n);
  return shape.empty() ? out : out + " /\\ " + shape;
}

}  // namespace

std::string task_size_name(const std::string& parameter) { return "problem_" + parameter; }

bool is_of_task(const Expr& e) {
  return expr::free_variables(e).contains(std::string(expr::kRank));
}

bool is_of_loop(const Expr& e) { return std::ranges::any_of(expr::free_variables(e), is_index); }

TaskLaws::TaskLaws(const ScalableTrace& scalable) : scalable_(scalable) {}

Expr TaskLaws::extent(std::size_t grid, std::size_t dimension) {
  std::string name = expr::extent_name(dimension);
  const auto found = extents_.find(name);
  if (found != extents_.end() && found->second.first != grid) name += fmt::format("_{}", grid);
  extents_.emplace(name, std::pair(grid, dimension));
  // The last one is what the others leave.
  const GridRule& rule = scalable_.program.grids.rules[grid];
  for (std::size_t d = 0; !has_formula(rule) && dimension + 1 == rule.dimensions && d < dimension;
       ++d) {
    extent(grid, d);
  }
  return Expr::variable(name);
}

Expr TaskLaws::coordinate(std::size_t grid, std::size_t dimension) {
  const std::size_t last = scalable_.program.grids.rules[grid].dimensions - 1;
  Expr out = rank();
  for (std::size_t d = 0; d < dimension; ++d) out = out / extent(grid, d);
  return dimension == last ? out : out % extent(grid, dimension);
}

Expr TaskLaws::number_of(const NumberLaw& law) {
  std::vector<expr::Binding> own;
  const auto used = expr::free_variables(law.expression);
  for (std::size_t d = 0; law.grid && d < expr::kMaxDimensions; ++d) {
    if (used.contains(expr::extent_name(d)))
      own.push_back({expr::extent_name(d), extent(*law.grid, d)});
    if (used.contains(expr::coordinate_name(d)))
      own.push_back({expr::coordinate_name(d), coordinate(*law.grid, d)});
  }
  own.push_back({std::string(expr::kProcNull), Expr(trace::kProcNull)});
  for (const std::string& name : used) {
    if (name.size() >= 2 && name[0] == 't' &&
        name.find_first_not_of("0123456789", 1) == std::string::npos)
      throw Unwritable{"a law refers to the trip count of a loop around"};
  }
  return expr::simplify(expr::substitute(law.expression, own));
}

Expr TaskLaws::length_of(const std::vector<TermLaw>& terms) {
  Expr out(0);
  for (const TermLaw& t : terms) {
    const Expr each = t.body.empty() ? Expr(1) : length_of(t.body);
    out = out + number_of(t.count) * each;
  }
  return expr::simplify(out);
}

// The value at a place in the terms. The last of them, and what goes on for ever, has the rest.
Expr TaskLaws::series(const std::vector<TermLaw>& terms, const Expr& place) {
  if (terms.empty()) return Expr(0);
  std::vector<Expr> values, ends;
  Expr begin(0);
  for (const TermLaw& t : terms) {
    const Expr k = expr::simplify(place - begin);
    const Expr step = number_of(t.step);
    if (t.body.empty()) {
      values.push_back(number_of(t.value) + step * k);
    } else {
      const Expr each = length_of(t.body);
      values.push_back(series(t.body, expr::simplify(k % each)) + step * (k / each));
    }
    if (t.count.expression.is_constant(static_cast<std::int64_t>(trace::kUnbounded))) break;
    begin =
        expr::simplify(begin + number_of(t.count) * (t.body.empty() ? Expr(1) : length_of(t.body)));
    ends.push_back(begin);
  }
  Expr out = values.back();
  for (std::size_t i = values.size() - 1; i-- > 0;)
    out = Expr::conditional(Expr::make(Op::less, place, ends[i]), values[i], out);
  return expr::simplify(out);
}

Expr TaskLaws::value(const Law& law, const std::optional<Expr>& place) {
  if (law.form == Law::Form::distribution) throw Unwritable{"a law is a distribution"};
  if (law.local) throw Unwritable{"a law is one of ranks in a communicator"};
  if (law.depth) throw Unwritable{"a law counts from the depth of a recursion"};
  if (law.form == Law::Form::indexed) return number_of(law.number);
  const std::vector<TermLaw> terms = terms_of(law);
  if (is_one_value(terms)) return number_of(terms[0].value);
  if (!place) throw Unwritable{"values differ from one execution to the next in no simple way"};
  return series(terms, *place);
}

Expr TaskLaws::element(const Law& law, const Expr& index, const Expr& length) {
  if (law.form == Law::Form::distribution || law.encoding != trace::Encoding::absolute)
    throw Unwritable{"a list has elements that no expression says"};
  if (law.local) throw Unwritable{"a law is one of ranks in a communicator"};
  if (law.depth) throw Unwritable{"a law counts from the depth of a recursion"};
  std::vector<expr::Binding> own{{"index", index}, {"length", length}};
  if (law.form == Law::Form::indexed)
    return expr::simplify(expr::substitute(number_of(law.number), own));
  const std::vector<TermLaw> terms = terms_of(law);
  if (!is_one_value(terms)) throw Unwritable{"a list has elements that no expression says"};
  return number_of(terms[0].value);
}

Expr TaskLaws::peer(const Law& law, const std::optional<Expr>& place) {
  return expr::simplify(decoded(law.encoding, value(law, place)));
}

std::string TaskLaws::number(const Expr& e, const std::string& task) const {
  return task_number(e, text_of(task), [&](const std::string& name) { return least_of(name); });
}

std::string TaskLaws::condition(const Expr& e, const std::string& task) const {
  return task_condition(e, text_of(task), [&](const std::string& name) { return least_of(name); });
}

VariableText TaskLaws::text_of(const std::string& task) const {
  return [this, task](const std::string& name) {
    if (name == expr::kRank) return task;
    if (name == expr::kRanks) return std::string("num_tasks");
    for (const auto& p : scalable_.parameters) {
      if (p.name == name) return task_size_name(name);
    }
    return name;
  };
}

// What a variable is at least where the program runs.
std::int64_t TaskLaws::least_of(const std::string& name) const {
  if (name == expr::kRanks) return scalable_.domain.ranks.least;
  for (std::size_t p = 0; p < scalable_.parameters.size(); ++p) {
    if (scalable_.parameters[p].name == name) return scalable_.domain.parameters[p].least;
  }
  const auto place = extents_.find(name);
  if (place == extents_.end()) return 0;
  const auto [known, is_new] = least_extents_.emplace(name, 0);
  if (!is_new) return known->second;
  const auto [grid, dimension] = place->second;
  std::optional<std::int64_t> least;
  // Extents that are not listed grow with the number of ranks.
  for (const std::int64_t n : listed_ranks()) {
    const auto world = scalable_.program.grids.world(n, grid);
    const std::int64_t extent = world ? world->extents[dimension] : 0;
    least = std::min(least.value_or(extent), extent);
  }
  return known->second = least.value_or(0);
}

// The least numbers of ranks that the laws hold for.
std::vector<std::int64_t> TaskLaws::listed_ranks() const {
  const Range& range = scalable_.domain.ranks;
  std::vector<std::int64_t> out;
  for (auto n = range.numbers.next(range.least, range.most); n && out.size() < kListed;
       n = range.numbers.next(*n + 1, range.most)) {
    out.push_back(*n);
  }
  return out;
}

std::string TaskLaws::extent_text(std::size_t grid, std::size_t dimension) const {
  const GridRule& rule = scalable_.program.grids.rules[grid];
  if (rule.dimensions == 1 || rule.kind == GridRule::Kind::line) return "num_tasks";
  if (has_formula(rule)) return rule.dimensions == 2 ? "SQRT(num_tasks)" : "CBRT(num_tasks)";
  if (dimension + 1 == rule.dimensions) {
    std::string out = "num_tasks";
    for (const auto& [name, place] : extents_) {
      if (place.first == grid && place.second < dimension) out += "/" + name;
    }
    return out;
  }
  std::map<std::int64_t, std::vector<std::int64_t>> by_extent;
  for (const std::int64_t n : listed_ranks()) {
    const auto world = scalable_.program.grids.world(n, grid);
    by_extent[world ? world->extents[dimension] : 0].push_back(n);
  }
  std::string out = "0";
  for (const auto& [extent, numbers] : by_extent) {
    if (extent == 0) throw Unwritable{"some numbers of ranks that its laws hold for have no grid"};
    out = fmt::format("({} IF num_tasks IS IN {{{}}} OTHERWISE {})", extent,
                      fmt::join(numbers, ", "), out);
  }
  return out;
}

std::string TaskLaws::definitions() const {
  std::string out;
  for (const auto& [name, place] : extents_)
    out += "LET " + name + " BE " + extent_text(place.first, place.second) + " WHILE\n";
  return out;
}

std::vector<std::pair<std::string, std::string>> TaskLaws::assertions() const {
  Range range = scalable_.domain.ranks;
  std::string why;
  for (const auto& [name, place] : extents_) {
    if (has_formula(scalable_.program.grids.rules[place.first])) continue;
    range.most = std::min(range.most, listed_ranks().back());
    why = ", for which the extents of its grid are listed";
  }
  std::vector<std::pair<std::string, std::string>> out{
      {"it runs on as many tasks as its laws hold for: " + range.describe() + why,
       range_condition(range, "num_tasks")}};
  for (std::size_t p = 0; p < scalable_.parameters.size(); ++p) {
    const std::string& name = scalable_.parameters[p].name;
    const Range& sizes = scalable_.domain.parameters[p];
    out.push_back(
        {"--" + name + " takes " + sizes.describe(), range_condition(sizes, task_size_name(name))});
  }
  return out;
}

std::optional<std::int64_t> TaskLaws::at(const Expr& e, std::int64_t rank, std::int64_t ranks,
                                         std::size_t input) const {
  std::vector<std::string> names;
  std::vector<std::int64_t> values;
  for (const std::string& name : expr::free_variables(e)) {
    std::int64_t value = 0;  // of a loop's index
    if (name == expr::kRank) value = rank;
    if (name == expr::kRanks) value = ranks;
    for (const auto& p : scalable_.parameters) {
      if (p.name == name) value = p.values[input];
    }
    if (const auto found = extents_.find(name); found != extents_.end()) {
      const auto world = scalable_.program.grids.world(ranks, found->second.first);
      if (!world) return std::nullopt;
      value = world->extents[found->second.second];
    }
    names.push_back(name);
    values.push_back(value);
  }
  const auto program = expr::Program::compile(e, names);
  return program ? program->run(values) : std::nullopt;
}

}  // namespace reprise::scalable
