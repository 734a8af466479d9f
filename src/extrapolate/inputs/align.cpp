#include "extrapolate/inputs/align.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "compress/fold/event_record.hpp"
#include "compress/loops/loop_evidence.hpp"
#include "compress/loops/parse.hpp"
#include "compress/merge/rank_columns.hpp"
#include "extrapolate/inputs/command_numbers.hpp"
#include "extrapolate/inputs/site_names.hpp"
#include "trace/calls/one_program.hpp"
#include "trace/calls/predefined.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::extrapolate {

using compress::FlowGraph;
using compress::FoldedStream;
using compress::SiteName;
using trace::Kind;
using trace::Trace;

namespace {

// One rank of one input.
struct Stream {
  FoldedStream folded;
  std::vector<SiteName> names;  // of its sites
  trace::Memberships memberships;
};

// The first of the call paths that are the same by content.
std::uint32_t one_of(const std::vector<std::uint64_t>& names, std::uint32_t callpath) {
  const auto first = std::ranges::find(names, names[callpath]);
  return static_cast<std::uint32_t>(first - names.begin());
}

// Folds what a rank did. Nothing if the trace is damaged.
std::optional<Stream> fold(const Trace& trace, std::uint64_t rank,
                           const std::vector<std::uint64_t>& callpath_names) {
  Stream out;
  compress::StreamFolder folder;
  std::vector<std::int64_t> record;
  trace::Cursor cursor(trace, rank);
  while (cursor.next()) {
    const trace::Event& event = cursor.event();
    const trace::Call& call = trace.calls[event.call];
    compress::lay_out_record(event, record);
    folder.add({call.function, one_of(callpath_names, call.callpath)},
               compress::layout_of(*event.function), record);
  }
  if (cursor.damaged()) return std::nullopt;
  out.folded = folder.finish();
  out.memberships = cursor.memberships();
  for (const compress::FoldedSite& s : out.folded.sites) {
    out.names.push_back(
        {std::string(trace::function(s.key.function).name), callpath_names[s.key.callpath]});
  }
  return out;
}

// How much there is to say about how often the loops go round [bytes].
std::size_t size_of_trips(const Aligned& aligned) {
  ByteWriter out;
  for (const Run& run : aligned.runs) {
    for (const auto& trips : run.trips) {
      for (const trace::Series& s : trips) s.encode(out);
    }
  }
  return out.size();
}

std::vector<trace::Series>& at_least(std::vector<trace::Series>& series, std::size_t n) {
  if (series.size() < n) series.resize(n);
  return series;
}

class Aligner {
 public:
  Aligner(std::span<const Trace> traces, std::span<const std::string> names, Lookalikes lookalikes,
          std::span<const ProblemParameter> parameters)
      : traces_(traces),
        names_(names),
        lookalikes_(lookalikes),
        parameters_(parameters),
        streams_(traces.size()) {}

  Result<Aligned> run() {
    if (auto bad = check_one_program()) return *bad;
    if (auto bad = fold_all()) return *bad;
    // Where a loop is entered in several places, and streams contradict each other about the order
    // of its sites, that in which streams are added decides where it begins. The streams that go to
    // the most places tell it best: a rank in the corner of a grid does not say which of two
    // neighbors comes first that it has not. But of a cycle over levels, which ranks leave one by
    // one, the first ranks know most.
    Aligned by_rank = lay_out();
    std::ranges::stable_sort(stream_graphs_, std::greater<>(), &FlowGraph::size);
    Aligned by_size = lay_out();
    return size_of_trips(by_rank) < size_of_trips(by_size) ? std::move(by_rank)
                                                           : std::move(by_size);
  }

 private:
  Aligned lay_out() {
    out_ = {};
    site_of_.clear();
    for (const FlowGraph& stream : stream_graphs_) out_.graph.merge(stream);
    name_sites();
    find_loops();
    for (std::size_t t = 0; t < traces_.size(); ++t) out_.runs.push_back(parse_run(t));
    sort_runs();
    return std::move(out_);
  }

  void find_loops() {
    // The code of the trace that has the most of it: others lack what only its ranks execute.
    const auto most = std::ranges::max_element(traces_, {}, [](const Trace& trace) {
      std::size_t known = 0;
      for (const auto& copies : trace.code.paths) known += copies.size();
      return known;
    });
    const Trace& trace = *most;
    const auto t = static_cast<std::size_t>(most - traces_.begin());
    compress::SitePaths paths(out_.graph.size());
    for (const trace::Call& call : trace.calls) {
      const auto site = site_of(t, call);
      if (!site || trace.code.paths.empty()) continue;
      for (const trace::CodePath& path : trace.code.paths[call.callpath]) {
        auto& known = paths[*site];
        if (std::ranges::find(known, path) == known.end()) known.push_back(path);
      }
    }
    trees_ = compress::find_loops(
        out_.graph, compress::SiteCode(trace.code.functions, std::move(paths)), traces_.size(),
        [&](std::size_t run, const compress::LoopTree& tree, compress::LoopEvidence& evidence) {
          for (const Stream& s : streams_[run]) evidence.add(s.folded, sites_of(s), tree);
        });
    out_.tree = trees_.front();
  }

  // The site of a call of a trace; none if no rank executes it.
  std::optional<std::uint32_t> site_of(std::size_t t, const trace::Call& call) const {
    const auto found = site_of_.find(
        {std::string(trace::function(call.function).name), callpaths_[t][call.callpath]});
    return found == site_of_.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<std::uint32_t> sites_of(const Stream& stream) const {
    std::vector<std::uint32_t> out;
    for (const SiteName& n : stream.names) out.push_back(site_of_.at(n));
    return out;
  }

  void sort_runs() {
    std::ranges::sort(out_.runs, {}, [&](const Run& run) {
      std::pair<std::int64_t, std::vector<std::int64_t>> key{run.ranks, {}};
      for (const ProblemParameter& p : parameters_) key.second.push_back(p.values[run.input]);
      return key;
    });
    std::vector<std::size_t> inputs;
    for (const Run& run : out_.runs) inputs.push_back(run.input);
    out_.problem = Problem(parameters_, inputs);
  }

  std::optional<Error> fold_all() {
    callpaths_ = name_callpaths(traces_, lookalikes_);
    for (std::size_t t = 0; t < traces_.size(); ++t) {
      for (std::uint64_t r = 0; r < traces_[t].ranks; ++r) {
        auto stream = fold(traces_[t], r, callpaths_[t]);
        if (!stream) {
          return Error{names_[t] + " is damaged (a value in it makes no sense); record it again"};
        }
        stream_graphs_.emplace_back(stream->folded, stream->names);
        streams_[t].push_back(std::move(*stream));
      }
    }
    return std::nullopt;
  }

  std::optional<Error> check_one_program() const {
    trace::OneProgram program;
    for (std::size_t t = 0; t < traces_.size(); ++t) {
      if (const Status ok = program.add(traces_[t], names_[t]); !ok) return ok.error();
    }
    return std::nullopt;
  }

  void name_sites() {
    out_.sites.resize(out_.graph.size());
    for (std::uint32_t s = 0; s < out_.graph.size(); ++s) site_of_[out_.graph.name(s)] = s;
    for (std::size_t t = traces_.size(); t-- > 0;) {
      for (const Stream& stream : streams_[t]) {
        for (std::size_t i = 0; i < stream.names.size(); ++i) {
          const compress::SiteKey key = stream.folded.sites[i].key;
          out_.sites[site_of_.at(stream.names[i])] = {key.function, t, key.callpath};
        }
      }
    }
  }

  Run parse_run(std::size_t t) const {
    Run run;
    const std::size_t ranks = streams_[t].size();
    run.ranks = static_cast<std::int64_t>(ranks);
    run.input = t;
    for (const trace::Call& call : traces_[t].calls) {
      // A call that no rank executes has no times.
      run.site_of_call.push_back(site_of(t, call).value_or(Run::kNoSite));
    }
    run.trips.assign(out_.tree.items.size(), {});
    for (auto& trips : run.trips) trips.resize(ranks);
    for (const Site& site : out_.sites) {
      run.columns.emplace_back(trace::function(site.function).columns());
    }
    run.executions.assign(out_.sites.size(), std::vector<std::uint64_t>(ranks, 0));
    run.places.resize(ranks);
    for (std::size_t r = 0; r < ranks; ++r) parse_stream(streams_[t][r], r, run);
    for (auto& columns : run.columns) {
      for (ColumnSeries& c : columns) {
        if (c.encoded.empty()) c.encoded.emplace_back();
        for (auto& series : c.encoded) at_least(series, ranks);
      }
    }
    return run;
  }

  void parse_stream(const Stream& stream, std::size_t r, Run& run) const {
    const std::vector<std::uint32_t> site_of = sites_of(stream);
    const auto ranks = static_cast<std::size_t>(run.ranks);
    auto trips = compress::parse(stream.folded, site_of, trees_[run.input]);
    for (std::size_t i = 0; i < trips.size(); ++i) run.trips[i][r] = std::move(trips[i]);
    run.places[r] = stream.memberships;
    for (std::size_t i = 0; i < site_of.size(); ++i) {
      const compress::FoldedSite& site = stream.folded.sites[i];
      run.executions[site_of[i]][r] = site.executions;
      for (std::size_t c = 0; c < site.columns.size(); ++c) {
        auto encoded = compress::encoded_column(site, c, stream.memberships);
        auto& place = run.columns[site_of[i]][c].encoded;
        if (place.size() < encoded.size()) place.resize(encoded.size());
        for (std::size_t e = 0; e < encoded.size(); ++e) {
          at_least(place[e], ranks)[r] = std::move(encoded[e]);
        }
      }
    }
  }

  std::span<const Trace> traces_;
  std::span<const std::string> names_;
  Lookalikes lookalikes_;
  std::span<const ProblemParameter> parameters_;
  std::vector<std::vector<std::uint64_t>> callpaths_;  // [traces x call paths] by content
  std::vector<std::vector<Stream>> streams_;           // [traces x ranks]
  std::vector<FlowGraph> stream_graphs_;               // of each rank of each trace
  std::map<SiteName, std::uint32_t> site_of_;
  std::vector<compress::LoopTree> trees_;  // [traces] with the same items
  Aligned out_;
};

}  // namespace

Result<Aligned> align(std::span<const Trace> traces, std::span<const std::string> names,
                      Lookalikes lookalikes, std::span<const ProblemParameter> parameters) {
  std::map<std::vector<std::int64_t>, std::size_t> known;  // by ranks and parameters
  for (std::size_t t = 0; t < traces.size(); ++t) {
    if (traces[t].threads > 1) {
      return Error{names[t] +
                   " cannot be extrapolated (its ranks have several threads, whose calls "
                   "have no fixed order); record the program with one thread a rank"};
    }
    std::vector<std::int64_t> at{static_cast<std::int64_t>(traces[t].ranks)};
    for (const ProblemParameter& p : parameters) at.push_back(p.values[t]);
    const auto [other, is_new] = known.emplace(std::move(at), t);
    if (!is_new) {
      return Error{names[other->second] + " and " + names[t] + " have " +
                   std::to_string(traces[t].ranks) +
                   " ranks each (a law needs different numbers of ranks, or of what --param "
                   "declares); leave one of them out"};
    }
  }
  auto out = Aligner(traces, names, lookalikes, parameters).run();
  if (!out) return out;
  std::vector<std::string> commands;
  for (const Trace& t : traces) commands.push_back(t.program);
  out->numbers = numbers_in_commands(commands);
  return out;
}

}  // namespace reprise::extrapolate
