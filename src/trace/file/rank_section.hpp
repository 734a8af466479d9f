// The section of the trace of a single rank (`record --merge none`): of which run and rank it is,
// and what merging needs beyond the calls (compress/parts/rank_trace.hpp). docs/trace_format.md,
// section 12.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "trace/program.hpp"

namespace reprise::trace {

inline constexpr std::string_view kRankSection = "rank";
inline constexpr std::uint64_t kRankVersion = 4;

// section := fixed64 run, varint rank, the rest
struct RankOfRun {
  std::uint64_t run = 0;   // the same in all ranks of a run, and in no other run
  std::uint64_t rank = 0;  // the only one with calls

  void encode(ByteWriter& out) const;
  static RankOfRun decode(ByteReader& in);
};

// The section of a trace, or null.
const Section* rank_section(const Trace& trace);
// What it says; none: the trace is not that of a single rank.
std::optional<RankOfRun> rank_of(const Trace& trace);

// Why the section of a trace that was read makes no sense; empty if it does.
std::string problem_of_rank(const Trace& trace);

}  // namespace reprise::trace
