#include "trace/file/rank_section.hpp"

#include <algorithm>

namespace reprise::trace {

void RankOfRun::encode(ByteWriter& out) const {
  out.fixed64(run);
  out.varint(rank);
}

RankOfRun RankOfRun::decode(ByteReader& in) {
  RankOfRun r;
  r.run = in.fixed64();
  r.rank = in.varint();
  return r;
}

const Section* rank_section(const Trace& trace) {
  const auto found = std::ranges::find(trace.sections, kRankSection, &Section::name);
  return found == trace.sections.end() ? nullptr : &*found;
}

std::optional<RankOfRun> rank_of(const Trace& trace) {
  const Section* section = rank_section(trace);
  if (!section) return std::nullopt;
  ByteReader in(section->content.data(), section->content.size());
  return RankOfRun::decode(in);
}

std::string problem_of_rank(const Trace& trace) {
  const Section* section = rank_section(trace);
  if (!section) return {};
  if (section->version != kRankVersion) return "a version of a section that is not known";
  ByteReader in(section->content.data(), section->content.size());
  const RankOfRun r = RankOfRun::decode(in);
  return in.failed() || r.rank >= trace.ranks ? "an impossible rank" : "";
}

}  // namespace reprise::trace
