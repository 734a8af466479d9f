// Ranks that cannot go on, and for whom they wait.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace reprise::transform {

// What would let a rank go on.
struct Awaited {
  enum class For : std::uint8_t { message, receiver, collective } what{};
  std::optional<std::uint64_t> peer;  // the rank that it waits for; none: it is not known
  // Index into Trace::calls: of a collective, the call that makes or starts it (MPI_Iallreduce,
  // where the rank is in MPI_Wait); else the call that the rank is in.
  std::uint32_t operation = 0;
  bool is_from_any = false;  // a message of any rank would do; `peer` is one of them

  auto operator<=>(const Awaited&) const = default;
};

struct Waiting {
  std::uint64_t rank = 0;
  std::uint32_t call = 0;  // index into Trace::calls: where it stands
  // One of these would do (MPI_Waitany); the first is why it does not go on, or not yet.
  std::vector<Awaited> any_of;

  const Awaited& reason() const { return any_of.front(); }
};

struct Deadlock {
  std::vector<Waiting> waiting;  // all ranks that cannot go on, in order
  // Ranks of whom each waits for the next, and the last for the first, which is the lowest.
  std::vector<std::vector<std::uint64_t>> cycles;
  // Ranks that wait for one of a cycle, or for others that do, in order.
  std::vector<std::uint64_t> behind_cycles;
  std::vector<std::uint64_t> not_blocked;  // the other ranks, in order

  const Waiting* find(std::uint64_t rank) const;  // null: it is not blocked
};

}  // namespace reprise::transform
