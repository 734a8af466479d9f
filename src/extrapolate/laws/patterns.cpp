#include "extrapolate/laws/patterns.hpp"

#include <algorithm>
#include <set>

#include "expr/leaf.hpp"
#include "expr/parse.hpp"
#include "extrapolate/scalable.hpp"
#include "infer/evaluator.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Encoding;
using trace::Series;

constexpr std::string_view kOf = " of ", kIn = " in ", kEquals = " = ";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

Error not_understood(const std::string& origin, const std::string& why) {
  return Error{
      origin + " is not understood (" + why +
          "); say PARAMETER of FUNCTION in PLACE = EXPRESSION, as dest of MPI_Send in main "
          "app.c:40 = (rank + 1) % ranks",
      Error::Kind::usage};
}

Result<Pattern> parse_pattern(std::string_view line, const std::string& origin) {
  const auto of = line.find(kOf), equals = line.find(kEquals);
  if (equals == std::string_view::npos) return not_understood(origin, "there is no =");
  if (of == std::string_view::npos || of > equals) {
    return not_understood(origin, "it does not say of which function");
  }
  Pattern out;
  out.origin = origin;
  out.parameter = trimmed(line.substr(0, of));
  // "number of counts of MPI_Alltoallv": the last one counts.
  std::size_t last = of;
  for (auto next = of; next != std::string_view::npos && next < equals;
       next = line.find(kOf, next + 1)) {
    const auto in = line.find(kIn);
    if (in != std::string_view::npos && next > in) break;
    last = next;
  }
  out.parameter = trimmed(line.substr(0, last));
  const std::string_view whom = line.substr(last + kOf.size(), equals - last - kOf.size());
  const auto in = whom.find(kIn);
  out.function = trimmed(whom.substr(0, in));
  if (in != std::string_view::npos) out.place = trimmed(whom.substr(in + kIn.size()));
  out.text = trimmed(line.substr(equals + kEquals.size()));
  auto law = expr::parse(out.text);
  if (!law) return not_understood(origin, law.error().message);
  out.law = std::move(*law);
  if (out.parameter == "participants") out.parameter = kTripCount;
  return out;
}

std::string value_text(std::int64_t v) {
  return trace::is_special(v) ? std::string(trace::special_name(v)) : std::to_string(v);
}

// How many dimensions a grid must have for the names: x1 takes two.
std::size_t dimensions_for(const std::set<std::string>& names) {
  std::size_t out = 0;
  for (std::size_t d = 0; d < expr::kMaxDimensions; ++d) {
    if (names.contains(expr::coordinate_name(d)) || names.contains(expr::extent_name(d))) {
      out = d + 1;
    }
  }
  return out;
}

class Checker {
 public:
  Checker(const Pattern& pattern, const SlotView& slot, const LawSearch& search,
          std::span<const std::string> names)
      : pattern_(pattern), slot_(slot), search_(search), names_(names) {}

  // Fails with the first value that the law does not have.
  Status check(std::optional<std::size_t> grid) const {
    const std::size_t dimensions = grid ? search_.grids().rules[*grid].dimensions : 0;
    for (std::size_t run = 0; run < slot_.inputs().runs.size(); ++run) {
      const auto world = search_.grids().world(slot_.inputs().runs[run].ranks, grid);
      if (!world) return wrong(run, "has no such grid");
      const expr::Expr here = substitute(pattern_.law, search_.problem().bindings_in(run));
      auto evaluator = infer::Evaluator::make(here, dimensions, slot_.shape().parameters);
      if (!evaluator) {
        return Error{pattern_.origin + " cannot be taken (" + evaluator.error().message +
                         "); the names of laws are in docs/patterns.md",
                     Error::Kind::usage};
      }
      for (std::int64_t r = 0; r < world->ranks; ++r) {
        const Status right = check_rank(run, r, *world, *evaluator);
        if (!right) return right;
      }
    }
    return {};
  }

 private:
  Status check_rank(std::size_t run, std::int64_t rank, const infer::World& world,
                    infer::Evaluator& law) const {
    const auto r = static_cast<std::size_t>(rank);
    const Series& s = slot_.series(run, r, Encoding::absolute);
    if (s.empty()) return {};
    SlotWalk walk = slot_.walk(run, r);
    trace::SeriesCursor values(s);
    for (std::uint64_t k = 1; walk.next(); ++k) {
      const std::int64_t value = values.next();
      const auto said = law.at(rank, world, walk.parameters());
      if (said == value) continue;
      return wrong(run, "rank " + std::to_string(rank) + " has " + value_text(value) +
                            " as value " + std::to_string(k) + ", where the pattern says " +
                            (said ? value_text(*said) : std::string("nothing")));
    }
    return {};
  }

  Error wrong(std::size_t run, const std::string& why) const {
    const Run& r = slot_.inputs().runs[run];
    return Error{pattern_.origin + " is contradicted (in " + names_[r.input] + ", on " +
                 std::to_string(r.ranks) + " ranks, " + why +
                 "); correct its expression, which is " + pattern_.text};
  }

  const Pattern& pattern_;
  const SlotView& slot_;
  const LawSearch& search_;
  std::span<const std::string> names_;
};

}  // namespace

Result<std::vector<Pattern>> parse_patterns(std::string_view text, const std::string& name) {
  std::vector<Pattern> out;
  std::string pending;
  std::size_t number = 0, begun = 0;
  const auto finish = [&]() -> Status {
    if (pending.empty()) return {};
    auto pattern = parse_pattern(pending, name + ":" + std::to_string(begun));
    pending.clear();
    if (!pattern) return pattern.error();
    out.push_back(std::move(*pattern));
    return {};
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    line = line.substr(0, line.find('#'));
    const bool goes_on = !line.empty() && (line[0] == ' ' || line[0] == '\t');
    if (trimmed(line).empty()) continue;
    if (goes_on && !pending.empty()) {
      pending += " " + std::string(trimmed(line));
      continue;
    }
    if (const Status read = finish(); !read) return read.error();
    pending = trimmed(line);
    begun = number;
  }
  if (const Status read = finish(); !read) return read.error();
  return out;
}

const Pattern* find_pattern(std::span<const Pattern> patterns, const SlotName& slot) {
  const Pattern* found = nullptr;
  for (const Pattern& p : patterns) {
    const bool here =
        p.place.empty() || p.place == slot.place || slot.place.ends_with(" " + p.place);
    if (p.parameter == slot.parameter && p.function == slot.function && here) found = &p;
  }
  return found;
}

Result<Law> law_of(const Pattern& pattern, const SlotView& slot, const LawSearch& search,
                   std::span<const std::string> names) {
  const Checker checker(pattern, slot, search, names);
  const auto used = free_variables(pattern.law);
  const std::size_t dimensions = dimensions_for(used);
  Status failed = Error{pattern.origin +
                        " cannot be taken (no grid of so many dimensions was "
                        "found in the program); write it without x and d"};
  bool first = true;
  for (const auto& grid : search.grids().in_order()) {
    const std::size_t has = grid ? search.grids().rules[*grid].dimensions : 0;
    if (dimensions == 0 ? grid.has_value() : has < dimensions) continue;
    const Status right = checker.check(grid);
    if (!right) {
      if (first) failed = right;
      first = false;
      continue;
    }
    const NumberLaw number{pattern.law, grid,
                           uses(pattern.law, {expr::LeafKind::rank, expr::LeafKind::coordinate}),
                           solve::Standing::explains};
    const auto& parameters = slot.shape().parameters;
    const bool indexed =
        std::ranges::any_of(parameters, [&](const std::string& p) { return used.contains(p); });
    Law out{.given = true};
    out.form = indexed ? Law::Form::indexed : Law::Form::terms;
    if (indexed) {
      out.number = number;
    } else {
      out.terms = {{.value = number, .step = {}, .count = {}, .body = {}}};
    }
    return out;
  }
  return failed.error();
}

}  // namespace reprise::extrapolate
