#include "compress/merge.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "compress/parse.hpp"
#include "trace/series_folder.hpp"
#include "trace/special.hpp"

namespace reprise::compress {

using trace::Encoding;
using trace::Item;
using trace::Kind;
using trace::Series;
using trace::Value;

namespace {

// The first n ranks of a series in another encoding; `communicators` says of which communicator
// each is a rank. `spread` gives, per call, how many ranks there are (lists), or is null.
Series reencode(const Series& ranks, const Series* spread, std::uint64_t executions,
                const Series& communicators, Kind kind, const MembershipOf& membership,
                Encoding encoding) {
  trace::SeriesFolder out;
  trace::SeriesCursor rank(ranks), communicator(communicators), length;
  if (spread) length = trace::SeriesCursor(*spread);
  std::int64_t known = trace::kNone;
  Membership m;
  for (std::uint64_t left = executions; left > 0;) {
    // Calls with one communicator and one rank go in one step.
    std::uint64_t n = 1;
    if (!spread && rank.step() == 0 && communicator.step() == 0) {
      n = std::min({left, rank.peek_count(), communicator.peek_count()});
    }
    if (communicator.peek() != known) m = membership(kind, known = communicator.peek());
    communicator.skip(n);
    left -= n;
    if (!spread) {
      out.append(trace::encode_rank(encoding, rank.peek(), m.rank, m.size), n);
      rank.skip(n);
      continue;
    }
    for (std::int64_t k = length.next(); k > 0; --k) {
      out.append(trace::encode_rank(encoding, rank.next(), m.rank, m.size));
    }
  }
  return out.finish();
}

bool is_rank(Kind kind) { return kind == Kind::peer || kind == Kind::matched; }

std::vector<StreamValues> columns_of(const FoldedSite& site, const MembershipOf& membership) {
  const trace::Function& f = trace::function(site.key.function);
  const auto encoded = [&](std::size_t c, const Series* lengths) {
    const auto where = static_cast<std::size_t>(f.communicator);
    std::vector<Series> all{site.columns[c]};
    for (const Encoding e : {Encoding::relative, Encoding::exclusive_or}) {
      all.push_back(reencode(site.columns[c], lengths, site.executions, site.columns[where],
                             f.scalars[where].kind, membership, e));
    }
    return StreamValues(std::move(all));
  };
  std::vector<StreamValues> out;
  for (std::size_t c = 0; c < site.columns.size(); ++c) {
    const bool in_list = c >= f.scalars.size();
    const std::size_t list = in_list ? (c - f.scalars.size()) / 2 : 0;
    const bool elements = in_list && (c - f.scalars.size()) % 2 == 1;
    const Kind kind = elements ? f.lists[list].kind : in_list ? Kind::integer : f.scalars[c].kind;
    if (site.columns[c].empty()) {
      out.push_back(StreamValues::absent());
    } else if (!is_rank(kind) || f.communicator < 0) {
      out.emplace_back(site.columns[c]);
    } else {
      out.push_back(encoded(c, elements ? &site.columns[c - 1] : nullptr));
    }
  }
  return out;
}

// Whether a value is never more than one: the trips of a branch.
bool at_most_one(const std::vector<trace::Term>& terms) {
  return std::ranges::all_of(terms, [](const trace::Term& t) {
    if (!t.is_run()) return t.step == 0 && at_most_one(t.body);
    if (t.value < 0 || t.value > 1) return false;
    return t.step == 0 || (t.count == 2 && t.value + t.step >= 0 && t.value + t.step <= 1);
  });
}

bool is_branch(const Value& trips) {
  if (trips.classes.empty()) return at_most_one(trips.by_stream.terms());
  return std::ranges::all_of(trips.classes, [](const Series& s) { return at_most_one(s.terms()); });
}

// Neighbours that are taken together become one branch, and a body that is passed once is no loop.
// REQUIRES: the bodies of the items are tidy.
void tidy(std::vector<Item>& items) {
  const Value once = Value::constant(1);
  std::vector<Item> out;
  const auto put = [&out, &once](Item item) {
    if (!item.is_call() && item.trips == once) {
      std::ranges::move(item.body, std::back_inserter(out));
    } else {
      out.push_back(std::move(item));
    }
  };
  for (std::size_t i = 0; i < items.size();) {
    std::size_t end = i + 1;
    if (items[i].trips != once && is_branch(items[i].trips)) {
      while (end < items.size() && items[end].trips == items[i].trips) ++end;
    }
    if (end == i + 1) {
      put(std::move(items[i++]));
      continue;
    }
    Item branch;
    branch.trips = items[i].trips;
    for (; i < end; ++i) {
      items[i].trips = once;
      branch.body.push_back(std::move(items[i]));
    }
    tidy(branch.body);
    put(std::move(branch));
  }
  items = std::move(out);
}

}  // namespace

MergedStreams::MergedStreams(const FoldedStream& stream, const std::vector<std::uint32_t>& site_of,
                             const FlowGraph& graph, const LoopTree& tree,
                             const MembershipOf& membership) {
  for (Series& trips : parse(stream, site_of, tree)) trips_.emplace_back(std::move(trips));
  columns_.resize(graph.size());
  times_.assign(graph.size(), MergedTimes::absent(1));
  for (std::size_t i = 0; i < stream.sites.size(); ++i) {
    columns_[site_of[i]] = columns_of(stream.sites[i], membership);
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

void MergedStreams::append(const MergedStreams& next) {
  for (std::size_t i = 0; i < trips_.size(); ++i) trips_[i].append(next.trips_[i]);
  for (std::size_t s = 0; s < columns_.size(); ++s) {
    for (std::size_t c = 0; c < columns_[s].size(); ++c) columns_[s][c].append(next.columns_[s][c]);
    times_[s].append(next.times_[s]);
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
                           trace::Trace& out) const {
  std::vector<Item> items(tree.items.size());
  std::vector<std::uint32_t> call_of(graph.size());
  for (const std::uint32_t site : graph.order()) {
    call_of[site] = static_cast<std::uint32_t>(out.calls.size());
    trace::Call& call = out.calls.emplace_back();
    call.function = *trace::find_function(graph.name(site).function);
    call.callpath = callpath_of[site];
    for (const StreamValues& v : columns_[site]) call.columns.push_back(v.finish());
  }
  if (out.timing.mode != trace::TimeMode::none) {
    for (const std::uint32_t site : graph.order()) {
      out.times.push_back(times_[site].finish(call_of, times_kept));
    }
  }
  // Bodies stand behind their items, so that going backwards every body is complete.
  for (std::size_t i = items.size(); i-- > 0;) {
    const LoopTree::Item& from = tree.items[i];
    items[i].trips = trips_[i].finish();
    if (from.site != LoopTree::kBody) {
      items[i].call = call_of[from.site];
      continue;
    }
    for (const std::uint32_t child : from.body) items[i].body.push_back(std::move(items[child]));
    tidy(items[i].body);
  }
  out.root = std::move(items.front());
}

}  // namespace reprise::compress
