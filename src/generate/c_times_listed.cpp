// Computation that stands out, in the list of the program instead of a table for each call.
#include <fmt/format.h>

#include <algorithm>

#include "generate/c_patterns.hpp"
#include "generate/c_times.hpp"
#include "generate/rounded.hpp"

namespace reprise::generate {

using trace::Bin;
using trace::DeltaTimes;
using trace::Path;

namespace {

constexpr std::size_t kDeclared = 30;       // what an array takes beside its numbers [characters]
constexpr std::size_t kSpread = 200;        // what a distribution takes [characters]
constexpr std::uint64_t kMostDrawn = 5;     // executions that need no distribution
constexpr std::uint64_t kMostListed = 256;  // executions of which some are told one by one

// Executions, the longest first unless they begin elsewhere: the values of which the histogram has
// each, or an n-th of its distribution each.
std::vector<double> one_by_one(const Drawn& drawn, std::uint64_t n, double mean,
                               std::uint64_t order) {
  std::vector<double> out;
  const std::vector<Bin> bins = drawn.from->bins();
  const Bin total = drawn.from->total();
  const bool is_each = total.count == n && std::ranges::all_of(bins, [](const Bin& b) {
                         return b.count == 1 || b.min == b.max;
                       });
  if (is_each) {
    for (const Bin& b : bins) out.insert(out.end(), b.count, b.mean());
  } else {
    const Spread spread(*drawn.from, drawn.deviation / total.deviation());
    for (std::uint64_t k = 0; k < n; ++k)
      out.push_back(mean *
                    spread.quantile((static_cast<double>(k) + 0.5) / static_cast<double>(n)));
  }
  std::ranges::reverse(out);
  std::rotate(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(order % n), out.end());
  return out;
}

}  // namespace

// The executions of the call that come by one of the paths, of a stream; nothing if that is not
// known.
std::optional<std::vector<std::int64_t>> ComputeTimes::arrivals(const Paths& by, std::uint32_t call,
                                                                std::uint64_t stream) const {
  const trace::CallTimes& times = trace_.times[call];
  std::uint64_t all = 0;
  for (const Path& p : times.paths) all += p.compute.count_of(stream);
  if (!times.knows_arrivals() || all > kMostListed) return std::nullopt;
  std::vector<std::int64_t> out;
  trace::ValueCursor cursor(times.arrivals, stream);
  for (std::uint64_t k = 0; k < all; ++k) {
    const std::int64_t which = cursor.next();
    const bool is_by =
        std::ranges::any_of(by, [&](const Path* p) { return p - times.paths.data() == which; });
    if (is_by) out.push_back(static_cast<std::int64_t>(k));
  }
  std::uint64_t expected = 0;
  for (const Path* p : by) expected += p->compute.count_of(stream);
  if (out.size() != expected) return std::nullopt;
  return out;
}

// Whether what stands out is in the list of the program. `by`: the paths by which the executions
// come; none: they are all of the call.
std::optional<std::string> ComputeTimes::listed(const std::vector<OwnTimes>& all, const Paths& by,
                                                std::uint32_t call, std::size_t table) {
  const Mostly found = mostly(all, noticed());
  std::vector<Unlike> rows;
  for (const Unlike& row : found.rows) {
    if (by.empty()) {
      rows.push_back(row);
      continue;
    }
    const auto executions = arrivals(by, call, row.rank);
    if (!executions) return std::nullopt;
    for (std::size_t k = 0; k < executions->size(); ++k) {
      if (row.execution < 0 || row.execution == static_cast<std::int64_t>(k))
        rows.push_back({row.rank, (*executions)[k], row.ns});
    }
  }
  if (!seldom_.add(site_(call), rows, table)) return std::nullopt;
  if (!rows.empty()) source_.need("seldom");
  return fmt::format("{:.0f}", found.ns);
}

// The numbers of the ranks, but for few, as one.
std::optional<std::string> ComputeTimes::listed_by_rank(const std::vector<const DeltaTimes*>& times,
                                                        const Paths& by, std::uint32_t call,
                                                        const Point& point) {
  if (!detail_.lists) return std::nullopt;
  std::vector<OwnTimes> all;
  std::size_t table = kDeclared;
  for (const std::uint64_t s : point.streams) {
    OwnTimes& own = all.emplace_back(OwnTimes{s, 0, 0});
    for (const DeltaTimes* t : times) {
      if (t->count_of(s) == 0) continue;
      own.count += t->count_of(s);
      own.sum += t->sum_of(s);
    }
    const double mean = own.sum / static_cast<double>(std::max<std::uint64_t>(1, own.count));
    table += fmt::format("{:.0f}, ", rounded(mean, 3)).size();
  }
  return listed(all, by, call, table);
}

// Where the executions are few: what would be drawn, in place of the distribution.
std::optional<std::string> ComputeTimes::listed_by_value(const DeltaTimes& times,
                                                         const std::vector<Drawn>& drawn,
                                                         const Paths& by, std::uint32_t call,
                                                         const Point& point) {
  if (!detail_.lists) return std::nullopt;
  std::vector<OwnTimes> all;
  bool differ = false;
  for (std::size_t i = 0; i < point.streams.size(); ++i) {
    const std::uint64_t s = point.streams[i], n = times.count_of(s);
    OwnTimes& own = all.emplace_back(OwnTimes{s, n, n > 0 ? times.sum_of(s) : 0});
    if (n < 2 || !Draws::is_noticed(n, drawn[i].deviation, noticed())) continue;
    if (n > kMostDrawn || drawn[i].from->total().mean() <= 0) return std::nullopt;
    differ = true;
    own.each = one_by_one(drawn[i], n, own.sum / static_cast<double>(n),
                          times.concordance > 0.5 ? 0 : site_(call) + s);
  }
  if (!differ) return std::nullopt;
  return listed(all, by, call, kSpread);
}

// The numbers of executions that come in groups, where few stand out.
std::optional<std::string> ComputeTimes::listed_by_execution(const Path& path, bool is_only,
                                                             const trace::Value& means,
                                                             std::uint32_t call,
                                                             const Point& point) {
  std::uint64_t most = 0;
  for (const std::uint64_t s : point.streams) most = std::max(most, path.compute.count_of(s));
  if (!detail_.lists || most > kMostListed || means.classes.size() < 2) return std::nullopt;
  std::vector<OwnTimes> all;
  std::size_t table = kDeclared + (means.classes.size() > 3 ? kDeclared + 3 * trace_.ranks : 0);
  for (const trace::Series& s : means.classes) {
    const auto values = first_of(s, most);
    const std::uint64_t period = period_of(values);
    for (std::uint64_t k = 0; k < period; ++k) table += number_text(values[k]).size() + 2;
  }
  for (const std::uint64_t s : point.streams) {
    const std::uint64_t n = path.compute.count_of(s);
    OwnTimes& own = all.emplace_back(OwnTimes{s, n, path.compute.sum_of(s)});
    for (const std::int64_t v : first_of(*means.series_of(s), n))
      own.each.push_back(static_cast<double>(v));
  }
  return listed(all, is_only ? Paths() : Paths{&path}, call, table);
}

}  // namespace reprise::generate
