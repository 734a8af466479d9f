// Samples of functions that are known, for the tests.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "infer/evaluator.hpp"
#include "infer/samples.hpp"
#include "trace/values/special.hpp"

namespace reprise::infer {

// The value of a rank in a world; nothing where it does not take part.
using Truth = std::function<std::optional<std::int64_t>(std::int64_t rank, const World& world)>;

inline World grid(std::vector<std::int64_t> extents) {
  World world{1, extents};
  for (const std::int64_t d : extents) world.ranks *= d;
  return world;
}

inline std::vector<World> lines(const std::vector<std::int64_t>& ranks) {
  std::vector<World> out;
  for (const std::int64_t p : ranks) out.push_back({p, {}});
  return out;
}

inline Samples sample(const std::vector<World>& worlds, const Truth& truth) {
  Samples samples;
  for (const World& world : worlds) {
    WorldSamples here{world, {}};
    for (std::int64_t r = 0; r < world.ranks; ++r) {
      if (const auto v = truth(r, world)) here.samples.push_back({r, *v, {}});
    }
    samples.worlds.push_back(std::move(here));
  }
  return samples;
}

// Whether the expression has the value of every sample.
inline bool explains(const expr::Expr& e, const Samples& samples) {
  for (const WorldSamples& w : samples.worlds) {
    auto evaluator = Evaluator::make(e, w.world.extents.size());
    for (const Sample& s : w.samples) {
      if (!evaluator || evaluator->at(s.rank, w.world) != s.value) return false;
    }
  }
  return true;
}

// The rank at the coordinates, which wrap or are MPI_PROC_NULL outside.
inline std::int64_t rank_at(std::vector<std::int64_t> x, const World& world, bool wrap) {
  std::int64_t rank = 0;
  for (std::size_t i = x.size(); i-- > 0;) {
    const std::int64_t d = world.extents[i];
    if (!wrap && (x[i] < 0 || x[i] >= d)) return trace::kProcNull;
    rank = rank * d + (x[i] % d + d) % d;
  }
  return rank;
}

inline Truth neighbor(std::vector<std::int64_t> steps, bool wrap) {
  return [steps, wrap](std::int64_t rank, const World& world) -> std::optional<std::int64_t> {
    auto x = coordinates(rank, world.extents);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += steps[i];
    return rank_at(x, world, wrap);
  };
}

}  // namespace reprise::infer
