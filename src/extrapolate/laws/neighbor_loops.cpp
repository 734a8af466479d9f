#include "extrapolate/laws/neighbor_loops.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expr/simplify.hpp"
#include "extrapolate/grids/find_grids.hpp"
#include "extrapolate/laws/joined_law.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;
using infer::Sample;
using infer::Samples;
using infer::WorldSamples;

constexpr std::size_t kMostNeighbors = 32;

// The peers of each rank when it first executes the innermost loop; the law has to explain later
// executions. Nothing if the call skips iterations.
std::optional<Samples> by_index(const SlotView& slot) {
  const auto& parameters = slot.shape().parameters;
  if (slot.shape().loops.empty() || slot.shape().is_element) return std::nullopt;
  Samples samples;
  samples.parameters = {parameters.back()};
  for (std::size_t run = 0; run < slot.inputs().runs.size(); ++run) {
    WorldSamples world{{slot.inputs().runs[run].ranks, {}}, {}};
    for (std::int64_t r = 0; r < world.world.ranks; ++r) {
      const auto& s = slot.series(run, static_cast<std::size_t>(r), trace::Encoding::absolute);
      if (s.empty()) continue;
      trace::SeriesCursor values(s);
      SlotWalk walk = slot.walk(run, static_cast<std::size_t>(r));
      std::int64_t trips = 0;
      for (; walk.next() && walk.parameters().back() >= trips; ++trips) {
        const std::int64_t index = walk.parameters().back();
        if (index > trips || index >= static_cast<std::int64_t>(kMostNeighbors))
          return std::nullopt;
        const std::int64_t peer = values.next();
        if (peer < 0 || peer >= world.world.ranks) return std::nullopt;
        world.samples.push_back({r, peer, {index}});
      }
    }
    samples.worlds.push_back(std::move(world));
  }
  return samples;
}

using Extents = std::vector<std::vector<std::int64_t>>;  // [runs]

std::optional<Extents> extents_of(const Samples& samples, const infer::GridRule& rule) {
  Extents out;
  for (const WorldSamples& w : samples.worlds) {
    auto extents = rule.extents(w.world.ranks);
    if (!extents) return std::nullopt;
    out.push_back(std::move(*extents));
  }
  return out;
}

// Of every rank.
std::vector<RankSteps> steps_on(const Samples& samples, const Extents& extents) {
  std::vector<RankSteps> out;
  for (std::size_t run = 0; run < samples.worlds.size(); ++run) {
    const auto& [world, rows] = samples.worlds[run];
    const std::size_t first = out.size();
    for (std::size_t r = 0; r < static_cast<std::size_t>(world.ranks); ++r) {
      out.push_back({run, r, {}});
    }
    for (const Sample& s : rows) {
      const auto here = infer::coordinates(s.rank, extents[run]);
      Step step = infer::coordinates(s.value, extents[run]);
      for (std::size_t k = 0; k < step.size(); ++k) step[k] -= here[k];
      out[first + static_cast<std::size_t>(s.rank)].steps.push_back(std::move(step));
    }
  }
  return out;
}

// The steps of all ranks in the one order in which each rank makes those that it has; nothing if
// there is no such order, or several.
std::optional<std::vector<Step>> common_order(const std::vector<RankSteps>& ranks) {
  std::map<Step, std::set<Step>> earlier;  // the steps that ranks make right before each
  for (const RankSteps& rank : ranks) {
    for (std::size_t i = 0; i < rank.steps.size(); ++i) {
      auto& before = earlier[rank.steps[i]];
      if (i > 0) before.insert(rank.steps[i - 1]);
    }
  }
  std::vector<Step> out;
  while (!earlier.empty()) {
    const auto is_next = [](const auto& entry) { return entry.second.empty(); };
    if (std::ranges::count_if(earlier, is_next) != 1) return std::nullopt;
    const auto next = std::ranges::find_if(earlier, is_next);
    out.push_back(next->first);
    earlier.erase(next);
    for (auto& [step, before] : earlier) before.erase(out.back());
  }
  return out;
}

// The positions of a rank's steps in the list; nothing if they are not there in this order.
std::optional<std::vector<std::size_t>> positions_in(const std::vector<Step>& list,
                                                     const RankSteps& rank) {
  std::vector<std::size_t> out;
  std::size_t at = 0;
  for (const Step& step : rank.steps) {
    while (at < list.size() && list[at] != step) ++at;
    if (at == list.size()) return std::nullopt;
    out.push_back(at++);
  }
  return out;
}

// Whether all peers are at most one step away along each dimension.
bool are_neighbors(const std::vector<RankSteps>& ranks) {
  return std::ranges::all_of(ranks, [](const RankSteps& rank) {
    return std::ranges::all_of(rank.steps, [](const Step& step) {
      return std::ranges::all_of(step, [](std::int64_t k) { return -1 <= k && k <= 1; });
    });
  });
}

// Where no rank has the neighbor.
Ordinals on_no_rank(const Samples& samples) {
  Ordinals out;
  for (const WorldSamples& w : samples.worlds)
    out.emplace_back(static_cast<std::size_t>(w.world.ranks), -1);
  return out;
}

// The positions of a rank's neighbors in a box that explains them; empty if it has no steps.
std::optional<std::vector<std::size_t>> positions_in(const NeighborBox& box, const RankSteps& rank,
                                                     const Extents& extents) {
  std::vector<std::size_t> out;
  if (rank.steps.empty()) return out;
  const auto& here = extents[rank.run];
  const auto coordinates = infer::coordinates(static_cast<std::int64_t>(rank.rank), here);
  for (std::size_t p = 0; p < box.steps().size(); ++p) {
    if (box.target(box.steps()[p], coordinates, here)) out.push_back(p);
  }
  return out;
}

// By step in the list, or the box; nothing if it does not explain the steps of a rank, or if all
// ranks have all of it.
template <class PositionsOf>
std::optional<std::vector<Ordinals>> ordinals_of(std::size_t size,
                                                 const std::vector<RankSteps>& ranks,
                                                 const Samples& samples,
                                                 const PositionsOf& positions_of) {
  std::vector<Ordinals> out(size, on_no_rank(samples));
  bool is_partial = false;
  for (const RankSteps& rank : ranks) {
    const auto positions = positions_of(rank);
    if (!positions) return std::nullopt;
    is_partial = is_partial || (!positions->empty() && positions->size() < size);
    for (std::size_t n = 0; n < positions->size(); ++n)
      out[(*positions)[n]][rank.run][rank.rank] = static_cast<std::int64_t>(n);
  }
  return is_partial ? std::optional(std::move(out)) : std::nullopt;
}

// The laws of which ranks have each neighbor; nothing if one has none.
std::optional<NeighborConditions> find_conditions(const std::vector<Ordinals>& neighbors,
                                                  const Samples& samples, LawSearch& search) {
  NeighborConditions out;
  for (const Ordinals& ordinals : neighbors) {
    Samples condition;
    for (std::size_t run = 0; run < samples.worlds.size(); ++run) {
      condition.worlds.push_back({samples.worlds[run].world, {}});
      for (std::size_t r = 0; r < ordinals[run].size(); ++r) {
        condition.worlds.back().samples.push_back(
            {static_cast<std::int64_t>(r), ordinals[run][r] >= 0 ? 1 : 0, {}});
      }
    }
    auto has = search.find(condition);
    if (!has) return std::nullopt;
    out.push_back(std::move(*has));
  }
  return out;
}

// The loop on a grid. A grid that is not known yet is accepted if all peers are at most one step
// away: longer steps show another grid.
std::optional<NeighborLoop> loop_on(const Samples& samples, const infer::GridRule& rule,
                                    std::optional<std::size_t> known, LawSearch& search) {
  const auto extents = extents_of(samples, rule);
  if (!extents) return std::nullopt;
  const std::vector<RankSteps> ranks = steps_on(samples, *extents);
  auto box = NeighborBox::find(ranks, *extents);
  if (!known && !box && !are_neighbors(ranks)) return std::nullopt;
  const auto list = box ? box->steps() : common_order(ranks);
  if (!list || list->size() < 2) return std::nullopt;
  auto ordinals = ordinals_of(list->size(), ranks, samples, [&](const RankSteps& rank) {
    return box ? positions_in(*box, rank, *extents) : positions_in(*list, rank);
  });
  if (!ordinals) return std::nullopt;
  LawSearch trial = search;
  const std::size_t grid = known ? *known : trial.add_grid(rule);
  trial.see(grid);
  NeighborLoop out{samples.parameters.front(), std::move(*ordinals), {}};
  if (box) {
    out.which = NeighborsInBox{std::move(*box), grid};
  } else {
    auto conditions = find_conditions(out.ordinals, samples, trial);
    if (!conditions) return std::nullopt;
    out.which = std::move(*conditions);
  }
  search = std::move(trial);
  return out;
}

// The loop that has the same trip count on all ranks of all runs.
std::optional<NeighborLoop> whole_loop(const Samples& samples) {
  std::map<std::pair<std::size_t, std::int64_t>, std::size_t> trips;  // by run and rank
  for (std::size_t run = 0; run < samples.worlds.size(); ++run) {
    for (const Sample& s : samples.worlds[run].samples) ++trips[{run, s.rank}];
  }
  if (trips.empty()) return std::nullopt;
  const std::size_t n = trips.begin()->second;
  const bool is_same = std::ranges::all_of(trips, [n](const auto& t) { return t.second == n; });
  if (n < 2 || !is_same) return std::nullopt;
  NeighborLoop out{samples.parameters.front(), {}, NeighborConditions(n, {.expression = 1})};
  for (std::size_t k = 0; k < n; ++k) {
    Ordinals& ordinals = out.ordinals.emplace_back();
    for (const WorldSamples& w : samples.worlds)
      ordinals.emplace_back(static_cast<std::size_t>(w.world.ranks), static_cast<std::int64_t>(k));
  }
  return out;
}

// Whether all values are the ranks of the neighbors in the box. `at`: the loop's index among the
// parameters.
bool are_ranks_there(const NeighborsInBox& neighbors, const std::vector<Ordinals>& ordinals,
                     const Samples& samples, std::size_t at, const LawSearch& search) {
  const infer::GridRule& rule = search.grids().rules[neighbors.grid];
  for (std::size_t run = 0; run < samples.worlds.size(); ++run) {
    const auto& [world, rows] = samples.worlds[run];
    const auto extents = rule.extents(world.ranks);
    if (!extents) return false;
    for (const Sample& s : rows) {
      if (s.value < 0 || s.value >= world.ranks) return false;
      const auto rank = static_cast<std::size_t>(s.rank);
      const auto found = std::ranges::find(ordinals, s.parameters[at],
                                           [&](const Ordinals& o) { return o[run][rank]; });
      if (found == ordinals.end()) return false;
      const Step& step = neighbors.box.steps()[static_cast<std::size_t>(found - ordinals.begin())];
      const auto here = infer::coordinates(s.rank, *extents);
      const auto there = infer::coordinates(s.value, *extents);
      if (neighbors.box.target(step, here, *extents) != there) return false;
    }
  }
  return true;
}

// The samples of one neighbor, without the index, which the rank determines.
Samples samples_of(const Ordinals& ordinals, const Samples& samples, std::size_t index) {
  const auto column = static_cast<std::ptrdiff_t>(index);
  Samples out = samples;
  out.parameters.erase(out.parameters.begin() + column);
  for (std::size_t run = 0; run < out.worlds.size(); ++run) {
    auto& rows = out.worlds[run].samples;
    std::erase_if(rows, [&](const Sample& s) {
      return ordinals[run][static_cast<std::size_t>(s.rank)] != s.parameters[index];
    });
    for (Sample& s : rows) s.parameters.erase(s.parameters.begin() + column);
  }
  return out;
}

// Chooses the value of the neighbor at an index, among those whose conditions hold. `values`: one
// for each neighbor.
Expr choose(const NeighborConditions& conditions, const std::vector<Expr>& values,
            const Expr& index) {
  std::vector<Expr> is_chosen;
  std::optional<Expr> before;  // how many neighbors the rank has before
  for (const NumberLaw& has : conditions) {
    const Expr is_next = Expr::make(Op::equal, index, before ? *before : Expr(0));
    is_chosen.push_back(expr::simplify(Expr::make(Op::logical_and, has.expression, is_next)));
    before = before ? *before + has.expression : has.expression;
  }
  Expr out = values.back();
  for (std::size_t i = values.size() - 1; i-- > 0;)
    out = Expr::conditional(is_chosen[i], values[i], out);
  return out;
}

}  // namespace

bool NeighborLoop::is_whole() const {
  const auto* conditions = std::get_if<NeighborConditions>(&which);
  return conditions && std::ranges::all_of(*conditions, [](const NumberLaw& has) {
           return has.expression.is_constant(1);
         });
}

std::optional<NeighborLoop> find_neighbor_loop(const SlotView& peers, LawSearch& search) {
  const auto samples = by_index(peers);
  if (!samples) return std::nullopt;
  for (std::size_t g = 0; g < search.grids().rules.size(); ++g) {
    const infer::GridRule rule = search.grids().rules[g];
    if (auto loop = loop_on(*samples, rule, g, search)) return loop;
  }
  for (const infer::GridRule& rule : usual_rules()) {
    if (!rule.extents(search.ranks())) continue;
    if (auto loop = loop_on(*samples, rule, {}, search)) return loop;
  }
  return whole_loop(*samples);
}

std::optional<NumberLaw> number_of_neighbors(const NeighborLoop& loop) {
  if (const auto* in_box = std::get_if<NeighborsInBox>(&loop.which))
    return NumberLaw{.expression = in_box->box.number(), .grid = in_box->grid, .of_rank = true};
  JoinedLaw joined;
  Expr number = 0;
  for (const NumberLaw& has : std::get<NeighborConditions>(loop.which)) {
    if (!joined.take(has)) return std::nullopt;
    number = number + has.expression;
  }
  return joined.finish(expr::simplify(number));
}

std::optional<NumberLaw> law_of_neighbors(const NeighborLoop& loop, const Samples& samples,
                                          LawSearch& search) {
  const auto found = std::ranges::find(samples.parameters, loop.index);
  if (found == samples.parameters.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(found - samples.parameters.begin());
  const Expr index = Expr::variable(loop.index);
  const auto* in_box = std::get_if<NeighborsInBox>(&loop.which);
  const auto* conditions = std::get_if<NeighborConditions>(&loop.which);
  if (in_box && are_ranks_there(*in_box, loop.ordinals, samples, at, search))
    return NumberLaw{.expression = in_box->box.rank(index), .grid = in_box->grid, .of_rank = true};
  JoinedLaw joined;
  std::vector<Expr> values;
  for (std::size_t n = 0; n < loop.ordinals.size(); ++n) {
    const auto law = search.find(samples_of(loop.ordinals[n], samples, at));
    if (!law || !joined.take(*law)) return std::nullopt;
    values.push_back(law->expression);
    if (conditions && !joined.take((*conditions)[n])) return std::nullopt;
  }
  if (in_box && !joined.take({.expression = 0, .grid = in_box->grid})) return std::nullopt;
  NumberLaw law = joined.finish(in_box ? in_box->box.choose(values, index)
                                       : choose(*conditions, values, index));
  law.of_rank = true;
  return law;
}

}  // namespace reprise::extrapolate
