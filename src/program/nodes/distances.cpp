#include "program/nodes/distances.hpp"

#include <algorithm>
#include <functional>

#include "trace/series/series_folder.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

// The neighbors of a content, in turn.
std::vector<Neighbor> neighbors_in(const Content& content) {
  if (const auto* n = std::get_if<Neighbor>(&content)) return {*n};
  std::vector<Neighbor> out;
  const auto* a = std::get_if<Alternation>(&content);
  for (std::size_t k = 0; a && k < a->laws.size(); ++k) {
    if (const auto* n = std::get_if<Neighbor>(&a->laws[k])) out.push_back(*n);
  }
  return out;
}

// The same; empty: it says something else, too.
std::vector<Neighbor> neighbors_of(const Content& content) {
  const auto* a = std::get_if<Alternation>(&content);
  std::vector<Neighbor> out = neighbors_in(content);
  return a && out.size() < a->laws.size() ? std::vector<Neighbor>() : out;
}

std::int64_t remainder(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

void for_each_neighbor(std::vector<Node>& nodes, const std::function<void(Neighbor&)>& visit) {
  for_each_slot(nodes, [&](const Slot& slot) {
    if (!slot.value) return;
    for (Case& c : slot.value->cases) {
      if (auto* n = std::get_if<Neighbor>(&c.content)) visit(*n);
      auto* a = std::get_if<Alternation>(&c.content);
      for (std::size_t k = 0; a && k < a->laws.size(); ++k) {
        if (auto* n = std::get_if<Neighbor>(&a->laws[k])) visit(*n);
      }
    }
  });
}

void add_ends(const Value& value, GridEnds& ends) {
  for (const Case& c : value.cases) {
    for (const Neighbor& n : neighbors_in(c.content)) {
      ends.has_neighbors = true;
      for (std::size_t d = 0; d < n.wraps.size(); ++d) {
        if (n.wraps[d]) ends.wraps[d] = true;
        if (n.has_borders && n.steps[d] != 0 && !n.wraps[d]) ends.stops[d] = true;
      }
    }
  }
}

void add_ends(const std::vector<Node>& nodes, GridEnds& ends) {
  for (const Node& n : nodes) {
    for (const Argument& a : n.arguments) add_ends(a.value, ends);
    for (const auto& passed : n.passed) {
      if (const auto* value = std::get_if<Value>(&passed)) add_ends(*value, ends);
    }
    add_ends(n.body, ends);
  }
}

}  // namespace

bool Distances::is_near(const Value& value) {
  return !value.parameter && !value.cases.empty() &&
         std::ranges::none_of(value.cases,
                              [](const Case& c) { return neighbors_of(c.content).empty(); });
}

std::optional<std::int64_t> Distances::length_of(const Value& value, const DistancePlace& place) {
  if (!is_near(value) || value.cases.size() != 1) return std::nullopt;
  const Content& content = value.cases.front().content;
  const std::vector<Neighbor> all = neighbors_of(content);
  if (const auto* a = std::get_if<Alternation>(&content)) {
    const bool is_inside = a->by_loop && a->by_loop->loop >= place.loops &&
                           a->by_loop->first == 0 && a->by_loop->per == 1;
    if (!is_inside || place.trips != std::ssize(all)) return std::nullopt;
  }
  std::int64_t out = 0;
  for (const Neighbor& n : all) {
    for (const std::int64_t step : n.steps) out += step < 0 ? -step : step;
  }
  return out;
}

std::optional<std::int64_t> Distances::between(const Neighbor& base, const Neighbor& other) const {
  if (base.wraps != other.wraps || base.has_borders != other.has_borders) return std::nullopt;
  if (base.steps.size() != other.steps.size()) return std::nullopt;
  std::int64_t most = 1;
  for (std::size_t d = 0; d < base.steps.size(); ++d) {
    if (base.steps[d] != 0) most = std::max(most, std::abs(other.steps[d] / base.steps[d]));
    if (base.wraps[d] && d < extents_.size()) most = std::max(most, extents_[d] - 1);
  }
  for (std::int64_t times = 1; times <= most; ++times) {
    bool fits = true;
    for (std::size_t d = 0; d < base.steps.size() && fits; ++d) {
      const std::int64_t step = times * base.steps[d];
      fits = step == other.steps[d] || (base.wraps[d] && d < extents_.size() &&
                                        remainder(step - other.steps[d], extents_[d]) == 0);
    }
    if (fits) return times;
  }
  return std::nullopt;
}

std::optional<Content> Distances::between(const std::vector<Neighbor>& base, const Content& other,
                                          const DistancePlace& place) const {
  const std::vector<Neighbor> all = neighbors_of(other);
  if (all.empty() || all.size() % base.size() != 0) return std::nullopt;
  const auto* turns = std::get_if<Alternation>(&other);
  if (turns && turns->scope >= place.loops) {
    const bool is_alike = turns->by_loop && turns->by_loop->first == 0 && turns->by_loop->per == 1;
    if (!is_alike || all.size() != base.size()) return std::nullopt;
  } else if (turns) {
    // From one call of the function to the next; in each, one turn or those of its own loop.
    const bool is_by_loop = turns->by_loop && turns->by_loop->loop < place.loops;
    const bool is_whole =
        base.size() > 1 ? place.trips == std::ssize(base) : place.is_once || is_by_loop;
    if (!is_whole) return std::nullopt;
  }
  trace::SeriesFolder times;
  std::int64_t first = 0;
  bool is_one = true;
  for (std::size_t k = 0; k < all.size(); k += base.size()) {
    std::optional<std::int64_t> here;
    for (std::size_t j = 0; j < base.size(); ++j) {
      const auto one = between(base[j], all[k + j]);
      if (!one || (here && *here != *one)) return std::nullopt;
      here = one;
    }
    if (k == 0) first = *here;
    is_one = is_one && first == *here;
    times.append(*here);
  }
  if (is_one) return Expr(first);
  Sequence out{times.finish(), all.size() / base.size(), turns->scope};
  if (base.size() == 1) {
    out.by_loop = turns->by_loop;
  } else if (place.is_each_time && turns->scope + 1 == place.loops) {
    out.by_loop = ByLoop{turns->scope, 0};
  }
  return out;
}

std::optional<Value> Distances::between(const Value& base, const Value& value,
                                        const DistancePlace& place) const {
  if (!is_near(value)) return std::nullopt;
  const std::vector<Neighbor> of_base = neighbors_of(base.cases.front().content);
  Value out;
  for (const Case& c : value.cases) {
    auto content = between(of_base, c.content, place);
    if (!content) return std::nullopt;
    out.cases.push_back({c.who, std::move(*content)});
  }
  const auto is_first = [&](const Case& c) { return c.content == out.cases.front().content; };
  if (out.cases.size() > 1 && std::ranges::all_of(out.cases, is_first)) {
    out.cases.resize(1);
    out.cases.front().who = {out.cases.front().who.streams, Expr(1), {}, {}};
  }
  return out;
}

GridEnds grid_ends(const Program& program) {
  const std::size_t dimensions = program.grid ? program.grid->dimensions() : 0;
  GridEnds out{false, std::vector<bool>(dimensions), std::vector<bool>(dimensions)};
  if (dimensions == 0) return out;
  add_ends(program.body, out);
  for (const Procedure& p : program.procedures) add_ends(p.body, out);
  return out;
}

void find_cyclic(Program& program) {
  const GridEnds ends = grid_ends(program);
  for_each_neighbor(program.body, [&](Neighbor& n) {
    for (std::size_t d = 0; d < n.wraps.size() && !n.has_borders; ++d)
      n.wraps[d] = n.wraps[d] || ends.is_cyclic(d);
  });
}

}  // namespace reprise::program
