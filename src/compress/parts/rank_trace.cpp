#include "compress/parts/rank_trace.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "compress/check.hpp"
#include "compress/fold/event_record.hpp"
#include "compress/parts/membership_codec.hpp"
#include "trace/cursors/cursor.hpp"
#include "trace/file/rank_section.hpp"

namespace reprise::compress {

namespace {

// By call path of the trace, its hash. They stand in the order of the sites.
std::vector<std::uint64_t> hashes_of_callpaths(const FlowGraph& graph) {
  std::vector<std::uint64_t> out;
  std::set<std::uint64_t> known;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    if (known.insert(graph.name(s).callpath).second) out.push_back(graph.name(s).callpath);
  }
  return out;
}

//   section := fixed64 run, varint rank, memberships comms, memberships windows,
//              agreement (without graph and code), varint callpaths, fixed64{callpaths},
//              varint threads, (varint sites, times{sites}){threads}
trace::Section section_of(const Process& p) {
  ByteWriter out;
  trace::RankOfRun{p.run, p.rank}.encode(out);
  encode_memberships(out, p.comms);
  encode_memberships(out, p.windows);
  Agreement own = p.own;
  own.graph = {};
  own.encode(out);
  const std::vector<std::uint64_t> hashes = hashes_of_callpaths(p.own.graph);
  out.varint(hashes.size());
  for (const std::uint64_t hash : hashes) out.fixed64(hash);
  out.varint(p.streams.size());
  for (const FoldedStream& stream : p.streams) {
    const bool has_times = p.own.timing.mode != trace::TimeMode::none;
    out.varint(has_times ? stream.sites.size() : 0);
    for (std::size_t s = 0; has_times && s < stream.sites.size(); ++s)
      stream.sites[s].times.encode(out);
  }
  return {std::string(trace::kRankSection), trace::kRankVersion, out.take()};
}

class ProcessReader {
 public:
  ProcessReader(const trace::Trace& trace, const trace::Section& section)
      : trace_(trace), in_(section.content.data(), section.content.size()) {}

  // Empty: the process is whole.
  std::string read(Process& p) {
    const auto [run, rank] = trace::RankOfRun::decode(in_);
    p.run = run;
    p.rank = rank;
    p.ranks = trace_.ranks;
    p.program = trace_.program;
    p.mpi = trace_.mpi;
    p.date = trace_.date;
    p.comms = decode_memberships(in_);
    p.windows = decode_memberships(in_);
    p.own = Agreement::decode(in_);
    if (p.own.graph.size() > 0 || !p.own.code.paths.empty()) return "call sites that it repeats";
    hashes_.resize(in_.count(8));
    for (std::uint64_t& hash : hashes_) hash = in_.fixed64();
    const std::size_t threads = in_.count();
    if (in_.failed()) return in_.problem();
    if (p.rank >= p.ranks) return "an impossible rank";
    if (std::max<std::size_t>(1, threads) != trace_.threads)
      return "an impossible number of threads";
    for (std::size_t t = 0; t < threads; ++t) {
      if (std::string problem = read_stream(p, t); !problem.empty()) return problem;
    }
    if (!in_.at_end()) return "data behind the end";
    return problem_of(p);
  }

 private:
  std::string read_stream(Process& p, std::size_t thread) {
    FoldedStream& stream = p.streams.emplace_back();
    std::vector<SiteName>& names = p.names.emplace_back();
    if (std::string problem = fold(p, thread, stream); !problem.empty()) return problem;
    for (const FoldedSite& s : stream.sites)
      names.push_back({std::string(trace::function(s.key.function).name), hashes_[s.key.callpath]});
    p.own.graph.merge(FlowGraph(stream, names));
    const std::size_t sites = in_.count();
    if (sites > 0 && sites != stream.sites.size()) return "times of other calls";
    for (std::size_t s = 0; s < sites; ++s) stream.sites[s].times = FoldedTimes::decode(in_);
    return in_.problem();
  }

  std::string fold(const Process& p, std::size_t thread, FoldedStream& out) const {
    StreamFolder folder;
    SizeTotals units;
    std::vector<std::int64_t> record;
    const bool is_averaged = !p.own.sizes.empty();
    trace::Cursor cursor(trace_, p.rank * trace_.threads + thread);
    while (cursor.next()) {
      const trace::Event& event = cursor.event();
      const trace::Call& call = trace_.calls[event.call];
      if (call.callpath >= hashes_.size()) return "a call path that is not there";
      lay_out_record(event, record);
      if (is_averaged && SizeTotals::apply_to(call.function)) units.take(call.function, record);
      folder.add({call.function, call.callpath}, layout_of(*event.function), record);
    }
    if (cursor.damaged()) return "a value in it makes no sense";
    out = folder.finish();
    return {};
  }

  const trace::Trace& trace_;
  ByteReader in_;
  std::vector<std::uint64_t> hashes_;  // by call path of the trace
};

}  // namespace

trace::Trace trace_of(Process process, const ReadCode& read_code) {
  trace::Section section = section_of(process);
  std::vector<Process> only;
  only.push_back(std::move(process));
  trace::Trace out = merge_processes(std::move(only), read_code);
  for (trace::Loss& l : out.losses) {
    if (l.what == kLeftNothing) l.what = "ranks with traces of their own";
  }
  out.sections.push_back(std::move(section));
  return out;
}

Result<Process> process_of(const trace::Trace& trace, const std::string& name) {
  const trace::Section* section = trace::rank_section(trace);
  if (!section) {
    return Error{name +
                 " cannot be merged (it is the trace of a whole run already); give the parts of a "
                 "run, or the traces FILE.RANK that `reprise record --merge none` wrote"};
  }
  Process p;
  const std::string problem = ProcessReader(trace, *section).read(p);
  if (!problem.empty()) return Error{name + " cannot be merged (" + problem + "); record it again"};
  return p;
}

}  // namespace reprise::compress
