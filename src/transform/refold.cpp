#include "transform/refold.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/contract.hpp"
#include "compress/fold/event_record.hpp"
#include "compress/loops/loop_evidence.hpp"
#include "compress/merge/merge.hpp"
#include "compress/times/reduce_times.hpp"
#include "transform/draw/drawn_deltas.hpp"

namespace reprise::transform {

using compress::FlowGraph;
using compress::FoldedStream;
using compress::LoopTree;
using compress::MergedStreams;
using compress::SiteName;
using trace::Event;
using trace::Trace;

namespace {

struct Stream {
  FoldedStream folded;
  trace::Memberships memberships;
};

class Refolder {
 public:
  Refolder(const Trace& trace, const SiteCalls& sites, std::uint64_t most)
      : trace_(trace), sites_(sites), left_(most) {}

  std::optional<Error> add(std::uint64_t stream, SiteChoice& choice) {
    Stream& out = streams_.emplace_back();
    compress::StreamFolder folder;
    compress::TimeFolder times({.mode = trace_.timing.mode, .bins = bins()});
    DrawnDeltas deltas(trace_, stream);
    std::vector<std::int64_t> record;
    trace::Cursor cursor(trace_, stream);
    while (cursor.next()) {
      if (left_-- == 0) return Error{"the trace has more calls than may be walked"};
      const Event& event = cursor.event();
      compress::lay_out_record(event, record);
      const compress::Step step =
          folder.add({trace_.calls[event.call].function, choice.site_of(event)},
                     compress::layout_of(*event.function), record);
      if (!trace_.times.empty()) {
        const DrawnDeltas::Delta d = deltas.next(event.call);
        times.add(step.from, step.to, {d.compute, d.communicate});
      }
    }
    if (cursor.damaged()) return Error{"the trace is damaged (a value in it makes no sense)"};
    out.folded = folder.finish();
    out.memberships = cursor.memberships();
    if (!trace_.times.empty()) {
      auto folded = times.finish(1);
      for (std::size_t i = 0; i < folded.size(); ++i)
        out.folded.sites[i].times = std::move(folded[i]);
    }
    graph_.merge(FlowGraph(out.folded, names_of(out.folded)));
    return std::nullopt;
  }

  Trace finish() {
    std::map<SiteName, std::uint32_t> site_of_name;
    std::vector<std::uint32_t> callpath_of;
    for (std::uint32_t s = 0; s < graph_.size(); ++s) {
      site_of_name[graph_.name(s)] = s;
      callpath_of.push_back(trace_.calls[sites_[graph_.name(s).callpath]].callpath);
    }
    const LoopTree tree = find_loops(graph_, code(callpath_of),
                                     [&](const LoopTree& first, compress::LoopEvidence& evidence) {
                                       for (const Stream& s : streams_)
                                         evidence.add(s.folded, sites_of(s, site_of_name), first);
                                     });
    MergedStreams all;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      MergedStreams one = lay_out(streams_[i], site_of_name, tree);
      streams_[i] = {};
      if (i == 0) {
        all = std::move(one);
      } else {
        all.append(std::move(one));
      }
    }
    Trace out = header();
    std::move(all).finish(graph_, tree, callpath_of, times_kept(), out);
    compress::reduce_times(out);
    return out;
  }

 private:
  static std::vector<SiteName> names_of(const FoldedStream& stream) {
    std::vector<SiteName> out;
    for (const compress::FoldedSite& s : stream.sites) {
      out.push_back({std::string(trace::function(s.key.function).name), s.key.callpath});
    }
    return out;
  }

  static std::vector<std::uint32_t> sites_of(
      const Stream& stream, const std::map<SiteName, std::uint32_t>& site_of_name) {
    std::vector<std::uint32_t> out;
    for (const SiteName& n : names_of(stream.folded)) out.push_back(site_of_name.at(n));
    return out;
  }

  compress::SiteCode code(const std::vector<std::uint32_t>& callpath_of) const {
    if (trace_.code.paths.empty()) return compress::SiteCode(graph_.size());
    compress::SitePaths paths;
    for (const std::uint32_t path : callpath_of) paths.push_back(trace_.code.paths[path]);
    return {trace_.code.functions, std::move(paths)};
  }

  MergedStreams lay_out(const Stream& stream, const std::map<SiteName, std::uint32_t>& site_of_name,
                        const LoopTree& tree) const {
    return {stream.folded, sites_of(stream, site_of_name), graph_, tree, stream.memberships};
  }

  // The number of bins of the largest histogram.
  std::size_t bins() const {
    std::size_t most = 1;
    for (const trace::CallTimes& t : trace_.times) {
      for (const trace::Histogram& h : t.communicate.classes)
        most = std::max(most, h.bins().size());
    }
    return most;
  }

  // The parts of a trace that do not depend on call sites.
  Trace header() const {
    Trace out;
    out.program = trace_.program;
    out.mpi = trace_.mpi;
    out.options = trace_.options;
    out.date = trace_.date;
    out.duration = trace_.duration;
    out.ranks = trace_.ranks;
    out.threads = trace_.threads;
    out.symbolized = trace_.symbolized;
    out.losses = trace_.losses;
    out.texts = trace_.texts;
    out.modules = trace_.modules;
    out.frames = trace_.frames;
    out.callpaths = trace_.callpaths;
    out.code = trace_.code;
    out.wrappers = trace_.wrappers;
    out.sections = trace_.sections;
    if (!trace_.times.empty()) out.timing = trace_.timing;
    return out;
  }

  compress::TimesPerStream times_kept() const {
    for (const trace::CallTimes& t : trace_.times) {
      if (!t.communicate.sums.empty()) return compress::TimesPerStream::classes_and_sums;
    }
    return compress::TimesPerStream::classes;
  }

  const Trace& trace_;
  const SiteCalls& sites_;
  std::uint64_t left_;  // calls that may still be walked
  std::vector<Stream> streams_;
  FlowGraph graph_;
};

}  // namespace

Result<Trace> refold(
    const Trace& trace, const SiteCalls& sites,
    const std::function<std::unique_ptr<SiteChoice>(std::uint64_t stream)>& choice_of,
    std::uint64_t most) {
  REPRISE_REQUIRE(std::ranges::none_of(
      trace.sections, [](const trace::Section& s) { return s.name == trace::kLawsSection; }));
  Refolder refolder(trace, sites, most);
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    if (auto bad = refolder.add(s, *choice_of(s))) return *bad;
  }
  return refolder.finish();
}

}  // namespace reprise::transform
