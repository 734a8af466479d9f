#include "infer/value_law.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "expr/print.hpp"
#include "expr/simplify.hpp"
#include "infer/bits.hpp"
#include "infer/cases.hpp"
#include "infer/digits.hpp"
#include "infer/enumerate.hpp"
#include "infer/predicate.hpp"
#include "trace/series.hpp"
#include "trace/special.hpp"

namespace reprise::infer {
namespace {

using expr::Expr;
using expr::Op;
using Found = Result<Expr>;

constexpr unsigned kLargestSimple = 7;    // nodes; who asks for less wants no cases either
constexpr unsigned kLargestDistance = 9;  // nodes
// Leaves that stand for expressions; sizes that users name begin with a letter.
constexpr const char* kLevels = "_levels";
constexpr const char* kPeer = "_peer";

Error unexplained() {
  return Error{
      "no expression explains the samples (of those that were tried, none has the value of every "
      "rank); give more or more diverse numbers of ranks, a grid, or the law itself"};
}

bool has_grid(const Samples& samples) {
  const std::size_t dimensions = samples.worlds.front().world.extents.size();
  return dimensions > 0 &&
         std::all_of(samples.worlds.begin(), samples.worlds.end(),
                     [&](const WorldSamples& w) { return w.world.extents.size() == dimensions; });
}

// The samples whose values `keep` wants; worlds that have none left are dropped.
template <class Keep>
Samples filtered(const Samples& samples, const Keep& keep) {
  Samples out{samples.parameters, {}};
  for (const WorldSamples& w : samples.worlds) {
    WorldSamples kept{w.world, {}};
    std::copy_if(w.samples.begin(), w.samples.end(), std::back_inserter(kept.samples), keep);
    if (!kept.samples.empty()) out.worlds.push_back(std::move(kept));
  }
  return out;
}

// Operators on bits: of two expressions of one length, arithmetic reads easier.
std::size_t bit_operators(const Expr& e) {
  std::size_t n = e.op() == Op::bit_and || e.op() == Op::bit_xor ? 1 : 0;
  for (const Expr& operand : e.operands()) n += bit_operators(operand);
  return n;
}

// The easiest of several expressions, or an error that names one that differs from it on the
// probes.
Found only(const std::vector<Expr>& found, const Table& table) {
  if (found.empty()) return unexplained();
  const auto values = values_on_probes(found[0], table);
  for (const Expr& other : found) {
    if (values_on_probes(other, table) == values) continue;
    return Error{
        "the samples do not tell '" + print(found[0]) + "' from '" + print(other) +
        "' (both explain all of them and differ at the target) add a run of another shape"};
  }
  return expr::simplify(*std::min_element(
      found.begin(), found.end(),
      [](const Expr& a, const Expr& b) { return bit_operators(a) < bit_operators(b); }));
}

// The offset of each world, and whether it wraps in any; nothing where the ranks of a world differ
// in it.
struct Offsets {
  std::vector<std::int64_t> values;
  bool wrap = false;
};
std::optional<Offsets> find_offsets(const Samples& samples) {
  Offsets out;
  for (const WorldSamples& here : samples.worlds) {
    const std::vector<Sample>& rows = here.samples;
    const std::int64_t ranks = here.world.ranks;
    // Special values lie at the end of the range.
    const std::int64_t offset = trace::wrapping_sub(rows[0].value, rows[0].rank);
    const auto is_plain = [&](const Sample& s) {
      return trace::wrapping_sub(s.value, s.rank) == offset;
    };
    const auto is_wrapped = [&](const Sample& s) {
      return s.value >= 0 && s.value < ranks && rows[0].value >= 0 &&
             (s.value - s.rank - offset) % ranks == 0;
    };
    if (!std::all_of(rows.begin(), rows.end(), is_plain)) {
      if (!std::all_of(rows.begin(), rows.end(), is_wrapped)) return std::nullopt;
      out.wrap = true;
    }
    out.values.push_back(offset);
  }
  return out;
}

// rank + offset or (rank + offset) % ranks, where the offset depends on the world alone.
std::optional<Expr> infer_offset(const Samples& samples, const Options& options) {
  const auto offsets = find_offsets(samples);
  if (!samples.parameters.empty() || !offsets) return std::nullopt;
  std::optional<Expr> best;
  // An offset that wraps may be meant to go up or down.
  for (const bool down : {false, true}) {
    if (down && !offsets->wrap) break;
    std::vector<std::int64_t> values = offsets->values;
    for (std::size_t w = 0; w < values.size() && offsets->wrap; ++w) {
      const std::int64_t ranks = samples.worlds[w].world.ranks;
      values[w] = (values[w] % ranks + ranks) % ranks - (down ? ranks : 0);
    }
    const bool same =
        std::all_of(values.begin(), values.end(), [&](std::int64_t v) { return v == values[0]; });
    // Down, the law is that of the positive distance.
    if (down) std::transform(values.begin(), values.end(), values.begin(), std::negate<>());
    const Table table = make_world_table(samples, values, options.target);
    const Found offset = same ? Found(Expr(values[0])) : only(enumerate(table, 5), table);
    if (!offset || (best && best->nodes() <= offset->nodes() + 4)) continue;
    const Expr rank = Expr::variable(expr::kRank);
    const Expr sum = expr::simplify(down ? rank - *offset : rank + *offset);
    best = offsets->wrap ? sum % Expr::variable(expr::kRanks) : sum;
  }
  return best;
}

// A step in the grid; several that differ at the target are an error. Without a grid the digits of
// a line are the rank itself.
std::optional<Found> infer_steps(const Samples& samples, const Options& options) {
  Samples placed = samples;
  const bool is_line = !has_grid(samples);
  for (WorldSamples& w : placed.worlds) {
    if (is_line) w.world.extents = {w.world.ranks};
  }
  const auto offsets = find_digit_offsets(placed);
  // Without a target nothing tells several apart.
  if (offsets.empty() || (offsets.size() > 1 && !options.target)) return std::nullopt;
  const std::array<expr::Binding, 2> names = {
      expr::Binding{expr::coordinate_name(0), Expr::variable(expr::kRank)},
      {expr::extent_name(0), Expr::variable(expr::kRanks)}};
  std::vector<Expr> found;
  for (const DigitOffset& o : offsets) {
    const Expr peer = digit_expression(o);
    found.push_back(is_line ? substitute(peer, names) : peer);
  }
  if (found.size() == 1) return found.front();
  return only(found, make_table(samples, options.target));
}

// Distances from the rank that do not take its number: neighbours on one of several levels, which
// are so much further apart on each. REQUIRES: the first name is that of the rank.
std::optional<Found> infer_distance(const Table& table) {
  const Expr rank = Expr::variable(expr::kRank);
  for (const bool down : {false, true}) {
    Table distances = table;
    distances.names.erase(distances.names.begin());
    for (auto* rows : {&distances.slots, &distances.probes}) {
      for (auto& row : *rows) row.erase(row.begin());
    }
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const std::int64_t up = trace::wrapping_sub(table.values[i], table.slots[i][0]);
      distances.values[i] = down ? trace::wrapping_sub(0, up) : up;
    }
    const auto found = enumerate(distances, kLargestDistance);
    if (found.empty()) continue;
    const Found distance = only(found, distances);
    if (!distance) return distance;
    return expr::simplify(down ? rank - *distance : rank + *distance);
  }
  return std::nullopt;
}

// `largest`: nodes of an enumerated expression.
Found search_table(const Table& table, unsigned largest) {
  auto found = enumerate(table, std::min(largest, kLargestSimple));
  if (!found.empty()) return only(found, table);
  if (largest < kLargestSimple) return unexplained();
  if (const auto far = infer_distance(table)) return *far;
  if (largest > kLargestSimple) found = enumerate(table, largest);
  if (!found.empty()) return only(found, table);
  const auto cases = infer_cases(table);
  return cases ? Found(*cases) : unexplained();
}

// On how many levels of a binomial tree a rank takes part, where the number of ranks is a power of
// two: the zeros at the end of its number, all of them for rank 0.
const Expr& levels() {
  static const Expr e =
      Expr::make(Op::ctz, Expr::variable(expr::kRank) + Expr::variable(expr::kRanks));
  return e;
}

// Searches with the leaves that there are, then with the levels that ranks take part in.
template <class Search>
Found search_with_levels(const Table& table, const Search& search) {
  Found law = search(table);
  const auto is_power = [](const std::vector<std::int64_t>& row) {
    return row[1] > 0 && std::has_single_bit(static_cast<std::uint64_t>(row[1]));
  };
  if (law || !std::ranges::all_of(table.slots, is_power) ||
      !std::ranges::all_of(table.probes, is_power)) {
    return law;
  }
  const auto more = with_leaf(table, kLevels, levels());
  if (!more) return law;
  const Found deeper = search(*more);
  if (!deeper) return law;
  const std::array<expr::Binding, 1> names = {expr::Binding{kLevels, levels()}};
  return expr::simplify(substitute(*deeper, names));
}

Found infer_plain(const Samples& samples, const Options& options) {
  const std::int64_t first = samples.worlds[0].samples[0].value;
  const Table table = make_table(samples, options.target);
  if (std::all_of(table.values.begin(), table.values.end(),
                  [&](std::int64_t v) { return v == first; })) {
    return Expr(first);
  }
  const bool worlds = samples.worlds.size() > 1;
  if (worlds) {
    if (const auto offset = infer_offset(samples, options)) return *offset;
  }
  if (const auto steps = infer_steps(samples, options)) return *steps;
  if (const auto moved = infer_bit_map(samples, options.target)) return *moved;
  return search_with_levels(table, [&](const Table& t) {
    // Cases of levels read easier than long expressions of them.
    const bool levels = t.names.back() == kLevels;
    return search_table(t, levels ? std::min(options.largest, kLargestSimple) : options.largest);
  });
}

// Programs compare the peer itself: whether it is a rank.
Found infer_border(const Table& table, const Expr& peer) {
  return search_with_levels(table, [&](const Table& t) -> Found {
    const auto more = with_leaf(t, kPeer, peer);
    if (!more) return unexplained();
    const Found found = infer_predicate(*more);
    if (!found) return found;
    const std::array<expr::Binding, 1> names = {expr::Binding{kPeer, peer}};
    return expr::simplify(substitute(*found, names));
  });
}

// Borders apart, if there are any.
Found infer_all(const Samples& samples, const Options& options) {
  const auto is_null = [](const Sample& s) { return s.value == trace::kProcNull; };
  const Samples inside = filtered(samples, [&](const Sample& s) { return !is_null(s); });
  const Expr null = Expr::variable(expr::kProcNull);
  if (inside.worlds.empty()) return null;
  Table table = make_table(samples, options.target);
  if (std::find(table.values.begin(), table.values.end(), trace::kProcNull) == table.values.end()) {
    return infer_plain(samples, options);
  }
  if (const auto steps = infer_steps(samples, options)) return *steps;
  Found law = infer_plain(inside, options);
  if (!law) return law;
  for (std::int64_t& v : table.values) v = v != trace::kProcNull;
  Found condition = infer_predicate(table);
  if (!condition) condition = infer_border(table, *law);
  if (!condition) return condition;
  return Expr::conditional(*condition, *law, null);
}

Found infer_condition(const Samples& samples, const Options& options) {
  return search_with_levels(make_table(samples, options.target),
                            [](const Table& t) { return infer_predicate(t); });
}

// The largest world of those that `counts` is true of; nothing if there is none.
template <class Counts>
std::optional<std::size_t> largest_world(const Samples& samples, const Counts& counts) {
  std::optional<std::size_t> largest;
  for (std::size_t w = 0; w < samples.worlds.size(); ++w) {
    if (!counts(samples.worlds[w])) continue;
    if (!largest || samples.worlds[w].world.ranks >= samples.worlds[*largest].world.ranks) {
      largest = w;
    }
  }
  return largest;
}

// Whether the law that is found without a world predicts it. REQUIRES: two worlds or more.
template <class Infer>
bool predicts(const Samples& samples, std::size_t world, const Options& options,
              const Infer& infer) {
  Samples training = samples;
  const Table held_out = make_table({samples.parameters, {training.worlds[world]}});
  training.worlds.erase(training.worlds.begin() + static_cast<std::ptrdiff_t>(world));
  // What is ambiguous without the largest world may not be so with it.
  Options without_target = options;
  without_target.target.reset();
  const Found law = infer(training, without_target);
  return law && explains(*law, held_out);
}

bool has_peers(const WorldSamples& w) {
  return std::ranges::any_of(w.samples,
                             [](const Sample& s) { return s.value != trace::kProcNull; });
}

template <class Infer>
Result<Law> infer_and_check(const Samples& samples, const Options& options, const Infer& infer) {
  const Samples seen = filtered(samples, [](const Sample&) { return true; });
  if (seen.worlds.empty()) return Error{"there are no samples"};
  const Found all = infer(seen, options);
  if (!all) return all.error();
  if (seen.worlds.size() < 3) return Law{*all, Standing::explains};
  // A world in which nobody has a peer says nothing of which it is.
  const auto largest = largest_world(seen, [](const WorldSamples&) { return true; });
  const auto telling = largest_world(seen, has_peers);
  const bool predicted =
      predicts(seen, *largest, options, infer) &&
      (!telling || telling == largest || predicts(seen, *telling, options, infer));
  return Law{*all, predicted ? Standing::confirmed : Standing::contradicted};
}

}  // namespace

Result<Law> infer_value(const Samples& samples, const Options& options) {
  return infer_and_check(samples, options, infer_all);
}

Result<Law> infer_ranks(const Samples& samples, const Options& options) {
  Samples truth = samples;
  for (WorldSamples& w : truth.worlds) {
    for (Sample& s : w.samples) s.value = s.value != 0;
  }
  return infer_and_check(truth, options, infer_condition);
}

}  // namespace reprise::infer
