#include "program/laws/joint.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "expr/simplify.hpp"
#include "program/laws/scaled.hpp"
#include "program/laws/sequence.hpp"
#include "program/values/cells.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::program {
namespace {

using expr::Expr;
using trace::Encoding;

constexpr std::uint64_t kMostTurns = 64;      // executions of an alternation
constexpr std::size_t kMostAlternatives = 8;  // distinct ones of an alternation
constexpr std::size_t kMostStepsInTurn = 26;  // if all are steps: those of a 3-D grid
constexpr Bits kTurnBits = 8;                 // of an alternation, beside its laws and their order
constexpr std::uint64_t kMostAlternating = 131072;  // values of an alternation, of all streams
constexpr std::size_t kMostDigits = 3;
constexpr std::size_t kLeastValues = 12;  // fewer may look like digits by chance

// Every value of the streams, within one entry.
class Table {
 public:
  Table(const std::vector<Alike>& groups, const ValueSite& site) : site_(site) {
    for (const Alike& g : groups) add(g);
    Recurrences known;
    entry_ = site.nest->entry(
        *site.streams, site.times,
        [&](std::uint64_t s, std::uint64_t period, std::uint64_t all) {
          return known.recurs(group_of_.at(s)->series, period, all);
        },
        Nest::Same::on_each_stream);
  }

  // Of one group, of which it is known what is in an entry.
  Table(const Entered& group, const ValueSite& site) : site_(site), entry_(group.entry) {
    add(group.alike);
  }

  const Entry& entry() const { return entry_; }
  const Streams& streams() const { return *site_.streams; }
  std::uint64_t executions(std::uint64_t stream) const {
    return site_.nest->executions(entry_, stream);
  }
  const Alike& group(std::uint64_t stream) const { return *group_of_.at(stream); }

 private:
  void add(const Alike& group) {
    for (const std::uint64_t s : group.streams) group_of_[s] = &group;
  }

  const ValueSite& site_;
  std::map<std::uint64_t, const Alike*> group_of_;
  Entry entry_;
};

Bits bits_of_order(const std::vector<std::int64_t>& order) {
  return bits_of(trace::fold_numbers(order));
}

// Values as sums of a number of the stream and one of the indices.
struct Parts {
  std::vector<Sample> of_stream;
  std::vector<std::int64_t> of_indices;  // of the first ones: 0
};

// None if they are not, or if there are too few values to tell.
std::optional<Parts> parts_of(const Cells& table) {
  std::map<std::uint64_t, std::int64_t> of_stream;
  std::vector<std::optional<std::int64_t>> of_indices(table.indices.size());
  std::vector<std::vector<std::size_t>> cells_at(table.indices.size());
  std::map<std::uint64_t, std::vector<std::size_t>> cells_of_stream;
  for (std::size_t k = 0; k < table.cells.size(); ++k) {
    cells_at[table.cells[k].at].push_back(k);
    cells_of_stream[table.cells[k].stream].push_back(k);
  }
  // Each stream that is met at known indices tells its number, and that its other indices'.
  std::vector<std::size_t> known{0};
  of_indices[0] = 0;
  for (std::size_t next = 0; next < known.size(); ++next) {
    for (const std::size_t k : cells_at[known[next]]) {
      const std::uint64_t stream = table.cells[k].stream;
      const std::int64_t number = table.cells[k].value - *of_indices[known[next]];
      if (!of_stream.try_emplace(stream, number).second) continue;
      for (const std::size_t other : cells_of_stream.at(stream)) {
        const std::size_t at = table.cells[other].at;
        if (of_indices[at]) continue;
        of_indices[at] = table.cells[other].value - number;
        known.push_back(at);
      }
    }
  }
  const std::size_t chosen = cells_of_stream.size() + table.indices.size() - 1;
  if (of_stream.size() < cells_of_stream.size() || table.cells.size() <= chosen)
    return std::nullopt;
  Parts out;
  for (const Cell& c : table.cells) {
    if (c.value != of_stream.at(c.stream) + *of_indices[c.at]) return std::nullopt;
  }
  for (const auto& [stream, number] : of_stream) out.of_stream.push_back({stream, number});
  for (const auto& number : of_indices) out.of_indices.push_back(*number);
  return out;
}

// As a person writes it: what is taken away stands last.
Expr sum_of(const Expr& f, const Expr& g) {
  const bool takes_away = g.op() == expr::Op::subtract && g.operands()[0].is_constant();
  if (!takes_away) return expr::simplify(f + g);
  return expr::simplify(expr::simplify(f + g.operands()[0]) - g.operands()[1]);
}

// f(rank) + g(indices), or g(indices).
std::optional<Law> sum_law(const Space& space, const Cells& table) {
  const auto parts = parts_of(table);
  if (!parts) return std::nullopt;
  const std::int64_t first = parts->of_stream.front().value;
  const bool is_same =
      std::ranges::all_of(parts->of_stream, [&](const Sample& s) { return s.value == first; });
  std::optional<Expr> f;
  if (!is_same) {
    const auto law = law_of(space, parts->of_stream, {});
    const auto* e = law ? std::get_if<Expr>(&law->content) : nullptr;
    if (!e) return std::nullopt;
    f = *e;
  }
  trace::SeriesFolder folder;
  for (const std::int64_t v : parts->of_indices) folder.append(is_same ? first + v : v);
  Entry entry{table.scope, table.indices.size(), Indices(table.indices.front().size()), {}};
  for (const std::vector<std::int64_t>& index : table.indices) {
    for (std::size_t j = 0; j < index.size(); ++j) (*entry.indices)[j].push_back(index[j]);
  }
  const ExplainedSeries of_indices =
      explain_series(folder.finish(), entry, Encoding::absolute, Meaning::number);
  const auto* g = std::get_if<Expr>(&of_indices.content);
  if (!g) return std::nullopt;
  const auto sum_with = [&f](const Expr& chosen) { return sum_of(*f, chosen); };
  const Expr sum = f ? expr::map_choices(*g, sum_with) : *g;
  return Law{sum, bits_of(sum)};
}

// What a digit may be a sum of: coordinates, and indices of the loops inside.
struct Term {
  Expr expression;
  std::vector<std::int64_t> values;  // by cell
};

std::vector<Term> terms_of(const Space& space, const Cells& table) {
  const std::vector<Cell>& cells = table.cells;
  std::vector<Term> out;
  for (std::size_t d = 0; d < space.extents().size(); ++d) {
    const Leaf& leaf = space.plain()[d];
    out.push_back({leaf.expression, {}});
    for (const Cell& c : cells) out.back().values.push_back(leaf.of(c.stream));
  }
  for (std::size_t j = 0; j < table.indices.front().size(); ++j) {
    out.push_back({Expr::variable(loop_index(table.scope + j)), {}});
    for (const Cell& c : cells) out.back().values.push_back(table.indices[c.at][j]);
  }
  return out;
}

std::int64_t remainder(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

// (c + sum of terms) % extent, each of them added, subtracted or left out.
std::optional<Expr> digit(const std::vector<Term>& terms, const std::vector<std::int64_t>& digits,
                          std::int64_t extent) {
  std::size_t choices = 1;
  for (std::size_t t = 0; t < terms.size(); ++t) choices *= 3;
  std::optional<Expr> best;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    std::vector<std::int64_t> sign;
    for (std::size_t rest = choice; sign.size() < terms.size(); rest /= 3)
      sign.push_back(std::array<std::int64_t, 3>{0, 1, -1}[rest % 3]);
    const auto sum = [&](std::size_t cell) {
      std::int64_t out = 0;
      for (std::size_t t = 0; t < terms.size(); ++t) out += sign[t] * terms[t].values[cell];
      return out;
    };
    const std::int64_t c = remainder(digits.front() - sum(0), extent);
    bool fits = true;
    for (std::size_t k = 0; k < digits.size() && fits; ++k)
      fits = remainder(c + sum(k), extent) == digits[k];
    if (!fits) continue;
    // What is added stands first.
    std::optional<Expr> out;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      if (sign[t] == 1) out = out ? *out + terms[t].expression : terms[t].expression;
    }
    const bool is_less = 2 * c > extent;
    if (!out) out = Expr(c);
    const bool is_added = std::ranges::count(sign, 1) > 0;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      if (sign[t] == -1) out = *out - terms[t].expression;
    }
    if (is_added && c != 0) out = is_less ? *out - Expr(extent - c) : *out + Expr(c);
    const Expr whole = *out % Expr(extent);
    if (!best || bits_of(whole) < bits_of(*best)) best = whole;
  }
  return best;
}

// c + s (digit0 + extent digit1 + ..).
std::optional<Law> digit_law(const Space& space, const Cells& table) {
  const std::vector<Cell>& cells = table.cells;
  if (space.extents().size() < 2 || cells.size() < kLeastValues) return std::nullopt;
  const std::vector<Term> terms = terms_of(space, table);
  if (terms.size() > space.extents().size() + 2) return std::nullopt;
  std::int64_t least = cells.front().value, most = least, unit = 0;
  for (const Cell& c : cells) {
    least = std::min(least, c.value);
    most = std::max(most, c.value);
  }
  for (const Cell& c : cells) unit = std::gcd(unit, c.value - least);
  if (unit == 0) return std::nullopt;
  std::vector<std::int64_t> extents = space.extents();
  std::ranges::sort(extents);
  extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
  std::optional<Law> best;
  for (const std::int64_t extent : extents) {
    std::vector<std::int64_t> rest;
    for (const Cell& c : cells) rest.push_back((c.value - least) / unit);
    std::optional<Expr> sum;
    std::int64_t weight = unit;
    bool fits = true;
    const auto is_left = [&] { return std::ranges::any_of(rest, [](auto v) { return v != 0; }); };
    for (std::size_t d = 0; d < kMostDigits && fits && is_left(); ++d) {
      std::vector<std::int64_t> digits;
      for (std::int64_t& v : rest) {
        digits.push_back(v % extent);
        v /= extent;
      }
      const auto e = digit(terms, digits, extent);
      fits = e.has_value();
      if (!fits) break;
      const Expr term = scaled(*e, weight);
      sum = sum ? *sum + term : term;
      weight *= extent;
    }
    if (!fits || !sum || is_left()) continue;
    const Expr whole = least == 0 ? *sum : *sum + Expr(least);
    if (!best || bits_of(whole) < best->bits) best = Law{whole, bits_of(whole)};
  }
  return best;
}

}  // namespace

namespace {

std::optional<Law> alternation_in(const Space& space, const Table& table) {
  const std::uint64_t turns = table.entry().executions;
  if (turns < 2 || turns > kMostTurns) return std::nullopt;
  if (turns * table.streams().size() > kMostAlternating) return std::nullopt;
  Alternation out{{}, table.entry().scope, table.entry().by_loop()};
  std::vector<std::pair<std::vector<Sample>, Law>> known;
  std::vector<std::int64_t> order;
  Bits bits = kTurnBits;
  bool are_steps = true;
  const auto ranks = static_cast<std::int64_t>(space.ranks());
  const auto is_same = [](const Sample& a, const Sample& b) {
    return a.stream == b.stream && a.value == b.value;
  };
  for (std::uint64_t k = 0; k < turns; ++k) {
    std::vector<Sample> samples;
    for (const std::uint64_t s : table.streams()) {
      if (table.executions(s) <= k) continue;
      const Alike& g = table.group(s);
      samples.push_back(
          {s, trace::decode_rank(g.encoding, g.series.at(k), {space.rank(s), ranks})});
    }
    const auto same = std::ranges::find_if(
        known, [&](const auto& p) { return std::ranges::equal(p.first, samples, is_same); });
    order.push_back(same - known.begin());
    if (same == known.end()) {
      if (known.size() == kMostStepsInTurn) return std::nullopt;
      auto law = law_of(space, samples, {.is_peer = true, .is_world = true, .places = nullptr});
      if (!law) return std::nullopt;
      are_steps = are_steps && std::holds_alternative<Neighbor>(law->content);
      if (known.size() >= kMostAlternatives && !are_steps) return std::nullopt;
      bits += law->bits;
      known.emplace_back(std::move(samples), std::move(*law));
    }
    const Content& content = known[static_cast<std::size_t>(order.back())].second.content;
    if (const auto* e = std::get_if<Expr>(&content)) {
      out.laws.emplace_back(*e);
    } else {
      out.laws.emplace_back(std::get<Neighbor>(content));
    }
  }
  // Masks that are no steps in the grid read best as they are written.
  const Alike& first = table.group(table.streams().front());
  const bool are_masks =
      first.encoding == Encoding::exclusive_or && first.streams.size() == table.streams().size();
  if (are_masks && !are_steps) return std::nullopt;
  return Law{std::move(out), bits + bits_of_order(order)};
}

}  // namespace

std::optional<Law> alternation_of(const Space& space, const Split& values, const ValueSite& site) {
  if (values.numbers.size() > kMostAlternating / 2) return std::nullopt;
  std::vector<Alike> groups = values.series;
  std::map<std::int64_t, Streams> by_number;
  for (const Sample& s : values.numbers) by_number[s.value].push_back(s.stream);
  for (auto& [number, streams] : by_number)
    groups.push_back({trace::Series::constant(number), 0, std::move(streams), Encoding::absolute});
  auto out = alternation_in(space, Table(groups, site));
  if (!out || values.numbers.empty()) return out;
  // Formulas that explain single numbers and turns of others alike are chance; steps are not.
  const bool are_steps =
      std::ranges::all_of(std::get<Alternation>(out->content).laws,
                          [](const auto& law) { return std::holds_alternative<Neighbor>(law); });
  return are_steps ? out : std::nullopt;
}

std::optional<Law> alternation_of(const Space& space, const Entered& group, const ValueSite& site) {
  const ValueSite of_group{std::make_shared<const Streams>(group.alike.streams), site.times,
                           site.nest};
  return alternation_in(space, Table(group, of_group));
}

std::optional<Law> joint_law_of(const Space& space, const Split& values, const ValueSite& site) {
  const auto table = cells_of(space, values, site);
  if (!table || table->cells.empty()) return std::nullopt;
  // Negative ranks and tags stand for something.
  if (std::ranges::any_of(table->cells, [](const Cell& c) { return c.value < 0; }))
    return std::nullopt;
  auto out = sum_law(space, *table);
  auto digits = digit_law(space, *table);
  if (digits && (!out || digits->bits < out->bits)) out = std::move(digits);
  return out;
}

}  // namespace reprise::program
