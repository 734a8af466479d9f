#include "seeds.hpp"

#include "compress/process.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise {
namespace {

constexpr std::size_t kHeader = 16;      // of a part [bytes]
constexpr std::int64_t kCompute = 1000;  // before each call [ns]
constexpr std::int64_t kDrift = 50;      // by how much longer it is before the next [ns]

// Folds the calls of a stream again, as if they were just made.
void fold(const trace::Trace& trace, std::uint64_t stream, compress::Process& out) {
  compress::StreamFolder folder;
  compress::TimeFolder times{compress::TimeOptions{}};
  std::int64_t drift = 0;
  trace::Cursor cursor(trace, stream);
  while (cursor.next()) {
    const trace::Event& event = cursor.event();
    std::vector<std::int64_t> record = event.scalars;
    for (const auto& list : event.lists) {
      record.push_back(std::ssize(list));
      record.insert(record.end(), list.begin(), list.end());
    }
    const trace::FunctionId id = trace.calls[event.call].function;
    const compress::Step step =
        folder.add({id, event.call}, {event.scalars.size(), event.lists.size()}, record);
    times.add(step.from, step.to, {kCompute * (1 + event.call % 3) + drift, kCompute});
    drift += kDrift;
  }
  compress::FoldedStream folded = folder.finish();
  std::vector<compress::FoldedTimes> taken = times.finish(1);
  const std::uint64_t module = out.own.callpaths.add_module({"/bin/app", "00ff"});
  std::vector<compress::SiteName> names;
  for (std::size_t i = 0; i < folded.sites.size(); ++i) {
    const compress::SiteKey key = folded.sites[i].key;
    const std::uint64_t path = out.own.callpaths.add_path({{module, key.callpath}, {module, 7}});
    names.push_back({std::string(trace::function(key.function).name), path});
    folded.sites[i].times = std::move(taken[i]);
  }
  out.own.graph.merge(compress::FlowGraph(folded, names));
  out.streams.push_back(std::move(folded));
  out.names.push_back(std::move(names));
}

}  // namespace

std::vector<std::uint8_t> part_of(const trace::Trace& trace, std::uint64_t stream) {
  compress::Process p;
  p.rank = stream / trace.threads;
  p.ranks = trace.ranks;
  p.mpi = trace.mpi;
  const auto size = static_cast<std::int64_t>(trace.ranks);
  p.own.comms = {{.parent = -1}, {.parent = -1}, {.parent = 0, .creation = 1}};
  p.comms = {{static_cast<std::int64_t>(p.rank), size}, {0, 1}, {0, size / 2}};
  p.windows = {{static_cast<std::int64_t>(p.rank), size}};
  p.own.timing.mode = trace::TimeMode::paths;
  p.own.losses["calls that returned an error"] = 1;
  fold(trace, stream, p);
  const std::vector<std::uint8_t> part = p.encode();
  return {part.begin() + kHeader, part.end()};
}

}  // namespace reprise
