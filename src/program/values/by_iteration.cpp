#include "program/values/by_iteration.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "analyze/text/series_text.hpp"
#include "program/values/cells.hpp"
#include "program/values/moving_condition.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::program {
namespace {

using expr::Expr;

constexpr Bits kChoiceBits = 8;  // of a table of laws, beside these and their order

// Which entry of a table each iteration of one loop has.
struct Iterations {
  std::vector<std::size_t> of;  // by iteration: of the first ones
  ByLoop by;
};

// Equal entries in a row are one where all rows are as long, as where loops run into each other.
// None: there is one entry alone, or there are too many.
std::optional<Iterations> entries_of(std::vector<std::size_t> of, std::size_t loop) {
  constexpr std::size_t kMostEntries = 8;  // more of them are read as a table anyway
  std::size_t per = of.size();
  for (std::size_t k = 1; k < of.size(); ++k) {
    if (of[k] != of[k - 1]) per = std::gcd(per, k);
  }
  if (per == of.size() || (of.size() + per - 1) / per > kMostEntries) return std::nullopt;
  Iterations out{{}, {loop, 0, static_cast<std::int64_t>(per), true}};
  for (std::size_t k = 0; k < of.size(); k += per) out.of.push_back(of[k]);
  return out;
}

// By the index of one loop inside, which of the cells have it: [iterations x cells].
using ByIteration = std::vector<std::vector<std::size_t>>;

std::optional<ByIteration> by_iteration(const Cells& table, std::size_t inside) {
  constexpr std::size_t kMostIterations = 4096;
  ByIteration out;
  for (std::size_t k = 0; k < table.cells.size(); ++k) {
    const std::int64_t index = table.indices[table.cells[k].at][inside];
    if (index < 0 || index >= static_cast<std::int64_t>(kMostIterations)) return std::nullopt;
    if (out.size() <= static_cast<std::size_t>(index))
      out.resize(static_cast<std::size_t>(index) + 1);
    out[static_cast<std::size_t>(index)].push_back(k);
  }
  return out;
}

// What all streams have in an iteration, as an index into what is known.
using EntryOf = std::function<std::optional<std::size_t>(const std::vector<std::size_t>& cells)>;

// Iterations that no stream executes have the entry of the one before, the first ones that of the
// next.
std::optional<Iterations> entries_of(const Cells& table, std::size_t inside, const EntryOf& entry) {
  const auto iterations = by_iteration(table, inside);
  if (!iterations) return std::nullopt;
  std::vector<std::size_t> of;
  std::size_t unknown = 0;
  for (const std::vector<std::size_t>& cells : *iterations) {
    if (cells.empty()) {
      of.empty() ? void(++unknown) : of.push_back(of.back());
      continue;
    }
    const auto here = entry(cells);
    if (!here) return std::nullopt;
    of.push_back(*here);
  }
  of.insert(of.begin(), unknown, of.front());
  return entries_of(std::move(of), table.scope + inside);
}

// The same number for all streams that execute an iteration.
std::optional<Law> number_by_iteration(const Cells& table, std::size_t inside) {
  std::vector<std::int64_t> known;
  const auto entries = entries_of(
      table, inside, [&](const std::vector<std::size_t>& cells) -> std::optional<std::size_t> {
        const std::int64_t value = table.cells[cells.front()].value;
        for (const std::size_t k : cells) {
          if (table.cells[k].value != value) return std::nullopt;
        }
        const auto found = std::ranges::find(known, value);
        if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
        known.push_back(value);
        return known.size() - 1;
      });
  if (!entries) return std::nullopt;
  trace::SeriesFolder folder;
  for (const std::size_t e : entries->of) folder.append(known[e]);
  Sequence out{folder.finish(), entries->of.size(),        entries->by.loop,
               false,           trace::Encoding::absolute, entries->by};
  const Bits bits =
      kTableBits + bits_of(trace::Series(analyze::first_terms(out.values, out.length)));
  return Law{std::move(out), bits};
}

// The same law of the ranks for all streams that execute an iteration.
std::optional<Law> peer_by_iteration(const Space& space, const Cells& table, std::size_t inside) {
  constexpr std::size_t kLeastStreams = 3;  // fewer have anything in common by chance
  constexpr std::size_t kMostTried = 16;    // sets of samples whose law is sought
  std::vector<std::pair<std::vector<Sample>, std::size_t>> tried;
  std::vector<Law> known;
  const auto is_same = [](const Sample& a, const Sample& b) {
    return a.stream == b.stream && a.value == b.value;
  };
  const auto entries = entries_of(
      table, inside, [&](const std::vector<std::size_t>& cells) -> std::optional<std::size_t> {
        std::vector<Sample> samples;
        for (const std::size_t k : cells) {
          const Cell& c = table.cells[k];
          if (samples.empty() || samples.back().stream != c.stream)
            samples.push_back({c.stream, c.value});
          else if (samples.back().value != c.value)
            return std::nullopt;
        }
        const auto before = std::ranges::find_if(
            tried, [&](const auto& t) { return std::ranges::equal(t.first, samples, is_same); });
        if (before != tried.end()) return before->second;
        if (samples.size() < kLeastStreams || tried.size() == kMostTried) return std::nullopt;
        auto law = law_of(space, samples, {.is_peer = true, .is_world = true, .places = nullptr});
        if (!law) return std::nullopt;
        auto found = std::ranges::find(known, law->content, &Law::content);
        if (found == known.end()) found = known.insert(known.end(), std::move(*law));
        tried.emplace_back(std::move(samples), found - known.begin());
        return tried.back().second;
      });
  if (!entries) return std::nullopt;
  Alternation out{{}, entries->by.loop, entries->by};
  trace::SeriesFolder order;
  for (const std::size_t e : entries->of) {
    order.append(static_cast<std::int64_t>(e));
    if (const auto* law = std::get_if<Expr>(&known[e].content)) {
      out.laws.emplace_back(*law);
    } else {
      out.laws.emplace_back(std::get<Neighbor>(known[e].content));
    }
  }
  Bits bits = kChoiceBits + bits_of(order.finish());
  for (const Law& law : known) bits += law.bits;
  return Law{std::move(out), bits};
}

}  // namespace

std::optional<Law> iteration_law_of(const Space& space, const Split& values, const ValueSite& site,
                                    Entries entries) {
  const auto table = cells_of(space, values, site);
  if (!table || table->cells.empty()) return std::nullopt;
  std::optional<Law> best;
  for (std::size_t inside = 0; inside < table->indices.front().size(); ++inside) {
    auto law = entries == Entries::peers ? peer_by_iteration(space, *table, inside)
                                         : number_by_iteration(*table, inside);
    if (law && (!best || law->bits < best->bits)) best = std::move(law);
  }
  return best;
}

namespace {

// Of the iterations that any stream executes; none: a stream has both in one iteration.
std::optional<std::vector<Held>> held_by_iteration(const Cells& table, std::size_t inside) {
  const auto iterations = by_iteration(table, inside);
  if (!iterations) return std::nullopt;
  std::vector<Held> out;
  for (std::size_t i = 0; i < iterations->size(); ++i) {
    Held here{static_cast<std::int64_t>(i), {}, {}};
    for (const std::size_t k : (*iterations)[i]) {
      const Cell& c = table.cells[k];
      const bool is_known = !here.all.empty() && here.all.back() == c.stream;
      const bool held = is_known && !here.some.empty() && here.some.back() == c.stream;
      if (is_known && held != (c.value != 0)) return std::nullopt;
      if (is_known) continue;
      here.all.push_back(c.stream);
      if (c.value != 0) here.some.push_back(c.stream);
    }
    if (!here.all.empty()) out.push_back(std::move(here));
  }
  return out;
}

std::optional<Expr> condition_by_iteration(Conditions& conditions, const std::vector<Held>& held,
                                           const Expr& index) {
  constexpr std::int64_t kMostIterations = 4;  // more of them are hard to read one by one
  if (held.back().iteration >= kMostIterations) return std::nullopt;
  std::optional<Expr> out;
  for (const Held& h : held) {
    if (h.some.empty()) continue;
    const auto who = conditions.of(h.some, h.all).expression;
    if (!who) return std::nullopt;
    Expr here = Expr::make(expr::Op::equal, index, Expr(h.iteration));
    if (!who->is_constant(1)) here = Expr::make(expr::Op::logical_and, here, *who);
    out = out ? Expr::make(expr::Op::logical_or, *out, here) : here;
  }
  return out;
}

// The shortest condition that holds for the cells whose value is not 0.
std::optional<Expr> condition_of(Conditions& conditions, const Cells& table) {
  std::optional<Expr> best;
  for (std::size_t inside = 0; inside < table.indices.front().size(); ++inside) {
    const auto held = held_by_iteration(table, inside);
    if (!held) continue;
    const std::size_t loop = table.scope + inside;
    for (auto& here : {condition_by_iteration(conditions, *held, Expr::variable(loop_index(loop))),
                       moving_condition_of(conditions.space(), *held, loop)}) {
      if (here && (!best || bits_of(*here) < bits_of(*best))) best = here;
    }
  }
  return best;
}

// The number other than 0 that each stream has, over the rank. None if no stream has one, a stream
// has several, or no expression is found.
std::optional<Expr> number_of(const Space& space, const Cells& table) {
  std::vector<Sample> samples;
  bool is_one = true;
  for (const Cell& c : table.cells) {
    if (c.value == 0) continue;
    if (samples.empty() || samples.back().stream != c.stream)
      samples.push_back({c.stream, c.value});
    if (samples.back().value != c.value) return std::nullopt;
    is_one = is_one && c.value == samples.front().value;
  }
  if (samples.empty()) return std::nullopt;
  if (is_one) return Expr(samples.front().value);
  const auto law = law_of(space, samples, {});
  const auto* number = law ? std::get_if<Expr>(&law->content) : nullptr;
  return number ? std::optional(*number) : std::nullopt;
}

}  // namespace

std::optional<Expr> iteration_condition_of(Conditions& conditions, const Split& values,
                                           const ValueSite& site) {
  const auto table = cells_of(conditions.space(), values, site);
  if (!table || table->cells.empty()) return std::nullopt;
  return condition_of(conditions, *table);
}

std::optional<Law> conditional_law_of(Conditions& conditions, const Split& values,
                                      const ValueSite& site) {
  const auto table = cells_of(conditions.space(), values, site);
  if (!table || table->cells.empty()) return std::nullopt;
  const auto number = number_of(conditions.space(), *table);
  const auto condition = number ? condition_of(conditions, *table) : std::nullopt;
  if (!condition || condition->is_constant()) return std::nullopt;
  const Expr law = Expr::conditional(*condition, *number, Expr(0));
  return Law{law, bits_of(law)};
}

}  // namespace reprise::program
