// Receives and probes that take messages from anybody, or with any tag, and whom each of them met.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/series/series_folder.hpp"
#include "transform/walk/mailbox.hpp"

namespace reprise::transform {

// Whether any execution of the call may be wild. Cost: O(terms).
bool may_be_wild(const trace::Call& call);
// Cost: O(nodes).
bool has_wildcards(const trace::Trace& trace);

// The source and tag by which a call's executions on one stream are to receive instead. What stays
// a wildcard is one here too.
struct FixedReceives {
  trace::Series sources, tags;  // over the executions
};
// Of one stream, by call. Calls that are never wild there are left out.
using Resolution = std::unordered_map<std::uint32_t, FixedReceives>;

// Executions of wildcard receives and probes, and why some of them stay.
struct WildcardCounts {
  std::uint64_t resolved = 0;
  std::uint64_t cancelled = 0;  // MPI_Cancel had success: it never met anybody
  std::uint64_t unmatched = 0;  // whom it met is not in the trace, or it never completed
  std::uint64_t varying = 0;    // persistent, and its starts met different ranks or tags

  std::uint64_t left() const { return cancelled + unmatched + varying; }
  WildcardCounts& operator+=(const WildcardCounts& other);
};

// Collects, receive by receive, what a stream's wildcards are to become; in the order of the calls,
// however late it is known.
class ResolutionBuilder {
 public:
  // One execution of a wildcard receive.
  struct Place {
    std::uint32_t call = 0;
    std::uint64_t execution = 0;
  };

  // An execution that is settled at once, or is none of a wildcard.
  void add(std::uint32_t call, Envelope envelope);
  // One whose match is to come.
  Place open(std::uint32_t call, Envelope envelope);
  // It met this message; another one before makes it a varying one.
  void meet(Place place, Envelope message);
  void cancel(Place place);
  // Nothing more is to be said about it.
  void close(Place place);

  Resolution finish();
  const WildcardCounts& counts() const { return counts_; }

 private:
  struct Outcome {
    Envelope given = {};  // as it stands in the call
    Envelope message = {};
    enum { open, met, varying, cancelled } state = open;
    bool closed = false;
  };
  struct Executions {
    trace::SeriesFolder sources, tags;
    std::vector<Outcome> outcomes;  // from execution `first` on; those before `done` are folded
    std::uint64_t first = 0;
    std::size_t done = 0;
    std::uint64_t next = 0;
  };

  Outcome* find(Place place);
  void flush(Executions& e);
  void settle(Executions& e, const Outcome& outcome);

  std::unordered_map<std::uint32_t, Executions> calls_;
  WildcardCounts counts_;
};

// Takes the matches that were recorded. Fails for damage. Cost: the calls of the stream; memory:
// a cursor, and the receives between one and its completion.
Result<Resolution> recorded_matches(const trace::Trace& trace, std::uint64_t stream,
                                    WildcardCounts& counts);

}  // namespace reprise::transform
