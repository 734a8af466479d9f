// The collectives that have a cost of their own, their algorithms, and their models in Dimemas.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace reprise::simulate {

enum class Collective : std::uint8_t {
  barrier,
  bcast,
  gather,  // and gatherv
  scatter,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter,  // and its _block
  scan,            // and exscan
};
inline constexpr std::size_t kCollectiveKinds = 13;

enum class Algorithm : std::uint8_t {
  automatic,
  linear,              // all with the root, or each with each, at once
  binomial,            // a tree of depth log2 P
  recursive_doubling,  // with rank xor 1, 2, 4, ...
  ring,
  bruck,
  pairwise,           // P - 1 exchanges, one after the other
  dissemination,      // with rank + 1, 2, 4, ...
  scatter_allgather,  // van de Geijn's broadcast
  rabenseifner,       // reduce-scatter, then gather or allgather
};

enum class CollectiveModel : std::uint8_t { algorithms, dimemas };

// One phase of a collective in Dimemas: (L + size / BW) times the steps.
enum class Steps : std::uint8_t { none, constant, linear, logarithmic };
enum class SizeRule : std::uint8_t { min, max, mean, twice_max, sent_and_received };
struct Phase {
  Steps steps = Steps::none;
  SizeRule size = SizeRule::max;

  bool operator==(const Phase&) const = default;
};
struct DimemasCollective {
  Phase fan_in, fan_out;

  bool operator==(const DimemasCollective&) const = default;
};

// "allreduce", and so on.
std::string_view name_of(Collective kind);
std::optional<Collective> find_collective(std::string_view name);
// "recursive-doubling", and so on.
std::string_view name_of(Algorithm algorithm);
std::optional<Algorithm> find_algorithm(std::string_view name);
// Whether an algorithm carries out a collective.
bool is_for(Algorithm algorithm, Collective kind);

// Whether each rank gives the sizes of its pieces.
bool has_pieces_of_its_own(Collective kind);

// A tree in and a tree out where data flows that way.
std::array<DimemasCollective, kCollectiveKinds> default_dimemas();

}  // namespace reprise::simulate
