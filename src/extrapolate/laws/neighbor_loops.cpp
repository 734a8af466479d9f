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

constexpr std::size_t kMostPlaces = 32;

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
        if (index > trips || index >= static_cast<std::int64_t>(kMostPlaces)) return std::nullopt;
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

// One of every rank.
std::vector<Visit> visits_on(const Samples& samples, const Extents& extents) {
  std::vector<Visit> out;
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
std::optional<std::vector<Step>> common_order(const std::vector<Visit>& visits) {
  std::map<Step, std::set<Step>> earlier;  // the steps that ranks make right before each
  for (const Visit& visit : visits) {
    for (std::size_t i = 0; i < visit.steps.size(); ++i) {
      auto& before = earlier[visit.steps[i]];
      if (i > 0) before.insert(visit.steps[i - 1]);
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

// Where the steps of a rank stand in the list; nothing if they are not there in this order.
std::optional<std::vector<std::size_t>> places_of(const Visit& visit,
                                                  const std::vector<Step>& list) {
  std::vector<std::size_t> out;
  std::size_t at = 0;
  for (const Step& step : visit.steps) {
    while (at < list.size() && list[at] != step) ++at;
    if (at == list.size()) return std::nullopt;
    out.push_back(at++);
  }
  return out;
}

// Whether all peers are at most one step away along each dimension.
bool are_neighbors(const std::vector<Visit>& visits) {
  return std::ranges::all_of(visits, [](const Visit& v) {
    return std::ranges::all_of(v.steps, [](const Step& step) {
      return std::ranges::all_of(step, [](std::int64_t k) { return -1 <= k && k <= 1; });
    });
  });
}

// The places on a grid, as yet without their conditions; nothing if it does not explain the peers,
// or no rank leaves one out.
std::optional<NeighborLoop> places_on(const Samples& samples, const std::vector<Visit>& visits,
                                      const Extents& extents) {
  NeighborLoop out{samples.parameters.front(), {}};
  out.box = NeighborBox::find(visits, extents);
  const auto list = out.box ? out.box->steps() : common_order(visits);
  if (!list || list->size() < 2) return std::nullopt;
  out.places.resize(list->size());
  for (Neighbor& place : out.places) {
    for (const WorldSamples& w : samples.worlds) {
      place.before.emplace_back(static_cast<std::size_t>(w.world.ranks), -1);
    }
  }
  bool leaves_out = false;
  for (const Visit& visit : visits) {
    const auto places = places_of(visit, *list);
    if (!places) return std::nullopt;
    leaves_out = leaves_out || (!places->empty() && places->size() < list->size());
    for (std::size_t n = 0; n < places->size(); ++n) {
      out.places[(*places)[n]].before[visit.run][visit.rank] = static_cast<std::int64_t>(n);
    }
  }
  return leaves_out ? std::optional(std::move(out)) : std::nullopt;
}

// Whether a law says which ranks have each place.
bool find_conditions(const Samples& samples, LawSearch& search, NeighborLoop& loop) {
  for (Neighbor& place : loop.places) {
    Samples condition;
    for (std::size_t run = 0; run < samples.worlds.size(); ++run) {
      condition.worlds.push_back({samples.worlds[run].world, {}});
      for (std::size_t r = 0; r < place.before[run].size(); ++r) {
        condition.worlds.back().samples.push_back(
            {static_cast<std::int64_t>(r), place.before[run][r] >= 0 ? 1 : 0, {}});
      }
    }
    const auto has = search.find(condition);
    if (!has) return false;
    place.has = *has;
  }
  return true;
}

// The loop on a grid. A grid that is not known yet is accepted if all peers are at most one step
// away: longer steps show another grid.
std::optional<NeighborLoop> loop_on(const Samples& samples, const infer::GridRule& rule,
                                    std::optional<std::size_t> known, LawSearch& search) {
  const auto extents = extents_of(samples, rule);
  if (!extents) return std::nullopt;
  const std::vector<Visit> visits = visits_on(samples, *extents);
  if (!known && !are_neighbors(visits)) return std::nullopt;
  auto loop = places_on(samples, visits, *extents);
  if (!loop) return std::nullopt;
  LawSearch trial = search;
  loop->grid = known ? *known : trial.add_grid(rule);
  trial.see(loop->grid);
  if (!loop->box && !find_conditions(samples, trial, *loop)) return std::nullopt;
  search = std::move(trial);
  return loop;
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
  NeighborLoop out{.index = samples.parameters.front(), .places = std::vector<Neighbor>(n)};
  out.is_whole = true;
  for (std::size_t k = 0; k < n; ++k) {
    out.places[k].has = {.expression = 1};
    for (const WorldSamples& w : samples.worlds) {
      out.places[k].before.emplace_back(static_cast<std::size_t>(w.world.ranks),
                                        static_cast<std::int64_t>(k));
    }
  }
  return out;
}

}  // namespace

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

namespace {

// Whether all values are the ranks of the neighbors in a box. `at`: the loop's index among the
// parameters. REQUIRES: the loop has a box.
bool are_ranks_there(const NeighborLoop& loop, const Samples& samples, std::size_t at,
                     const LawSearch& search) {
  const infer::GridRule& rule = search.grids().rules[loop.grid];
  for (std::size_t run = 0; run < samples.worlds.size(); ++run) {
    const auto& [world, rows] = samples.worlds[run];
    const auto extents = rule.extents(world.ranks);
    if (!extents) return false;
    for (const Sample& s : rows) {
      if (s.value < 0 || s.value >= world.ranks) return false;
      const auto rank = static_cast<std::size_t>(s.rank);
      const auto place = std::ranges::find(loop.places, s.parameters[at],
                                           [&](const Neighbor& n) { return n.before[run][rank]; });
      if (place == loop.places.end()) return false;
      const Step& step = loop.box->steps()[static_cast<std::size_t>(place - loop.places.begin())];
      const auto here = infer::coordinates(s.rank, *extents);
      const auto there = infer::coordinates(s.value, *extents);
      for (std::size_t k = 0; k < step.size(); ++k) {
        if (there[k] - here[k] != step[k]) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::optional<NumberLaw> number_of_places(const NeighborLoop& loop) {
  if (loop.box) {
    return NumberLaw{.expression = loop.box->number(), .grid = loop.grid, .of_rank = true};
  }
  JoinedLaw joined;
  Expr number = 0;
  for (const Neighbor& place : loop.places) {
    if (!joined.take(place.has)) return std::nullopt;
    number = number + place.has.expression;
  }
  return joined.finish(expr::simplify(number));
}

namespace {

// The samples of one place, without the index, which the rank determines.
Samples at_place(const Neighbor& place, const Samples& samples, std::size_t index) {
  const auto column = static_cast<std::ptrdiff_t>(index);
  Samples out = samples;
  out.parameters.erase(out.parameters.begin() + column);
  for (std::size_t run = 0; run < out.worlds.size(); ++run) {
    auto& rows = out.worlds[run].samples;
    std::erase_if(rows, [&](const Sample& s) {
      return place.before[run][static_cast<std::size_t>(s.rank)] != s.parameters[index];
    });
    for (Sample& s : rows) s.parameters.erase(s.parameters.begin() + column);
  }
  return out;
}

}  // namespace

std::optional<NumberLaw> law_of_places(const NeighborLoop& loop, const Samples& samples,
                                       LawSearch& search) {
  const auto found = std::ranges::find(samples.parameters, loop.index);
  if (found == samples.parameters.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(found - samples.parameters.begin());
  const Expr index = Expr::variable(loop.index);
  if (loop.box && are_ranks_there(loop, samples, at, search)) {
    return NumberLaw{.expression = loop.box->rank(index), .grid = loop.grid, .of_rank = true};
  }
  JoinedLaw joined;
  std::vector<Expr> conditions, values;
  std::optional<Expr> before;
  for (const Neighbor& place : loop.places) {
    const auto law = search.find(at_place(place, samples, at));
    if (!law || !joined.take(*law)) return std::nullopt;
    values.push_back(law->expression);
    if (loop.box) continue;
    if (!joined.take(place.has)) return std::nullopt;
    const Expr is_at_place =
        before ? Expr::make(Op::equal, index, *before) : Expr::make(Op::equal, index, Expr(0));
    conditions.push_back(
        expr::simplify(Expr::make(Op::logical_and, place.has.expression, is_at_place)));
    before = before ? *before + place.has.expression : place.has.expression;
  }
  if (loop.box) {
    if (!joined.take({.expression = 0, .grid = loop.grid})) return std::nullopt;
    NumberLaw law = joined.finish(loop.box->choose(values, index));
    law.of_rank = true;
    return law;
  }
  Expr out = values.back();
  for (std::size_t i = values.size() - 1; i-- > 0;) {
    out = Expr::conditional(conditions[i], values[i], out);
  }
  NumberLaw law = joined.finish(std::move(out));
  law.of_rank = true;
  return law;
}

}  // namespace reprise::extrapolate
