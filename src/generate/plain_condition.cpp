#include "generate/plain_condition.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "generate/c_source.hpp"

namespace reprise::generate {
namespace {

using Samples = std::vector<std::pair<std::int64_t, bool>>;
using Numbers = std::vector<std::int64_t>;

constexpr std::uint64_t kMaxLooked = 1 << 16;  // values of a series
constexpr std::int64_t kMaxPeriod = 64;        // that are tried

template <class Predicate>
bool holds(const Samples& samples, const Predicate& is_in) {
  return std::ranges::all_of(samples, [&](const auto& s) { return is_in(s.first) == s.second; });
}

// Every so many, beginning with the first of `some`; two alone tell of no rule.
std::optional<std::pair<std::int64_t, std::int64_t>> stride_of(const Numbers& some,
                                                               std::size_t samples) {
  if (some.size() < 2) return std::nullopt;
  const std::int64_t step = some[1] - some[0];
  const bool is_rule = some.size() > 2 || static_cast<std::int64_t>(samples) % step == 0;
  if (step < 2 || !is_rule) return std::nullopt;
  return std::pair{step, some[0] % step};
}

std::optional<std::string> periodic(const Samples& samples, const Numbers& in, const Numbers& out,
                                    const std::string& number) {
  if (const auto s = stride_of(in, samples.size());
      s && holds(samples, [&](std::int64_t v) { return v % s->first == s->second; }))
    return fmt::format("{} % {} == {}", number, s->first, s->second);
  if (const auto s = stride_of(out, samples.size());
      s && holds(samples, [&](std::int64_t v) { return v % s->first != s->second; }))
    return fmt::format("{} % {} != {}", number, s->first, s->second);
  const std::int64_t most = std::min(kMaxPeriod, (samples.back().first + 1) / 2);
  for (std::int64_t period = 3; period <= most; ++period) {
    // Those within a period that come before the first that does not do.
    std::int64_t least_in = period, least_out = period;
    for (const auto& [v, is_in] : samples)
      (is_in ? least_in : least_out) = std::min(is_in ? least_in : least_out, v % period);
    if (least_in == period || least_out == period) continue;
    if (holds(samples, [&](std::int64_t v) { return v % period < least_out; }))
      return fmt::format("{} % {} < {}", number, period, least_out);
    if (holds(samples, [&](std::int64_t v) { return v % period >= least_in; }))
      return fmt::format("{} % {} >= {}", number, period, least_in);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> plain_condition(const Samples& samples, const std::string& text) {
  Numbers in, out;
  for (const auto& [v, is_in] : samples) (is_in ? in : out).push_back(v);
  if (in.empty() || out.empty()) return std::nullopt;
  const std::string number = operand(text);
  if (in.size() == 1) return fmt::format("{} == {}", number, in.front());
  if (out.size() == 1) return fmt::format("{} != {}", number, out.front());
  if (in.back() < out.front()) return fmt::format("{} < {}", number, out.front());
  if (in.front() > out.back()) return fmt::format("{} >= {}", number, in.front());
  if (auto text_of_period = periodic(samples, in, out, number)) return text_of_period;
  if (holds(samples, [&](std::int64_t v) { return v >= in.front() && v <= in.back(); }))
    return fmt::format("{0} >= {1} && {0} <= {2}", number, in.front(), in.back());
  if (holds(samples, [&](std::int64_t v) { return v < out.front() || v > out.back(); }))
    return fmt::format("{0} < {1} || {0} > {2}", number, out.front(), out.back());
  return std::nullopt;
}

std::optional<std::string> plain_condition(const trace::Series& series, std::uint64_t n,
                                           const std::string& place) {
  if (n > kMaxLooked || place.find("++") != std::string::npos) return std::nullopt;
  Samples samples;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) {
    const std::int64_t v = cursor.next();
    if (v != 0 && v != 1) return std::nullopt;
    samples.emplace_back(static_cast<std::int64_t>(k), v == 1);
  }
  return plain_condition(samples, place);
}

std::optional<std::int64_t> distance_of_ones(const trace::Series& series, std::uint64_t n) {
  if (n == 0 || n > kMaxLooked) return std::nullopt;
  std::optional<std::int64_t> first, last, distance;
  trace::SeriesCursor cursor(series);
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(n); ++k) {
    if (cursor.next() == 0) continue;
    if (last && distance.value_or(k - *last) != k - *last) return std::nullopt;
    if (last) distance = k - *last;
    if (!first) first = k;
    last = k;
  }
  if (!last) return std::nullopt;
  const auto all = static_cast<std::int64_t>(n);
  if (!distance) return all;
  const bool goes_on = *first < *distance && all - *last <= *distance;
  return goes_on ? distance : std::nullopt;
}

}  // namespace reprise::generate
