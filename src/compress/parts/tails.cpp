#include "compress/parts/tails.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "trace/file/unfinished.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/values/special.hpp"

namespace reprise::compress {

using trace::Kind;

namespace {

// A process that made but the calls that its threads were in.
Process last_calls(const Process& process) {
  Process out;
  out.rank = process.rank;
  out.ranks = process.ranks;
  out.comms = process.comms;
  out.windows = process.windows;
  out.own.comms = process.own.comms;
  out.own.threads = process.own.threads;
  for (const Tail& tail : process.tails) {
    StreamFolder folder;
    std::vector<SiteName> names;
    if (tail.is_in_call) {
      const trace::Function& f = trace::function(tail.function);
      std::vector<std::int64_t> record = tail.record;
      // Lists that come out of a call, or were too long to be kept.
      std::size_t at = f.scalars.size(), lists = 0;
      for (; at < record.size(); ++lists) at += 1 + static_cast<std::size_t>(record[at]);
      record.resize(at + f.lists.size() - lists, 0);
      for (std::size_t c = 0; c < f.scalars.size(); ++c) {
        // A communicator or window that was made after the checkpoint.
        const bool is_unknown =
            (f.scalars[c].kind == Kind::comm && record[c] >= std::ssize(process.comms)) ||
            (f.scalars[c].kind == Kind::window && record[c] >= std::ssize(process.windows));
        if (is_unknown) record[c] = trace::kForeign;
      }
      folder.add({tail.function, 0}, {f.scalars.size(), f.lists.size()}, record);
      names.push_back({std::string(f.name), tail.callpath});
    }
    out.streams.push_back(folder.finish());
    out.own.graph.merge(FlowGraph(out.streams.back(), names));
    out.names.push_back(std::move(names));
  }
  return out;
}

// Zeros for the streams that follow the first `next`. All of them: a series goes on with its last
// step, and not with its last value.
trace::Value fill_up(trace::SeriesFolder& folder, std::uint64_t next, std::uint64_t streams) {
  if (next < streams) folder.append(0, streams - next);
  return {.by_stream = folder.finish(), .classes = {}};
}

// A number of each stream; 0 of those of which nothing is known. The first stream of a rank that
// left nothing has `of_missing`.
trace::Value by_stream(const std::vector<Process>& processes, const Agreement& all,
                       std::uint64_t Tail::*member, std::int64_t of_missing = 0) {
  trace::SeriesFolder folder;
  std::uint64_t next = 0;  // rank
  const auto add_missing = [&](std::uint64_t end) {
    if (all.threads == 1 && next < end) folder.append(of_missing, end - next);
    for (std::uint64_t rank = next; all.threads > 1 && rank < end; ++rank) {
      folder.append(of_missing);
      folder.append(0, all.threads - 1);
    }
    next = end;
  };
  for (const Process& p : processes) {
    add_missing(p.rank);
    for (const Tail& t : p.tails) folder.append(static_cast<std::int64_t>(t.*member));
    if (p.tails.size() < all.threads) folder.append(0, all.threads - p.tails.size());
    ++next;
  }
  add_missing(processes.front().ranks);
  return {.by_stream = folder.finish(), .classes = {}};
}

// Indices of call paths in the trace, to which those of `more` that it lacks are added.
std::map<std::uint64_t, std::uint32_t> number_callpaths(const Agreement& more, const Agreement& all,
                                                        trace::Trace& out) {
  std::map<std::uint64_t, std::uint32_t> known;
  for (std::uint32_t s = 0; s < all.graph.size(); ++s) {  // as finish_trace did
    known.emplace(all.graph.name(s).callpath, static_cast<std::uint32_t>(known.size()));
  }
  std::vector<std::uint64_t> fresh;
  for (std::uint32_t s = 0; s < more.graph.size(); ++s) {
    const std::uint64_t path = more.graph.name(s).callpath;
    if (!known.contains(path)) fresh.push_back(path);
  }
  const std::vector<std::uint32_t> indices = all.callpaths.write(fresh, all.callpaths_kept, out);
  for (std::size_t i = 0; i < fresh.size(); ++i) known.emplace(fresh[i], indices[i]);
  if (all.code.paths.empty()) return known;
  out.code.functions = all.code.functions;
  out.code.paths.resize(out.callpaths.size());
  const SitePaths code_paths = more.code_paths();
  for (std::uint32_t s = 0; s < more.graph.size(); ++s)
    out.code.paths[known.at(more.graph.name(s).callpath)] = code_paths[s];
  return known;
}

// Which streams are in a call of this name.
trace::Value streams_at(const std::vector<Process>& last, const SiteName& name,
                        std::uint64_t threads) {
  trace::SeriesFolder folder;
  std::uint64_t next = 0;
  for (const Process& p : last) {
    for (std::uint64_t t = 0; t < p.names.size(); ++t) {
      if (p.names[t].empty() || p.names[t].front() != name) continue;
      const std::uint64_t stream = p.rank * threads + t;
      if (stream > next) folder.append(0, stream - next);
      folder.append(1);
      next = stream + 1;
    }
  }
  return fill_up(folder, next, last.front().ranks * threads);
}

// The calls that processes were in, each with its streams.
std::vector<trace::UnfinishedCall> fold_calls(std::vector<Process>& last, const Agreement& common,
                                              const Agreement& all, trace::Trace& out) {
  const auto callpaths = number_callpaths(common, all, out);
  std::vector<std::uint32_t> callpath_of;
  for (std::uint32_t s = 0; s < common.graph.size(); ++s)
    callpath_of.push_back(callpaths.at(common.graph.name(s).callpath));
  // A stream has one call at most, and no loop.
  const LoopTree tree = find_loops(common.graph, SiteCode(common.graph.size()));
  trace::Trace program;
  program.ranks = out.ranks;
  program.threads = out.threads;
  lay_out_all(last, common, tree)
      .finish(common.graph, tree, callpath_of, TimesPerStream::nothing, program);
  std::vector<trace::UnfinishedCall> calls;
  const std::vector<std::uint32_t> order = common.graph.order();  // that of the calls
  for (std::size_t c = 0; c < order.size(); ++c) {
    calls.push_back(
        {std::move(program.calls[c]), streams_at(last, common.graph.name(order[c]), all.threads)});
  }
  return calls;
}

}  // namespace

void encode_tail(ByteWriter& out, const Tail& tail) {
  out.varint(tail.missing);
  out.varint(tail.waited);
  out.varint(tail.signal);
  out.varint(tail.is_signal_elsewhere);
  out.varint(tail.is_in_call ? 1 : 0);
  if (!tail.is_in_call) return;
  out.text(trace::function(tail.function).name);
  out.fixed64(tail.callpath);
  out.varint(tail.record.size());
  for (const std::int64_t v : tail.record) out.signed_varint(v);
}

Tail decode_tail(ByteReader& in) {
  Tail tail;
  tail.missing = in.varint();
  tail.waited = in.varint();
  tail.signal = in.varint();
  tail.is_signal_elsewhere = in.varint();
  tail.is_in_call = in.varint() != 0;
  if (!tail.is_in_call) return tail;
  const auto function = trace::find_function(in.text());
  if (!function) return in.fail("an unknown function"), Tail{};
  tail.function = *function;
  tail.callpath = in.fixed64();
  tail.record.resize(in.count());
  for (std::int64_t& v : tail.record) v = in.signed_varint();
  return tail;
}

void count_missing(const Process& process, Agreement& all) {
  std::uint64_t missing = 0;
  for (const Tail& t : process.tails) missing += t.missing;
  if (missing == 0) return;
  ++all.losses[kCutShort];
  all.losses[kBehindCheckpoint] += missing;
}

void set_tails(const std::vector<Process>& processes, const Agreement& all, trace::Trace& out) {
  std::vector<Process> last;
  for (const Process& p : processes) last.push_back(last_calls(p));
  Agreement common = last.front().own;
  for (std::size_t i = 1; i < last.size(); ++i) common.merge(last[i].own);
  common.threads = all.threads;
  common.callpaths = all.callpaths;
  common.code = all.code;
  trace::Unfinished unfinished;
  unfinished.waited = by_stream(processes, all, &Tail::waited);
  unfinished.missing = by_stream(processes, all, &Tail::missing);
  // Ranks that are left out of the trace of a single one have traces of their own.
  const bool are_parts =
      std::ranges::any_of(processes, [](const Process& p) { return !p.tails.empty(); });
  unfinished.signal =
      by_stream(processes, all, &Tail::signal, are_parts ? trace::kNoPart : std::int64_t{0});
  unfinished.is_signal_elsewhere = by_stream(processes, all, &Tail::is_signal_elsewhere);
  if (common.graph.size() > 0) unfinished.calls = fold_calls(last, common, all, out);
  trace::set_unfinished(out, unfinished);
}

}  // namespace reprise::compress
