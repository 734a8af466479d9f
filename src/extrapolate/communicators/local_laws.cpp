#include "extrapolate/communicators/local_laws.hpp"

#include <algorithm>
#include <set>

#include "extrapolate/communicators/local_number.hpp"
#include "extrapolate/communicators/local_samples.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using infer::Sample;
using infer::Samples;
using trace::Encoding;
using trace::Kind;

constexpr std::size_t kMostOfARank = 100;
constexpr std::uint64_t kPositions = 8;  // executions of a site that show grids
constexpr int kRounds = 4;               // of samples that contradicted a law

// The column with the communicator of a call's peers; nothing if they are in none, or a window's.
std::optional<std::uint32_t> communicator_column(const trace::Function& f) {
  if (f.communicator < 0) return std::nullopt;
  const auto column = static_cast<std::uint32_t>(f.communicator);
  if (f.scalars[column].kind != Kind::comm) return std::nullopt;
  return column;
}

// Calls `visit(place, value, walk)` for each execution of a slot on each rank until it says no;
// false also where a communicator is not known.
template <class Visit>
bool for_each_place(const Aligned& inputs, const Slot& slot, const SlotView& view,
                    std::uint32_t communicator, const Visit& visit) {
  for (std::size_t run = 0; run < inputs.runs.size(); ++run) {
    const Run& here = inputs.runs[run];
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(here.ranks); ++rank) {
      const trace::Series& s = view.series(run, rank, Encoding::absolute);
      if (s.empty()) continue;
      trace::SeriesCursor values(s);
      trace::SeriesCursor comms(here.columns[slot.site][communicator].encoded.front()[rank]);
      SlotWalk walk = view.walk(run, rank);
      std::int64_t comm = trace::kNull;
      std::uint64_t read = 0;
      while (walk.next()) {
        for (; read < walk.executions(); ++read) comm = comms.next();
        const trace::Membership place = here.places[rank].find(trace::Kind::comm, comm);
        if (!place.is_known() || !visit(place, values.next(), walk)) return false;
      }
    }
  }
  return true;
}

// Whether a call is in one communicator of all ranks throughout, which tells no more than they do.
bool is_in_world(const Aligned& inputs, std::uint32_t site, std::uint32_t communicator) {
  return std::ranges::all_of(inputs.runs, [&](const Run& run) {
    const auto& series = run.columns[site][communicator].encoded.front();
    for (std::size_t r = 0; r < series.size(); ++r) {
      if (series[r].empty()) continue;
      if (!series[r].is_constant()) return false;
      if (run.places[r].find(trace::Kind::comm, series[r].at(0)).size != run.ranks) return false;
    }
    return true;
  });
}

// The peers of the k-th execution of a site, by size; nothing if they are no ranks.
std::optional<Samples> peers_at(const Aligned& inputs, std::uint32_t site, std::size_t column,
                                std::uint32_t communicator, std::uint64_t k) {
  LocalSamples out;
  for (const Run& run : inputs.runs) {
    for (std::size_t r = 0; r < static_cast<std::size_t>(run.ranks); ++r) {
      if (run.executions[site][r] <= k) continue;
      const std::int64_t comm = run.columns[site][communicator].encoded.front()[r].at(k);
      const std::int64_t peer = run.columns[site][column].encoded.front()[r].at(k);
      const trace::Membership place = run.places[r].find(trace::Kind::comm, comm);
      if (!place.is_known()) return std::nullopt;
      if ((trace::is_special(peer) && peer != trace::kProcNull) || peer >= place.size) {
        return std::nullopt;
      }
      if (!out.add(place, peer, {})) return std::nullopt;
    }
  }
  Samples samples = out.finish({});
  return samples.worlds.size() < 2 ? std::nullopt : std::optional(std::move(samples));
}

std::vector<Samples> all_peers(const Aligned& inputs) {
  std::vector<Samples> out;
  for (std::uint32_t site = 0; site < inputs.sites.size(); ++site) {
    const trace::Function& f = trace::function(inputs.sites[site].function);
    const auto communicator = communicator_column(f);
    if (!communicator || is_in_world(inputs, site, *communicator)) continue;
    for (std::size_t c = 0; c < f.scalars.size(); ++c) {
      if (!compress::holds_ranks(f, c) || f.scalars[c].kind != Kind::peer) continue;
      for (std::uint64_t k = 0; k < kPositions; ++k) {
        auto peers = peers_at(inputs, site, c, *communicator, k);
        if (!peers) break;
        out.push_back(std::move(*peers));
      }
    }
  }
  return out;
}

// The sizes of the communicators that are made.
std::vector<std::int64_t> all_sizes(const Aligned& inputs) {
  std::set<std::int64_t> sizes;
  for (const Run& run : inputs.runs) {
    for (const auto& places : run.places) {
      for (const auto& [comm, place] : places.comms()) {
        if (comm > trace::kSelf) sizes.insert(place.size);
      }
    }
  }
  return {sizes.begin(), sizes.end()};
}

// The largest one in the largest run, scaled with the ranks.
std::int64_t size_at(const Aligned& inputs, std::int64_t target) {
  const Run& largest = inputs.runs.back();
  std::int64_t size = 1;
  for (const auto& places : largest.places) {
    for (const auto& [comm, place] : places.comms()) {
      if (comm > trace::kSelf && place.size < largest.ranks) size = std::max(size, place.size);
    }
  }
  return std::max<std::int64_t>(1, size * target / largest.ranks);
}

Grids with_local_rules(const Aligned& inputs, const Grids& all) {
  Grids out{all.rules, {}, {}};
  const std::vector<Samples> peers = all_peers(inputs);
  const auto fits = infer::infer_grid(peers);
  if (fits.empty()) return out;
  out.seen.insert(out.rules.size());
  out.rules.push_back(fits.front().rule);
  return out;
}

}  // namespace

LocalLaws::LocalLaws(const Aligned& inputs, const Grids& grids, std::int64_t target)
    : inputs_(&inputs),
      search_(with_local_rules(inputs, grids), size_at(inputs, target), {}, inputs.numbers,
              LawSearch::Sizes::up_to),
      frozen_(all_sizes(inputs), search_.ranks(), search_.grids()) {}

Inference<Law> LocalLaws::find(const Slot& slot, const SlotView& view) {
  const NoLaw none{.why = NoLaw::Why::not_local};
  if (slot.is_trips() || !inputs_->problem.empty()) return none;
  const trace::Function& f = trace::function(inputs_->sites[slot.site].function);
  // What communicators are called does not follow from who is in them.
  if (compress::kind_of_column(f, slot.column) == Kind::comm) return none;
  const auto communicator = communicator_column(f);
  if (!communicator || *communicator == slot.column ||
      is_in_world(*inputs_, slot.site, *communicator)) {
    return none;
  }
  LocalSamples samples;
  std::size_t of_rank = 0;  // samples so far
  const bool told = for_each_place(
      *inputs_, slot, view, *communicator,
      [&](const trace::Membership& place, std::int64_t value, const SlotWalk& walk) {
        of_rank = walk.executions() > 1 ? of_rank + 1 : 1;
        if (!walk.is_telling() || of_rank > kMostOfARank || samples.is_full(place.size))
          return true;
        return samples.add(place, value, walk.parameters());
      });
  if (!told) return none;
  for (int round = 0; round < kRounds; ++round) {
    const Samples seen = samples.finish(view.shape().parameters);
    auto found = search_.find(seen);
    if (!found) return found.error();
    auto number = LocalNumber::make(*found, search_.grids(), view.shape().parameters);
    if (!number) return NoLaw{.why = NoLaw::Why::not_evaluated, .said = number.error().message};
    bool contradicted = false;
    const bool all = for_each_place(
        *inputs_, slot, view, *communicator,
        [&](const trace::Membership& place, std::int64_t value, const SlotWalk& walk) {
          if (number->at(place, walk.parameters()) == value) return true;
          contradicted = samples.add(place, value, walk.parameters());
          return false;
        });
    if (all) {
      Law law{.form = Law::Form::indexed, .number = std::move(*found), .local = true};
      const auto doubt = frozen_.doubt(law, meaning_of(inputs_->sites, slot));
      if (doubt) return NoLaw{.why = NoLaw::Why::frozen, .said = *doubt};
      return law;
    }
    if (!contradicted) return none;
  }
  return none;
}

}  // namespace reprise::extrapolate
