// Communicators that are split by color and key, at one number of ranks.
#include <algorithm>
#include <array>
#include <numeric>

#include "extrapolate/communicators/local_values.hpp"
#include "extrapolate/communicators/rank_values.hpp"
#include "trace/calls/split_columns.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::extrapolate {

using compress::StreamValues;
using trace::Encoding;
using trace::SeriesFolder;
using trace::Value;
using trace::ValueCursor;

// One execution of a split on one rank.
struct LocalValues::Row {
  std::int64_t rank = 0;
  std::int64_t parent = 0, made = 0;
  std::int64_t color = 0, key = 0;  // unless their laws are local
  std::vector<std::int64_t> parameters;
  Place place = {};
};

// Who gets a place in a communicator, in the order of the places.
struct LocalValues::Member {
  std::uint32_t parent_part;
  std::int64_t color, key;
  std::int32_t parent_rank;
  std::size_t row;

  auto operator<=>(const Member&) const = default;
};

std::optional<Error> LocalValues::gather(std::span<const Parameter> site, const Columns& others,
                                         std::vector<Row>& rows) const {
  const trace::SplitColumns c = *split_columns(function_of(*program_, site));
  std::array<Value, 4> values;
  const std::array<std::size_t, 4> columns = {c.parent, c.made, c.color, c.key};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (site[columns[i]].law.local) continue;
    auto value = others(site[columns[i]]);
    if (!value) return value.error();
    values[i] = std::move(*value);
  }
  const bool local = site[c.color].law.local || site[c.key].law.local;
  for (std::int64_t r = 0; r < ranks_; ++r) {
    const auto stream = static_cast<std::uint64_t>(r);
    std::array<ValueCursor, 4> cursors = {
        ValueCursor(values[0], stream), ValueCursor(values[1], stream),
        ValueCursor(values[2], stream), ValueCursor(values[3], stream)};
    auto walk = walks_(site[c.color], r);
    while (walk && walk->next()) {
      Row& row = rows.emplace_back();
      row.rank = r;
      row.parent = cursors[0].next();
      row.made = cursors[1].next();
      if (!site[c.color].law.local) row.color = cursors[2].next();
      if (!site[c.key].law.local) row.key = cursors[3].next();
      if (local) row.parameters = walk->parameters();
    }
  }
  return std::nullopt;
}

Result<LocalValues::Told> LocalValues::told(std::span<const Parameter> site, Told::Loops loops) {
  const auto c = split_columns(function_of(*program_, site));
  if (!c) return unknown_members();
  const std::array<const Parameter*, 2> columns = {&site[c->color], &site[c->key]};
  Told out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Law& law = columns[i]->law;
    const bool is_constant = law.form == Law::Form::series && law.series.is_constant() &&
                             law.encoding == Encoding::absolute;
    if (!law.local && !is_constant) {
      // What a law over all executions says, they do not say before their number is known.
      if (loops == Told::Loops::none) return unknown_members();
      continue;
    }
    const NumberLaw of = is_constant ? NumberLaw{.expression = law.series.at(0)} : law.number;
    const bool are_there = loops == Told::Loops::around;
    auto number = LocalNumber::make(
        of, grids_, are_there ? columns[i]->shape.parameters : std::span<const std::string>());
    if (!number) return number.error();
    out.numbers[i] = std::move(*number);
    out.nodes += of.expression.nodes();
  }
  return out;
}

// Sets what the laws say.
std::optional<Error> LocalValues::Told::evaluate(const Place& parent, Row& row) {
  const std::array<std::int64_t*, 2> values = {&row.color, &row.key};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!numbers[i]) continue;
    const auto value = numbers[i]->at(member(parent), row.parameters);
    if (!value) return no_value();
    *values[i] = *value;
  }
  return std::nullopt;
}

std::optional<Error> LocalValues::place(std::span<const Parameter> site, std::vector<Row>& rows) {
  auto laws = told(site, Told::Loops::around);
  if (!laws) return laws.error();
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // A parent has a smaller number than its children. Who gets none comes first or last.
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rows[i].made; });
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const std::int64_t made = rows[order[begin]].made;
    std::vector<Member> members;
    for (; end < order.size() && rows[order[end]].made == made; ++end) {
      Row& row = rows[order[end]];
      if (row.made == row.parent) return unknown_members();
      const auto parent = places_.find(row.parent, row.rank);
      if (!parent || parent->part == Place::kUnknown) return unknown_members();
      if (auto error = laws->evaluate(*parent, row)) return error;
      members.push_back({parent->part, row.color, row.key, parent->rank, order[end]});
    }
    if (trace::is_special(made)) continue;
    if (!has_room(made)) return Error{"too many communicators are made; choose fewer ranks"};
    number(members, rows, places_.of(made));
  }
  return std::nullopt;
}

// Members of one part have one parent and one color; they are numbered by key, and where that is
// the same as in the parent (MPI 3.1, section 6.4.2).
void LocalValues::number(std::vector<Member>& members, std::vector<Row>& rows,
                         std::vector<Place>& places) {
  std::ranges::sort(members);
  for (std::size_t first = 0, last = 0; first < members.size(); first = last) {
    const Member& one = members[first];
    while (last < members.size() && members[last].parent_part == one.parent_part &&
           members[last].color == one.color) {
      ++last;
    }
    const std::uint32_t part = places_.new_part();
    for (std::size_t i = first; i < last; ++i) {
      Row& row = rows[members[i].row];
      row.place = {static_cast<std::int32_t>(i - first), static_cast<std::int32_t>(last - first),
                   part};
      places[static_cast<std::size_t>(row.rank)] = row.place;
    }
  }
}

Result<std::vector<Value>> LocalValues::split(std::span<const Parameter> site,
                                              const Columns& others) {
  const auto c = split_columns(function_of(*program_, site));
  if (!c || site[c->made].law.local) return unknown_members();
  std::vector<Row> rows;
  if (auto error = gather(site, others, rows)) return *error;
  if (auto error = place(site, rows)) return *error;
  const std::array<std::size_t, 6> columns = {c->parent, c->made,     c->color,
                                              c->key,    c->made + 1, c->made + 2};
  std::array<RankValues, 6> out;
  std::size_t next = 0;
  for (std::int64_t r = 0; r < ranks_; ++r) {
    std::array<SeriesFolder, 6> folders;
    for (; next < rows.size() && rows[next].rank == r; ++next) {
      const Row& row = rows[next];
      const bool none = row.place.rank < 0;
      folders[0].append(row.parent);
      folders[1].append(row.made);
      folders[2].append(row.color);
      folders[3].append(row.key);
      folders[4].append(none ? trace::kNone : row.place.rank);
      folders[5].append(none ? trace::kNone : row.place.size);
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].append(folders[i].empty() ? StreamValues::absent()
                                       : StreamValues(folders[i].finish()));
    }
  }
  std::vector<Value> values;
  for (const Parameter& p : site) {
    const auto told = std::ranges::find(columns, values.size());
    auto value = told != columns.end()
                     ? Result(out[static_cast<std::size_t>(told - columns.begin())].finish())
                     : others(p);
    if (!value) return value.error();
    values.push_back(std::move(*value));
  }
  return values;
}

Result<std::vector<std::int64_t>> LocalValues::depths(const Descent& descent,
                                                      std::span<const Parameter> site,
                                                      Budget& budget) {
  constexpr std::size_t kMostSplits = std::size_t{1} << 28;  // of all ranks
  constexpr std::uint32_t kNodesOfAStep = 16;                // of an expression
  auto laws = told(site, Told::Loops::none);
  if (!laws) return laws.error();
  auto goes_on = LocalNumber::make(descent.goes_on, grids_, {});
  if (!goes_on) return goes_on.error();
  auto first = LocalNumber::make(descent.first, grids_, {});
  if (!first) return first.error();
  const auto comm = first->at({0, ranks_}, {});
  if (!comm) return no_value();

  std::vector<Place> at(static_cast<std::size_t>(ranks_));
  std::vector<std::int64_t> active;
  for (std::int64_t r = 0; r < ranks_; ++r) {
    if (const auto place = places_.find(*comm, r)) {
      at[static_cast<std::size_t>(r)] = *place;
      if (place->rank >= 0) active.push_back(r);
    }
  }
  if (active.empty()) return unknown_members();
  const std::uint64_t steps =
      1 + (laws->nodes + descent.goes_on.expression.nodes()) / kNodesOfAStep;
  std::vector<std::int64_t> out(at.size(), 0);
  for (std::size_t splits = 0; !active.empty();) {
    if (!budget.take(active.size() * steps)) return out;
    std::vector<Row> rows;
    std::vector<Member> members;
    for (const std::int64_t r : active) {
      Place& parent = at[static_cast<std::size_t>(r)];
      const auto on = goes_on->at(member(parent), {});
      if (!on) return no_value();
      if (*on == 0) continue;
      if (parent.part == Place::kUnknown) return unknown_members();
      Row row{.rank = r, .parameters = {}};
      if (auto error = laws->evaluate(parent, row)) return *error;
      ++out[static_cast<std::size_t>(r)];
      if (!trace::is_special(row.color)) {
        members.push_back({parent.part, row.color, row.key, parent.rank, rows.size()});
      }
      rows.push_back(std::move(row));
    }
    splits += rows.size();
    if (splits > kMostSplits ||
        (!rows.empty() && out[static_cast<std::size_t>(rows.front().rank)] > ranks_)) {
      return Error{"its splits do not end in time; choose fewer ranks"};
    }
    active.clear();
    for (const Member& m : members) active.push_back(rows[m.row].rank);
    number(members, rows, at);
  }
  return out;
}

}  // namespace reprise::extrapolate
