#include "write/conceptual/times/draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "write/times/computations.hpp"

namespace reprise::write::conceptual {
namespace {

// Executions of a task from which on they are drawn, and places in a distribution at most: a prime.
constexpr std::uint64_t kFewest = 4, kMany = 1009;
// Fractional parts of roots: rotations by them are far from short periods, and from that by which
// executions round (the golden section), so that long ones are not always rounded alike.
constexpr std::array<double, 8> kRotations = {0.449490, 0.414214, 0.732051, 0.236068,
                                              0.645751, 0.316625, 0.605551, 0.123106};
// Where calls begin, so that those of one rotation differ.
constexpr double kNextFirst = 0.381966;

// Where the tail may begin, as shares of the executions.
constexpr std::array<double, 6> kTails = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99};
// A tail of its own is worth it if it leaves less than this of the distance to the distribution.
constexpr double kWorthATail = 0.6;
constexpr std::size_t kSamples = 400;  // of a distribution

// A quantile function in one or two straight lines, of shares from 0 to 1.
struct Lines {
  double base = 0, slope = 0, tail = 0, from = 1;

  double at(double share) const {
    return base + slope * share + tail * std::max(0.0, share - from);
  }
};

double mean_of(std::span<const double> values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Those that keep the means of the lower and the upper half of what is before the tail, and that of
// the tail.
Lines lines_of(std::span<const double> quantiles, double from) {
  const auto n = static_cast<std::size_t>(from * static_cast<double>(quantiles.size()));
  const std::span<const double> before = quantiles.subspan(0, n), behind = quantiles.subspan(n);
  const double lower = mean_of(before.subspan(0, n / 2)), upper = mean_of(before.subspan(n / 2));
  Lines out;
  out.from = from;
  out.slope = (upper - lower) / (from / 2);
  out.base = lower - out.slope * from / 4;
  if (behind.empty()) return out;
  const double middle = (1 + from) / 2;
  out.tail = std::max(0.0, (mean_of(behind) - out.at(middle)) / (middle - from));
  return out;
}

double distance(std::span<const double> quantiles, const Lines& lines) {
  double out = 0;
  for (std::size_t k = 0; k < quantiles.size(); ++k) {
    const double share = (static_cast<double>(k) + 0.5) / static_cast<double>(quantiles.size());
    out += std::pow(quantiles[k] - lines.at(share), 2);
  }
  return out;
}

Lines lines_of(const times::Spread& spread) {
  std::vector<double> quantiles;
  for (std::size_t k = 0; k < kSamples; ++k)
    quantiles.push_back(spread.quantile((static_cast<double>(k) + 0.5) / kSamples));
  Lines best = lines_of(quantiles, 1);
  double least = kWorthATail * distance(quantiles, best);
  for (const double from : kTails) {
    const Lines lines = lines_of(quantiles, from);
    const double apart = distance(quantiles, lines);
    if (apart >= least) continue;
    least = apart;
    best = lines;
  }
  return best;
}

// The number without a factor in common with `places` that is next to that part of it.
std::int64_t coprime(double part, std::int64_t places) {
  const std::int64_t wanted = std::llround(part * static_cast<double>(places));
  for (std::int64_t apart = 0;; ++apart) {
    for (const std::int64_t n : {wanted + apart, wanted - apart}) {
      if (n > 0 && n < places && std::gcd(n, places) == 1) return n;
    }
  }
}

// With a mean of 1.
Draw with_lines(const Lines& lines, Draw out) {
  const double unit = kDrawUnit / static_cast<double>(out.places);
  out.slope = std::llround(lines.slope * unit);
  out.tail = std::llround(lines.tail * unit);
  out.tail_from = std::llround(lines.from * static_cast<double>(out.places));
  std::int64_t sum = 0;
  for (std::int64_t p = 0; p < out.places; ++p)
    sum += out.slope * p + out.tail * std::max<std::int64_t>(0, p - out.tail_from);
  out.base = kDrawUnit - sum / out.places;
  return out;
}

}  // namespace

std::int64_t Draw::at(Execution execution) const {
  const auto k = static_cast<std::int64_t>(execution.number);
  const auto t = static_cast<std::int64_t>(execution.task);
  const std::int64_t place = (k * multiplier + t * by_task + first) % places;
  return base + slope * place + tail * std::max<std::int64_t>(0, place - tail_from);
}

Draw Draw::weakened(double part) const {
  Draw out = *this;
  out.base = kDrawUnit + std::llround(part * static_cast<double>(base - kDrawUnit));
  out.slope = std::llround(part * static_cast<double>(slope));
  out.tail = std::llround(part * static_cast<double>(tail));
  return out;
}

std::optional<Draw> draw_of(const times::Spread& spread, const std::vector<std::uint64_t>& counts,
                            std::size_t number, bool together) {
  const std::uint64_t executions = counts.empty() ? 0 : std::ranges::max(counts);
  if (executions < kFewest) return std::nullopt;
  const auto most = static_cast<std::int64_t>(std::min(executions, kMany));
  const auto rotation = [most](std::size_t k) {
    return coprime(kRotations[k % kRotations.size()], most);
  };
  const double first = static_cast<double>(number) * kNextFirst;
  Draw draw{.places = most,
            .multiplier = rotation(number),
            .by_task = together ? 0 : rotation(number + 1),
            .first = std::llround((first - std::floor(first)) * static_cast<double>(most)) % most};
  const Lines lines = lines_of(spread);
  draw = with_lines(lines, draw);
  // Nothing takes less than no time.
  if (draw.base < 0) draw = draw.weakened(1 / (1 - static_cast<double>(draw.base) / kDrawUnit));
  if (draw.slope == 0 && draw.tail == 0) return std::nullopt;
  return draw;
}

std::vector<std::vector<Drawn>> find_drawn(const trace::Trace& trace) {
  std::vector<std::vector<Drawn>> out(trace.times.size());
  if (out.empty()) return out;
  std::vector<std::uint32_t> calls(trace.calls.size());
  std::iota(calls.begin(), calls.end(), 0U);
  const times::Computations found = times::find_computations(trace, calls, times::Detail::full);
  std::vector<std::vector<bool>> is_taken(out.size());  // by call and path
  for (const times::Computation& c : found.all) {
    const auto call = static_cast<std::size_t>(c.site);
    const std::vector<trace::Path>& paths = trace.times[call].paths;
    is_taken[call].resize(paths.size());
    std::vector<std::size_t> own;
    for (std::size_t p = 0; p < paths.size(); ++p) {
      const std::int64_t from = paths[p].from < calls.size() ? paths[p].from : times::kStart;
      if (is_taken[call][p] || (c.from != times::kAnywhere && c.from != from)) continue;
      is_taken[call][p] = true;
      own.push_back(p);
    }
    if (!c.drawn || c.drawn->spreads.empty()) continue;
    out[call].push_back({std::move(own), found.spreads[c.drawn->spreads.front()], c.drawn->together,
                         c.ns * c.drawn->draws});
  }
  return out;
}

}  // namespace reprise::write::conceptual
