// Values over all streams as a reader sees them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

// How many values of a parameter each stream asks for, and a stream that asks for most.
struct Times {
  std::function<std::uint64_t(std::uint64_t stream)> of;
  std::uint64_t busiest = 0;
};

struct ValueMeaning {
  trace::Kind kind = trace::Kind::integer;
  std::int64_t size = 0;  // of the communicator whose ranks these are; 0: unknown
};

// "8", "rank+1", "{8 x4 9}" over executions, "(8 on 0..3, 9 on 4)", "by rank {0 2 .. 30}".
std::string value_text(const trace::Trace& trace, const trace::Value& value, ValueMeaning meaning,
                       const Times& times);

// A list parameter: "[3 2 1 0]", "[64: 63 62 .. 0]", "\"output.dat\""; "[n: all elements, one list
// after the other]" where the lists differ. `executions` is of the call.
std::string list_text(const trace::Trace& trace, const trace::Value& length,
                      const trace::Value& elements, ValueMeaning meaning, const Times& executions);

// "0..3", "0 3 5", "<2 0 (4 4) (2 1)>", with the thread where there are several.
std::string streams_text(const trace::Trace& trace, const std::vector<std::uint64_t>& streams);

// The streams for which a number per stream is what is asked.
std::vector<std::uint64_t> streams_with(const trace::Trace& trace, const trace::Value& value,
                                        std::int64_t wanted);

}  // namespace reprise::analyze
