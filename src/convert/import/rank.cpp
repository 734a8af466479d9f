#include "convert/import/rank.hpp"

#include <algorithm>

namespace reprise::convert {

std::uint32_t RegionPaths::enter(std::uint32_t path, RegionIndex region) {
  if (const auto known = index_.find({path, region}); known != index_.end()) return known->second;
  std::uint32_t entered = size();
  for (std::uint32_t p = path; p != kOutside; p = nodes_[p].parent)
    if (nodes_[p].region == region) entered = p;
  if (entered == size()) nodes_.push_back({path, region});
  index_.emplace(std::pair(path, region), entered);
  return entered;
}

std::vector<RegionIndex> RegionPaths::frames(std::uint32_t path) const {
  std::vector<RegionIndex> out;
  for (; path != kOutside; path = nodes_[path].parent) out.push_back(nodes_[path].region);
  return out;
}

RankImport::RankImport(const SourceComms& comms, std::uint64_t rank, Creation creation,
                       const compress::TimeOptions& times)
    : comms_(comms, static_cast<std::uint32_t>(rank)), creation_(creation), times_(times) {
  process_.rank = rank;
  process_.ranks = comms.ranks();
  module_ = process_.own.callpaths.add_module({});
}

CallStream RankImport::begin_stream() { return {comms_, creation_, times_, losses_}; }

std::uint64_t RankImport::hash_of_path(std::uint32_t path) {
  if (const auto known = hashes_.find(path); known != hashes_.end()) return known->second;
  std::vector<compress::GlobalFrame> frames;
  for (const RegionIndex region : paths_.frames(path)) frames.push_back({module_, region});
  return hashes_[path] = process_.own.callpaths.add_path(std::move(frames));
}

void RankImport::end_stream(CallStream& stream) {
  misses_comms_ = misses_comms_ || stream.misses_comms();
  compress::FoldedStream folded = stream.finish();
  if (folded.calls == 0 && !process_.streams.empty()) return;
  const auto microseconds = static_cast<std::uint64_t>(stream.duration() / 1000);
  process_.own.duration = std::max(process_.own.duration, microseconds);
  std::vector<compress::SiteName> names;
  for (const compress::FoldedSite& s : folded.sites)
    names.push_back(
        {std::string(trace::function(s.key.function).name), hash_of_path(s.key.callpath)});
  process_.own.graph.merge(compress::FlowGraph(folded, names));
  process_.streams.push_back(std::move(folded));
  process_.names.push_back(std::move(names));
}

compress::Process RankImport::finish() {
  process_.comms = comms_.members();
  process_.own.comms = comms_.names();
  process_.own.threads = std::max<std::uint64_t>(1, process_.streams.size());
  process_.own.losses = losses_;
  process_.own.timing.mode = times_.mode;
  process_.own.timing.precision = times_.precision_in_millionths();
  process_.own.times_kept = compress::TimesPerStream::classes_and_sums;
  return std::move(process_);
}

}  // namespace reprise::convert
