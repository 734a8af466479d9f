// What inference starts from: one value of a program, such as the peer of a call, as several runs
// of it on different numbers of ranks have shown it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/expr.hpp"

namespace reprise::infer {

// The ranks of a communicator in one run, and the grid that they form.
struct World {
  std::int64_t ranks = 0;
  std::vector<std::int64_t> extents =
      {};  // d0, which varies fastest, and on; empty: no grid is known

  bool operator==(const World&) const = default;
};

struct Sample {
  std::int64_t rank = 0;
  std::int64_t value = 0;                     // may be trace::kProcNull
  std::vector<std::int64_t> parameters = {};  // those of Samples::parameters
};

struct WorldSamples {
  World world;
  std::vector<Sample> samples;
};

struct Samples {
  std::vector<std::string> parameters = {};  // names of further leaves: i0, n and the like
  std::vector<WorldSamples> worlds;
  // The parameters where the law is wanted; none: those of the last sample.
  std::vector<std::int64_t> wanted = {};
  // How many of the parameters, the last ones, differ from world to world by a user's choice.
  std::size_t declared = 0;
  bool are_distances = false;  // of the values from the rank, modulo the number of ranks
};

// The coordinates of a rank, x0 first. REQUIRES: 0 <= rank < product of the extents.
std::vector<std::int64_t> coordinates(std::int64_t rank, std::span<const std::int64_t> extents);

// The samples as rows over the leaves of an expression.
struct Table {
  std::vector<std::string> names;                // of the slots, in order of preference
  std::vector<std::vector<std::int64_t>> slots;  // [rows x names]
  std::vector<std::int64_t> values;              // [rows]
  std::vector<std::size_t> world;                // [rows] which world a row is of
  // Rows of a world without samples, for which the expression is wanted: two expressions that
  // differ there are not one, though they agree on every sample.
  std::vector<std::vector<std::int64_t>> probes;

  std::size_t rows() const { return values.size(); }
};

// Extents and coordinates are among the leaves if all worlds, and the target if there is one, have
// a grid of as many dimensions. The probes are some ranks of the target.
Table make_table(const Samples& samples, const std::optional<World>& target = {});

// The values on the probes, nothing where the expression has none.
std::vector<std::optional<std::int64_t>> values_on_probes(const expr::Expr& e, const Table& table);

}  // namespace reprise::infer
