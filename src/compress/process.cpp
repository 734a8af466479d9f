#include "compress/process.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/hash.hpp"
#include "compress/check.hpp"
#include "compress/parts/membership_codec.hpp"
#include "compress/parts/tails.hpp"
#include "compress/times/reduce_times.hpp"
#include "trace/file/file.hpp"
#include "trace/series/series_map.hpp"

namespace reprise::compress {

using trace::Kind;
using trace::Series;

namespace {

constexpr std::uint8_t kVersion = 9;
constexpr std::size_t kHeader = trace::kPartMagic.size() + 1 + 8;

// Adds the names of `more` that `names` lacks; returns the number here of each of them.
std::vector<std::int64_t> unite(std::vector<CommName>& names, const std::vector<CommName>& more) {
  std::map<CommName, std::int64_t> known;
  for (std::size_t i = 2; i < names.size(); ++i) known.emplace(names[i], i);
  std::vector<std::int64_t> number;
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (i < 2) {  // the world and self
      number.push_back(static_cast<std::int64_t>(i));
      if (names.size() <= i) names.push_back(more[i]);
      continue;
    }
    CommName name = more[i];
    if (name.parent >= 0 && name.parent < std::ssize(number)) {
      name.parent = number[static_cast<std::size_t>(name.parent)];
    }
    const auto [entry, is_new] = known.emplace(name, std::ssize(names));
    if (is_new) names.push_back(name);
    number.push_back(entry->second);
  }
  return number;
}

void encode_stream(ByteWriter& out, const FoldedStream& stream,
                   const std::vector<SiteName>& names) {
  out.varint(stream.calls);
  out.varint(stream.sites.size());
  for (std::size_t i = 0; i < stream.sites.size(); ++i) {
    const FoldedSite& s = stream.sites[i];
    out.text(names[i].function);
    out.fixed64(names[i].callpath);
    out.varint(s.executions);
    for (const Series& c : s.columns) c.encode(out);
    s.successors.encode(out);
    out.varint(s.followed);
    s.times.encode(out);
  }
}

void decode_stream(ByteReader& in, FoldedStream& stream, std::vector<SiteName>& names) {
  stream.calls = in.varint();
  for (std::size_t n = in.count(10); n > 0 && !in.failed(); --n) {
    SiteName& name = names.emplace_back();
    FoldedSite& s = stream.sites.emplace_back();
    name.function = in.text();
    name.callpath = in.fixed64();
    const auto function = trace::find_function(name.function);
    if (!function) return in.fail("an unknown function");
    s.key = {*function, 0};
    s.executions = in.varint();
    s.columns.resize(trace::function(*function).columns());
    for (Series& c : s.columns) c = Series::decode(in);
    s.successors = Series::decode(in);
    s.followed = in.varint();
    s.times = FoldedTimes::decode(in);
  }
}

std::map<SiteName, std::uint32_t> sites_by_name(const FlowGraph& graph) {
  std::map<SiteName, std::uint32_t> out;
  for (std::uint32_t s = 0; s < graph.size(); ++s) out.emplace(graph.name(s), s);
  return out;
}

// What the trace does not keep, as options of `reprise record`.
std::string options_of(const Agreement& all) {
  static constexpr const char* kCallpaths[] = {"", "--callpaths site", "--callpaths none"};
  const std::string callpaths = kCallpaths[static_cast<int>(all.callpaths_kept)];
  return all.options + (all.options.empty() || callpaths.empty() ? "" : ", ") + callpaths;
}

}  // namespace

void Agreement::merge(const Agreement& other) {
  graph.merge(other.graph);
  callpaths.merge(other.callpaths);
  callpaths_kept = std::max(callpaths_kept, other.callpaths_kept);
  unite(comms, other.comms);
  threads = std::max(threads, other.threads);
  duration = std::max(duration, other.duration);
  for (const auto& [what, n] : other.losses) losses[what] += n;
  for (const auto& [site, totals] : other.sizes) sizes[site].merge(totals);
  // A process without a checkpoint does not know.
  if (options.empty()) options = other.options;
  if (timing.mode == trace::TimeMode::none) {
    timing.mode = other.timing.mode;
    timing.clock = other.timing.clock;
    timing.precision = other.timing.precision;
    times_kept = other.times_kept;
  }
  timing.recorder += other.timing.recorder;
  timing.core_wait += other.timing.core_wait;
}

void Agreement::encode(ByteWriter& out) const {
  graph.encode(out);
  callpaths.encode(out);
  out.byte(static_cast<std::uint8_t>(callpaths_kept));
  trace::encode_code(out, code);
  out.varint(comms.size());
  for (const CommName& c : comms) {
    out.signed_varint(c.parent);
    out.fixed64(c.members);
    out.varint(c.creation);
  }
  out.varint(threads);
  out.varint(duration);
  out.varint(losses.size());
  for (const auto& [what, n] : losses) {
    out.text(what);
    out.varint(n);
  }
  out.text(options);
  out.varint(sizes.size());
  for (const auto& [site, totals] : sizes) {
    out.text(site.function);
    out.fixed64(site.callpath);
    totals.encode(out);
  }
  timing.encode(out);
  out.byte(static_cast<std::uint8_t>(times_kept));
}

Agreement Agreement::decode(ByteReader& in) {
  Agreement a;
  a.graph = FlowGraph::decode(in);
  a.callpaths = CallpathTable::decode(in);
  const std::uint8_t mode = in.byte();
  if (mode > static_cast<std::uint8_t>(CallpathMode::none)) in.fail("unknown call paths");
  a.callpaths_kept = static_cast<CallpathMode>(mode);
  a.code = trace::decode_code(in);
  if (!a.code.paths.empty() && a.code.paths.size() != a.callpaths.size())
    in.fail("code of other call paths");
  a.comms.resize(in.count(10));
  for (CommName& c : a.comms) {
    c.parent = in.signed_varint();
    c.members = in.fixed64();
    c.creation = in.varint();
  }
  a.threads = in.varint();
  a.duration = in.varint();
  for (std::size_t n = in.count(2); n > 0 && !in.failed(); --n) {
    const std::string what = in.text();
    a.losses[what] = in.varint();
  }
  a.options = in.text();
  for (std::size_t n = in.count(10); n > 0 && !in.failed(); --n) {
    SiteName site{in.text(), in.fixed64()};
    a.sizes[std::move(site)] = SizeTotals::decode(in);
  }
  a.timing = trace::Timing::decode(in);
  const std::uint8_t kept = in.byte();
  if (kept > static_cast<std::uint8_t>(TimesPerStream::classes_and_sums)) in.fail("unknown times");
  a.times_kept = static_cast<TimesPerStream>(kept);
  return a;
}

FunctionOfPath Agreement::function_of_path() const {
  FunctionOfPath out;
  std::set<std::uint64_t> several;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    const auto& [function, callpath] = graph.name(s);
    const auto [known, is_new] = out.try_emplace(callpath, function);
    if (!is_new && known->second != function) several.insert(callpath);
  }
  std::erase_if(out, [&](const auto& entry) { return several.contains(entry.first); });
  return out;
}

void Agreement::set_code(trace::Code read) {
  code = std::move(read);
  if (code.paths.empty() && callpaths.size() > 0) losses[kCodeUnread] = callpaths.size();
}

SitePaths Agreement::code_paths() const {
  SitePaths paths(graph.size());
  if (code.paths.empty()) return paths;
  std::map<std::uint64_t, std::size_t> index;
  callpaths.for_each_path(
      [&](std::uint64_t hash, const auto&) { index.emplace(hash, index.size()); });
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    paths[s] = code.paths[index.at(graph.name(s).callpath)];
  return paths;
}

void Process::show_loops(const Agreement& all, const LoopTree& tree, LoopEvidence& evidence) const {
  const std::map<SiteName, std::uint32_t> site_of_name = sites_by_name(all.graph);
  for (std::size_t t = 0; t < streams.size(); ++t) {
    std::vector<std::uint32_t> site_of;
    for (const SiteName& n : names[t]) site_of.push_back(site_of_name.at(n));
    evidence.add(streams[t], site_of, tree);
  }
}

MergedStreams Process::lay_out(const Agreement& all, const LoopTree& tree) {
  std::vector<CommName> names_of_all = all.comms;
  const std::vector<std::int64_t> number = unite(names_of_all, own.comms);
  trace::Memberships memberships;
  bool same = true;
  for (std::size_t i = 0; i < number.size() && i < comms.size(); ++i) {
    memberships.add(Kind::comm, number[i], comms[i]);
    same = same && number[i] == static_cast<std::int64_t>(i);
  }
  for (std::size_t i = 0; i < windows.size(); ++i)
    memberships.add(Kind::window, static_cast<std::int64_t>(i), windows[i]);
  const auto renumbered = [&number](std::int64_t id) {
    return id >= 0 && id < std::ssize(number) ? number[static_cast<std::size_t>(id)] : id;
  };
  const std::map<SiteName, std::uint32_t> site_of_name = sites_by_name(all.graph);

  MergedStreams merged;
  for (std::uint64_t t = 0; t < all.threads; ++t) {
    FoldedStream stream;
    std::vector<std::uint32_t> site_of;
    if (t < streams.size()) {
      stream = std::move(streams[t]);
      for (const SiteName& n : names[t]) site_of.push_back(site_of_name.at(n));
    }
    for (std::size_t i = 0; i < stream.sites.size(); ++i) {
      FoldedSite& site = stream.sites[i];
      const auto totals = all.sizes.find(names[t][i]);
      if (totals != all.sizes.end()) totals->second.scale(site);
      const trace::Function& f = trace::function(site.key.function);
      for (std::size_t c = 0; c < f.scalars.size() && !same; ++c) {
        if (f.scalars[c].kind != Kind::comm) continue;
        site.columns[c] = trace::map_values(site.columns[c], site.executions, renumbered);
      }
    }
    MergedStreams one(stream, site_of, all.graph, tree, memberships);
    if (t == 0) {
      merged = std::move(one);
    } else {
      merged.append(std::move(one));
    }
  }
  return merged;
}

std::vector<std::uint8_t> Process::encode() const {
  ByteWriter body;
  body.varint(rank);
  body.varint(ranks);
  body.fixed64(run);
  body.text(program);
  body.text(mpi);
  body.signed_varint(date);
  body.varint(streams.size());
  for (std::size_t t = 0; t < streams.size(); ++t) encode_stream(body, streams[t], names[t]);
  encode_memberships(body, comms);
  encode_memberships(body, windows);
  body.varint(tails.size());
  for (const Tail& t : tails) encode_tail(body, t);
  own.encode(body);
  ByteWriter out;
  out.raw(trace::kPartMagic.data(), trace::kPartMagic.size());
  out.byte(kVersion);
  out.fixed64(hash_bytes(body.bytes().data(), body.size()));
  out.raw(body.bytes().data(), body.size());
  return out.take();
}

Result<Process> Process::decode(std::span<const std::uint8_t> data, const std::string& name) {
  if (data.size() < kHeader || !trace::is_part(data)) {
    return Error{name +
                 " is not a part of a trace (its beginning is not that of one); give the files "
                 "FILE.part-* that an interrupted run left"};
  }
  if (data[7] != kVersion)
    return Error{
        name +
        " cannot be read (it is a part of another version of reprise); merge it with that version"};
  ByteReader header(data.data() + 8, 8);
  const std::uint64_t expected = header.fixed64();
  const auto body = data.subspan(kHeader);
  if (hash_bytes(body.data(), body.size()) != expected) {
    return Error{
        name +
        " cannot be read (its checksum is wrong: it is damaged or was cut short); merge the others "
        "without it"};
  }
  return decode_body(body, name);
}

Result<Process> Process::decode_body(std::span<const std::uint8_t> body, const std::string& name) {
  ByteReader in(body.data(), body.size());
  Process p;
  p.rank = in.varint();
  p.ranks = in.varint();
  p.run = in.fixed64();
  p.program = in.text();
  p.mpi = in.text();
  p.date = in.signed_varint();
  const std::size_t threads = in.count(2);
  p.streams.resize(threads);
  p.names.resize(threads);
  for (std::size_t t = 0; t < threads; ++t) decode_stream(in, p.streams[t], p.names[t]);
  p.comms = decode_memberships(in);
  p.windows = decode_memberships(in);
  p.tails.resize(in.count(3));
  for (Tail& t : p.tails) t = decode_tail(in);
  p.own = Agreement::decode(in);
  std::string problem = in.problem();
  if (problem.empty()) problem = problem_of(p);
  if (!problem.empty())
    return Error{name + " cannot be read (" + problem + "); merge the others without it"};
  return p;
}

trace::Trace finish_trace(const Process& first, const Agreement& all, const LoopTree& tree,
                          MergedStreams merged) {
  trace::Trace out;
  out.program = first.program;
  out.mpi = first.mpi;
  out.date = first.date;
  out.duration = all.duration;
  out.ranks = first.ranks;
  out.threads = all.threads;
  for (const auto& [what, n] : all.losses) out.losses.push_back({what, n});
  out.texts.emplace_back();
  std::vector<std::uint64_t> paths;
  for (std::uint32_t s = 0; s < all.graph.size(); ++s) paths.push_back(all.graph.name(s).callpath);
  out.options = options_of(all);
  out.timing = all.timing;
  const std::vector<std::uint32_t> callpath_of =
      all.callpaths.write(paths, all.callpaths_kept, out);
  if (!all.code.paths.empty()) {
    out.code = {all.code.functions, SitePaths(out.callpaths.size())};
    const SitePaths code_paths = all.code_paths();
    for (std::uint32_t s = 0; s < all.graph.size(); ++s)
      out.code.paths[callpath_of[s]] = code_paths[s];
  }
  std::move(merged).finish(all.graph, tree, callpath_of, all.times_kept, out);
  reduce_times(out);
  return out;
}

MergedStreams lay_out_all(std::vector<Process>& processes, const Agreement& all,
                          const LoopTree& tree) {
  MergedStreams merged;
  std::uint64_t next = 0;
  const auto put = [&](MergedStreams streams) {
    if (next == 0) {
      merged = std::move(streams);
    } else {
      merged.append(std::move(streams));
    }
  };
  for (Process& p : processes) {
    if (p.rank > next) {
      put(MergedStreams::empty(all.graph, tree, (p.rank - next) * all.threads));
      next = p.rank;
    }
    put(p.lay_out(all, tree));
    ++next;
  }
  if (next < processes.front().ranks) {
    put(MergedStreams::empty(all.graph, tree, (processes.front().ranks - next) * all.threads));
  }
  return merged;
}

trace::Trace merge_processes(std::vector<Process> processes, const ReadCode& read_code) {
  std::ranges::sort(processes, {}, &Process::rank);
  Agreement all = processes.front().own;
  for (std::size_t i = 1; i < processes.size(); ++i) all.merge(processes[i].own);
  const std::uint64_t missing = processes.front().ranks - processes.size();
  if (missing > 0) all.losses[kLeftNothing] = missing;
  for (const Process& p : processes) count_missing(p, all);
  all.set_code(read_code(all.callpaths, all.function_of_path()));
  const LoopTree tree = find_loops(all.graph, SiteCode(all.code.functions, all.code_paths()),
                                   [&](const LoopTree& first, LoopEvidence& evidence) {
                                     for (const Process& p : processes)
                                       p.show_loops(all, first, evidence);
                                   });
  trace::Trace out = finish_trace(processes.front(), all, tree, lay_out_all(processes, all, tree));
  set_tails(processes, all, out);
  return out;
}

}  // namespace reprise::compress
