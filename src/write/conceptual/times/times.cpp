#include "write/conceptual/times/times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "analyze/totals/executions.hpp"
#include "compress/merge/stream_values.hpp"
#include "trace/series/series_folder.hpp"
#include "write/conceptual/statements.hpp"
#include "write/conceptual/times/arrivals.hpp"
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
constexpr double kHalfMicrosecond = 500;     // [ns]
constexpr std::int64_t kMicrosecond = 1000;  // [ns]

// By how much what is drawn may change the sum of a rank over all calls [parts of it]; ranks and
// executions of each that are looked at for it.
constexpr double kDrawTolerance = 0.004;
constexpr std::uint64_t kRanksLooked = 16, kMostAdded = 2018;
constexpr std::int64_t kFirstsTried = 32;  // of what is drawn

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
  CellCursor(const CallTimes& times, trace::ValueCursor arrivals,
             const std::vector<std::size_t>& first, const std::vector<bool>& is_split,
             std::uint64_t rank)
      : first_(first), arrivals_(std::move(arrivals)) {
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

// At which fractions of a microsecond calls begin to round: so that what a call loses or wins on a
// rank makes up for what calls before it won or lost, whatever the percentage. Many executions of
// one call lose less than a few microseconds wherever they begin.
class Fractions {
 public:
  static constexpr std::uint64_t kFew = 8;  // executions
  // The lengths of its executions [ns]; none if these are more than a few, which lose little.
  using Call = std::vector<std::int64_t>;

  // `calls`: the next one, by rank.
  std::int64_t next(const std::vector<Call>& calls) {
    const std::size_t step = (calls.size() + kLooked - 1) / kLooked;
    lost_.resize((calls.size() + step - 1) / step);
    double least = std::numeric_limits<double>::infinity();
    std::int64_t best = 0;
    std::vector<Lost> best_lost;
    for (std::size_t k = 0; k < kTried && least > kEven; ++k) {
      tried_ = (tried_ + kGolden) % kFractions;
      std::vector<Lost> lost = lost_;
      double off = 0;
      for (std::size_t r = 0; r < lost.size(); ++r) {
        for (std::size_t p = 0; p < kPercentages.size(); ++p) {
          double& all = lost[r][p];
          all += lost_by(calls[r * step], tried_, kPercentages[p]);
          off += (kPercentages[p] == 100 ? kWhole : 1) * all * all;
        }
      }
      if (off >= least) continue;
      least = off;
      best = tried_;
      best_lost = std::move(lost);
    }
    lost_ = std::move(best_lost);
    return best;
  }

 private:
  // Those that are looked at; small ones lose most.
  static constexpr std::array<std::int64_t, 33> kPercentages = {
      1,  2,  3,  4,  5,  6,  8,  10, 13, 16, 19, 22, 25, 28, 31, 34, 37,
      40, 43, 46, 50, 54, 58, 62, 66, 70, 74, 78, 82, 86, 90, 95, 100};
  static constexpr std::size_t kLooked = 16;  // ranks
  static constexpr double kWhole = 8;         // the weight of a hundred percent
  static constexpr double kEven = 1;          // squared microseconds that are as good as none
  static constexpr std::size_t kTried = 64;
  using Lost = std::array<double, kPercentages.size()>;

  // [us]
  static double lost_by(const Call& c, std::int64_t fraction, std::int64_t percent) {
    double out = 0;
    for (const std::int64_t length : c) {
      const std::int64_t rest = length * percent % kFractions;
      out += static_cast<double>(rest) / kFractions;
      if (rest + fraction >= kFractions) out -= 1;
      fraction = (fraction + kGolden) % kFractions;
    }
    return out;
  }

  std::int64_t tried_ = 0;
  std::vector<Lost> lost_;  // by rank that is looked at
};

// The number with fewest digits from `least` to `most` that is next to a value between them.
std::int64_t roundest(double value, double least, double most) {
  for (double unit = 1e15; unit > 1; unit /= 10) {
    const double rounded = std::round(value / unit) * unit;
    if (rounded >= least && rounded <= most && rounded > 0) return std::llround(rounded);
  }
  return std::llround(value);
}

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
    const double low_end = std::min(least, most);
    const std::int64_t value = roundest(std::clamp(all.mean(), low_end, most), low_end, most);
    for (; from < to; ++from) out[order[from]] = value;
  }
  return out;
}

class Finder {
 public:
  Finder(const trace::Trace& trace, times::Detail detail)
      : trace_(trace), detail_(detail), executions_(trace), arrivals_(trace), noticed_(trace) {}

  std::vector<std::vector<TaskTime>> run() {
    std::vector<std::vector<TaskTime>> out(trace_.times.size());
    if (out.empty()) return out;
    sum_up();
    if (detail_ == times::Detail::full) drawn_ = find_drawn(trace_);
    drawn_.resize(out.size());
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
    double once = 0;  // what they lose at most [ns]
    for (std::uint32_t c = 0; c < trace_.times.size(); ++c) {
      bool is_once = true;
      for (std::uint64_t r = 0; r < trace_.ranks && is_once; ++r)
        is_once = executions_.of(c, r) <= 1;
      if (is_once) once += kMicrosecond;
    }
    once_are_rounded_ = once <= kRounding * kTimeTolerance * std::ranges::min(totals_);
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
    bool is_told = is_full;
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

  std::vector<TaskTime> of(std::uint32_t call) {
    const Cells cells = cells_of(call);
    Values values;
    for (const Cell& c : cells.all) values.push_back(stabbed(c));
    std::vector<TaskTime> out;
    for (const Group& group : groups_of(call, cells)) {
      const auto is_any = [&](std::size_t c) {
        return std::ranges::any_of(values[c], [](std::int64_t v) { return v > 0; });
      };
      if (std::ranges::any_of(group.cells, is_any))
        out.push_back(folded(call, cells, group, values));
    }
    return out;
  }

  // Cells of a call that are drawn from one distribution, or from none.
  struct Group {
    std::vector<std::size_t> cells;
    const Drawn* drawn = nullptr;

    bool has(std::size_t cell) const { return std::ranges::find(cells, cell) != cells.end(); }
  };

  // Where paths are one, they are drawn from what takes longest.
  std::vector<Group> groups_of(std::uint32_t call, const Cells& cells) const {
    const std::vector<Drawn>& drawn = drawn_[call];
    if (cells.all.empty()) return {};
    if (cells.first.empty()) {
      const auto most = std::ranges::max_element(drawn, {}, &Drawn::takes);
      return {{{0}, most == drawn.end() ? nullptr : &*most}};
    }
    std::vector<Group> out(1 + drawn.size());
    for (std::size_t p = 0; p < cells.first.size(); ++p) {
      const auto own = std::ranges::find_if(
          drawn, [p](const Drawn& d) { return std::ranges::find(d.paths, p) != d.paths.end(); });
      Group& group = out[own == drawn.end() ? drawn.size() : own - drawn.begin()];
      const std::size_t end = p + 1 < cells.first.size() ? cells.first[p + 1] : cells.all.size();
      for (std::size_t c = cells.first[p]; c < end; ++c) group.cells.push_back(c);
    }
    for (std::size_t d = 0; d < drawn.size(); ++d) out[d].drawn = &drawn[d];
    return out;
  }

  // Whether microseconds are too coarse for some rank. Computations that all ranks do once are
  // rounded while all of these together lose little.
  bool is_fine(const std::vector<Cell>& cells) const {
    const auto is_lost = [](const Spent& s) {
      return s.sum > s.allowed &&
             kHalfMicrosecond * static_cast<double>(s.count) > kRounding * s.allowed;
    };
    const bool is_once =
        cells.size() == 1 &&
        std::ranges::all_of(cells.front(), [](const Spent& s) { return s.count <= 1; });
    if (is_once && once_are_rounded_) return false;
    return std::ranges::any_of(cells,
                               [&](const Cell& c) { return std::ranges::any_of(c, is_lost); });
  }

  TaskTime folded(std::uint32_t call, const Cells& cells, const Group& group, Values values) {
    TaskTime out;
    std::vector<Cell> own;
    for (const std::size_t c : group.cells) own.push_back(cells.all[c]);
    const bool is_whole = !group.drawn && !is_fine(own);
    if (is_whole) {
      out.unit = kMicrosecond;
      for (auto& of_path : values) {
        for (std::int64_t& v : of_path) v = (v + kMicrosecond / 2) / kMicrosecond;
      }
    }
    StreamValues active, length;
    std::vector<std::uint64_t> counts;
    std::vector<Fractions::Call> few;
    for (std::uint64_t r = 0; r < trace_.ranks; ++r) {
      OfRank one = of_rank(call, r, cells, group, values);
      counts.push_back(one.executions);
      few.push_back(std::move(one.few));
      if (r == 0) {
        active = std::move(one.active);
        length = std::move(one.length);
      } else {
        active.append(std::move(one.active));
        length.append(std::move(one.length));
      }
    }
    out.active = active.finish();
    out.length = length.finish();
    if (group.drawn)
      out.draw = draw_of(group.drawn->spread, counts, draws_++, group.drawn->together);
    if (!is_whole) out.first_fraction = fractions_.next(few);
    if (out.draw) keep_sums(counts, out);
    return out;
  }

  // By how much what is drawn changes the sums of the ranks that are looked at [ns].
  // `counts`: executions by rank.
  std::vector<double> changes(const std::vector<std::uint64_t>& counts, const TaskTime& time,
                              const Draw& draw) const {
    std::vector<double> out;
    for (std::uint64_t r = 0; r < trace_.ranks; r += ranks_step()) {
      const std::uint64_t n = std::min(counts[r], kMostAdded);
      trace::ValueCursor lengths(time.length, r);
      double apart = 0;
      for (std::uint64_t k = 0; k < n; ++k) {
        const auto length = static_cast<double>(lengths.next());
        apart +=
            length * static_cast<double>(draw.at({.number = k, .task = r}) - kDrawUnit) / kDrawUnit;
      }
      if (n > 0) apart *= static_cast<double>(counts[r]) / static_cast<double>(n);
      out.push_back(static_cast<double>(time.unit) * apart);
    }
    return out;
  }

  std::uint64_t ranks_step() const { return (trace_.ranks + kRanksLooked - 1) / kRanksLooked; }

  double allowed_of(std::size_t looked) const {
    return kDrawTolerance * totals_[looked * ranks_step()];
  }

  // Lets what is drawn keep the sum of each rank over all calls, whichever executions are long by
  // themselves: it begins where it makes up best for what calls before it changed, and varies less
  // if that is too much.
  void keep_sums(const std::vector<std::uint64_t>& counts, TaskTime& time) {
    const Draw drawn = *time.draw;
    changed_.resize(kRanksLooked);
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> by_call;
    for (std::int64_t k = 0; k < kFirstsTried && least > 0; ++k) {
      Draw moved = drawn;
      moved.first = (drawn.first + k * drawn.places / kFirstsTried) % drawn.places;
      const std::vector<double> tried = changes(counts, time, moved);
      double off = 0;  // the most of any rank
      for (std::size_t r = 0; r < tried.size(); ++r)
        off = std::max(off, std::abs(changed_[r] + tried[r]) / std::max(1.0, allowed_of(r)));
      if (off >= least) continue;
      least = off;
      by_call = tried;
      time.draw = moved;
    }
    double part = 1;
    for (std::size_t r = 0; r < by_call.size(); ++r) {
      const double room = allowed_of(r) - (by_call[r] > 0 ? changed_[r] : -changed_[r]);
      if (std::abs(by_call[r]) > room)
        part = std::min(part, std::max(0.0, room / std::abs(by_call[r])));
    }
    for (std::size_t r = 0; r < by_call.size(); ++r) changed_[r] += part * by_call[r];
    if (part < 1) time.draw = time.draw->weakened(part);
  }

  struct OfRank {
    StreamValues active, length;
    std::uint64_t executions = 0;
    Fractions::Call few = {};  // their lengths, if these are few
  };

  OfRank of_rank(std::uint32_t call, std::uint64_t r, const Cells& cells, const Group& group,
                 const Values& values) {
    const std::uint64_t n = executions_.of(call, r);
    const bool is_any =
        std::ranges::any_of(group.cells, [&](std::size_t c) { return values[c][r] > 0; });
    OfRank out{StreamValues::absent(), StreamValues::absent()};
    if (n == 0) return out;
    if (!is_any || group.cells.size() == cells.all.size())
      out.active = StreamValues(Series::constant(is_any ? 1 : 0));
    if (!is_any) return out;
    if (cells.first.empty()) {
      out.length = StreamValues(Series::constant(values[0][r]));
      out.executions = n;
      if (n <= Fractions::kFew) out.few.assign(n, values[0][r]);
      return out;
    }
    SeriesFolder active, length;
    CellCursor cell_of(trace_.times[call], arrivals_.of(call, r), cells.first, cells.is_split, r);
    for (std::uint64_t k = 0; k < n; ++k) {
      const std::size_t c = cell_of.next();
      const bool is_own = group.has(c) || group.cells.size() == cells.all.size();
      active.append(is_own ? 1 : 0);
      if (!is_own) continue;
      const std::int64_t v = c < values.size() ? values[c][r] : 0;
      length.append(v);
      if (++out.executions <= Fractions::kFew) out.few.push_back(v);
    }
    if (out.executions > Fractions::kFew) out.few.clear();
    if (group.cells.size() < cells.all.size()) out.active = StreamValues(active.finish());
    if (out.executions > 0) out.length = StreamValues(length.finish());
    return out;
  }

  const trace::Trace& trace_;
  times::Detail detail_;
  analyze::Executions executions_;
  Arrivals arrivals_;
  times::Noticed noticed_;
  std::vector<double> totals_;  // by rank [ns]
  std::size_t cells_ = 0;
  bool once_are_rounded_ = false;
  std::vector<std::vector<Drawn>> drawn_;  // by call
  std::size_t draws_ = 0;
  std::vector<double> changed_;  // by rank that is looked at: by what is drawn [ns]
  Fractions fractions_;
};

}  // namespace

std::vector<std::vector<TaskTime>> find_task_times(const trace::Trace& trace,
                                                   times::Detail detail) {
  return Finder(trace, detail).run();
}

}  // namespace reprise::write::conceptual
