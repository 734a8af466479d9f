// What messages are matched by, and the messages that an event says its wildcards have met.
#pragma once

#include <cstdint>
#include <optional>

#include "trace/cursors/call_cursor.hpp"

namespace reprise::mpi {

// Where a function has the rank and the tag of the messages that it sends, and of those that it
// receives or probes for.
struct SendColumns {
  std::size_t dest, tag;
};
struct ReceiveColumns {
  std::size_t source, tag;
};
// None if it sends none, or has them from elsewhere, as MPI_Mrecv.
std::optional<SendColumns> send_columns(const trace::Function& function);
std::optional<ReceiveColumns> receive_columns(const trace::Function& function);

// Whether an event takes more than one source or tag. REQUIRES: `columns` are its function's.
bool is_wild(const trace::Event& event, ReceiveColumns columns);

// Partitioned messages match no others (MPI 4.0, section 4.2): their tags are told apart by adding
// this, which lies above all tags.
inline constexpr std::int64_t kPartitionedTags = std::int64_t{1} << 40;

struct MatchedMessage {
  std::int64_t source = 0;  // in the communicator of the receive; kNone, or kCancelled
  std::int64_t tag = 0;
};

// Where the columns are that a call has for it; lists in calls that complete several.
struct MatchColumns {
  std::optional<std::size_t> scalar;  // of the source; the tag is behind it
  std::optional<std::size_t> list;    // likewise
};
MatchColumns match_columns(const trace::Function& function);

// Of a call that has scalars for it; else kNone.
MatchedMessage scalar_match(const trace::Event& event);

// Hands out the matches of a completion, one for each request that it completes and that has one,
// in the order of its requests. REQUIRES: the event outlives it.
class Matches {
 public:
  explicit Matches(const trace::Event& event)
      : event_(event), columns_(match_columns(*event.function)) {}

  // kNone where there is none.
  MatchedMessage next();
  bool has_next() const;
  // Of a request that has one only because it was cancelled.
  bool skip_cancelled();

 private:
  const trace::Event& event_;
  MatchColumns columns_;
  std::size_t at_ = 0;
};

}  // namespace reprise::mpi
