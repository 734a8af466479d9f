// Walks the executions of one call on one stream, whatever the loops around it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/cursors/membership.hpp"
#include "trace/program.hpp"

namespace reprise::trace {

// Longer lists than this are damage.
inline constexpr std::int64_t kMaxList = std::int64_t{1} << 24;

// One call as the application made it: ranks are absolute, in the numbers of their communicator.
struct Event {
  std::uint32_t call = 0;  // index into Trace::calls
  const Function* function = nullptr;
  std::vector<std::int64_t> scalars;             // by Function::scalars
  std::vector<std::vector<std::int64_t>> lists;  // by Function::lists
};

class CallCursor {
 public:
  CallCursor() = default;
  // REQUIRES: the call outlives the cursor and does not change.
  CallCursor(const Call& call, std::uint64_t stream);

  bool started() const { return call_ != nullptr; }

  // The columns of the next execution, ranks as they are written. False: the trace is damaged.
  bool next(Event& event);

 private:
  const Call* call_ = nullptr;
  std::vector<ValueCursor> columns_;
};

// Turns the ranks of an event from what is written into absolute ones.
void decode_ranks(const Call& call, Membership membership, Event& event);

// The scalar in which a function names the communicator or window that it makes; the stream's rank
// in it and its size follow.
std::optional<std::size_t> made_column(const Function& function, Kind kind);

// A communicator or window that an event made, and the stream's place in it.
struct MadeGroup {
  Kind kind;  // comm or window
  std::int64_t id;
  Membership membership;
};
std::vector<MadeGroup> made_groups(const Event& event);

}  // namespace reprise::trace
