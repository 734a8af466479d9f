// A rank of an imported trace: its streams, the regions that its calls lie in, its communicators.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "convert/import/call_stream.hpp"

namespace reprise::convert {

// A function or another part of a program that a source names; frames of call paths are these.
struct SourceRegion {
  std::string name, file;
  std::uint32_t line = 0;  // 0: unknown
};
using RegionIndex = std::uint32_t;

// The regions that a stream is in, the outermost first. A region within itself is one frame.
class RegionPaths {
 public:
  static constexpr std::uint32_t kOutside = 0;

  // The path of `region` entered in `path`. Amortised O(log paths).
  std::uint32_t enter(std::uint32_t path, RegionIndex region);
  // The regions of a path, the innermost first.
  std::vector<RegionIndex> frames(std::uint32_t path) const;
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }

 private:
  struct Node {
    std::uint32_t parent;
    RegionIndex region;
  };

  std::vector<Node> nodes_{{0, 0}};  // that of no region first
  std::map<std::pair<std::uint32_t, RegionIndex>, std::uint32_t> index_;
};

class RankImport {
 public:
  // REQUIRES: `comms` outlives it.
  RankImport(const SourceComms& comms, std::uint64_t rank, Creation creation,
             const compress::TimeOptions& times);

  RegionPaths& paths() { return paths_; }
  // A new stream of the rank, whose calls follow. The one before is complete.
  CallStream begin_stream();
  void end_stream(CallStream& stream);

  bool misses_comms() const { return misses_comms_; }
  LossCounts& losses() { return losses_; }
  compress::Process finish();

 private:
  std::uint64_t hash_of_path(std::uint32_t path);

  RankComms comms_;
  Creation creation_;
  compress::TimeOptions times_;
  RegionPaths paths_;
  std::map<std::uint32_t, std::uint64_t> hashes_;  // of paths
  std::uint64_t module_ = 0;
  LossCounts losses_;
  compress::Process process_;
  bool misses_comms_ = false;
};

}  // namespace reprise::convert
