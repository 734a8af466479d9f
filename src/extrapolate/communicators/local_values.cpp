#include "extrapolate/communicators/local_values.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "compress/merge/stream_values.hpp"
#include "extrapolate/communicators/local_number.hpp"
#include "extrapolate/communicators/rank_values.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/calls/split_columns.hpp"
#include "trace/cursors/call_cursor.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {
namespace {

using compress::StreamValues;
using trace::Encoding;
using trace::Function;
using trace::Kind;
using trace::SeriesFolder;
using trace::Value;
using trace::ValueCursor;

// The values of one rank, in every encoding if they are ranks of communicators.
class Folders {
 public:
  explicit Folders(bool are_ranks) : count_(are_ranks ? 3 : 1) {}

  void add(std::int64_t value, const trace::Membership& place) {
    for (std::size_t e = 0; e < count_; ++e) {
      folders_[e].append(trace::encode_rank(static_cast<Encoding>(e), value, place));
    }
  }

  StreamValues finish() const {
    if (folders_[0].empty()) return StreamValues::absent();
    std::vector<trace::Series> out;
    for (std::size_t e = 0; e < count_; ++e) out.push_back(folders_[e].finish());
    return count_ == 1 ? StreamValues(std::move(out[0])) : StreamValues(std::move(out));
  }

 private:
  std::size_t count_;
  std::array<SeriesFolder, 3> folders_;
};

}  // namespace

bool LocalValues::are_needed(const Scalable& program) {
  return std::ranges::any_of(program.parameters, [](const Parameter& p) {
    return p.law.local || p.law.depth || p.law.form == Law::Form::placed;
  });
}

bool LocalValues::is_split(std::span<const Parameter> site) const {
  if (!split_columns(function_of(*program_, site))) return false;
  const auto is_placed = [](const Parameter& p) { return p.law.form == Law::Form::placed; };
  return std::ranges::any_of(site, is_placed) ||
         std::ranges::find(program_->descents, site.front().slot.site, &Descent::site) !=
             program_->descents.end();
}

Result<Value> LocalValues::column(const Parameter& p, std::span<const Parameter> site,
                                  const Columns& others) {
  const Function& f = function_of(*program_, site);
  if (f.communicator < 0 || p.law.form != Law::Form::indexed) return unknown_members();
  const auto communicator = static_cast<std::size_t>(f.communicator);
  if (f.scalars[communicator].kind != Kind::comm || p.slot.column == communicator) {
    return unknown_members();
  }
  auto comms = others(site[communicator]);
  if (!comms) return comms;
  auto number = LocalNumber::make(p.law.number, grids_, p.shape.parameters);
  if (!number) return number.error();
  const bool are_ranks = compress::holds_ranks(f, p.slot.column);
  RankValues out;
  for (std::int64_t r = 0; r < ranks_; ++r) {
    Folders folders(are_ranks);
    auto walk = walks_(p, r);
    ValueCursor comm(*comms, static_cast<std::uint64_t>(r));
    std::optional<Place> place;
    std::uint64_t read = 0;
    while (walk && walk->next()) {
      if (read < walk->executions()) {
        std::int64_t id = trace::kNull;
        for (; read < walk->executions(); ++read) id = comm.next();
        place = places_.find(id, r);
        if (!place) return unknown_members();
      }
      const auto value = number->at(member(*place), walk->parameters());
      if (!value) return no_value();
      folders.add(*value, member(*place));
    }
    out.append(folders.finish());
  }
  return out.finish();
}

// Whether the places in one more communicator may be remembered.
bool LocalValues::has_room(std::int64_t comm) const {
  constexpr std::int64_t kMostPlaces = std::int64_t{1} << 25;
  return places_.made().contains(comm) ||
         (std::ssize(places_.made()) + 1) <= std::max<std::int64_t>(1, kMostPlaces / ranks_);
}

Result<LocalValues::Counted> LocalValues::counted_from(const Parameter& p,
                                                       std::span<const std::int64_t> depths,
                                                       LawValues& rest) {
  RankValues column;
  Counted out;
  std::optional<trace::Series> before;
  const auto add = [&](std::int64_t rank, trace::Series series, bool takes) {
    if (rank == 0 || series != *before) {
      out.borders.push_back(rank);
      out.takes.push_back(takes);
    }
    column.append(series.empty() ? StreamValues::absent() : StreamValues(series));
    before = std::move(series);
  };
  for (std::int64_t r = 0; r < ranks_; ++r) {
    auto walk = walks_(p, r);
    SeriesFolder folder;
    bool takes = false;
    if (walk) {
      const auto series = rest.series(r, [&] { return *walk; });
      if (!series) return no_value();
      const std::int64_t by = depths[p.law.depth->of_rank_0 ? 0 : static_cast<std::size_t>(r)];
      trace::SeriesCursor values(*series);
      while (walk->next()) {
        const std::int64_t value = values.next();
        folder.append(trace::is_special(value) ? value : trace::wrapping_add(value, by));
        takes = takes || value != -by;
      }
    }
    add(r, folder.empty() ? trace::Series() : folder.finish(), takes);
  }
  out.values = column.finish();
  return out;
}

void LocalValues::note(std::span<const Parameter> site, std::span<const Value> values) {
  const Function& f = function_of(*program_, site);
  const auto made = trace::made_column(f, Kind::comm);
  if (!made || is_split(site)) return;
  // All that get one from one parent share it, unless something but a color chooses.
  constexpr std::uint32_t kOthers =
      trace::traits::kInter | trace::traits::kIntra | trace::traits::kLocal;
  const auto split = split_columns(f);
  const bool chosen = std::ranges::any_of(f.scalars, [&](const trace::Column& column) {
    return (column.kind == Kind::color && !split) || column.kind == Kind::group ||
           column.name == "split_type";
  });
  const bool whole =
      f.communicator >= 0 && (f.traits & trace::traits::kCollective) && !(f.traits & kOthers) &&
      !chosen && std::ranges::find(f.lists, "remain_dims", &trace::Column::name) == f.lists.end();
  // By its number, the part of the parent, and the color.
  std::map<std::tuple<std::int64_t, std::uint32_t, std::int64_t>, std::uint32_t> parts;
  for (std::int64_t r = 0; r < ranks_; ++r) {
    const auto stream = static_cast<std::uint64_t>(r);
    auto walk = walks_(site[*made], r);
    ValueCursor id(values[*made], stream), rank(values[*made + 1], stream),
        size(values[*made + 2], stream);
    std::optional<ValueCursor> parent, color;
    if (split) color.emplace(values[split->color], stream);
    if (whole) parent.emplace(values[static_cast<std::size_t>(f.communicator)], stream);
    while (walk && walk->next()) {
      const std::int64_t comm = id.next();
      const std::int64_t own = rank.next(), members = size.next();
      const auto from = parent ? places_.find(parent->next(), r) : std::nullopt;
      const std::int64_t part_of = color ? color->next() : 0;
      if (trace::is_special(comm) || !has_room(comm)) continue;
      if (own < 0 || own >= members || members > ranks_) continue;
      Place place{static_cast<std::int32_t>(own), static_cast<std::int32_t>(members)};
      if (from && from->part != Place::kUnknown) {
        const auto [part, is_new] = parts.try_emplace({comm, from->part, part_of});
        if (is_new) part->second = places_.new_part();
        place.part = part->second;
      }
      places_.of(comm)[static_cast<std::size_t>(r)] = place;
    }
  }
}

}  // namespace reprise::extrapolate
