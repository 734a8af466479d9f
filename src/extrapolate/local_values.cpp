#include "extrapolate/local_values.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include "compress/stream_values.hpp"
#include "extrapolate/local_number.hpp"
#include "extrapolate/split_columns.hpp"
#include "trace/call_cursor.hpp"
#include "trace/predefined.hpp"
#include "trace/series_folder.hpp"
#include "trace/special.hpp"

namespace reprise::extrapolate {
namespace {

using compress::StreamValues;
using trace::Encoding;
using trace::Function;
using trace::Kind;
using trace::SeriesFolder;
using trace::Value;
using trace::ValueCursor;

const Function& function_of(const Scalable& program, std::span<const Parameter> site) {
  return trace::function(program.sites[site.front().slot.site].function);
}

compress::Membership member(const Place& p) { return {p.rank, p.size}; }

// The values of one rank, in every encoding if they are ranks of communicators.
class Folders {
 public:
  explicit Folders(bool are_ranks) : count_(are_ranks ? 3 : 1) {}

  void add(std::int64_t value, const compress::Membership& place) {
    for (std::size_t e = 0; e < count_; ++e) {
      folders_[e].append(
          trace::encode_rank(static_cast<Encoding>(e), value, place.rank, place.size));
    }
  }
  void add(std::int64_t value) { folders_[0].append(value); }

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

// The values of ranks, one after the other.
class Column {
 public:
  void append(StreamValues rank) {
    if (!values_) {
      values_ = std::move(rank);
    } else {
      values_->append(rank);
    }
  }
  Value finish() const { return values_ ? values_->finish() : Value::constant(0); }

 private:
  std::optional<StreamValues> values_;
};

Error unknown_members() { return Error{"the members of its communicator are not known there"}; }

Error no_value() { return Error{"its law has no value at this number of ranks; choose another"}; }

}  // namespace

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
  Column out;
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

std::optional<Error> LocalValues::gather(std::span<const Parameter> site, const Columns& others,
                                         std::vector<Row>& rows) const {
  const SplitColumns c = *split_columns(function_of(*program_, site));
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
  std::array<Column, 6> out;
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

Result<LocalValues::Counted> LocalValues::counted_from(const Parameter& p,
                                                       std::span<const std::int64_t> depths,
                                                       LawValues& rest) {
  Column column;
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
