// Laws by way of other samples, which a simpler law explains.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "expr/cost.hpp"
#include "expr/simplify.hpp"
#include "extrapolate/joined_law.hpp"
#include "extrapolate/leaves.hpp"
#include "infer/evaluator.hpp"
#include "trace/special.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;
using infer::Sample;
using infer::Samples;
using infer::WorldSamples;

constexpr std::size_t kMostCases = 16;
constexpr std::int64_t kMostNested = 12;
const std::string kLeft = "_left";         // trips of a loop still to come
constexpr std::uint32_t kShortCases = 48;  // [bits]

// The values of a parameter, if they are the same few in all worlds and more than one.
std::optional<std::set<std::int64_t>> same_few(const Samples& samples, std::size_t parameter) {
  std::optional<std::set<std::int64_t>> out;
  for (const WorldSamples& w : samples.worlds) {
    std::set<std::int64_t> here;
    for (const Sample& s : w.samples) here.insert(s.parameters[parameter]);
    if (here.size() > kMostCases || (out && *out != here)) return std::nullopt;
    out = std::move(here);
  }
  if (!out || out->size() < 2) return std::nullopt;
  return out;
}

// The samples in which a parameter has a value, without the parameter.
Samples where(const Samples& samples, std::size_t parameter, std::int64_t value) {
  Samples out = samples;
  const auto at = static_cast<std::ptrdiff_t>(parameter);
  out.parameters.erase(out.parameters.begin() + at);
  if (!out.wanted.empty()) out.wanted.erase(out.wanted.begin() + at);
  for (WorldSamples& w : out.worlds) {
    std::erase_if(w.samples, [&](const Sample& s) { return s.parameters[parameter] != value; });
    for (Sample& s : w.samples) s.parameters.erase(s.parameters.begin() + at);
  }
  return out;
}

std::size_t rows(const Samples& samples) {
  std::size_t n = 0;
  for (const WorldSamples& w : samples.worlds) n += w.samples.size();
  return n;
}

// i0, i1, ... and the index in a list.
bool is_index(const std::string& parameter) {
  return parameter == "index" || (parameter.size() == 2 && parameter[0] == 'i');
}

// A law on some of so many ranks, with the parameters of the samples of the largest world.
std::vector<std::optional<std::int64_t>> values_at(std::int64_t ranks, const NumberLaw& law,
                                                   const Samples& samples) {
  constexpr std::int64_t kRanks = 8;
  constexpr std::size_t kRows = 32;
  std::vector<std::optional<std::int64_t>> out;
  auto evaluator = infer::Evaluator::make(law.expression, 0, samples.parameters);
  if (!evaluator) return out;
  const auto& rows = samples.worlds.back().samples;
  for (std::int64_t r = 0; r < std::min(kRanks, ranks); ++r) {
    for (std::size_t i = 0; i < std::min(kRows, rows.size()); ++i) {
      out.push_back(evaluator->at(r, {ranks, {}}, rows[i].parameters));
    }
  }
  return out;
}

// What all values have in common; 0 if some are too large.
std::int64_t common_factor(const Samples& samples) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  std::int64_t common = 0;
  for (const WorldSamples& w : samples.worlds) {
    for (const Sample& s : w.samples) {
      if (trace::is_special(s.value)) continue;
      if (s.value > kMost || s.value < -kMost) return 0;
      common = std::gcd(common, s.value);
    }
  }
  return common;
}

// Special values stay.
void divide(Samples& samples, std::int64_t by) {
  for (WorldSamples& w : samples.worlds) {
    for (Sample& s : w.samples) {
      if (!trace::is_special(s.value)) s.value /= by;
    }
  }
}

}  // namespace

// A law for each trip of a loop that has as many on all ranks: the directions of a stencil, the
// phases of a step.
std::optional<NumberLaw> LawSearch::case_by_case(const Samples& samples) const {
  for (std::size_t p = samples.parameters.size(); p-- > 0;) {
    if (!is_index(samples.parameters[p])) continue;
    const auto values = same_few(samples, p);
    if (!values) continue;
    const Expr index = Expr::variable(samples.parameters[p]);
    JoinedLaw joined;
    std::optional<Expr> out;
    bool all = true;
    for (auto v = values->rbegin(); v != values->rend() && all; ++v) {
      const auto law = search(where(samples, p, *v));
      all = law && joined.take(*law);
      if (!all) break;
      if (!out) {
        out = law->expression;
      } else if (!(*out == law->expression)) {
        out = Expr::conditional(Expr::make(Op::equal, index, Expr(*v)), law->expression, *out);
      }
    }
    if (all) return joined.finish(*out);
  }
  return std::nullopt;
}

// Cases that take long to write down are often one law that the index is part of.
std::optional<NumberLaw> LawSearch::shortest_by_case(const Samples& samples) const {
  auto cases = case_by_case(samples);
  if (!cases || expr::cost_of(cases->expression) <= kShortCases) return cases;
  return shorter_of(samples, *cases);
}

// Two loops, one right in the other, that the trace has as one: the index is that of the outer loop
// times the trips of the inner one, and either of them goes round a few times.
std::optional<NumberLaw> LawSearch::nested(const Samples& samples) const {
  for (std::size_t p = samples.parameters.size(); p-- > 0;) {
    if (!is_index(samples.parameters[p]) || samples.parameters[p] == "index") continue;
    const auto trips = std::ranges::find(samples.parameters, "t" + samples.parameters[p].substr(1));
    if (trips == samples.parameters.end()) continue;
    const auto t = static_cast<std::size_t>(trips - samples.parameters.begin());
    const Expr index = Expr::variable(samples.parameters[p]);
    for (std::int64_t c = 2; c <= kMostNested; ++c) {
      Samples outer = samples;
      bool divides = true;
      for (WorldSamples& w : outer.worlds) {
        for (Sample& s : w.samples) {
          divides = divides && s.parameters[t] % c == 0;
          if (divides) s.parameters[p] /= s.parameters[t] / c;
        }
      }
      if (!divides) continue;
      Needed needed = drop_needless(outer);
      const auto& left = needed.samples.parameters;
      if (std::ranges::find(left, samples.parameters[p]) == left.end()) continue;
      if (3 * rows(needed.samples) > 2 * rows(drop_needless(samples).samples)) continue;
      const auto law = case_by_case(needed.samples);
      if (!law) continue;
      const Expr inner = Expr::variable(*trips) / Expr(c);
      const std::array<expr::Binding, 1> names = {
          expr::Binding{samples.parameters[p], index / inner}};
      NumberLaw out = *law;
      out.expression = substitute(law->expression, names);
      return out;
    }
  }
  return std::nullopt;
}

// What all values have in common, as the length of a row that is sent whole, times a law of rows.
// Rows may have common factors too: then there are several. Not where sizes of the problem are
// declared.
std::optional<Result<NumberLaw>> LawSearch::multiplied(const Samples& samples) const {
  constexpr std::int64_t kMostInRows = 16;
  const Samples needed = drop_needless(samples).samples;
  if (!needed.parameters.empty()) return std::nullopt;
  const std::int64_t common = common_factor(needed);
  if (common < 2) return std::nullopt;
  std::optional<NumberLaw> first;
  NumberLaw rows_law;
  for (std::int64_t in_rows = 1; in_rows <= std::min(kMostInRows, common / 2); ++in_rows) {
    if (common % in_rows != 0) continue;
    const std::int64_t factor = common / in_rows;
    Samples rows = needed;
    divide(rows, factor);
    auto law = search_undivided(rows);
    if (!law && tells_several(law.error())) return law.error();
    if (!law && !first) return std::nullopt;
    if (!law) continue;
    if (!first) rows_law = *law;
    law->expression = expr::map_choices(law->expression, [&](const Expr& e) {
      return e.is_constant() && trace::is_special(e.value()) ? e : expr::simplify(Expr(factor) * e);
    });
    if (!first) first = *law;
    if (!same_at_target(*first, *law)) return untold(first->expression, law->expression);
  }
  // The factor is a number like others: the largest run confirms it, and the law of rows.
  Samples fewer = needed;
  fewer.worlds.pop_back();
  const std::int64_t before = common_factor(fewer);
  if (before != common || fewer.worlds.size() < 2) return std::nullopt;
  divide(fewer, common);
  const auto without = search_undivided(fewer);
  if (!without || !same_at_target(*without, rows_law)) return std::nullopt;
  return *first;
}

// What returns from level to level, as a recursion does: the value is that of the trips still to
// come.
std::optional<NumberLaw> LawSearch::counted_down(const Samples& samples) const {
  for (std::size_t p = samples.parameters.size(); p-- > 0;) {
    const std::string name = samples.parameters[p];
    if (!is_index(name) || name == "index") continue;
    const auto trips = std::ranges::find(samples.parameters, "t" + name.substr(1));
    if (trips == samples.parameters.end()) continue;
    const auto t = static_cast<std::size_t>(trips - samples.parameters.begin());
    std::set<std::int64_t> different;
    const auto turn = [&](std::vector<std::int64_t>& parameters) {
      different.insert(parameters[t]);
      parameters[p] = parameters[t] - 1 - parameters[p];
      parameters.erase(parameters.begin() + static_cast<std::ptrdiff_t>(t));
    };
    Samples turned = samples;
    turned.parameters[p] = kLeft;
    turned.parameters.erase(turned.parameters.begin() + static_cast<std::ptrdiff_t>(t));
    if (!turned.wanted.empty()) turn(turned.wanted);
    for (WorldSamples& w : turned.worlds) {
      for (Sample& s : w.samples) turn(s.parameters);
    }
    if (different.size() < 2) continue;
    const auto& left = drop_needless(turned).samples.parameters;
    if (std::ranges::find(left, kLeft) == left.end()) continue;
    const auto law = search(turned);
    if (!law) continue;
    const std::array<expr::Binding, 1> names = {
        expr::Binding{kLeft, Expr::variable(*trips) - Expr(1) - Expr::variable(name)}};
    NumberLaw out = *law;
    out.expression = substitute(law->expression, names);
    return out;
  }
  return std::nullopt;
}

// What travels round a ring, or crosses all pairs of ranks: the value is that of rank +- index.
// Where several are, as rank + index and rank - index modulo an even number of ranks for what is
// even, they must be one at the target.
std::optional<NumberLaw> LawSearch::rotated(const Samples& samples) const {
  std::optional<NumberLaw> found;
  std::vector<std::optional<std::int64_t>> values;
  const Expr rank = Expr::variable(expr::kRank), ranks = Expr::variable(expr::kRanks);
  for (std::size_t p = samples.parameters.size(); p-- > 0;) {
    if (!is_index(samples.parameters[p])) continue;
    const Expr index = Expr::variable(samples.parameters[p]);
    for (const std::int64_t sign : {-1, 1}) {
      for (const std::int64_t shift : {0, -1, 1, -2, 2}) {
        Samples turned = samples;
        for (WorldSamples& w : turned.worlds) {
          const std::int64_t n = w.world.ranks;
          for (Sample& s : w.samples) {
            s.rank = ((s.rank + sign * s.parameters[p] + shift) % n + n) % n;
          }
        }
        const Needed needed = drop_needless(turned);
        const auto& left = needed.samples.parameters;
        // The turn must explain: fewer rows, and the index gone.
        if (std::ranges::find(left, samples.parameters[p]) != left.end() || !needed.rank) break;
        if (3 * rows(needed.samples) > 2 * rows(samples)) break;
        const auto law = LawSearch({}, ranks_, {}, numbers_).search(needed.samples);
        if (!law) continue;
        const Expr moved = sign < 0 ? rank - index : rank + index;
        const Expr place = (shift == 0 ? moved : moved + Expr(shift)) % ranks;
        const std::array<expr::Binding, 1> names = {expr::Binding{std::string(expr::kRank), place}};
        NumberLaw out = *law;
        out.expression = substitute(law->expression, names);
        out.of_rank = true;
        auto here = values_at(ranks_, out, samples);
        if (found && here != values) return std::nullopt;
        if (!found) found = std::move(out);
        values = std::move(here);
      }
    }
  }
  return found;
}

}  // namespace reprise::extrapolate
