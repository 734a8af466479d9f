#include "extrapolate/laws/neighbor_loops.hpp"

#include <algorithm>

#include "extrapolate/laws/joined_law.hpp"

namespace reprise::extrapolate {
namespace {

using expr::Expr;
using expr::Op;
using infer::Sample;
using infer::Samples;
using infer::WorldSamples;

constexpr std::size_t kMostPlaces = 32;

using Step = std::vector<std::int64_t>;  // along each dimension

// The places of one rank, in order.
struct Visit {
  std::size_t run = 0, rank = 0;
  std::vector<Step> steps;
};

// The peers of each rank in the first pass of the innermost loop; later passes are for the law to
// explain.
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
      // The first pass.
      std::int64_t last = -1;
      while (walk.next() && walk.parameters().back() > last) {
        last = walk.parameters().back();
        if (last >= static_cast<std::int64_t>(kMostPlaces)) return std::nullopt;
        const std::int64_t peer = values.next();
        if (peer < 0 || peer >= world.world.ranks) return std::nullopt;
        world.samples.push_back({r, peer, {last}});
      }
    }
    samples.worlds.push_back(std::move(world));
  }
  return samples;
}

std::optional<std::vector<Visit>> visits_on(const Samples& samples, const infer::GridRule& rule) {
  std::vector<Visit> out;
  for (std::size_t run = 0; run < samples.worlds.size(); ++run) {
    const auto& [world, rows] = samples.worlds[run];
    const auto extents = rule.extents(world.ranks);
    if (!extents) return std::nullopt;
    for (const Sample& s : rows) {
      const auto rank = static_cast<std::size_t>(s.rank);
      if (out.empty() || out.back().run != run || out.back().rank != rank) {
        out.push_back({run, rank, {}});
      }
      const auto here = infer::coordinates(s.rank, *extents);
      Step step = infer::coordinates(s.value, *extents);
      for (std::size_t k = 0; k < step.size(); ++k) step[k] -= here[k];
      out.back().steps.push_back(std::move(step));
    }
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

bool all_different(std::vector<Step> list) {
  std::ranges::sort(list);
  return std::ranges::adjacent_find(list) == list.end();
}

// Whether all peers are one step away along each dimension, at most.
bool are_neighbors(const Samples& samples, const infer::GridRule& rule) {
  const auto visits = visits_on(samples, rule);
  return visits && std::ranges::all_of(*visits, [](const Visit& v) {
           return std::ranges::all_of(v.steps, [](const Step& step) {
             return std::ranges::all_of(step, [](std::int64_t k) { return -1 <= k && k <= 1; });
           });
         });
}

// The places on a grid, as yet without their conditions; nothing if it does not explain the peers,
// or no rank leaves one out.
std::optional<NeighborLoop> places_on(const SlotView& peers, const Samples& samples,
                                      const infer::GridRule& rule) {
  const auto visits = visits_on(samples, rule);
  if (!visits || visits->empty()) return std::nullopt;
  const auto longest =
      std::ranges::max_element(*visits, {}, [](const Visit& v) { return v.steps.size(); });
  const std::vector<Step>& list = longest->steps;
  if (list.size() < 2 || !all_different(list)) return std::nullopt;
  NeighborLoop out{samples.parameters.front(), std::vector<Neighbor>(list.size())};
  for (Neighbor& place : out.places) {
    for (const Run& run : peers.inputs().runs) {
      place.before.emplace_back(static_cast<std::size_t>(run.ranks), -1);
    }
  }
  bool leaves_out = false;
  for (const Visit& visit : *visits) {
    const auto places = places_of(visit, list);
    if (!places) return std::nullopt;
    leaves_out = leaves_out || places->size() < list.size();
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

// Grids that a list of neighbors shows where no call site has one of them alone.
std::vector<infer::GridRule> usual_rules() {
  using Kind = infer::GridRule::Kind;
  std::vector<infer::GridRule> out;
  for (const std::size_t dimensions : {2, 3, 4}) {
    out.push_back({.kind = Kind::power, .dimensions = dimensions});
    for (const Kind kind : {Kind::balanced, Kind::closest, Kind::greedy}) {
      for (const bool smallest_first : {true, false}) {
        out.push_back({.kind = kind, .dimensions = dimensions, .smallest_first = smallest_first});
      }
    }
  }
  return out;
}

}  // namespace

std::optional<NeighborLoop> find_neighbor_loop(const SlotView& peers, LawSearch& search) {
  const auto samples = by_index(peers);
  if (!samples) return std::nullopt;
  for (std::size_t g = 0; g < search.grids().rules.size(); ++g) {
    auto loop = places_on(peers, *samples, search.grids().rules[g]);
    if (!loop) continue;
    LawSearch trial = search;
    trial.see(g);
    if (!find_conditions(*samples, trial, *loop)) continue;
    search = std::move(trial);
    return loop;
  }
  for (const infer::GridRule& rule : usual_rules()) {
    if (!rule.extents(search.ranks())) continue;
    auto loop = places_on(peers, *samples, rule);
    // Longer steps than to the next are those of another grid.
    if (!loop || !are_neighbors(*samples, rule)) continue;
    LawSearch trial = search;
    trial.see(trial.add_grid(rule));
    if (!find_conditions(*samples, trial, *loop)) continue;
    search = std::move(trial);
    return loop;
  }
  return std::nullopt;
}

std::optional<NumberLaw> law_of_places(const NeighborLoop& loop, const Samples& samples,
                                       LawSearch& search) {
  const auto found = std::ranges::find(samples.parameters, loop.index);
  if (found == samples.parameters.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(found - samples.parameters.begin());
  const Expr index = Expr::variable(loop.index);
  JoinedLaw joined;
  std::vector<Expr> conditions, values;
  std::optional<Expr> before;
  for (const Neighbor& place : loop.places) {
    Samples here = samples;
    for (std::size_t run = 0; run < here.worlds.size(); ++run) {
      std::erase_if(here.worlds[run].samples, [&](const Sample& s) {
        return place.before[run][static_cast<std::size_t>(s.rank)] != s.parameters[at];
      });
    }
    const auto law = search.find(here);
    if (!law || !joined.take(*law) || !joined.take(place.has)) return std::nullopt;
    const Expr is_at_place =
        before ? Expr::make(Op::equal, index, *before) : Expr::make(Op::equal, index, Expr(0));
    conditions.push_back(Expr::make(Op::logical_and, place.has.expression, is_at_place));
    values.push_back(law->expression);
    before = before ? *before + place.has.expression : place.has.expression;
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
