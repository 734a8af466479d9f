#include "analyze/times/time_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace reprise::analyze {

using trace::Bin;
using trace::DeltaTimes;
using trace::Histogram;

namespace {

// Groups are worth telling apart if the slower takes this many times as long, and each has this
// share of the executions.
constexpr double kApart = 1.5;
constexpr double kNotable = 0.01;
// Fewer executions than this have no modes to speak of.
constexpr double kEnough = 32;
// Modes lie this many of their deviations from each other.
constexpr double kClear = 3;

Balance balance_of(const DeltaTimes& times, const trace::Trace& trace) {
  Balance out;
  std::uint64_t ranks = 0;
  for (std::uint64_t rank = 0; rank < trace.ranks; ++rank) {
    double sum = 0;
    bool came = false;
    for (std::uint64_t s = rank * trace.threads; s < (rank + 1) * trace.threads; ++s) {
      if (times.count_of(s) == 0) continue;
      came = true;
      sum += times.sum_of(s);
    }
    if (!came) continue;
    ++ranks;
    out.mean += sum;
    if (sum > out.most) {
      out.most = sum;
      out.slowest = rank;
    }
  }
  if (ranks > 0) out.mean /= static_cast<double>(ranks);
  return out;
}

// Keeps groups only if there are several that lie apart.
std::vector<TimeGroup> if_apart(std::vector<TimeGroup> groups) {
  std::erase_if(groups, [](const TimeGroup& g) { return g.share < kNotable; });
  std::ranges::sort(groups, std::ranges::greater(), &TimeGroup::mean);
  if (groups.size() < 2 || groups.front().mean < kApart * groups.back().mean) return {};
  return groups;
}

std::vector<TimeGroup> groups_of_ranks(const DeltaTimes& times, const trace::Trace& trace) {
  std::map<const Histogram*, TimeGroup> by_class;
  if (times.classes.size() < 2) return {};
  const auto all = static_cast<double>(times.total().count);
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    const Histogram* h = times.class_for(s);
    if (!h) continue;
    std::vector<std::uint64_t>& ranks = by_class[h].ranks;
    const std::uint64_t rank = s / trace.threads;
    if (ranks.empty() || ranks.back() != rank) ranks.push_back(rank);
  }
  std::vector<TimeGroup> out;
  for (auto& [histogram, group] : by_class) {
    const Bin total = histogram->total();
    group.mean = total.mean();
    group.share = 1;  // of itself: one rank in a thousand is worth telling
    if (all > 0) out.push_back(std::move(group));
  }
  return if_apart(std::move(out));
}

std::vector<std::uint64_t> ranks_of(const DeltaTimes& times, const Histogram& histogram,
                                    const trace::Trace& trace) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    const std::uint64_t rank = s / trace.threads;
    if (times.class_for(s) == &histogram && (out.empty() || out.back() != rank))
      out.push_back(rank);
  }
  return out;
}

TimeRow row_of(const DeltaTimes& times, const trace::Trace& trace) {
  TimeRow row;
  row.all = times.total();
  row.min_rank = times.min_stream / trace.threads;
  row.max_rank = times.max_stream / trace.threads;
  const bool as_one = trace.timing.mode == trace::TimeMode::stats && trace.ranks > 1;
  if (!as_one) row.balance = balance_of(times, trace);
  row.concordance = times.concordance;
  row.groups_of_ranks = groups_of_ranks(times, trace);
  row.bins = times.together().bins();
  // Ranks that differ make modes of their own: within the largest class there are none but those of
  // its executions.
  const auto largest = std::ranges::max_element(times.classes, {},
                                                [](const Histogram& h) { return h.total().count; });
  row.groups_of_executions = groups_of_executions(*largest);
  if (times.classes.size() > 1 && !row.groups_of_executions.empty())
    row.ranks_of_executions = ranks_of(times, *largest, trace);
  return row;
}

}  // namespace

std::vector<TimeGroup> groups_of_executions(const Histogram& histogram) {
  // Neighboring bins are one mode unless a gap separates them.
  std::vector<Bin> modes;
  double all = 0;
  for (const Bin& b : histogram.bins()) {
    all += static_cast<double>(b.count);
    const bool new_mode = modes.empty() || b.mean() - modes.back().mean() >
                                               kClear * (b.deviation() + modes.back().deviation());
    if (new_mode) {
      modes.push_back(b);
    } else {
      modes.back().add(b);
    }
  }
  if (all < kEnough) return {};
  std::vector<TimeGroup> out;
  for (const Bin& m : modes) out.push_back({{}, static_cast<double>(m.count) / all, m.mean()});
  return if_apart(std::move(out));
}

std::vector<TimeRow> time_rows_of(const trace::Trace& trace) {
  std::vector<TimeRow> rows;
  const auto add = [&](const DeltaTimes& times, TimeRow::What what, std::uint32_t call,
                       std::uint32_t from) {
    if (times.classes.empty() || times.total().sum == 0) return;
    TimeRow& row = rows.emplace_back(row_of(times, trace));
    row.what = what;
    row.call = call;
    row.from = from;
  };
  for (std::uint32_t c = 0; c < trace.times.size(); ++c) {
    const trace::CallTimes& times = trace.times[c];
    add(times.communicate, TimeRow::What::communicate, c, trace::Path::kAny);
    for (const trace::Path& p : times.paths) add(p.compute, TimeRow::What::compute, c, p.from);
  }
  std::ranges::stable_sort(rows, [](const TimeRow& a, const TimeRow& b) {
    return std::pair(a.excess(), a.total()) > std::pair(b.excess(), b.total());
  });
  return rows;
}

TimeTotals time_totals_of(const std::vector<TimeRow>& rows) {
  TimeTotals out;
  for (const TimeRow& r : rows) {
    (r.what == TimeRow::What::compute ? out.compute : out.communicate) += r.total();
  }
  return out;
}

}  // namespace reprise::analyze
