// Brings the streams of all ranks together over a binary tree: first the flow graphs, from which
// every rank finds the same loops by itself, then the values.
#pragma once

#include <vector>

#include "compress/callpath_table.hpp"
#include "compress/merge.hpp"
#include "record/session.hpp"

namespace reprise::record {

class Gather {
 public:
  explicit Gather(Session& session) : session_(session) {}

  // Collective over the world; rank 0 writes the trace.
  void run();

 private:
  // What must be known of all ranks before their streams can be laid side by side.
  struct Shared {
    compress::FlowGraph graph;
    compress::CallpathTable callpaths;
    std::vector<CommName> comms;  // parents stand before their children
    std::uint64_t threads = 0;
    std::uint64_t duration = 0;  // [us]
    std::map<std::string, std::uint64_t> losses;

    void merge(const Shared& other);
    void encode(ByteWriter& out) const;
    static Shared decode(ByteReader& in);
  };

  Shared collect();
  Shared agree(Shared mine);
  void rename_comms(const std::vector<CommName>& names);
  compress::MergedStreams merge(const Shared& shared, const compress::LoopTree& tree);
  void write(const Shared& shared, const compress::LoopTree& tree,
             const compress::MergedStreams& merged);

  void send(const ByteWriter& bytes, int to) const;
  std::vector<std::uint8_t> receive(int from) const;

  Session& session_;
  std::vector<compress::FoldedStream> streams_;          // by thread
  std::vector<std::vector<compress::SiteName>> names_;   // of their sites
  std::vector<std::int64_t> global_comm_;                // by local id
  std::map<std::int64_t, std::size_t> local_comm_;       // by global id
};

}  // namespace reprise::record
