#include "transform/align.hpp"
#include "mpi/collectives.hpp"

#include <algorithm>
#include <map>

#include "trace/values/special.hpp"
#include "transform/refold.hpp"

namespace reprise::transform {

using trace::Item;
using trace::Series;
using trace::SeriesCursor;
using trace::Trace;
using trace::Value;

namespace {

bool is_uniform(const Value& v) { return v.is_constant() || v.classes.size() == 1; }

// Whether every collective below `item` stands under trips that all streams share.
bool is_plain(const Trace& trace, const Item& item, bool shared) {
  shared = shared && is_uniform(item.trips);
  if (!item.is_call()) {
    return std::ranges::all_of(item.body,
                               [&](const Item& i) { return is_plain(trace, i, shared); });
  }
  const trace::Call& call = trace.calls[item.call];
  if (!mpi::is_collective(trace::function(call.function))) return true;
  const int where = trace::function(call.function).communicator;
  return shared && (where < 0 || is_uniform(call.columns[static_cast<std::size_t>(where)]));
}

// What one class of members calls, in order.
struct Walk {
  std::uint32_t index;  // among the classes
  SeriesCursor calls, roots;
};

// The sites of the aligned trace: those of the calls, and behind them one for each set of calls
// that turned out to be the same collective.
class Sites {
 public:
  explicit Sites(const Trace& trace) {
    for (std::uint32_t c = 0; c < trace.calls.size(); ++c) calls_.push_back(c);
  }

  // `set` is sorted, without duplicates.
  std::uint32_t of(const std::vector<std::uint32_t>& set) {
    if (set.size() == 1) return set.front();
    const auto [entry, is_new] =
        site_of_.try_emplace(set, static_cast<std::uint32_t>(calls_.size()));
    if (is_new) {
      // A place in the program, for readers: where the first of them stands.
      calls_.push_back(set.front());
    }
    return entry->second;
  }

  const SiteCalls& calls() const { return calls_; }
  std::uint64_t sets() const { return site_of_.size(); }
  std::uint64_t united() const {
    std::vector<std::uint32_t> all;
    for (const auto& [set, site] : site_of_) all.insert(all.end(), set.begin(), set.end());
    std::ranges::sort(all);
    return static_cast<std::uint64_t>(std::unique(all.begin(), all.end()) - all.begin());
  }

 private:
  SiteCalls calls_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> site_of_;
};

// By class of members, the sites of its collectives; empty if they are the calls themselves.
using SitesOfClasses = std::vector<Series>;

class GroupAligner {
 public:
  GroupAligner(const Trace& trace, const GroupCollectives& group, Sites& sites)
      : trace_(trace), group_(group), sites_(sites), out_(group.classes.size()) {
    for (std::uint32_t i = 0; i < group.classes.size(); ++i) {
      walks_.push_back(
          {i, SeriesCursor(group.classes[i].calls), SeriesCursor(group.classes[i].roots)});
    }
  }

  std::optional<Mismatch> run() {
    const auto most = std::ranges::max_element(group_.classes, {}, &MemberClass::count);
    for (std::uint64_t k = 0; k < most->count; ++k) {
      if (auto wrong = step(k)) return wrong;
    }
    return std::nullopt;
  }

  SitesOfClasses finish() const {
    SitesOfClasses series;
    for (const trace::SeriesFolder& f : out_) series.push_back(f.finish());
    return series;
  }

 private:
  // The k-th collective of the group.
  std::optional<Mismatch> step(std::uint64_t k) {
    set_.clear();
    const MemberClass& first = group_.classes[walks_.front().index];
    std::uint32_t first_call = 0;
    std::int64_t first_root = 0;
    for (Walk& w : walks_) {
      const MemberClass& c = group_.classes[w.index];
      if (k >= c.count) return missing(k, c);
      const auto call = static_cast<std::uint32_t>(w.calls.next());
      const std::int64_t root = w.roots.next();
      if (w.index == walks_.front().index) {
        first_call = call;
        first_root = root;
      } else if (trace_.calls[call].function != trace_.calls[first_call].function) {
        return Mismatch{Mismatch::Kind::function, first.first, c.first, first_call, call, 0, 0, k};
      } else if (root >= 0 && first_root >= 0 && root != first_root) {
        return Mismatch{Mismatch::Kind::root, first.first, c.first, first_call, call,
                        first_root,           root,        k};
      }
      set_.push_back(call);
    }
    std::ranges::sort(set_);
    set_.erase(std::unique(set_.begin(), set_.end()), set_.end());
    const std::uint32_t site = sites_.of(set_);
    for (trace::SeriesFolder& f : out_) f.append(site);
    return std::nullopt;
  }

  // Some members have no further collective while others do.
  Mismatch missing(std::uint64_t k, const MemberClass& ended) const {
    const auto goes_on =
        std::ranges::find_if(group_.classes, [&](const MemberClass& c) { return k < c.count; });
    const auto call = static_cast<std::uint32_t>(goes_on->calls.at(k));
    return {Mismatch::Kind::missing, goes_on->first, ended.first, call, std::nullopt, 0, 0, k};
  }

  const Trace& trace_;
  const GroupCollectives& group_;
  Sites& sites_;
  std::vector<Walk> walks_;
  std::vector<trace::SeriesFolder> out_;  // by class
  std::vector<std::uint32_t> set_;
};

// Chooses the sites of the collectives of one stream.
class AlignedSites : public SiteChoice {
 public:
  AlignedSites(const Trace& trace, const Collectives& collectives,
               const std::unordered_map<std::uint64_t, SitesOfClasses>& sites,
               mpi::GroupNames& names, std::uint64_t stream)
      : collectives_(collectives),
        sites_(sites),
        groups_(names, trace::in_world(trace, stream)),
        stream_(stream) {}

  std::uint32_t site_of(const trace::Event& event) override {
    groups_.learn(event);
    if (!mpi::is_collective(*event.function)) return event.call;
    const mpi::Group group = groups_.of(event);
    const auto found = sites_.find(group.key);
    if (!group.is_known() || found == sites_.end()) return event.call;
    const auto [entry, is_new] = cursors_.try_emplace(group.key);
    if (is_new) {
      const std::uint32_t c = collectives_.at(group.key).class_of.at(stream_);
      entry->second = SeriesCursor(found->second[c]);
    }
    return static_cast<std::uint32_t>(entry->second.next());
  }

 private:
  const Collectives& collectives_;
  const std::unordered_map<std::uint64_t, SitesOfClasses>& sites_;
  mpi::Groups groups_;
  std::uint64_t stream_;
  std::unordered_map<std::uint64_t, SeriesCursor> cursors_;  // by group
};

// The mismatch of a group in which a member calls no collective at all while others do.
std::optional<Mismatch> absent_member(const GroupCollectives& group, std::uint64_t streams) {
  if (group.size == 0 || std::ssize(group.class_of) >= group.size) return std::nullopt;
  // The absent rank is known only in groups of all ranks.
  std::uint64_t absent = streams;
  if (static_cast<std::uint64_t>(group.size) == streams) {
    for (absent = 0; group.class_of.contains(absent);) ++absent;
  }
  const MemberClass& some = group.classes.front();
  return Mismatch{Mismatch::Kind::missing,
                  some.first,
                  absent,
                  static_cast<std::uint32_t>(some.calls.at(0)),
                  std::nullopt,
                  0,
                  0,
                  0};
}

}  // namespace

bool is_plainly_aligned(const Trace& trace) { return is_plain(trace, trace.root, true); }

Result<std::optional<Mismatch>> find_conflict(const Trace& trace) {
  if (trace.threads > 1) return std::optional<Mismatch>();
  auto collectives = find_collectives(trace);
  if (!collectives) return collectives.error();
  Sites sites(trace);
  for (const auto& [key, group] : *collectives) {
    auto mismatch = GroupAligner(trace, group, sites).run();
    if (mismatch && mismatch->kind != Mismatch::Kind::missing) return mismatch;
  }
  return std::optional<Mismatch>();
}

Result<AlignOutcome> align(Trace trace) {
  if (trace.threads > 1) {
    return Error{
        "collectives of ranks with several threads cannot be aligned (which thread calls first is "
        "not recorded); record the program with one thread a rank"};
  }
  AlignOutcome out;
  if (is_plainly_aligned(trace)) {
    out.aligned.trace = std::move(trace);
    return out;
  }
  out.aligned.walked = true;
  auto collectives = find_collectives(trace);
  if (!collectives) return collectives.error();
  Sites sites(trace);
  std::unordered_map<std::uint64_t, SitesOfClasses> sites_of;
  for (const auto& [key, group] : *collectives) {
    if ((out.mismatch = absent_member(group, trace.ranks))) return out;
    if (group.classes.size() < 2) continue;
    GroupAligner aligner(trace, group, sites);
    if ((out.mismatch = aligner.run())) return out;
    sites_of.emplace(key, aligner.finish());
  }
  if (sites.sets() == 0) {
    out.aligned.trace = std::move(trace);
    return out;
  }
  mpi::GroupNames names;
  auto refolded = refold(trace, sites.calls(), [&](std::uint64_t stream) {
    return std::make_unique<AlignedSites>(trace, *collectives, sites_of, names, stream);
  });
  if (!refolded) return refolded.error();
  out.aligned.united = sites.united();
  out.aligned.sites = sites.sets();
  out.aligned.trace = std::move(*refolded);
  return out;
}

}  // namespace reprise::transform
