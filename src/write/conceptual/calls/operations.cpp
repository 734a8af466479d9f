#include "write/conceptual/calls/operations.hpp"

#include <functional>

#include "analyze/totals/executions.hpp"
#include "compress/merge/stream_values.hpp"
#include "write/conceptual/calls/collectives.hpp"
#include "write/conceptual/calls/read_operations.hpp"
#include "write/conceptual/calls/true_calls.hpp"

namespace reprise::write::conceptual {

using compress::StreamValues;
using trace::Series;
using trace::SeriesFolder;
using trace::Value;

namespace {

// The operations of all streams side by side.
struct Merged {
  Verb verb{};
  bool is_world = true;
  StreamValues active, peer, bytes, tag, leader, elements;
};

StreamValues values(const SeriesFolder& f) {
  return f.empty() ? StreamValues::absent() : StreamValues(f.finish());
}

Merged merged_of(const Folding& f) {
  Merged out{f.verb,          f.is_world,    values(f.active), {},
             values(f.bytes), values(f.tag), values(f.leader), values(f.elements)};
  std::vector<Series> peers;
  for (const SeriesFolder& p : f.peer) peers.push_back(p.finish());
  out.peer = StreamValues(std::move(peers));
  return out;
}

// Streams that do nothing here: whether they come here at all decides what `active` is.
Merged absent(Verb verb, bool comes, std::uint64_t n) {
  return {verb,
          true,
          comes ? StreamValues(Series::constant(0), n) : StreamValues::absent(n),
          StreamValues::absent(n),
          StreamValues::absent(n),
          StreamValues::absent(n),
          StreamValues::absent(n),
          StreamValues::absent(n)};
}

void append(Merged& to, Merged&& next) {
  to.is_world = to.is_world && next.is_world;
  to.active.append(std::move(next.active));
  to.peer.append(std::move(next.peer));
  to.bytes.append(std::move(next.bytes));
  to.tag.append(std::move(next.tag));
  to.leader.append(std::move(next.leader));
  to.elements.append(std::move(next.elements));
}

class Merger {
 public:
  explicit Merger(std::size_t calls) : all_(calls), comes_(calls) {}

  void add(const std::vector<std::vector<Folding>>& foldings,
           const std::vector<std::uint64_t>& executions) {
    for (std::size_t c = 0; c < all_.size(); ++c) {
      const bool comes = executions[c] > 0;
      std::size_t at = 0;
      std::vector<bool> given(all_[c].size(), false);
      for (const Folding& f : foldings[c]) {
        while (at < all_[c].size() && all_[c][at].verb != f.verb) ++at;
        if (at == all_[c].size()) {
          all_[c].push_back(before(f.verb, c));
          given.push_back(false);
        }
        given[at] = true;
        put(all_[c][at++], merged_of(f));
      }
      for (std::size_t i = 0; i < all_[c].size(); ++i) {
        if (!given[i]) put(all_[c][i], absent(all_[c][i].verb, comes, 1));
      }
      comes_[c].push_back(comes);
    }
    ++streams_;
  }

  std::vector<std::vector<Operation>> finish() const {
    std::vector<std::vector<Operation>> out(all_.size());
    for (std::size_t c = 0; c < all_.size(); ++c) {
      for (const Merged& m : all_[c]) {
        out[c].push_back({m.verb, m.active.finish(), m.peer.finish(), m.bytes.finish(),
                          m.tag.finish(), m.leader.finish(), m.elements.finish(), m.is_world});
      }
    }
    return out;
  }

 private:
  // What the streams so far have of an operation that none of them does.
  Merged before(Verb verb, std::size_t call) const {
    Merged out{verb, true, {}, {}, {}, {}, {}, {}};
    bool first = true;
    for (const bool comes : comes_[call]) {
      Merged one = absent(verb, comes, 1);
      if (first) {
        out = std::move(one);
      } else {
        append(out, std::move(one));
      }
      first = false;
    }
    return out;
  }

  void put(Merged& to, Merged next) const {
    if (streams_ == 0) {
      to = std::move(next);
    } else {
      append(to, std::move(next));
    }
  }

  std::vector<std::vector<Merged>> all_;
  std::vector<std::vector<bool>> comes_;  // by call and stream
  std::uint64_t streams_ = 0;
};

// The mean over all members of a group, in each execution. `times`: executions of the call.
Value averaged(const Operation& o, std::uint64_t ranks,
               const std::function<std::uint64_t(std::uint64_t rank)>& times) {
  struct Rank {
    trace::ValueCursor active, leader, bytes;
    std::uint64_t times;
    SeriesFolder means;
  };
  std::vector<Rank> all;
  std::uint64_t most = 0;
  for (std::uint64_t r = 0; r < ranks; ++r) {
    all.push_back({{o.active, r}, {o.leader, r}, {o.bytes, r}, times(r), {}});
    most = std::max(most, all.back().times);
  }
  std::vector<std::optional<std::int64_t>> leaders(ranks);
  for (std::uint64_t k = 0; k < most; ++k) {
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> sums;  // and how many
    for (std::uint64_t r = 0; r < ranks; ++r) {
      leaders[r].reset();
      if (k >= all[r].times || all[r].active.next() == 0) continue;
      leaders[r] = all[r].leader.next();
      auto& [sum, n] = sums[*leaders[r]];
      sum += all[r].bytes.next();
      ++n;
    }
    for (std::uint64_t r = 0; r < ranks; ++r) {
      if (!leaders[r]) continue;
      const auto& [sum, n] = sums[*leaders[r]];
      all[r].means.append((sum + n / 2) / n);
    }
  }
  StreamValues out = values(all.front().means);
  for (std::uint64_t r = 1; r < ranks; ++r) out.append(values(all[r].means));
  return out.finish();
}

}  // namespace

Result<TaskOperations> find_task_operations(const trace::Trace& trace, Substitutes substitutes) {
  TaskOperations out;
  const mpi::Directory directory = mpi::directory_of(trace);
  mpi::GroupNames names;
  Merger merger(trace.calls.size());
  for (std::uint64_t r = 0; r < trace.ranks; ++r) {
    auto one = read_tasks(trace, r, names, directory, substitutes, out);
    if (!one) return one.error();
    merger.add(one->operations, one->executions);
  }
  out.calls = merger.finish();
  analyze::Executions executions(trace);
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    const trace::Function& f = trace::function(trace.calls[c].function);
    if (f.ends_requests && out.changed.contains(std::string(f.name)))
      out.done_as.emplace(f.name, "AWAITS COMPLETION once no other request is pending");
    if (!(f.traits & trace::traits::kCollective)) continue;
    const auto collective = collective_of(f, substitutes);
    if (collective && out.called.contains(std::string(f.name)))
      out.done_as.emplace(f.name, "MPI_" + std::string(true_call(collective->name)->name));
    if (!collective || !out.changed.contains(std::string(f.name))) continue;
    if (!collective->text.empty()) out.done_as.emplace(f.name, collective->text);
    if (!collective->is_averaged) continue;
    for (Operation& o : out.calls[c])
      o.bytes = averaged(o, trace.ranks, [&](std::uint64_t r) { return executions.of(c, r); });
  }
  return out;
}

}  // namespace reprise::write::conceptual
