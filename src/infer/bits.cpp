#include "infer/bits.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "expr/simplify.hpp"
#include "infer/enumerate.hpp"

namespace reprise::infer {
namespace {

using expr::Expr;
using expr::Op;

constexpr std::size_t kMaxFields = 3;

// Consecutive bits of the rank that stay together, the lowest field first.
struct Field {
  int bits = 0;
  int position = 0;  // of the lowest bit where they go
  bool reversed = false;
};

std::optional<std::vector<Field>> cut_into_fields(const BitMap& map) {
  std::vector<int> to;
  std::int64_t all = 0;
  for (const std::int64_t column : map.columns) {
    if (!std::has_single_bit(static_cast<std::uint64_t>(column)) || (all & column) != 0) {
      return std::nullopt;
    }
    all |= column;
    to.push_back(std::countr_zero(static_cast<std::uint64_t>(column)));
  }
  std::vector<Field> fields;
  for (std::size_t i = 0; i < to.size();) {
    std::size_t end = i + 1;
    const int direction = end < to.size() ? to[end] - to[i] : 0;
    while (end < to.size() && std::abs(direction) == 1 && to[end] - to[end - 1] == direction) ++end;
    fields.push_back(
        {static_cast<int>(end - i), std::min(to[i], to[end - 1]), direction == -1 && end - i > 1});
    i = end;
  }
  if (fields.size() > kMaxFields) return std::nullopt;
  return fields;
}

// What 2^bits of a field may be as a function of the world. REQUIRES: 0 <= bits < 62.
std::vector<Expr> widths(int bits, const World& world) {
  const Expr ranks = Expr::variable(expr::kRanks);
  const int all = std::countr_zero(static_cast<std::uint64_t>(world.ranks));
  std::vector<Expr> out;
  if (bits <= 4) out.emplace_back(std::int64_t{1} << bits);
  for (std::size_t i = 0; i < world.extents.size(); ++i) {
    if (world.extents[i] == std::int64_t{1} << bits) {
      out.push_back(Expr::variable(expr::extent_name(i)));
    }
  }
  for (std::size_t i = 0; i < world.extents.size(); ++i) {
    for (std::size_t k = 0; k < world.extents.size(); ++k) {
      if (i == k || world.extents[i] != world.extents[k] << bits) continue;
      out.push_back(Expr::variable(expr::extent_name(i)) / Expr::variable(expr::extent_name(k)));
    }
  }
  if (all - bits <= 4) out.push_back(ranks / Expr(std::int64_t{1} << (all - bits)));
  const Expr log = Expr::make(Op::log2, ranks);
  // The odd bit of a grid that is twice as wide as high, or a square.
  if (bits == all % 2) out.push_back(Expr::make(Op::shift_left, Expr(1), log % Expr(2)));
  for (int less = -1; less <= 2; ++less) {
    // bits = floor((all - less) / 2)
    if (all - less >= 0 && (all - less) / 2 == bits) {
      out.push_back(
          Expr::make(Op::shift_left, Expr(1), expr::simplify((log - Expr(less)) / Expr(2))));
    }
  }
  return out;
}

// The bits of the rank with its fields in their places; `width` has 2^bits of each but the last.
Expr put_together(const std::vector<Field>& fields, const std::vector<Expr>& width) {
  const Expr rank = Expr::variable(expr::kRank);
  const Expr ranks = Expr::variable(expr::kRanks);
  if (fields.size() == 1) return fields[0].reversed ? Expr::make(Op::reverse, rank, ranks) : rank;
  Expr below = 1;  // 2^bits of the fields that come before
  std::vector<Expr> sizes = width;
  Expr product = width[0];
  for (std::size_t i = 1; i < width.size(); ++i) product = product * width[i];
  const bool is_rest = product.op() == Op::divide && product.operands()[0] == ranks;
  sizes.push_back(is_rest ? product.operands()[1] : ranks / product);
  std::optional<Expr> sum;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Expr field = i == 0 ? rank : rank / below;
    if (i + 1 < fields.size()) field = field % sizes[i];
    if (fields[i].reversed) field = Expr::make(Op::reverse, field, sizes[i]);
    Expr stride = 1;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (fields[k].position < fields[i].position) stride = stride * sizes[k];
    }
    field = field * stride;
    sum = sum ? *sum + field : field;
    below = below * sizes[i];
  }
  return expr::simplify(*sum);
}

// The constants of the maps as a function of the world.
std::optional<Expr> infer_constant(const Samples& samples, const std::vector<BitMap>& maps,
                                   const std::optional<World>& target) {
  std::vector<std::int64_t> values;
  values.reserve(maps.size());
  for (const BitMap& map : maps) values.push_back(map.constant);
  const Table table = make_world_table(samples, values, target);
  if (std::all_of(table.values.begin(), table.values.end(),
                  [&](std::int64_t v) { return v == table.values[0]; })) {
    return Expr(table.values[0]);
  }
  const auto found = enumerate(table, 5);
  if (found.size() != 1) return std::nullopt;
  return found[0];
}

}  // namespace

std::optional<BitMap> solve_bit_map(const WorldSamples& samples) {
  const std::int64_t ranks = samples.world.ranks;
  if (ranks < 2 || !std::has_single_bit(static_cast<std::uint64_t>(ranks))) return std::nullopt;
  const int bits = std::countr_zero(static_cast<std::uint64_t>(ranks));
  // Rows of the system: the bits of the rank and a one, and what they are mapped to.
  struct Row {
    std::int64_t unknowns;
    std::int64_t value;
  };
  std::vector<std::optional<Row>> pivots(static_cast<std::size_t>(bits) + 1);
  for (const Sample& s : samples.samples) {
    if (s.value < 0 || s.value >= ranks) return std::nullopt;
    Row row = {s.rank | ranks, s.value};
    for (int bit = 0; bit <= bits && row.unknowns != 0; ++bit) {
      if ((row.unknowns >> bit & 1) == 0) continue;
      auto& pivot = pivots[static_cast<std::size_t>(bit)];
      if (!pivot) {
        pivot = row;
        row = {0, 0};
      } else {
        row = {row.unknowns ^ pivot->unknowns, row.value ^ pivot->value};
      }
    }
    if (row.value != 0) return std::nullopt;
  }
  BitMap map;
  std::vector<std::int64_t> solved(pivots.size());
  for (int bit = bits; bit >= 0; --bit) {
    const auto& pivot = pivots[static_cast<std::size_t>(bit)];
    if (!pivot) return std::nullopt;
    std::int64_t value = pivot->value;
    for (int higher = bit + 1; higher <= bits; ++higher) {
      if ((pivot->unknowns >> higher & 1) != 0) value ^= solved[static_cast<std::size_t>(higher)];
    }
    solved[static_cast<std::size_t>(bit)] = value;
  }
  map.constant = solved.back();
  solved.pop_back();
  map.columns = std::move(solved);
  return map;
}

namespace {

// Choices of the widths of all fields but the last, the first choice first.
std::vector<std::vector<Expr>> width_choices(const std::vector<Field>& fields, const World& world) {
  std::vector<std::vector<Expr>> choices = {{}};
  for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
    std::vector<std::vector<Expr>> longer;
    for (const auto& chosen : choices) {
      for (const Expr& width : widths(fields[i].bits, world)) {
        longer.push_back(chosen);
        longer.back().push_back(width);
      }
    }
    choices = std::move(longer);
  }
  return choices;
}

// The shortest of several; nothing if one as short differs from it on the probes.
std::optional<Expr> shortest(const std::vector<Expr>& found, const Table& table) {
  if (found.empty()) return std::nullopt;
  const Expr& best =
      *std::min_element(found.begin(), found.end(),
                        [](const Expr& a, const Expr& b) { return a.nodes() < b.nodes(); });
  const auto values = values_on_probes(best, table);
  for (const Expr& other : found) {
    if (other.nodes() <= best.nodes() && values_on_probes(other, table) != values) {
      return std::nullopt;
    }
  }
  return best;
}

}  // namespace

std::optional<Expr> infer_bit_map(const Samples& samples, const std::optional<World>& target) {
  if (samples.worlds.empty()) return std::nullopt;
  std::vector<BitMap> maps;
  for (const WorldSamples& w : samples.worlds) {
    auto map = solve_bit_map(w);
    if (!map) return std::nullopt;
    maps.push_back(std::move(*map));
  }
  const auto constant = infer_constant(samples, maps, target);
  if (!constant) return std::nullopt;
  // A field that has no bits in some worlds shows in others: those with the most fields come
  // first, and the largest of them.
  std::vector<std::pair<std::vector<Field>, const World*>> layouts;
  for (std::size_t w = 0; w < maps.size(); ++w) {
    if (auto fields = cut_into_fields(maps[w])) {
      layouts.emplace_back(std::move(*fields), &samples.worlds[w].world);
    }
  }
  std::stable_sort(layouts.begin(), layouts.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.size(), a.second->ranks) > std::pair(b.first.size(), b.second->ranks);
  });
  const Table table = make_table(samples, target);
  for (const auto& [fields, world] : layouts) {
    std::vector<Expr> found;
    for (const auto& chosen : width_choices(fields, *world)) {
      const Expr moved = put_together(fields, chosen);
      const Expr peer = expr::simplify(Expr::make(Op::bit_xor, moved, *constant));
      if (explains(peer, table)) found.push_back(peer);
    }
    if (auto best = shortest(found, table)) return best;
  }
  return std::nullopt;
}

}  // namespace reprise::infer
