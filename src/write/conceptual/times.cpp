#include "write/conceptual/times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "analyze/executions.hpp"
#include "compress/stream_values.hpp"
#include "trace/series_folder.hpp"
#include "write/times/class_means.hpp"
#include "write/times/mode_means.hpp"

namespace reprise::write::conceptual {
namespace {

using compress::StreamValues;
using trace::CallTimes;
using trace::DeltaTimes;
using trace::Path;
using trace::Series;
using trace::SeriesFolder;

// Of what a cell may be wrong by, the part that may come from rounding to microseconds.
constexpr double kRounding = 0.4;
constexpr double kHalfMicrosecond = 500;          // [ns]
constexpr std::int64_t kHundredPercent = 100000;  // of a microsecond [ns percent]

// Durations from here on are told in microseconds; what that loses is below the tolerance [ns].
constexpr std::int64_t kLongEnough = 1000000;

// Paths are told apart where more than this part of what a rank spends in a call, and of what it
// spends in all, would else be spent in other executions than it was.
constexpr double kAlike = 0.05;
constexpr double kAlikeInAll = 0.01;

// What one rank spends in a cell, and what that may be wrong by.
struct Spent {
  double sum = 0, allowed = 0;  // [ns]
  std::uint64_t count = 0;

  double mean() const { return sum / static_cast<double>(count); }
  double reach() const { return allowed / static_cast<double>(count); }
};
using Cell = std::vector<Spent>;  // by rank

Spent operator+(const Spent& a, const Spent& b) {
  return {a.sum + b.sum, a.allowed + b.allowed, a.count + b.count};
}

using Values = std::vector<std::vector<std::int64_t>>;  // by cell and rank [ns]

// Which cell each execution of a call is in: that of the path it came by, or of its mode there.
class CellCursor {
 public:
  // The cells of a path are those of its modes where these are told apart, else one. `first`: by
  // path, the first of its cells.
  CellCursor(const CallTimes& times, const std::vector<std::size_t>& first,
             const std::vector<bool>& is_split, std::uint64_t rank)
      : first_(first), arrivals_(times.arrivals, rank) {
    for (std::size_t p = 0; p < first.size(); ++p)
      modes_.push_back(is_split[p] ? trace::ValueCursor(times.paths[p].mode_of, rank)
                                   : trace::ValueCursor(trace::Value::constant(0), rank));
  }

  // Beyond all cells where the execution came by no path.
  std::size_t next() {
    const auto p = static_cast<std::size_t>(arrivals_.next());
    if (p >= modes_.size()) return kNoCell;
    return first_[p] + static_cast<std::size_t>(modes_[p].next());
  }

  static constexpr std::size_t kNoCell = std::numeric_limits<std::size_t>::max();

 private:
  const std::vector<std::size_t>& first_;
  trace::ValueCursor arrivals_;
  std::vector<trace::ValueCursor> modes_;  // by path
};

// The cells of a call.
struct Cells {
  std::vector<Cell> all;
  std::vector<std::size_t> first;  // by path: the first of its cells; empty: all paths are one
  std::vector<bool> is_split;      // by path: into its modes
};

std::int64_t in_unit(std::int64_t ns, std::int64_t unit) { return (ns + unit / 2) / unit; }

// Where the sum of a call begins decides what each rank loses or wins by whole microseconds,
// whatever the percentage. It begins at 0 while that is less than one, and then where it makes up
// for what the calls before it lost and won. A hundred percent of a begin are whole microseconds
// that do not matter.
class Begins {
 public:
  // `sums`: of the next call, by rank [ns].
  std::int64_t next(const std::vector<std::int64_t>& sums) {
    const std::size_t step = (sums.size() + kLooked - 1) / kLooked;
    lost_.resize((sums.size() + step - 1) / step);
    std::int64_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kTried; ++k) {
      const std::int64_t begin = k == 0 ? 0 : tried_ = (tried_ + kStep) % kHundredPercent;
      double off = 0, most = 0;
      for (std::size_t r = 0; r < lost_.size(); ++r) {
        for (std::size_t p = 0; p < kPercentages; ++p) {
          const double all = lost_[r][p] + lost(sums[r * step], begin, p);
          off += (p + 1 == kPercentages ? kWhole : 1) * all * all;
          most = std::max(most, std::abs(all));
        }
      }
      if (off < least) {
        least = off;
        best = begin;
      }
      if (begin == 0 && most < 1) break;
    }
    for (std::size_t r = 0; r < lost_.size(); ++r) {
      for (std::size_t p = 0; p < kPercentages; ++p) lost_[r][p] += lost(sums[r * step], best, p);
    }
    return best;
  }

 private:
  static constexpr std::size_t kPercentages = 100;
  static constexpr std::size_t kLooked = 16;  // ranks
  static constexpr double kWhole = 25;        // the weight of a hundred percent
  static constexpr int kTried = 64;
  static constexpr std::int64_t kStep = 61803;  // the golden section: spread evenly

  // At p + 1 percent [us].
  static double lost(std::int64_t sum, std::int64_t begin, std::size_t p) {
    const auto percent = static_cast<std::int64_t>(p) + 1;
    const std::int64_t whole =
        (begin + sum) * percent / kHundredPercent - begin * percent / kHundredPercent;
    return 1e-5 * static_cast<double>(sum * percent - whole * kHundredPercent);
  }

  std::int64_t tried_ = 0;
  std::vector<std::array<double, kPercentages>> lost_;  // by rank that is looked at
};

// Numbers for all ranks, as few as reach all: the ranks by the greatest number that each allows,
// and a number for those that the first one reaches (stabbing of intervals).
std::vector<std::int64_t> stabbed(const Cell& cell) {
  std::vector<std::int64_t> out(cell.size(), 0);
  std::vector<std::size_t> order;
  bool is_nothing = true;
  for (std::size_t r = 0; r < cell.size(); ++r) {
    if (cell[r].count == 0) continue;
    order.push_back(r);
    is_nothing = is_nothing && cell[r].sum <= cell[r].allowed;
  }
  if (is_nothing) return out;
  const auto high = [&](std::size_t r) { return cell[r].mean() + cell[r].reach(); };
  const auto low = [&](std::size_t r) { return cell[r].mean() - cell[r].reach(); };
  std::ranges::sort(order, {}, high);
  for (std::size_t from = 0; from < order.size();) {
    Spent all;
    double least = 0, most = high(order[from]);
    std::size_t to = from;
    for (; to < order.size() && low(order[to]) <= most; ++to) {
      all = all + cell[order[to]];
      least = std::max(least, low(order[to]));
    }
    // The mean of all, as far as each of them allows it.
    const double value = std::clamp(all.mean(), std::min(least, most), most);
    for (; from < to; ++from) out[order[from]] = std::llround(value);
  }
  return out;
}

class Finder {
 public:
  Finder(const trace::Trace& trace, times::Detail detail)
      : trace_(trace), detail_(detail), executions_(trace), noticed_(trace) {}

  std::vector<std::optional<TaskTime>> run() {
    std::vector<std::optional<TaskTime>> out(trace_.times.size());
    if (out.empty()) return out;
    sum_up();
    for (std::uint32_t c = 0; c < out.size(); ++c) out[c] = of(c);
    return out;
  }

 private:
  void sum_up() {
    totals_.assign(trace_.ranks, 0);
    for (std::uint32_t c = 0; c < trace_.times.size(); ++c) {
      for (const Path& p : trace_.times[c].paths) {
        ++cells_;
        for (std::uint64_t r = 0; r < trace_.ranks; ++r) totals_[r] += p.compute.sum_of(r);
      }
    }
  }

  // Half of what a rank may be wrong by goes by what a cell takes, the other half to all alike.
  Cell cell_of(const DeltaTimes& delta) const {
    Cell out(trace_.ranks);
    for (std::uint64_t r = 0; r < trace_.ranks; ++r) {
      out[r].count = delta.count_of(r);
      if (out[r].count == 0) continue;
      out[r].sum = delta.sum_of(r);
      out[r].allowed = kTimeTolerance * (out[r].sum + totals_[r] / static_cast<double>(cells_)) / 2;
    }
    return out;
  }

  static Cell united(const std::vector<Cell>& cells) {
    Cell out = cells.front();
    for (std::size_t p = 1; p < cells.size(); ++p) {
      for (std::size_t r = 0; r < out.size(); ++r) out[r] = out[r] + cells[p][r];
    }
    return out;
  }

  // Each rank takes the mean of its class.
  Cell leveled(Cell cell, std::uint32_t call) const {
    const std::vector<double> means = times::class_means(trace_, call, detail_);
    for (std::size_t r = 0; r < cell.size(); ++r) {
      if (cell[r].count > 0) cell[r].sum = means[r] * static_cast<double>(cell[r].count);
    }
    return cell;
  }

  // Whether no cell of any rank differs much from the mean of all, or matters.
  bool are_alike(const std::vector<Cell>& cells, const Cell& all) const {
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (all[r].count == 0) continue;
      double apart = 0;
      for (const Cell& c : cells) {
        if (c[r].count > 0)
          apart += std::abs(c[r].mean() - all[r].mean()) * static_cast<double>(c[r].count);
      }
      if (apart > std::max(kAlike * all[r].sum, kAlikeInAll * totals_[r])) return false;
    }
    return true;
  }

  // Whether modes explain enough of how executions vary to be told, as in other languages.
  bool has_noticed_modes(const Path& path) const {
    times::Streams streams;
    for (std::uint64_t r = 0; r < trace_.ranks; ++r) {
      if (path.compute.count_of(r) > 0) streams.push_back(r);
    }
    return !path.modes.empty() && times::mode_means(path, streams, noticed_).are_noticed;
  }

  // Those of the modes of a path, which add up to what each rank spent on it; that of the path
  // alone if nobody notices its modes, or no rank's differ much.
  std::vector<Cell> cells_of(const Path& path) const {
    const Cell whole = cell_of(path.compute);
    if (!has_noticed_modes(path)) return {whole};
    std::vector<Cell> out;
    Cell sums(whole.size());
    for (const DeltaTimes& mode : path.modes) {
      Cell& cell = out.emplace_back(whole.size());
      for (std::uint64_t r = 0; r < cell.size(); ++r) {
        cell[r].count = mode.count_of(r);
        cell[r].sum = mode.sum_of(r);
        sums[r] = sums[r] + cell[r];
      }
    }
    for (std::uint64_t r = 0; r < whole.size(); ++r) {
      if (whole[r].count != sums[r].count) return {whole};
      for (Cell& cell : out) {
        const double share = sums[r].sum > 0 ? cell[r].sum / sums[r].sum : 0;
        cell[r].sum = share * whole[r].sum;
        cell[r].allowed = share * whole[r].allowed;
      }
    }
    if (are_alike(out, whole)) return {whole};
    return out;
  }

  // By path and mode, as far as these differ.
  Cells cells_of(std::uint32_t call) {
    const CallTimes& times = trace_.times[call];
    Cells out;
    std::vector<Cell> paths;
    for (const Path& p : times.paths) paths.push_back(cell_of(p.compute));
    if (paths.empty()) return out;
    Cell all = united(paths);
    const bool is_full = detail_ == times::Detail::full;
    if (!is_full) all = leveled(std::move(all), call);
    bool is_told = is_full && times.knows_arrivals();
    // Where executions were counted otherwise than here, all paths are one, and the sum is kept.
    for (std::uint64_t r = 0; r < trace_.ranks; ++r) {
      const std::uint64_t n = executions_.of(call, r);
      if (all[r].count == 0 || n == 0 || all[r].count == n) continue;
      is_told = false;
      all[r].count = n;
    }
    if (is_told) {
      for (const Path& p : times.paths) {
        out.first.push_back(out.all.size());
        for (Cell& cell : cells_of(p)) out.all.push_back(std::move(cell));
        out.is_split.push_back(out.all.size() - out.first.back() > 1);
      }
      const bool is_split = out.all.size() > paths.size();
      if (out.all.size() > 1 && (is_split || !are_alike(paths, all))) return out;
    }
    return {{std::move(all)}, {}, {}};
  }

  std::optional<TaskTime> of(std::uint32_t call) {
    const Cells cells = cells_of(call);
    if (cells.all.empty()) return std::nullopt;
    Values values;
    bool any = false;
    for (const Cell& c : cells.all) {
      values.push_back(stabbed(c));
      any = any || std::ranges::any_of(values.back(), [](std::int64_t v) { return v > 0; });
    }
    if (!any) return std::nullopt;
    return folded(call, cells, values);
  }

  // Whether microseconds are too coarse for some rank.
  static bool is_carried(const std::vector<Cell>& cells) {
    const auto is_lost = [](const Spent& s) {
      return s.sum > s.allowed &&
             kHalfMicrosecond * static_cast<double>(s.count) > kRounding * s.allowed;
    };
    return std::ranges::any_of(cells,
                               [&](const Cell& c) { return std::ranges::any_of(c, is_lost); });
  }

  static bool are_long(const Values& values) {
    return std::ranges::all_of(values, [](const auto& of_path) {
      return std::ranges::all_of(of_path,
                                 [](std::int64_t v) { return v == 0 || v >= kLongEnough; });
    });
  }

  std::int64_t sum_of(std::uint32_t call, std::uint64_t r, const std::vector<Cell>& cells,
                      const Values& values, std::int64_t unit) {
    if (cells.size() == 1)
      return in_unit(values[0][r], unit) * static_cast<std::int64_t>(executions_.of(call, r));
    std::int64_t out = 0;
    for (std::size_t p = 0; p < cells.size(); ++p)
      out += in_unit(values[p][r], unit) * static_cast<std::int64_t>(cells[p][r].count);
    return out;
  }

  TaskTime folded(std::uint32_t call, const Cells& cells, const Values& values) {
    TaskTime out;
    out.is_carried = is_carried(cells.all);
    if (!out.is_carried && are_long(values)) out.unit = 1000;
    std::vector<std::int64_t> sums;
    for (std::uint64_t r = 0; r < trace_.ranks; ++r)
      sums.push_back(sum_of(call, r, cells.all, values, out.unit));
    const std::int64_t offset = out.is_carried ? begins_.next(sums) : 0;
    StreamValues active, now, before, after;
    for (std::uint64_t r = 0; r < trace_.ranks; ++r) {
      OfRank one = of_rank(call, r, cells, values, out.unit, offset);
      const auto append = [r](StreamValues& all, StreamValues& of_rank) {
        if (r == 0) {
          all = std::move(of_rank);
        } else {
          all.append(std::move(of_rank));
        }
      };
      append(active, one.active);
      append(now, one.now);
      append(before, one.before);
      append(after, one.after);
    }
    out.active = active.finish();
    out.now = now.finish();
    out.before = before.finish();
    out.after = after.finish();
    return out;
  }

  struct OfRank {
    StreamValues active, now, before, after;
  };

  OfRank of_rank(std::uint32_t call, std::uint64_t r, const Cells& cells, const Values& values,
                 std::int64_t unit, std::int64_t offset) {
    const std::uint64_t n = executions_.of(call, r);
    const bool is_any =
        std::ranges::any_of(values, [r](const auto& of_path) { return of_path[r] > 0; });
    const StreamValues absent = StreamValues::absent();
    OfRank out{absent, absent, absent, absent};
    if (n == 0) return out;
    out.active = StreamValues(Series::constant(is_any ? 1 : 0));
    if (!is_any) return out;
    if (cells.first.empty()) {
      const std::int64_t v = in_unit(values[0][r], unit);
      out.now = StreamValues(Series::constant(v));
      out.before = StreamValues(run(offset, v, n));
      out.after = StreamValues(run(offset + v, v, n));
      return out;
    }
    std::int64_t sum = offset;
    SeriesFolder now, before, after;
    CellCursor cell_of(trace_.times[call], cells.first, cells.is_split, r);
    for (std::uint64_t k = 0; k < n; ++k) {
      const std::size_t c = cell_of.next();
      const std::int64_t v = in_unit(c < values.size() ? values[c][r] : 0, unit);
      now.append(v);
      before.append(sum);
      sum += v;
      after.append(sum);
    }
    out.now = StreamValues(now.finish());
    out.before = StreamValues(before.finish());
    out.after = StreamValues(after.finish());
    return out;
  }

  // n values, `step` apart.
  static Series run(std::int64_t first, std::int64_t step, std::uint64_t n) {
    if (step == 0 || n == 1) return Series::constant(first);
    return Series({trace::Term{first, step, n}});
  }

  const trace::Trace& trace_;
  times::Detail detail_;
  analyze::Executions executions_;
  times::Noticed noticed_;
  std::vector<double> totals_;  // by rank [ns]
  Begins begins_;
  std::size_t cells_ = 0;
};

}  // namespace

std::vector<std::optional<TaskTime>> find_task_times(const trace::Trace& trace,
                                                     times::Detail detail) {
  return Finder(trace, detail).run();
}

}  // namespace reprise::write::conceptual
