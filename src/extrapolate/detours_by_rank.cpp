// Laws of lists and of what is counted, by way of other samples.
#include <algorithm>
#include <array>
#include <set>

#include "extrapolate/joined_law.hpp"
#include "extrapolate/leaves.hpp"
#include "extrapolate/number_law.hpp"
#include "trace/special.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using infer::Sample;
using infer::Samples;
using infer::WorldSamples;

constexpr std::size_t kMostCounted = 64;
constexpr const char* kCounted = "_counted";

}  // namespace

// A list with an element for each rank follows its index as other values follow the rank.
std::optional<NumberLaw> LawSearch::by_place_in_list(const Samples& samples) const {
  const auto index = std::ranges::find(samples.parameters, "index") - samples.parameters.begin();
  if (index == std::ssize(samples.parameters)) return std::nullopt;
  const auto at = static_cast<std::size_t>(index);
  Samples list;
  for (std::size_t p = 0; p < samples.parameters.size(); ++p) {
    if (p != at && samples.parameters[p] != "length")
      list.parameters.push_back(samples.parameters[p]);
  }
  for (const WorldSamples& w : samples.worlds) {
    const auto last = [&](const Sample& s) { return s.parameters[at] + 1 == w.world.ranks; };
    if (std::ranges::none_of(w.samples, last)) return std::nullopt;
    WorldSamples turned{w.world, {}};
    for (const Sample& s : w.samples) {
      if (s.parameters[at] >= w.world.ranks) return std::nullopt;
      if (s.rank != w.samples.front().rank) return std::nullopt;
      Sample t{s.parameters[at], s.value, {}};
      for (std::size_t p = 0; p < samples.parameters.size(); ++p) {
        if (p != at && samples.parameters[p] != "length") t.parameters.push_back(s.parameters[p]);
      }
      turned.samples.push_back(std::move(t));
    }
    list.worlds.push_back(std::move(turned));
  }
  const auto law = LawSearch({}, ranks_, {}, numbers_).find(list);
  if (!law) return std::nullopt;
  const std::array<expr::Binding, 1> names = {
      expr::Binding{std::string(expr::kRank), Expr::variable("index")}};
  NumberLaw out = *law;
  out.expression = substitute(law->expression, names);
  out.of_rank = false;
  return out;
}

// What only some ranks have, and all of those alike: the lengths of lists that count at the root.
std::optional<NumberLaw> LawSearch::where_not_zero(const Samples& samples) const {
  if (all_zero_or_one(samples)) return std::nullopt;
  Samples others = samples, condition = samples;
  bool zeros = false;
  for (std::size_t w = 0; w < samples.worlds.size(); ++w) {
    std::erase_if(others.worlds[w].samples, [](const Sample& s) { return s.value == 0; });
    if (others.worlds[w].samples.empty()) return std::nullopt;
    for (Sample& s : condition.worlds[w].samples) {
      if (trace::is_special(s.value)) return std::nullopt;
      zeros = zeros || s.value == 0;
      s.value = s.value == 0 ? 0 : 1;
    }
  }
  if (!zeros || drop_needless(others).rank || !drop_needless(condition).rank) return std::nullopt;
  const auto law = search(others);
  if (!law) return std::nullopt;
  const auto when = search(condition);
  JoinedLaw joined;
  if (!when || !joined.take(*law) || !joined.take(*when)) return std::nullopt;
  return joined.finish(Expr::conditional(when->expression, law->expression, Expr(0)));
}

// A number that the program counts with, such as the three of `(rank + i) % 3`, shows in how many
// values there are.
std::optional<NumberLaw> LawSearch::with_a_constant(const Samples& samples) const {
  std::set<std::int64_t> values;
  for (const WorldSamples& w : samples.worlds) {
    for (const Sample& s : w.samples) {
      if (trace::is_special(s.value)) return std::nullopt;
      values.insert(s.value);
      if (values.size() > kMostCounted) return std::nullopt;
    }
  }
  if (values.size() < 3) return std::nullopt;
  const auto constant = static_cast<std::int64_t>(values.size());
  Samples more = samples;
  more.parameters.emplace_back(kCounted);
  if (!more.wanted.empty()) more.wanted.push_back(constant);
  if (more.declared > 0) ++more.declared;
  for (WorldSamples& w : more.worlds) {
    for (Sample& s : w.samples) s.parameters.push_back(constant);
  }
  const infer::Options options{.target = infer::World{ranks_, {}}};
  const auto law = infer::infer_value(more, options);
  if (!law || law->standing == infer::Standing::contradicted) return std::nullopt;
  const std::array<expr::Binding, 1> names = {expr::Binding{kCounted, Expr(constant)}};
  return NumberLaw{substitute(law->expression, names), {}, true, law->standing};
}

}  // namespace reprise::extrapolate
