#include "extrapolate/communicators/split_recursions.hpp"

#include <algorithm>
#include <utility>

#include "extrapolate/communicators/local_samples.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using trace::Encoding;
using trace::Series;
using trace::SeriesCursor;

// Calls `visit(parent, made)` for each execution of a split by a rank.
template <class Visit>
void for_each_split(const Run& run, std::uint32_t site, const trace::SplitColumns& columns,
                    std::size_t rank, const Visit& visit) {
  const auto& of = run.columns[site];
  SeriesCursor parents(of[columns.parent].encoded.front()[rank]);
  SeriesCursor made(of[columns.made].encoded.front()[rank]);
  for (std::uint64_t k = 0; k < run.executions[site][rank]; ++k) visit(parents.next(), made.next());
}

}  // namespace

// Nothing unless every rank splits what it has made, from one communicator of all on.
std::optional<SplitRecursions::Levels> SplitRecursions::levels_of(
    const Run& run, std::uint32_t site, const trace::SplitColumns& columns) {
  Levels out;
  std::optional<std::int64_t> first;
  bool follows = true;
  for (std::size_t r = 0; r < static_cast<std::size_t>(run.ranks); ++r) {
    std::optional<std::int64_t> before;
    std::int64_t depth = 0;
    for_each_split(run, site, columns, r, [&](std::int64_t parent, std::int64_t made) {
      if (!before && !first) first = parent;
      follows = follows && parent == (before ? *before : *first);
      before = made;
      ++depth;
    });
    out.depths.push_back(depth);
  }
  if (!first || !follows) return std::nullopt;
  out.first = *first;
  return out;
}

SplitRecursions::SplitRecursions(const Aligned& inputs, LocalLaws& local, LawSearch& search)
    : inputs_(&inputs) {
  if (!inputs.problem.empty()) return;
  for (std::uint32_t site = 0; site < inputs.sites.size(); ++site) {
    const auto columns = split_columns(trace::function(inputs.sites[site].function));
    if (!columns) continue;
    std::vector<Levels> levels;
    bool differ = false;
    for (const Run& run : inputs.runs) {
      auto here = levels_of(run, site, *columns);
      if (!here) break;
      const auto [least, most] = std::ranges::minmax(here->depths);
      differ = differ || (most > 1 && least < most);
      levels.push_back(std::move(*here));
    }
    if (levels.size() < inputs.runs.size() || !differ) continue;

    LocalSamples goes_on;
    infer::Samples first;
    bool told = true;
    for (std::size_t i = 0; i < inputs.runs.size(); ++i) {
      const Run& run = inputs.runs[i];
      first.worlds.push_back({{run.ranks, {}}, {{0, levels[i].first, {}}}});
      for (std::size_t r = 0; r < static_cast<std::size_t>(run.ranks); ++r) {
        const auto note = [&](std::int64_t comm, std::int64_t splits) {
          const trace::Membership place = run.places[r].find(trace::Kind::comm, comm);
          if (place.is_known()) told = goes_on.add(place, splits, {}) && told;
        };
        std::int64_t last = levels[i].first;
        for_each_split(run, site, *columns, r, [&](std::int64_t parent, std::int64_t made) {
          note(parent, 1);
          last = made;
        });
        note(last, 0);
      }
    }
    if (!told) continue;
    auto condition = local.find(goes_on.finish({}));
    auto number = search.find(first);
    if (!condition || !number || number->grid) continue;
    all_.push_back({site, std::move(*number), std::move(*condition)});
    levels_.push_back(std::move(levels));
  }
}

std::optional<SlotView> SplitRecursions::without(const Depth& depth, const Slot& slot,
                                                 const SlotView& view) const {
  std::vector<std::vector<Series>> rest;
  for (std::size_t i = 0; i < inputs_->runs.size(); ++i) {
    const Levels& levels = levels_[depth.descent][i];
    const std::int64_t least = slot.is_trips() ? 0 : levels.first;
    auto& of_run = rest.emplace_back();
    for (std::size_t r = 0; r < levels.depths.size(); ++r) {
      const Series& s = view.series(i, r, Encoding::absolute);
      SeriesCursor values(s);
      trace::SeriesFolder out;
      const std::int64_t by = levels.depths[depth.of_rank_0 ? 0 : r];
      SlotWalk walk = view.walk(i, r);
      while (!s.empty() && walk.next()) {
        const std::int64_t value = values.next();
        if (!trace::is_special(value) && value - by < least) return std::nullopt;
        out.append(trace::is_special(value) ? value : value - by);
      }
      of_run.push_back(out.empty() ? Series() : out.finish());
    }
  }
  return view.with(std::move(rest));
}

}  // namespace reprise::extrapolate
