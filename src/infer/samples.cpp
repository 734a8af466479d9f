#include "infer/samples.hpp"

#include <algorithm>
#include <limits>

#include "expr/leaf.hpp"
#include "expr/program.hpp"
#include "trace/values/special.hpp"

namespace reprise::infer {

namespace {

constexpr std::int64_t kProbes = 7;

std::vector<std::int64_t> make_row(const World& world, bool grid, std::int64_t rank,
                                   const std::vector<std::int64_t>& parameters) {
  std::vector<std::int64_t> row = {rank, world.ranks};
  if (grid) {
    const auto x = coordinates(rank, world.extents);
    row.insert(row.end(), x.begin(), x.end());
    row.insert(row.end(), world.extents.begin(), world.extents.end());
  }
  row.insert(row.end(), parameters.begin(), parameters.end());
  return row;
}

// Over the names of a table, and proc_null.
Result<expr::Program> compile(const expr::Expr& e, const Table& table) {
  std::vector<std::string> names = table.names;
  names.emplace_back(expr::kProcNull);
  return expr::Program::compile(e, names);
}

std::optional<std::int64_t> run(const expr::Program& program, std::vector<std::int64_t> row) {
  row.push_back(trace::kProcNull);
  return program.run(row);
}

// First, last and some between, of so many.
std::int64_t spread(std::int64_t i, std::int64_t ranks) {
  return i + 1 < kProbes ? ranks / kProbes * i : ranks - 1;
}

bool is_index(expr::LeafKind kind) {
  return kind == expr::LeafKind::element || kind == expr::LeafKind::index;
}

// How far the largest value of each parameter is behind the number of ranks, if that is the same in
// all worlds: an index that has more values on more ranks.
std::vector<std::optional<std::int64_t>> behind_ranks(const Samples& samples) {
  std::vector<std::optional<std::int64_t>> out(samples.parameters.size());
  for (std::size_t k = 0; k < out.size() && samples.worlds.size() > 1; ++k) {
    const expr::LeafKind kind = expr::leaf_of(samples.parameters[k]).kind;
    if (!is_index(kind) && kind != expr::LeafKind::length) continue;
    for (const WorldSamples& w : samples.worlds) {
      std::int64_t most = std::numeric_limits<std::int64_t>::min();
      for (const Sample& s : w.samples) most = std::max(most, s.parameters[k]);
      const std::int64_t behind = w.samples.empty() ? 0 : most - w.world.ranks;
      if (w.samples.empty() || (out[k] && *out[k] != behind)) {
        out[k].reset();
        break;
      }
      out[k] = behind;
    }
  }
  return out;
}

}  // namespace

std::vector<std::int64_t> coordinates(std::int64_t rank, std::span<const std::int64_t> extents) {
  std::vector<std::int64_t> x;
  for (const std::int64_t d : extents) {
    x.push_back(rank % d);
    rank /= d;
  }
  return x;
}

Table make_table(const Samples& samples, const std::optional<World>& target) {
  Table table;
  const std::size_t dimensions =
      samples.worlds.empty() ? 0 : samples.worlds.front().world.extents.size();
  const bool grid =
      (!target || target->extents.size() == dimensions) &&
      std::all_of(samples.worlds.begin(), samples.worlds.end(),
                  [&](const WorldSamples& w) { return w.world.extents.size() == dimensions; });
  table.names = {std::string(expr::kRank), std::string(expr::kRanks)};
  for (std::size_t i = 0; grid && i < dimensions; ++i) {
    table.names.push_back(expr::coordinate_name(i));
  }
  for (std::size_t i = 0; grid && i < dimensions; ++i) table.names.push_back(expr::extent_name(i));
  table.names.insert(table.names.end(), samples.parameters.begin(), samples.parameters.end());
  for (std::size_t w = 0; w < samples.worlds.size(); ++w) {
    for (const Sample& s : samples.worlds[w].samples) {
      table.slots.push_back(make_row(samples.worlds[w].world, grid, s.rank, s.parameters));
      table.values.push_back(s.value);
      table.world.push_back(w);
    }
  }
  if (target && table.rows() > 0) {
    const auto& parameters =
        samples.wanted.empty() ? samples.worlds.back().samples.back().parameters : samples.wanted;
    const std::vector<std::optional<std::int64_t>> behind = behind_ranks(samples);
    for (std::int64_t i = 0; i < kProbes; ++i) {
      std::vector<std::int64_t> here = parameters;
      for (std::size_t k = 0; k < here.size(); ++k) {
        if (!behind[k]) continue;
        const std::int64_t most = target->ranks + *behind[k];
        // Downwards, so that an index is not the rank.
        here[k] = is_index(expr::leaf_of(samples.parameters[k]).kind)
                      ? std::max<std::int64_t>(most - spread(i, target->ranks), 0)
                      : most;
      }
      table.probes.push_back(make_row(*target, grid, spread(i, target->ranks), here));
    }
  }
  return table;
}

std::vector<std::optional<std::int64_t>> values_on_probes(const expr::Expr& e, const Table& table) {
  std::vector<std::optional<std::int64_t>> out;
  const auto program = compile(e, table);
  for (const auto& probe : table.probes) {
    out.push_back(program ? run(*program, probe) : std::nullopt);
  }
  return out;
}

}  // namespace reprise::infer
