#include "record/gather.hpp"

#include <algorithm>
#include <cstdio>

#include "trace/file.hpp"
#include "trace/series_folder.hpp"
#include "trace/special.hpp"

namespace reprise::record {

using compress::FoldedSite;
using trace::Kind;
using trace::Series;

namespace {

constexpr int kTag = 1;
constexpr std::size_t kChunk = std::size_t{1} << 28;  // of one message [bytes]

// The same names in the numbers of another list, parents first; those that are new are appended.
std::vector<std::int64_t> unite(std::vector<CommName>& names, const std::vector<CommName>& more) {
  std::map<CommName, std::int64_t> known;
  for (std::size_t i = 2; i < names.size(); ++i) known.emplace(names[i], i);
  std::vector<std::int64_t> number{0, 1};
  for (std::size_t i = 2; i < more.size(); ++i) {
    CommName name = more[i];
    if (name.parent >= 0) name.parent = number[static_cast<std::size_t>(name.parent)];
    const auto [entry, is_new] = known.emplace(name, std::ssize(names));
    if (is_new) names.push_back(name);
    number.push_back(entry->second);
  }
  return number;
}

Series renumber(const Series& series, std::uint64_t executions,
                const std::vector<std::int64_t>& number) {
  trace::SeriesFolder out;
  trace::SeriesCursor c(series);
  for (std::uint64_t left = executions; left > 0 && !c.at_end();) {
    const std::uint64_t n = c.step() == 0 ? std::min(left, c.peek_count()) : 1;
    const std::int64_t v = c.peek();
    out.append(v >= 0 && v < std::ssize(number) ? number[static_cast<std::size_t>(v)] : v, n);
    c.skip(n);
    left -= n;
  }
  return out.finish();
}

}  // namespace

void Gather::Shared::merge(const Shared& other) {
  graph.merge(other.graph);
  callpaths.merge(other.callpaths);
  unite(comms, other.comms);
  threads = std::max(threads, other.threads);
  duration = std::max(duration, other.duration);
  for (const auto& [what, n] : other.losses) losses[what] += n;
}

void Gather::Shared::encode(ByteWriter& out) const {
  graph.encode(out);
  callpaths.encode(out);
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
}

Gather::Shared Gather::Shared::decode(ByteReader& in) {
  Shared s;
  s.graph = compress::FlowGraph::decode(in);
  s.callpaths = compress::CallpathTable::decode(in);
  s.comms.resize(in.count(10));
  for (CommName& c : s.comms) {
    c.parent = in.signed_varint();
    c.members = in.fixed64();
    c.creation = in.varint();
  }
  s.threads = in.varint();
  s.duration = in.varint();
  for (std::size_t n = in.count(2); n > 0 && !in.failed(); --n) {
    const std::string what = in.text();
    s.losses[what] = in.varint();
  }
  return s;
}

void Gather::send(const ByteWriter& bytes, int to) const {
  const std::uint64_t size = bytes.size();
  PMPI_Send(&size, 1, MPI_UINT64_T, to, kTag, session_.own_);
  for (std::size_t at = 0; at < size; at += kChunk) {
    const int n = static_cast<int>(std::min<std::size_t>(kChunk, size - at));
    PMPI_Send(bytes.bytes().data() + at, n, MPI_BYTE, to, kTag, session_.own_);
  }
}

std::vector<std::uint8_t> Gather::receive(int from) const {
  std::uint64_t size = 0;
  PMPI_Recv(&size, 1, MPI_UINT64_T, from, kTag, session_.own_, MPI_STATUS_IGNORE);
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t at = 0; at < size; at += kChunk) {
    const int n = static_cast<int>(std::min<std::size_t>(kChunk, size - at));
    PMPI_Recv(bytes.data() + at, n, MPI_BYTE, from, kTag, session_.own_, MPI_STATUS_IGNORE);
  }
  return bytes;
}

Gather::Shared Gather::collect() {
  Shared mine;
  for (const auto& stream : session_.streams_) {
    mine.callpaths.merge(stream->callpaths.table());
    const std::vector<std::uint64_t>& paths = stream->callpaths.hashes();
    streams_.push_back(stream->folder.finish());
    std::vector<compress::SiteName>& names = names_.emplace_back();
    for (const FoldedSite& site : streams_.back().sites) {
      names.push_back({std::string(trace::function(site.key.function).name),
                       paths[site.key.callpath]});
    }
    mine.graph.merge(compress::FlowGraph(streams_.back(), names));
  }
  mine.comms = session_.comm_names_;
  mine.threads = streams_.size();
  mine.duration = session_.elapsed_us();
  mine.losses = session_.losses_;
  return mine;
}

// What all ranks share, on every rank.
Gather::Shared Gather::agree(Shared mine) {
  const int rank = session_.rank_, size = session_.size_;
  for (int step = 1; step < size; step *= 2) {
    if (rank % (2 * step) != 0) {
      ByteWriter out;
      mine.encode(out);
      send(out, rank - step);
      break;
    }
    if (rank + step < size) {
      const std::vector<std::uint8_t> bytes = receive(rank + step);
      ByteReader in(bytes.data(), bytes.size());
      mine.merge(Shared::decode(in));
    }
  }
  ByteWriter out;
  if (rank == 0) mine.encode(out);
  std::vector<std::uint8_t> bytes = out.take();
  std::uint64_t n = bytes.size();
  PMPI_Bcast(&n, 1, MPI_UINT64_T, 0, session_.own_);
  bytes.resize(n);
  for (std::size_t at = 0; at < n; at += kChunk) {
    const int part = static_cast<int>(std::min<std::size_t>(kChunk, n - at));
    PMPI_Bcast(bytes.data() + at, part, MPI_BYTE, 0, session_.own_);
  }
  if (rank == 0) return mine;
  ByteReader in(bytes.data(), bytes.size());
  return Shared::decode(in);
}

// Communicators are numbered in the order in which this rank made them; from here on in the order
// that all ranks share.
void Gather::rename_comms(const std::vector<CommName>& names) {
  std::vector<CommName> all = names;
  global_comm_ = unite(all, session_.comm_names_);
  bool same = true;
  for (std::size_t i = 0; i < global_comm_.size(); ++i) {
    local_comm_[global_comm_[i]] = i;
    same = same && global_comm_[i] == static_cast<std::int64_t>(i);
  }
  if (same) return;
  for (compress::FoldedStream& stream : streams_) {
    for (FoldedSite& site : stream.sites) {
      const trace::Function& f = trace::function(site.key.function);
      for (std::size_t c = 0; c < f.scalars.size(); ++c) {
        if (f.scalars[c].kind != Kind::comm) continue;
        site.columns[c] = renumber(site.columns[c], site.executions, global_comm_);
      }
    }
  }
}

compress::MergedStreams Gather::merge(const Shared& shared, const compress::LoopTree& tree) {
  std::map<compress::SiteName, std::uint32_t> site_of_name;
  for (std::uint32_t s = 0; s < shared.graph.size(); ++s) {
    site_of_name.emplace(shared.graph.name(s), s);
  }
  const auto membership = [&](Kind kind, std::int64_t id) -> compress::Membership {
    if (kind == Kind::window) {
      if (id < 0 || id >= std::ssize(session_.window_by_id_)) return {};
      const Members& m = session_.window_by_id_[static_cast<std::size_t>(id)];
      return {m.rank, m.remote_size};
    }
    const auto found = local_comm_.find(id);
    if (found == local_comm_.end()) return {};
    const Members& m = session_.comm_members_[found->second];
    return {m.rank, m.remote_size};
  };
  compress::MergedStreams mine;
  for (std::uint64_t t = 0; t < shared.threads; ++t) {
    static const compress::FoldedStream none;
    const bool present = t < streams_.size();
    std::vector<std::uint32_t> site_of;
    if (present) {
      for (const compress::SiteName& n : names_[t]) site_of.push_back(site_of_name[n]);
    }
    compress::MergedStreams one(present ? streams_[t] : none, site_of, shared.graph, tree,
                                membership);
    if (t == 0) {
      mine = std::move(one);
    } else {
      mine.append(one);
    }
  }
  const int rank = session_.rank_, size = session_.size_;
  for (int step = 1; step < size; step *= 2) {
    if (rank % (2 * step) != 0) {
      ByteWriter out;
      mine.encode(out);
      send(out, rank - step);
      break;
    }
    if (rank + step < size) {
      const std::vector<std::uint8_t> bytes = receive(rank + step);
      ByteReader in(bytes.data(), bytes.size());
      mine.append(compress::MergedStreams::decode(in));
    }
  }
  return mine;
}

void Gather::write(const Shared& shared, const compress::LoopTree& tree,
                   const compress::MergedStreams& merged) {
  trace::Trace out;
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  PMPI_Get_library_version(version, &length);
  out.mpi.assign(version, std::string_view(version).find_first_of(",\n\t"));
  out.date = session_.began_;
  out.duration = shared.duration;
  out.ranks = static_cast<std::uint64_t>(session_.size_);
  out.threads = shared.threads;
  for (const auto& [what, n] : shared.losses) out.losses.push_back({what, n});
  out.texts.emplace_back();
  std::vector<std::uint64_t> paths;
  for (std::uint32_t s = 0; s < shared.graph.size(); ++s) {
    paths.push_back(shared.graph.name(s).callpath);
  }
  merged.finish(shared.graph, tree, shared.callpaths.finish(paths, out), out);
  const Status status = trace::write_trace(out, session_.options.output);
  if (!status) std::fprintf(stderr, "reprise: %s\n", status.error().message.c_str());
}

void Gather::run() {
  const Shared shared = agree(collect());
  rename_comms(shared.comms);
  const compress::LoopTree tree = compress::find_loops(shared.graph);
  const compress::MergedStreams merged = merge(shared, tree);
  if (session_.rank_ == 0) write(shared, tree, merged);
}

}  // namespace reprise::record
