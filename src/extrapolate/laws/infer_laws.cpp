#include <algorithm>
#include <map>
#include <set>
#include <type_traits>

#include "compress/merge/rank_columns.hpp"
#include "expr/print.hpp"
#include "extrapolate/communicators/local_laws.hpp"
#include "extrapolate/communicators/split_places.hpp"
#include "extrapolate/communicators/split_recursions.hpp"
#include "extrapolate/grids/find_grids.hpp"
#include "extrapolate/grids/frozen_extents.hpp"
#include "extrapolate/laws/absence.hpp"
#include "extrapolate/laws/displacements.hpp"
#include "extrapolate/laws/find_law.hpp"
#include "extrapolate/laws/neighbor_loops.hpp"
#include "extrapolate/scalable.hpp"
#include "extrapolate/times/trip_distribution.hpp"
#include "extrapolate/values/matching_counts.hpp"
#include "extrapolate/values/mean_sizes.hpp"
#include "extrapolate/values/requests.hpp"
#include "trace/calls/places.hpp"
#include "trace/cursors/call_cursor.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Kind;

constexpr std::size_t kShownRanks = 4;
constexpr std::uint64_t kShownValues = 6;
constexpr std::uint32_t kLong = 48;  // [bits]

// The first values of a few ranks in each run: of those that differ from the ones before.
std::vector<std::string> show_samples(const SlotView& slot) {
  std::vector<std::string> out;
  for (std::size_t run = 0; run < slot.inputs().runs.size(); ++run) {
    const std::int64_t ranks = slot.inputs().runs[run].ranks;
    std::string line = "on " + std::to_string(ranks) + " ranks:";
    std::size_t shown = 0;
    std::set<std::uint64_t> seen;
    for (std::int64_t r = 0; r < ranks && shown < kShownRanks; ++r) {
      const auto& s = slot.series(run, static_cast<std::size_t>(r), trace::Encoding::absolute);
      if (s.empty() || !seen.insert(s.hash()).second) continue;
      line += (shown++ > 0 ? ", rank " : " rank ") + std::to_string(r) + ":";
      trace::SeriesCursor values(s);
      SlotWalk walk = slot.walk(run, static_cast<std::size_t>(r));
      for (std::uint64_t k = 0; walk.next(); ++k) {
        if (k == kShownValues || (k == 1 && s.is_constant())) {
          line += " ...";
          break;
        }
        const std::int64_t v = values.next();
        line +=
            " " + (trace::is_special(v) ? std::string(trace::special_name(v)) : std::to_string(v));
      }
    }
    out.push_back(std::move(line));
  }
  return out;
}

// What timing alone decides, polls and whom a wildcard met, may go unsaid.
std::optional<Law> unsaid(const Aligned& inputs, const Slot& slot) {
  if (slot.is_trips()) return std::nullopt;
  const Kind kind =
      compress::kind_of_column(trace::function(inputs.sites[slot.site].function), slot.column);
  if (kind == Kind::polls) return Law{.series = trace::Series::constant(0)};
  if (kind == Kind::matched) return Law{.series = trace::Series::constant(trace::kNone)};
  return std::nullopt;
}

// In how many ways streams of one run take an item now so often and now otherwise, each in its own:
// where call sites that look alike are taken for what they are, these are few.
std::size_t varying_trips(const Aligned& inputs) {
  std::size_t out = 0;
  for (const Run& run : inputs.runs) {
    for (const auto& trips : run.trips) {
      std::set<std::uint64_t> all, varying;
      for (const trace::Series& s : trips) {
        if (s.empty()) continue;
        all.insert(s.hash());
        if (!s.is_constant()) varying.insert(s.hash());
      }
      if (all.size() > 1) out += varying.size();
    }
  }
  return out;
}

// The patterns of a request, and which of them were of use.
class PatternUse {
 public:
  PatternUse(const Aligned& inputs, std::span<const trace::Trace> traces,
             std::span<const std::string> names, std::span<const Pattern> patterns)
      : inputs_(&inputs), traces_(traces), names_(names), patterns_(patterns) {}

  std::span<const std::string> names() const { return names_; }

  const Pattern* find(const Slot& slot) {
    if (patterns_.empty()) return nullptr;
    const Pattern* found =
        find_pattern(patterns_, name_of(slot, inputs_->tree, inputs_->sites, traces_));
    if (found != nullptr) used_.insert(found);
    return found;
  }

  Status all_used() const {
    for (const Pattern& p : patterns_) {
      if (used_.contains(&p)) continue;
      return Error{p.origin + " is of no use (no " +
                       SlotName{p.place, p.function, p.parameter}.text() +
                       " is in the traces, or a later pattern is of it); --report lists what there "
                       "is",
                   Error::Kind::usage};
    }
    return {};
  }

 private:
  const Aligned* inputs_;
  std::span<const trace::Trace> traces_;
  std::span<const std::string> names_;
  std::span<const Pattern> patterns_;
  std::set<const Pattern*> used_;
};

// The loops over neighbors of a program.
struct NeighborLoops {
  std::map<std::uint32_t, NeighborLoop> by_site;
  std::map<std::uint32_t, std::uint32_t> sites;  // one in each loop, by the loop's item
};

NeighborLoops find_neighbor_loops(const Aligned& inputs, const std::vector<bool>& repeated,
                                  LawSearch& search) {
  NeighborLoops out;
  for (const Slot& slot : all_slots(inputs.tree, inputs.sites, inputs.graph.order())) {
    if (slot.is_trips() || out.by_site.contains(slot.site)) continue;
    const trace::Function& f = trace::function(inputs.sites[slot.site].function);
    if (slot.column >= f.scalars.size() || f.scalars[slot.column].kind != Kind::peer) continue;
    const SlotShape shape = shape_of(inputs.tree, inputs.sites, repeated, slot);
    if (auto loop = find_neighbor_loop(SlotView(inputs, shape, slot), search)) {
      out.sites.emplace(shape.chain[shape.loops.back()], slot.site);
      out.by_site.emplace(slot.site, std::move(*loop));
    }
  }
  return out;
}

// Finds the laws of all slots, from the root of the tree down.
class LawsFinder {
 public:
  LawsFinder(const Aligned& inputs, const Grids& grids, const Request& request,
             std::span<const std::int64_t> ranks, PatternUse& patterns)
      : inputs_(inputs),
        patterns_(patterns),
        exactness_(request.exactness),
        search_(grids, request.ranks, inputs.problem, inputs.numbers),
        repeated_(find_repeated(inputs)),
        neighbor_loops_(find_neighbor_loops(inputs, repeated_, search_)),
        frozen_(ranks, request.ranks, search_.grids()),
        target_(request.ranks),
        local_(inputs, search_.grids(), request.ranks),
        descents_(inputs, local_, search_) {
    for (const Slot& slot : all_slots(inputs.tree, inputs.sites, inputs.graph.order())) {
      slots_.push_back({slot, shape_of(inputs.tree, inputs.sites, repeated_, slot), NoLaw{}, 0});
    }
  }

  // What was found for later parameters may explain earlier ones: those without a law are tried
  // again. An error: a law that the user gives is wrong.
  Status run() {
    for (Sought& s : slots_) {
      if (const Pattern* pattern = patterns_.find(s.slot)) {
        auto law = law_of(*pattern, SlotView(inputs_, s.shape, s.slot), search_, patterns_.names());
        if (!law) return law.error();
        s.law = std::move(*law);
      } else {
        seek(s);
      }
    }
    const bool again = std::ranges::any_of(
        slots_, [&](const Sought& s) { return !s.law && s.knowledge < search_.knowledge(); });
    if (again) {
      search_.forget_failures();
      seek_missing();
    }
    if (exactness_ == Exactness::approximate) {
      may_approximate_ = true;
      seek_missing();
    }
    return {};
  }

  // What counts from the depth of a recursion follows from its colors and keys.
  void check_descents() {
    for (Sought& s : slots_) {
      if (!s.law || !s.law->depth) continue;
      const std::uint32_t site = descents_.all()[s.law->depth->descent].site;
      const auto split = *split_columns(trace::function(inputs_.sites[site].function));
      const bool is_told = std::ranges::all_of(slots_, [&](const Sought& other) {
        const bool tells = !other.slot.is_trips() && other.slot.site == site &&
                           (other.slot.column == split.color || other.slot.column == split.key);
        if (!tells) return true;
        if (!other.law) return false;
        const bool is_constant = other.law->form == Law::Form::series &&
                                 other.law->encoding == trace::Encoding::absolute &&
                                 other.law->series.is_constant();
        return other.law->local || is_constant;
      });
      if (!is_told) {
        s.law = NoLaw{.why = NoLaw::Why::depth};
      }
    }
  }

  const std::vector<bool>& repeated() const { return repeated_; }
  const std::vector<infer::GridRule>& rules() const { return local_.rules(); }
  const std::vector<Descent>& descents() const { return descents_.all(); }

  // Adds to what is inferred.
  void put(std::span<const trace::Trace> traces, Inferred& out) {
    for (Sought& s : slots_) {
      if (s.law) {
        out.program.parameters.push_back({s.slot, std::move(s.shape), std::move(*s.law)});
        continue;
      }
      std::vector<std::string> laws;
      for (const expr::Expr& e : s.law.error().found) laws.push_back(print(e));
      out.refused.push_back({name_of(s.slot, inputs_.tree, inputs_.sites, traces),
                             describe(s.law.error()),
                             show_samples(SlotView(inputs_, s.shape, s.slot)), std::move(laws)});
    }
  }

 private:
  struct Sought {
    Slot slot;
    SlotShape shape;
    Inference<Law> law;
    std::size_t knowledge;  // of the search, when there was no law
  };

  void seek_missing() {
    for (Sought& s : slots_) {
      if (!s.law) seek(s);
    }
  }

  void seek(Sought& s) {
    const Absence absent = absence(s.shape, trips_laws());
    NumberLaw before = search_.leave_out(absent.where);
    s.law = find(s.slot, SlotView(inputs_, s.shape, s.slot), absent);
    search_.leave_out(std::move(before));
    if (s.law) return;
    s.knowledge = search_.knowledge();
  }

  // Trips are the first slots, in the order of the items.
  TripsLaws trips_laws() const {
    return [this](std::uint32_t item) {
      const Inference<Law>& law = slots_[item].law;
      return law ? &*law : nullptr;
    };
  }

  Inference<Law> find(const Slot& slot, const SlotView& view, const Absence& absent) {
    if (auto law = find_matching_counts(slot, view)) return std::move(*law);
    if (auto law = find_displacements(slot, view)) return std::move(*law);
    if (auto law = find_requests(slot, view)) return std::move(*law);
    if (auto law = find_number_of_neighbors(slot, view)) return std::move(*law);
    if (auto law = find_at_once(slot, view)) return std::move(*law);
    // What is long over all ranks is often short within a communicator, and MPI itself says who is
    // where in those that it makes.
    auto local = local_.find(slot, view);
    std::uint32_t longest = solve::kLongestLaw;
    if (is_place_in_split(slot)) longest = kLong;
    if (local) longest = std::min(longest, std::max(kLong, cost_of(*local)));
    auto law = within(longest, [&] {
      const auto& loops = neighbor_loops_.by_site;
      const auto loop = slot.is_trips() ? loops.end() : loops.find(slot.site);
      return find_law(view, search_, loop == loops.end() ? nullptr : &loop->second);
    });
    if (law) {
      const auto nowhere = certain_absence(absent, inputs_.sites, slot);
      if (auto doubt = frozen_.doubt(*law, meaning_of(inputs_.sites, slot), nowhere)) {
        law = NoLaw{.why = NoLaw::Why::frozen, .said = std::move(*doubt)};
      }
    }
    if (law && is_peer(slot)) {
      if (auto doubt = doubt_of_hidden_axes(inputs_, slot.site, slot.column, target_,
                                            search_.grids(), grid_of(*law)))
        law = NoLaw{.why = NoLaw::Why::frozen, .said = std::move(*doubt)};
    }
    // Peers are ranks in their communicator; only a grid says as much of them.
    const bool is_far = law && cost_of(*law) > 0 && is_peer(slot) && !is_on_grid(*law);
    if (!law || cost_of(*law) > kLong || is_far) {
      const bool holds = local && (!law || standing_of(*local) <= standing_of(*law));
      if (holds && (!law || cost_of(*local) < cost_of(*law))) return local;
      if (!law && !local && local.error().why != NoLaw::Why::not_local) {
        law = local.error();
        law.error().is_local = true;
      }
    }
    const auto deep = within(law ? cost_of(*law) : longest, [&] {
      return find_from_depth(slot, view, [&](const SlotView& rest) {
        auto found = find_law(rest, search_);
        return found ? std::optional(std::move(*found)) : std::nullopt;
      });
    });
    if (deep && (!law || cost_of(*deep) < cost_of(*law))) return *deep;
    if (!law && is_place_in_split(slot)) return Law{.form = Law::Form::placed};
    if (!law) {
      if (auto instead = unsaid(inputs_, slot)) return std::move(*instead);
    }
    if (law) return law;
    if (!slot.is_trips()) return approximate(slot, view, std::move(law));
    auto distribution = find_distribution(view);
    if (!distribution) return law;
    if (may_approximate_) return std::move(*distribution);
    law.error().has_distribution = true;
    return law;
  }

  static bool is_approximate(const Sought& s) {
    return s.law ? standing_of(*s.law) == solve::Standing::approximate : s.law.error().has_mean;
  }

  // The mean of a size that has no law, with --approximate; otherwise the refusal names the option.
  Inference<Law> approximate(const Slot& slot, const SlotView& view, Inference<Law> none) const {
    const trace::Function& f = trace::function(inputs_.sites[slot.site].function);
    if (!is_size(f, slot.column)) return none;
    // A mean would not match what has a law of its own.
    const auto other = matching_counts_of(f, slot.column);
    if (other && !is_approximate(of_same_call(slot, *other))) return none;
    auto mean = find_mean_size(view);
    if (!mean) return none;
    if (may_approximate_) return std::move(*mean);
    none.error().has_mean = true;
    return none;
  }

  // What `find` finds, of laws no longer than so much [bits].
  template <class Find>
  std::invoke_result_t<const Find&> within(std::uint32_t longest, const Find& find) {
    const std::uint32_t before = search_.bound(longest);
    auto out = find();
    search_.bound(before);
    return out;
  }

  // From the counts of the other side, whose law was sought before: MPI requires both to match.
  std::optional<Law> find_matching_counts(const Slot& slot, const SlotView& view) const {
    if (slot.is_trips() || find_same(view)) return std::nullopt;
    const trace::Function& f = trace::function(inputs_.sites[slot.site].function);
    const auto column = matching_counts_of(f, slot.column);
    if (!column) return std::nullopt;
    const Sought& other = of_same_call(slot, *column);
    return other.law ? law_of_matching_counts(slot, view, *other.law, search_) : std::nullopt;
  }

  // From the counts of the call, whose law was sought before.
  std::optional<Law> find_displacements(const Slot& slot, const SlotView& view) {
    if (slot.is_trips() || find_same(view)) return std::nullopt;
    const trace::Function& f = trace::function(inputs_.sites[slot.site].function);
    const auto column = counts_before(f, slot.column);
    if (!column) return std::nullopt;
    const Sought& counts = of_same_call(slot, *column);
    if (!counts.law) return std::nullopt;
    const SlotView sizes(inputs_, counts.shape, counts.slot);
    return displacements(view, sizes, *counts.law, search_);
  }

  const Sought& of_same_call(const Slot& slot, std::uint32_t column) const {
    return *std::ranges::find_if(slots_, [&](const Sought& s) {
      return s.slot.site == slot.site && s.slot.column == column;
    });
  }

  // From the trips of the calls that made the requests.
  std::optional<Law> find_requests(const Slot& slot, const SlotView& view) {
    if (slot.is_trips() || find_same(view)) return std::nullopt;
    if (!is_of_requests(trace::function(inputs_.sites[slot.site].function), slot.column)) {
      return std::nullopt;
    }
    return law_of_requests(slot, view, trips_laws(), repeated_, search_);
  }

  // The trip count of a loop over neighbors is their number.
  std::optional<Law> find_number_of_neighbors(const Slot& slot, const SlotView& view) {
    if (!slot.is_trips() || find_same(view)) return std::nullopt;
    const auto site = neighbor_loops_.sites.find(slot.item);
    if (site == neighbor_loops_.sites.end()) return std::nullopt;
    auto number = number_of_neighbors(neighbor_loops_.by_site.at(site->second));
    if (!number) return std::nullopt;
    Law law{.form = Law::Form::indexed, .number = std::move(*number)};
    if (!explains(view, law, search_)) return std::nullopt;
    search_.know(law.number, view.shape().loops.size());
    return law;
  }

  // What needs no search over all ranks, which is long where nothing is found.
  std::optional<Law> find_at_once(const Slot& slot, const SlotView& view) {
    if (view.is_extents() || find_same(view)) return std::nullopt;
    if (auto deep = find_from_depth(slot, view, find_same)) return deep;
    const bool is_local = is_peer(slot) && search_.grids().seen.empty();
    if (!is_local && !descents_.is_of(slot.site)) return std::nullopt;
    auto local = local_.find(slot, view);
    const bool is_sure =
        local && cost_of(*local) <= kLong / 2 && standing_of(*local) == solve::Standing::confirmed;
    return is_sure ? std::optional(std::move(*local)) : std::nullopt;
  }

  bool is_peer(const Slot& slot) const {
    return !slot.is_trips() &&
           compress::holds_ranks(trace::function(inputs_.sites[slot.site].function), slot.column);
  }

  // The shortest law of what is left without the depth of a recursion, as `find_rest` finds it.
  template <class FindRest>
  std::optional<Law> find_from_depth(const Slot& slot, const SlotView& view,
                                     const FindRest& find_rest) const {
    std::optional<Law> best;
    if (!slot.is_trips() && meaning_of(inputs_.sites, slot) != Kind::comm) return best;
    for (std::uint32_t d = 0; d < 2 * descents_.all().size(); ++d) {
      const Depth depth{d / 2, d % 2 == 1};
      if (slot.is_trips() && depth.of_rank_0) continue;
      const auto rest = descents_.without(depth, slot, view);
      if (!rest) continue;
      std::optional<Law> found = find_rest(*rest);
      if (!found) continue;
      found->depth = depth;
      if (best && cost_of(*best) <= cost_of(*found)) continue;
      best = std::move(found);
    }
    return best;
  }

  // The rank in what a split by color and key makes, or its size.
  bool is_place_in_split(const Slot& slot) const {
    if (slot.is_trips()) return false;
    const trace::Function& f = trace::function(inputs_.sites[slot.site].function);
    const auto made = trace::made_column(f, Kind::comm);
    return made &&
           std::ranges::find(f.scalars, Kind::color, &trace::Column::kind) != f.scalars.end() &&
           (slot.column == *made + 1 || slot.column == *made + 2);
  }

  const Aligned& inputs_;
  PatternUse& patterns_;
  Exactness exactness_;
  bool may_approximate_ = false;  // once no law is missing that later ones would have shown
  LawSearch search_;
  std::vector<bool> repeated_;
  NeighborLoops neighbor_loops_;  // which may show further grids
  FrozenExtents frozen_;
  const std::int64_t target_;
  LocalLaws local_;
  SplitRecursions descents_;
  std::vector<Sought> slots_;
};

Result<Inferred> infer_laws(Aligned inputs, std::span<const trace::Trace> traces,
                            std::span<const std::string> names, const Request& request) {
  Inferred out;
  PatternUse patterns(inputs, traces, names, request.patterns);
  Scalable& program = out.program;
  program.grids = find_grids(inputs, request.ranks, request.grid);
  for (const Run& run : inputs.runs) program.ranks.push_back(run.ranks);
  program.problem = inputs.problem;
  LawsFinder finder(inputs, program.grids, request, program.ranks, patterns);
  if (const Status found = finder.run(); !found) return found.error();
  if (const Status used = patterns.all_used(); !used) return used.error();
  finder.check_descents();
  finder.put(traces, out);
  program.grids.rules = finder.rules();
  program.descents = finder.descents();
  if (out.refused.empty()) program.times = infer_times(inputs, traces, request.times);
  program.order = inputs.graph.order();
  program.repeated = finder.repeated();
  program.tree = std::move(inputs.tree);
  program.sites = std::move(inputs.sites);
  if (out.refused.empty()) settle_places(program, traces, request);
  return out;
}

}  // namespace

std::string SlotName::text() const {
  return parameter + " of " + trace::call_in_place(function, place);
}

SlotName name_of(const Slot& slot, const compress::LoopTree& tree, std::span<const Site> sites,
                 std::span<const trace::Trace> traces) {
  std::uint32_t item = slot.item;
  std::size_t bodies = 0;  // that begin with the call, from it to the slot's
  while (tree.items[item].site == compress::LoopTree::kBody && !tree.items[item].body.empty()) {
    item = tree.items[item].body.front();
    ++bodies;
  }
  SlotName out;
  if (tree.items[item].site != compress::LoopTree::kBody) {
    const Site& site = sites[tree.items[item].site];
    out.place = trace::describe_place(traces[site.input], site.callpath);
    out.function = trace::function(site.function).name;
  }
  if (slot.is_trips()) {
    out.parameter = bodies == 0 ? kTripCount : kTripCountOfLoop;
    if (bodies > 1) out.parameter = "loop " + std::to_string(bodies) + " " + kTripCount;
    return out;
  }
  const trace::Function& f = trace::function(sites[slot.site].function);
  if (slot.column < f.scalars.size()) {
    out.parameter = f.scalars[slot.column].name;
  } else {
    const std::size_t list = (slot.column - f.scalars.size()) / 2;
    const bool elements = (slot.column - f.scalars.size()) % 2 == 1;
    out.parameter = (elements ? "" : "number of ") + std::string(f.lists[list].name);
  }
  return out;
}

Result<Inferred> infer_program(std::span<const trace::Trace> traces,
                               std::span<const std::string> names, const Request& request) {
  std::optional<Aligned> best;
  std::size_t least = 0;
  for (const Lookalikes lookalikes : {Lookalikes::apart, Lookalikes::one}) {
    auto inputs = align(traces, names, lookalikes, request.parameters);
    if (!inputs) return inputs.error();
    const std::size_t varying = varying_trips(*inputs);
    if (best && varying >= least) continue;
    best = std::move(*inputs);
    least = varying;
    if (varying == 0) break;
  }
  return infer_laws(std::move(*best), traces, names, request);
}

}  // namespace reprise::extrapolate
