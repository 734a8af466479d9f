// Who was in calls that had not returned when a run ended, and for how long.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/file/unfinished.hpp"

namespace reprise::cli {

// How many streams were in calls, and for how long, as far as it is known [s].
struct Waited {
  std::uint64_t streams = 0;
  std::int64_t least = 0, most = 0;

  void add(const Waited& other);
};

struct Holders {
  Waited waited;
  std::vector<std::uint64_t> ranks;  // of the streams, in order
};

// Of one unfinished call of the trace. Cost: O(terms + streams in the call).
Holders holders_of(const trace::Trace& trace, const trace::Unfinished& unfinished,
                   const trace::UnfinishedCall& call);
// In all of its unfinished calls.
Waited waited_in_all(const trace::Trace& trace, const trace::Unfinished& unfinished);

// "for 4 s or more", "for 2 to 9 s" behind `before`; empty where it is not known.
std::string waited_text(const Waited& waited, std::string_view before);

}  // namespace reprise::cli
