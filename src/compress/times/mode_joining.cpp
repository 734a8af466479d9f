#include "compress/times/mode_joining.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "compress/times/encoded_size.hpp"
#include "compress/times/unite_closest.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/series/series_map.hpp"

namespace reprise::compress {

using trace::Bin;
using trace::DeltaTimes;
using trace::Histogram;
using trace::Path;
using trace::real;
using trace::Series;
using trace::Term;
using trace::Value;

namespace {

// Calls `visit(in_a, in_b, class, n)` for n streams that follow each other and have so many
// executions in two modes. Cost: O(runs).
template <class Visit>
void visit_counts(const Series& a, const Series& b, const Series* class_of, std::uint64_t streams,
                  Visit&& visit) {
  trace::SeriesCursor in_a(a), in_b(b), class_at;
  if (class_of) class_at = trace::SeriesCursor(*class_of);
  while (streams > 0) {
    const auto run = [](const trace::SeriesCursor& c) {
      return c.step() == 0 ? c.peek_count() : 1;
    };
    std::uint64_t n = std::min({streams, run(in_a), run(in_b)});
    if (class_of) n = std::min(n, run(class_at));
    n = std::max<std::uint64_t>(n, 1);
    visit(in_a.peek(), in_b.peek(), class_of ? class_at.peek() : 0, n);
    in_a.skip(n);
    in_b.skip(n);
    if (class_of) class_at.skip(n);
    streams -= n;
  }
}

Series sum_of(const Series& a, const Series& b, std::uint64_t streams) {
  trace::SeriesFolder out;
  visit_counts(a, b, nullptr, streams, [&out](auto in_a, auto in_b, auto, std::uint64_t n) {
    out.append(trace::wrapping_add(in_a, in_b), n);
  });
  return out.finish();
}

// What is known of a mode: the totals of its classes, which streams are in them, and how many
// executions of each.
struct Mode {
  std::vector<Bin> classes;
  const Series* class_of;
  Series counts;

  Bin total() const {
    Bin all;
    for (const Bin& b : classes) all.add(b);
    return all;
  }

  bool has_classes_of(const Mode& other) const {
    return classes.size() == other.classes.size() &&
           (classes.size() < 2 || *class_of == *other.class_of);
  }

  // Time that moves when classes become one.
  double moved_by_uniting() const {
    const double mean = total().mean();
    double moved = 0;
    for (const Bin& b : classes) moved += real(b.count) * std::abs(b.mean() - mean) / 2;
    return moved;
  }

  void unite() { classes = {total()}; }
};

// Streams that come in one of the modes only spend what they spent.
double moved_by_joining(const Mode& a, const Mode& b, std::uint64_t streams) {
  if (!a.has_classes_of(b)) {
    Mode all_a = a, all_b = b;
    all_a.unite();
    all_b.unite();
    return a.moved_by_uniting() + b.moved_by_uniting() + moved_by_joining(all_a, all_b, streams);
  }
  double moved = 0;
  const Series* class_of = a.classes.size() < 2 ? nullptr : a.class_of;
  visit_counts(a.counts, b.counts, class_of, streams, [&](auto in_a, auto in_b, auto of, auto n) {
    const auto c = static_cast<std::size_t>(of);
    if (in_a <= 0 || in_b <= 0 || c >= a.classes.size()) return;
    const auto x = static_cast<double>(in_a), y = static_cast<double>(in_b);
    moved += real(n) * x * y / (x + y) * std::abs(a.classes[c].mean() - b.classes[c].mean());
  });
  return moved;
}

void join(Mode& into, Mode other, std::uint64_t streams) {
  if (!into.has_classes_of(other)) {
    into.unite();
    other.unite();
  }
  for (std::size_t c = 0; c < into.classes.size(); ++c) into.classes[c].add(other.classes[c]);
  into.counts = sum_of(into.counts, other.counts, streams);
}

// One mode less.
struct Joining {
  std::size_t into, from;  // of the modes that there are then; into < from
  Reduction reduction;
};

// What steps may cost, each: `bytes_of_bin` are saved with each bin.
struct Prices {
  double bytes_of_bin;
  double most;  // of a step
};

std::vector<Joining> steps_of(const Path& path, std::uint64_t streams, const Prices& prices) {
  if (path.modes.empty()) return {};
  std::vector<Mode> modes;
  double bytes = real(encoded_size(path.mode_of));
  for (const DeltaTimes& m : path.modes) {
    Mode& mode = modes.emplace_back(Mode{{}, &m.class_of, m.counts});
    for (const Histogram& h : m.classes) mode.classes.push_back(h.total());
    // Modes of the same streams share these series.
    bytes += prices.bytes_of_bin * real(m.classes.size()) +
             real(encoded_size(m.class_of) + encoded_size(m.counts)) / real(path.modes.size());
  }
  const double saved = bytes / real(modes.size() - 1);
  // What joining moves, by pair.
  std::vector<std::vector<double>> moved(modes.size(), std::vector<double>(modes.size()));
  for (std::size_t i = 0; i < modes.size(); ++i) {
    for (std::size_t j = i + 1; j < modes.size(); ++j)
      moved[i][j] = moved_by_joining(modes[i], modes[j], streams);
  }
  std::vector<Joining> out;
  double highest = 0;
  while (modes.size() > 1) {
    const auto [into, from, least] =
        closest_pair(modes.size(), [&moved](std::size_t i, std::size_t j) { return moved[i][j]; });
    highest = std::max(highest, least / saved);
    if (highest > prices.most) break;
    out.push_back({into, from, {highest * saved, saved}});
    join(modes[into], std::move(modes[from]), streams);
    modes.erase(modes.begin() + static_cast<std::ptrdiff_t>(from));
    moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(from));
    for (auto& row : moved) row.erase(row.begin() + static_cast<std::ptrdiff_t>(from));
    for (std::size_t i = 0; i < into; ++i)
      moved[i][into] = moved_by_joining(modes[i], modes[into], streams);
    for (std::size_t j = into + 1; j < modes.size(); ++j)
      moved[into][j] = moved_by_joining(modes[into], modes[j], streams);
  }
  return out;
}

void unite_classes(DeltaTimes& mode) {
  for (std::size_t c = 1; c < mode.classes.size(); ++c) mode.classes.front().merge(mode.classes[c]);
  mode.classes.resize(1);
  mode.class_of = {};
}

// How much all streams have in common: within the modes, and that they differ, if the modes of an
// execution are the same on all streams.
double concordance_of(const DeltaTimes& a, const DeltaTimes& b, bool are_same_everywhere) {
  const Bin in_a = a.total(), in_b = b.total();
  Bin all = in_a;
  all.add(in_b);
  if (all.squares <= 0) return 0;
  const double between = std::max(0.0, all.squares - in_a.squares - in_b.squares);
  const double common = a.concordance * in_a.squares + b.concordance * in_b.squares +
                        (are_same_everywhere ? between : 0);
  return std::clamp(common / all.squares, 0.0, 1.0);
}

void join(DeltaTimes& into, DeltaTimes other, std::uint64_t streams, bool are_same_everywhere) {
  into.concordance = concordance_of(into, other, are_same_everywhere);
  const Bin a = into.total(), b = other.total();
  if (b.min < a.min) into.min_stream = other.min_stream;
  if (b.max > a.max) into.max_stream = other.max_stream;
  const bool have_same_classes =
      into.classes.size() == other.classes.size() && into.class_of == other.class_of;
  if (!have_same_classes) {
    unite_classes(into);
    unite_classes(other);
  }
  for (std::size_t c = 0; c < into.classes.size(); ++c) into.classes[c].merge(other.classes[c]);
  into.counts = sum_of(into.counts, other.counts, streams);
}

// Series that are folded again have at most so many runs.
constexpr std::uint64_t kMostRuns = 64;

// A series in runs.
struct Runs {
  trace::SeriesFolder values;
  std::uint64_t count = 0;
};

// Appends the first `left` values, which it counts down. False if they are too many runs.
bool append_runs(Runs& out, const std::vector<Term>& terms, std::uint64_t& left) {
  for (const Term& t : terms) {
    std::uint64_t inside = t.count == trace::kUnbounded ? left : t.count * t.period;
    inside = std::min(inside, left);
    left -= inside;
    while (inside > 0) {
      if (t.step != 0 || ++out.count > kMostRuns) return false;
      if (t.is_run()) {
        out.values.append(t.value, std::exchange(inside, 0));
      } else {
        std::uint64_t pass = std::min(inside, t.period);
        inside -= pass;
        if (!append_runs(out, t.body, pass)) return false;
      }
    }
  }
  return true;
}

// A series of modes, once `number` says what each has become.
Series renumbered(const Series& mode_of, std::uint64_t length,
                  const std::vector<std::int64_t>& number) {
  const auto new_number = [&number](std::int64_t mode) {
    const bool is_mode = mode >= 0 && mode < std::ssize(number);
    return is_mode ? number[static_cast<std::size_t>(mode)] : 0;
  };
  Series out = trace::map_values(mode_of, length, new_number);
  Runs again;
  std::uint64_t left = length;
  return append_runs(again, out.terms(), left) ? again.values.finish() : out;
}

std::uint64_t most_executions(const DeltaTimes& delta, std::uint64_t streams) {
  std::int64_t most = 0;
  trace::SeriesCursor count(delta.counts);
  for (std::uint64_t s = 0; s < streams; ++s) most = std::max(most, count.next());
  return static_cast<std::uint64_t>(most);
}

}  // namespace

double moved_by_joining(const Bin& a, const Bin& b) {
  const double n = real(a.count), m = real(b.count);
  return n == 0 || m == 0 ? 0 : n * m / (n + m) * std::abs(a.mean() - b.mean());
}

std::vector<Reduction> mode_joinings(const Path& path, std::uint64_t streams, double bytes_of_bin) {
  std::vector<Reduction> out;
  constexpr double kAnyPrice = std::numeric_limits<double>::infinity();
  for (const Joining& s : steps_of(path, streams, {bytes_of_bin, kAnyPrice}))
    out.push_back(s.reduction);
  return out;
}

void join_modes(Path& path, std::uint64_t streams, double bytes_of_bin, double most_price) {
  const std::vector<Joining> steps = steps_of(path, streams, {bytes_of_bin, most_price});
  if (steps.empty()) return;
  if (steps.size() + 1 == path.modes.size()) {
    path.modes.clear();
    path.mode_of = {};
    return;
  }
  const bool are_same_everywhere = path.mode_of.classes.size() == 1;
  std::vector<std::int64_t> number;  // by mode: what it has become
  for (std::size_t m = 0; m < path.modes.size(); ++m)
    number.push_back(static_cast<std::int64_t>(m));
  for (const Joining& s : steps) {
    join(path.modes[s.into], std::move(path.modes[s.from]), streams, are_same_everywhere);
    path.modes.erase(path.modes.begin() + static_cast<std::ptrdiff_t>(s.from));
    renumber(number, s.into, s.from);
  }
  Value& mode_of = path.mode_of;
  if (mode_of.classes.empty()) mode_of.by_stream = renumbered(mode_of.by_stream, streams, number);
  const std::uint64_t executions = most_executions(path.compute, streams);
  for (Series& s : mode_of.classes) s = renumbered(s, executions, number);
}

}  // namespace reprise::compress
