// Which calls of which ranks are one collective.
//
// MPI lets every member of a communicator call its collectives in the same order (MPI 3.1, section
// 5.12), so the k-th collective of one member is the k-th of all. Ranks need not wait for each
// other, as in Algorithm 1 of Wu, Mueller & Pakin 2011, to find out what belongs together: each
// stream is walked by itself, and leaves for each group (mpi/communicators/groups.hpp) a folded
// series of the places that it called from. Members with equal series share one.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "mpi/communicators/groups.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::transform {

// The collectives of one group, as some of its members call them.
struct MemberClass {
  trace::Series calls;      // indices into Trace::calls
  trace::Series roots;      // kNone where there is none
  std::uint64_t count = 0;  // length of both
  std::uint64_t first = 0;  // the first stream of the class

  bool operator==(const MemberClass& other) const {
    return count == other.count && calls == other.calls && roots == other.roots;
  }
};

struct GroupCollectives {
  std::int64_t size = 0;  // members; 0: not known
  std::vector<MemberClass> classes;
  std::unordered_map<std::uint64_t, std::uint32_t> class_of;  // by stream
};

using Collectives = std::unordered_map<std::uint64_t, GroupCollectives>;  // by mpi::Group::key

// Two calls that should be one collective and are not, or one that lacks a partner.
struct Mismatch {
  enum class Kind { function, root, missing } kind{};
  std::uint64_t rank_a = 0, rank_b = 0;
  std::uint32_t call_a = 0;             // index into Trace::calls
  std::optional<std::uint32_t> call_b;  // none: rank b makes no further collective there
  std::int64_t root_a = 0, root_b = 0;  // where these differ
  std::uint64_t position = 0;           // how many collectives of the group came before
};

// Fails for damage. Cost: all calls; memory: one cursor, and what the series fold into.
Result<Collectives> find_collectives(const trace::Trace& trace);

}  // namespace reprise::transform
