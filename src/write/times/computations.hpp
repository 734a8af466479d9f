// What a program computes before each call, in as much detail as the whole run notices: by the call
// before, by rank, by execution and by distribution. Writers lay it out in their language; the
// runtime parts read it in the same way.
#pragma once

#include <optional>
#include <vector>

#include "write/times/detail.hpp"
#include "write/times/draws.hpp"

namespace reprise::write::times {

// Computation::from: nothing of the trace came before; whatever came before.
inline constexpr std::int64_t kStart = -1, kAnywhere = -2;

// What an execution takes is a mean [ns] times what is drawn from a distribution around 1. The mean
// is `by_execution` if that is there, else `by_rank`, else `ns`; times `shares`.
struct Computation {
  std::int64_t site = 0, from = kAnywhere;  // sites
  double ns = 0;
  Numbers by_rank = {};  // by stream
  std::optional<trace::Value> by_execution = {};
  std::uint64_t executions = 0;  // of that, at most
  Numbers shares = {};           // by stream [1/1000]
  std::optional<Draws> drawn = {};

  // Nothing but the mean.
  bool is_plain() const { return by_rank.empty() && !by_execution && shares.empty() && !drawn; }
};

// The computation that comes most often behind a site at which messages are waited for.
struct Overlap {
  std::int64_t site = 0, next = 0;
  double ns = 0;
};

struct Computations {
  // By site; of those of a site, the first counts whose `from` came before.
  std::vector<Computation> all;
  std::vector<Spread> spreads;  // as Draws number them
  std::vector<Overlap> overlaps;
};

// `sites`: the calls of the trace by site.
Computations find_computations(const trace::Trace& trace, const std::vector<std::uint32_t>& sites,
                               Detail detail);

}  // namespace reprise::write::times
