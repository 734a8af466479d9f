#include "compress/merge/merge.hpp"

#include "base/contract.hpp"
#include "compress/loops/parse.hpp"
#include "compress/loops/tidy.hpp"

namespace reprise::compress {

using trace::Series;
using trace::Value;

MergedStreams::MergedStreams(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                             const FlowGraph& graph, const LoopTree& tree,
                             const trace::Memberships& memberships) {
  for (Series& trips : parse(stream, site_of, tree)) trips_.emplace_back(std::move(trips));
  columns_.resize(graph.size());
  times_.assign(graph.size(), MergedTimes::absent(1));
  for (std::size_t i = 0; i < stream.sites.size(); ++i) {
    columns_[site_of[i]] = encoded_columns(stream.sites[i], memberships);
    times_[site_of[i]] = MergedTimes(stream.sites[i].times, site_of);
  }
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    if (!columns_[s].empty()) continue;
    const auto id = trace::find_function(graph.name(s).function);
    REPRISE_REQUIRE(id.has_value());
    columns_[s].assign(trace::function(*id).columns(), StreamValues::absent());
  }
}

MergedStreams MergedStreams::empty(const FlowGraph& graph, const LoopTree& tree, std::uint64_t n) {
  MergedStreams out;
  for (Series& trips : parse({}, {}, tree)) out.trips_.emplace_back(std::move(trips), n);
  out.times_.assign(graph.size(), MergedTimes::absent(n));
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    const auto id = trace::find_function(graph.name(s).function);
    REPRISE_REQUIRE(id.has_value());
    out.columns_.emplace_back(trace::function(*id).columns(), StreamValues::absent(n));
  }
  return out;
}

void MergedStreams::append(MergedStreams&& next) {
  for (std::size_t i = 0; i < trips_.size(); ++i) trips_[i].append(std::move(next.trips_[i]));
  for (std::size_t s = 0; s < columns_.size(); ++s) {
    for (std::size_t c = 0; c < columns_[s].size(); ++c) {
      columns_[s][c].append(std::move(next.columns_[s][c]));
    }
    times_[s].append(std::move(next.times_[s]));
  }
}

void MergedStreams::encode(ByteWriter& out) const {
  out.varint(trips_.size());
  for (const StreamValues& v : trips_) v.encode(out);
  out.varint(columns_.size());
  for (const auto& columns : columns_) {
    out.varint(columns.size());
    for (const StreamValues& v : columns) v.encode(out);
  }
  out.varint(times_.size());
  for (const MergedTimes& t : times_) t.encode(out);
}

MergedStreams MergedStreams::decode(ByteReader& in) {
  MergedStreams out;
  out.trips_.resize(in.count());
  for (StreamValues& v : out.trips_) v = StreamValues::decode(in);
  out.columns_.resize(in.count());
  for (auto& columns : out.columns_) {
    columns.resize(in.count());
    for (StreamValues& v : columns) v = StreamValues::decode(in);
  }
  out.times_.resize(in.count());
  for (MergedTimes& t : out.times_) t = MergedTimes::decode(in);
  return out;
}

void MergedStreams::finish(const FlowGraph& graph, const LoopTree& tree,
                           const std::vector<std::uint32_t>& callpath_of, TimesPerStream times_kept,
                           trace::Trace& out) && {
  std::vector<std::uint32_t> call_of(graph.size());
  const std::vector<std::uint32_t> order = graph.order();
  for (const std::uint32_t site : order) {
    call_of[site] = static_cast<std::uint32_t>(out.calls.size());
    trace::Call& call = out.calls.emplace_back();
    call.function = *trace::find_function(graph.name(site).function);
    call.callpath = callpath_of[site];
    for (StreamValues& v : columns_[site]) call.columns.push_back(std::move(v).finish());
    columns_[site].clear();
  }
  if (out.timing.mode != trace::TimeMode::none)
    out.times = finish_times(std::move(times_), order, call_of, times_kept);
  std::vector<Value> trips;
  for (StreamValues& t : trips_) trips.push_back(std::move(t).finish());
  out.root = lay_out_items(tree, trips, call_of, out.streams());
}

}  // namespace reprise::compress
