// Ranks that wait for each other for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace reprise::transform {

// A rank that cannot go on, and why.
struct Waiting {
  enum class For { message, receiver, collective } what{};
  std::uint64_t rank = 0;
  std::uint32_t call = 0;             // index into Trace::calls: where it stands
  std::optional<std::uint64_t> peer;  // the rank that it waits for; none: it is not known
  // Index into Trace::calls: of a collective, the call that makes or starts it (MPI_Iallreduce,
  // where `call` is MPI_Wait); else the same as `call`.
  std::uint32_t operation = 0;
  bool is_from_any = false;  // a message of any rank would do; `peer` is one of them
};

// Each waits for the next. The last one waits for `cycle_begin`, or for a rank that has ended.
struct Deadlock {
  std::vector<Waiting> chain;
  std::optional<std::size_t> cycle_begin;  // index into chain
  std::uint64_t blocked = 0;               // ranks that cannot go on, in all
  std::vector<Waiting> others;             // of them, that are not in the chain: the first few
  std::vector<std::uint64_t> not_blocked;  // the other ranks, in order
};

}  // namespace reprise::transform
