#include "simulate/collectives/collective_names.hpp"

#include <algorithm>
#include <span>

namespace reprise::simulate {
namespace {

using enum Algorithm;

constexpr std::string_view kCollectives[] = {
    "barrier",   "bcast",     "gather", "scatter",   "allgather",      "allgatherv", "alltoall",
    "alltoallv", "alltoallw", "reduce", "allreduce", "reduce-scatter", "scan"};

constexpr std::string_view kAlgorithms[] = {
    "automatic", "linear",   "binomial",      "recursive-doubling", "ring",
    "bruck",     "pairwise", "dissemination", "scatter-allgather",  "rabenseifner"};

// By Collective.
constexpr Algorithm kFor[][6] = {
    {dissemination, recursive_doubling, linear},
    {binomial, scatter_allgather, linear},
    {binomial, linear},
    {binomial, linear},
    {recursive_doubling, bruck, ring, pairwise, linear},
    {ring, pairwise, linear},
    {pairwise, ring, bruck, linear},
    {linear, pairwise, ring},
    {linear, pairwise, ring},
    {binomial, rabenseifner, linear},
    {recursive_doubling, rabenseifner, ring, binomial},
    {pairwise, recursive_doubling},
    {recursive_doubling, ring, linear},
};

template <class T>
std::optional<T> find(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<T>(found - names.begin());
}

}  // namespace

std::string_view name_of(Collective kind) { return kCollectives[static_cast<std::size_t>(kind)]; }

std::optional<Collective> find_collective(std::string_view name) {
  return find<Collective>(kCollectives, name);
}

std::string_view name_of(Algorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)];
}

std::optional<Algorithm> find_algorithm(std::string_view name) {
  return find<Algorithm>(kAlgorithms, name);
}

bool is_for(Algorithm algorithm, Collective kind) {
  if (algorithm == automatic) return true;
  return std::ranges::count(kFor[static_cast<std::size_t>(kind)], algorithm) > 0;
}

bool has_pieces_of_its_own(Collective kind) {
  return kind == Collective::allgatherv || kind == Collective::alltoallv ||
         kind == Collective::alltoallw || kind == Collective::reduce_scatter;
}

std::array<DimemasCollective, kCollectiveKinds> default_dimemas() {
  constexpr Phase kNone{}, kTree{Steps::logarithmic, SizeRule::max};
  constexpr Phase kLinear{Steps::linear, SizeRule::max};
  std::array<DimemasCollective, kCollectiveKinds> out;
  const auto set = [&](Collective kind, Phase in, Phase away) {
    out[static_cast<std::size_t>(kind)] = {in, away};
  };
  set(Collective::barrier, kTree, kTree);
  set(Collective::bcast, kNone, kTree);
  set(Collective::gather, kTree, kNone);
  set(Collective::scatter, kNone, kTree);
  set(Collective::allgather, kTree, kTree);
  set(Collective::allgatherv, kTree, kTree);
  set(Collective::alltoall, kLinear, kNone);
  set(Collective::alltoallv, kLinear, kNone);
  set(Collective::alltoallw, kLinear, kNone);
  set(Collective::reduce, kTree, kNone);
  set(Collective::allreduce, kTree, kTree);
  set(Collective::reduce_scatter, kTree, kTree);
  set(Collective::scan, kTree, kNone);
  return out;
}

}  // namespace reprise::simulate
