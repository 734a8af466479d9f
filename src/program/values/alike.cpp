#include "program/values/alike.hpp"

#include <algorithm>
#include <map>

#include "analyze/text/recurrence.hpp"
#include "analyze/text/series_text.hpp"
#include "program/conditions/streams.hpp"
#include "program/laws/sequence.hpp"

namespace reprise::program {
namespace {

using trace::Encoding;
using trace::Series;

constexpr std::size_t kMostGroups = 16;        // that are compared with each other
constexpr std::uint64_t kMostCompared = 4096;  // values of a series

void add(std::vector<Alike>& groups, Alike group) {
  const auto same = std::ranges::find_if(groups, [&](const Alike& g) {
    return g.encoding == group.encoding && g.series == group.series;
  });
  if (same == groups.end()) return groups.push_back(std::move(group));
  same->length = std::max(same->length, group.length);
  same->streams = joined(same->streams, group.streams);
}

// The indices of the second are the first ones of the other.
bool has_indices_of(const Entry& longer, const Entry& e) {
  if (!longer.indices || !e.indices || longer.indices->size() != e.indices->size()) return false;
  for (std::size_t j = 0; j < e.indices->size(); ++j) {
    const std::vector<std::int64_t>&a = (*e.indices)[j], &b = (*longer.indices)[j];
    if (a.size() > b.size() || !std::equal(a.begin(), a.end(), b.begin())) return false;
  }
  return true;
}

// Numbers whose meaning on a stream is not known: the communicator is not, or it varies.
void keep_written(const std::vector<Sample>& samples, Encoding encoding, const ValueSite& site,
                  Split& out) {
  std::map<std::int64_t, Alike> by_number;
  for (const Sample& s : samples) {
    Alike& group = by_number[s.value];
    group.series = Series::constant(s.value);
    group.encoding = encoding;
    group.streams.push_back(s.stream);
    group.length = std::max(group.length, site.times(s.stream));
  }
  for (auto& [number, group] : by_number) add(out.series, std::move(group));
}

}  // namespace

bool Recurrences::recurs(const trace::Series& series, std::uint64_t period, std::uint64_t n) {
  const auto [entry, is_new] = known_.try_emplace({&series, period, n});
  if (is_new) entry->second = analyze::recurs(series, period, n);
  return entry->second;
}

Split split(const trace::Value& value, const ValueSite& site, Encoding encoding) {
  Split out;
  if (value.classes.empty()) {
    trace::SeriesCursor by_stream(value.by_stream);
    std::uint64_t at = 0;
    for (const std::uint64_t s : *site.streams) {
      if (!value.is_constant()) {
        for (; at < s; ++at) by_stream.next();
        ++at;
      }
      out.numbers.push_back({s, value.is_constant() ? by_stream.peek() : by_stream.next()});
    }
    return out;
  }
  std::vector<Alike> by_class(value.classes.size());
  trace::SeriesCursor by_stream(value.by_stream);
  std::uint64_t at = 0;
  for (const std::uint64_t s : *site.streams) {
    std::size_t k = 0;
    if (value.classes.size() > 1) {
      for (; at < s; ++at) by_stream.next();
      ++at;
      k = static_cast<std::size_t>(by_stream.next());
      if (k >= by_class.size()) k = 0;
    }
    by_class[k].streams.push_back(s);
    by_class[k].length = std::max(by_class[k].length, site.times(s));
  }
  for (std::size_t k = 0; k < by_class.size(); ++k) {
    Alike& group = by_class[k];
    if (group.streams.empty()) continue;
    if (const auto only = only_value(value.classes[k], group.length)) {
      for (const std::uint64_t s : group.streams) out.numbers.push_back({s, *only});
      continue;
    }
    group.series = value.classes.size() == 1 ? value.classes[k]
                                             : analyze::refolded(value.classes[k], group.length);
    group.encoding = encoding;
    add(out.series, std::move(group));
  }
  std::ranges::sort(out.numbers, {}, &Sample::stream);
  return out;
}

Places decode(Split& split, Encoding encoding, const ValueSite& site, const PeerMeaning& peers,
              std::int64_t ranks, std::uint64_t threads) {
  Places places;
  std::vector<Sample> known, unknown;
  for (Sample s : split.numbers) {
    trace::Membership m{static_cast<std::int64_t>(s.stream / threads), ranks};
    if (!peers.is_world) {
      const analyze::PeerRange range = peers.range(s.stream);
      m = range.sizes.empty() ? range.membership : trace::Membership{};
    }
    if (m.size <= 0 && encoding != Encoding::absolute && s.value >= 0) {
      unknown.push_back(s);
      continue;
    }
    s.value = trace::decode_rank(encoding, s.value, m);
    known.push_back(s);
    places.push_back(m);
  }
  split.numbers = std::move(known);
  keep_written(unknown, encoding, site, split);
  return places;
}

std::vector<Entered> entered(std::vector<Alike> groups, const ValueSite& site) {
  std::vector<Entered> out;
  for (Alike& g : groups) {
    Entry entry = site.nest->entry(g.streams, site.times,
                                   [&](std::uint64_t, std::uint64_t period, std::uint64_t all) {
                                     return analyze::recurs(g.series, period, all);
                                   });
    g.series = analyze::refolded(g.series, entry.executions);
    out.push_back({std::move(g), std::move(entry)});
  }
  return out;
}

std::vector<Entered> join_prefixes(std::vector<Entered> groups) {
  if (groups.size() > kMostGroups) return groups;
  std::ranges::stable_sort(groups, std::greater<>(),
                           [](const Entered& g) { return g.entry.executions; });
  std::vector<Entered> out;
  for (Entered& g : groups) {
    const std::uint64_t n = g.entry.executions;
    const auto longer = std::ranges::find_if(out, [&](const Entered& o) {
      return o.entry.scope == g.entry.scope && o.alike.encoding == g.alike.encoding &&
             n <= kMostCompared && analyze::refolded(o.alike.series, n) == g.alike.series;
    });
    if (longer == out.end()) {
      out.push_back(std::move(g));
      continue;
    }
    if (!has_indices_of(longer->entry, g.entry)) longer->entry.indices.reset();
    longer->entry.of_class.merge(g.entry.of_class);
    longer->alike.streams = joined(longer->alike.streams, g.alike.streams);
  }
  return out;
}

}  // namespace reprise::program
