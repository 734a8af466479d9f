#include "compress/times/reduce_times.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "compress/times/encoded_size.hpp"
#include "compress/times/mode_joining.hpp"
#include "compress/times/rank_sums.hpp"
#include "compress/times/unite_closest.hpp"
#include "trace/file/file.hpp"
#include "trace/file/times_codec.hpp"
#include "trace/series/series_folder.hpp"
#include "trace/times/rounding.hpp"

namespace reprise::compress {

using trace::Bin;
using trace::DeltaTimes;
using trace::Histogram;
using trace::Path;
using trace::real;
using trace::Timing;

namespace {

constexpr double kMillion = 1e6;  // the unit of precisions
// What histograms may lose, of the precision: how executions vary decides how long ranks wait for
// each other.
constexpr double kShareOfHistograms = 0.1;
constexpr double kBytesOfBin = 6;     // about, once rounded
constexpr double kLeastPrice = 1e-5;  // of the time that may move, for a byte
// Times take at most so many times what the structure takes; as long as that helps, time moves.
constexpr double kMostTimes = 3.7;
constexpr double kMostFactor = 1e9;
// By how much the price rises at once: the less, the closer times are to that size, so that no more
// is lost than must be.
constexpr double kLeastRise = 1.1, kMostRise = 2;
// MPI time is read by people alone, computation is replayed.
constexpr double kUnreplayed = 4;
// What zstd leaves of a byte of times, about.
constexpr double kCompressed = 0.7;

// A delta, and its path if it is one of computation.
struct Part {
  DeltaTimes* delta;
  Path* path;
};

// The price up to which reductions together move no more than `budget` [ns].
double price_within(std::vector<Reduction>& all, double budget) {
  std::ranges::sort(all, {}, &Reduction::price);
  double price = 0;
  for (const Reduction& r : all) {
    budget -= r.moved;
    if (budget < 0) break;
    price = r.price();
  }
  return price;
}

// Classes by their means. Uniting neighbors moves more with every step, so that prices rise.
struct Uniting {
  std::vector<std::size_t> group;  // by class: the class it goes to
  std::vector<Reduction> steps;
};

Uniting unite(const DeltaTimes& delta, double most_price) {
  std::vector<Bin> totals;
  std::vector<std::vector<std::size_t>> members;
  Uniting out;
  for (std::size_t c = 0; c < delta.classes.size(); ++c) {
    totals.push_back(delta.classes[c].total());
    members.push_back({c});
    out.group.push_back(c);
  }
  const double classes = real(totals.size());
  const double saved =
      classes < 2 ? 0 : real(encoded_size(delta.class_of)) / (classes - 1) + 3 * kBytesOfBin;
  double highest = 0;
  while (totals.size() > 1) {
    const auto [a, b, moved] = closest_pair(totals.size(), [&](std::size_t i, std::size_t j) {
      return moved_by_joining(totals[i], totals[j]);
    });
    Reduction step{moved, saved};
    highest = std::max(highest, step.price());
    if (highest > most_price) break;
    step.moved = std::max(step.moved, highest * saved);
    out.steps.push_back(step);
    totals[a].add(totals[b]);
    totals.erase(totals.begin() + static_cast<std::ptrdiff_t>(b));
    members[a].insert(members[a].end(), members[b].begin(), members[b].end());
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(b));
  }
  for (std::size_t g = 0; g < members.size(); ++g) {
    for (const std::size_t c : members[g]) out.group[c] = g;
  }
  return out;
}

void apply(DeltaTimes& delta, const std::vector<std::size_t>& group, std::uint64_t streams) {
  const std::size_t groups = 1 + *std::ranges::max_element(group);
  if (groups == delta.classes.size()) return;
  std::vector<Histogram> united(groups);
  for (std::size_t c = 0; c < group.size(); ++c) {
    Histogram& into = united[group[c]];
    if (into.empty()) {
      into = delta.classes[c];
    } else {
      into.merge(delta.classes[c]);
    }
  }
  delta.classes = std::move(united);
  if (groups == 1) {
    delta.class_of = {};
    return;
  }
  trace::SeriesFolder folder;
  trace::SeriesCursor old(delta.class_of);
  for (std::uint64_t s = 0; s < streams; ++s) {
    folder.append(static_cast<std::int64_t>(group[static_cast<std::size_t>(old.next())]));
  }
  delta.class_of = folder.finish();
}

// Of the trace without its times [bytes], compressed. The times are set aside meanwhile: a copy of
// an irregular trace is the most memory that a rank would ever take.
double structure_bytes(trace::Trace& trace) {
  std::vector<trace::CallTimes> times = std::exchange(trace.times, {});
  const Timing timing = std::exchange(trace.timing, {});
  const auto packed = trace::encode_trace(trace);
  trace.times = std::move(times);
  trace.timing = timing;
  return packed ? real(packed->size()) : 0;
}

// [bytes], compressed, about.
double times_bytes(const trace::Trace& trace) {
  ByteWriter out;
  trace::TimesWriter writer(out, trace.timing, trace.streams());
  for (const trace::CallTimes& t : trace.times) writer.write(t);
  return kCompressed * real(out.size());
}

std::vector<DeltaTimes*> deltas_of(const std::vector<Part>& parts) {
  std::vector<DeltaTimes*> out;
  for (const Part& p : parts) out.push_back(p.delta);
  return out;
}

class Reducer {
 public:
  Reducer(trace::Trace& trace, std::vector<Part> parts)
      : trace_(trace),
        parts_(std::move(parts)),
        precision_(real(trace.timing.precision) / kMillion),
        rounding_(trace::Rounding::to(trace.timing.precision)),
        sums_(trace, deltas_of(parts_), precision_) {}

  // Reduces as far as the precision allows for.
  void begin() {
    std::vector<Reduction> all = reductions();
    const double budget = kShareOfHistograms * precision_ * sums_.total();
    least_price_ = std::max(price_within(all, budget), kLeastPrice * budget);
    reduce(least_price_);
  }

  // Reduces further than that.
  void go_on(double factor) { reduce(factor * least_price_); }

  // Of sums [ns].
  std::uint64_t step() const { return sums_.step(); }

 private:
  void round(DeltaTimes& d) const {
    for (Histogram& h : d.classes) h.round(rounding_);
  }

  void reduce(double price) {
    for (std::size_t i = 0; i < parts_.size(); ++i) reduce_part(parts_[i], price);
    sums_.round();
  }

  void reduce_part(const Part& p, double price) const {
    if (p.path) join_modes(*p.path, trace_.streams(), kBytesOfBin, price);
    reduce_delta(*p.delta, price);
    if (!p.path) return;
    for (DeltaTimes& m : p.path->modes) reduce_delta(m, price);
  }

  void reduce_delta(DeltaTimes& d, double price) const {
    if (d.classes.size() > 1) apply(d, unite(d, price).group, trace_.streams());
    for (Histogram& h : d.classes) {
      h.join_if([price](const Bin& a, const Bin& b) {
        return moved_by_joining(a, b) <= price * kBytesOfBin;
      });
    }
    round(d);
  }

  std::vector<Reduction> reductions() const {
    std::vector<Reduction> all;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& p = parts_[i];
      if (p.path)
        std::ranges::move(mode_joinings(*p.path, trace_.streams(), kBytesOfBin),
                          std::back_inserter(all));
      const Uniting u = unite(*p.delta, std::numeric_limits<double>::infinity());
      all.insert(all.end(), u.steps.begin(), u.steps.end());
      for (Histogram h : p.delta->classes) {
        h.join_if([&](const Bin& a, const Bin& b) {
          all.push_back({moved_by_joining(a, b), kBytesOfBin});
          return true;
        });
      }
    }
    return all;
  }

  trace::Trace& trace_;
  std::vector<Part> parts_;
  double precision_;
  trace::Rounding rounding_;
  RankSums sums_;
  double least_price_ = 0;  // [ns/byte]
};

}  // namespace

void reduce_times(trace::Trace& trace) {
  Timing& timing = trace.timing;
  if (timing.mode == trace::TimeMode::none || timing.precision == 0) return;
  std::vector<Part> of_compute, of_communicate;
  for (trace::CallTimes& t : trace.times) {
    of_communicate.push_back({&t.communicate, nullptr});
    for (Path& p : t.paths) of_compute.push_back({&p.compute, &p});
  }
  Reducer compute(trace, std::move(of_compute)), communicate(trace, std::move(of_communicate));
  timing.compute_step = compute.step();
  timing.communicate_step = communicate.step();
  compute.begin();
  communicate.begin();
  const double most = kMostTimes * structure_bytes(trace);
  double before = std::numeric_limits<double>::infinity();
  for (double factor = 2; factor < kMostFactor;) {
    const double bytes = times_bytes(trace);
    if (bytes <= most) return;
    communicate.go_on(kUnreplayed * factor);
    if (times_bytes(trace) > most) compute.go_on(factor);
    factor *= bytes < before ? std::clamp(bytes / most, kLeastRise, kMostRise) : kMostRise;
    before = bytes;
  }
}

}  // namespace reprise::compress
