#include "generate/c_patterns.hpp"

#include <fmt/format.h>
#include <limits>

#include "generate/plain_condition.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

using trace::Series;

namespace {

constexpr std::uint64_t kMaxRead = 1 << 14;  // values of a series that an expression is sought for

// first + a * (place % period) + b * (place / period); empty: that is not what they are.
std::string lines(const std::vector<std::int64_t>& values, Point& point) {
  using trace::wrapping_add, trace::wrapping_mul, trace::wrapping_sub;
  const std::size_t n = values.size();
  if (n < 4 || point.place_text().find("++") != std::string::npos) return {};
  const std::int64_t first = values[0], a = wrapping_sub(values[1], first);
  std::size_t period = 2;
  while (period < n && wrapping_sub(values[period], values[period - 1]) == a) ++period;
  if (period == n || a == 0) return {};
  const std::int64_t b = wrapping_sub(values[period], first);
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  if (a == kLeast || b == kLeast) return {};
  // Of two numbers any pair is a line, and one that begins a period is no period.
  if (b == 0 ? period == 2 && std::abs(a) != 1 : n < 2 * period) return {};
  if (b != 0 && point.wraps && point.goes_on) return {};
  for (std::size_t k = 0; k < n; ++k) {
    const std::int64_t told =
        wrapping_add(wrapping_add(first, wrapping_mul(a, k % period)), wrapping_mul(b, k / period));
    if (values[k] != told) return {};
  }
  const auto p = static_cast<std::int64_t>(period);
  const std::string within = point.remainder(p);
  const std::string text = *line({first, wrapping_add(first, a)}, within);
  if (b == 0) return text;
  return fmt::format("{} {} {}", text, b > 0 ? "+" : "-",
                     *line({0, std::abs(b)}, point.quotient(p)));
}

}  // namespace

std::string Point::remainder(std::int64_t period) {
  if (place.is_known_within(period)) return place.remainder(period);
  if (period == round.passes && !round.within.empty()) return round.within;
  return fmt::format("{} % {}", k(), period);
}

std::string Point::quotient(std::int64_t period) {
  if (place.is_known()) return place.quotient(period);
  if (round.passes == 0 || period % round.passes != 0) return fmt::format("{} / {}", k(), period);
  return period == round.passes
             ? round.which
             : fmt::format("{} / {}", operand(round.which), period / round.passes);
}

std::vector<std::int64_t> first_of(const Series& series, std::uint64_t n) {
  std::vector<std::int64_t> out;
  if (n > kMaxRead) return out;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) out.push_back(cursor.next());
  return out;
}

std::uint64_t period_of(const std::vector<std::int64_t>& values) {
  const std::size_t n = values.size();
  // How much of what begins ends at each value, but for the whole (Knuth, Morris, Pratt 1977).
  std::vector<std::size_t> border(n, 0);
  for (std::size_t k = 1, b = 0; k < n; ++k) {
    while (b > 0 && values[k] != values[b]) b = border[b - 1];
    if (values[k] == values[b]) ++b;
    border[k] = b;
  }
  const std::size_t p = n > 0 ? n - border[n - 1] : 0;
  return 2 * p <= n ? p : n;
}

std::optional<std::string> line(const std::vector<std::int64_t>& values, const std::string& place) {
  if (values.size() < 2) return std::nullopt;
  const std::int64_t first = values[0], step = trace::wrapping_sub(values[1], values[0]);
  if (step == std::numeric_limits<std::int64_t>::min()) return std::nullopt;
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (trace::is_special(values[k]) || trace::wrapping_sub(values[k], values[k - 1]) != step)
      return std::nullopt;
  }
  const std::string of = operand(place);
  const std::string product =
      step == 1 || step == -1 ? of : fmt::format("{} * {}", std::abs(step), of);
  if (first == 0 && step > 0) return product;
  return fmt::format("{} {} {}", first, step > 0 ? "+" : "-", product);
}

std::string pattern(const Series& series, std::uint64_t n, Point& point) {
  if (trace::may_have_special(series)) return {};
  if (const auto condition = plain_condition(series, n, point.place_text())) {
    // The loops may tell the remainder.
    const std::string remains = point.place_text() + " % ";
    if (condition->starts_with(remains)) {
      const std::int64_t period = std::stoll(condition->substr(remains.size()));
      const std::size_t comparison = condition->find(' ', remains.size());
      return point.remainder(period) + condition->substr(comparison);
    }
    point.k();
    return *condition;
  }
  if (point.place_text().find("++") != std::string::npos) return {};
  const std::vector<std::int64_t> values = first_of(series, n);
  if (point.wraps && point.goes_on) {
    if (!line(values, "")) return lines(values, point);
    return *line(values, point.remainder(static_cast<std::int64_t>(n)));
  }
  if (const auto text = line(values, point.place_text())) {
    point.k();
    return *text;
  }
  return lines(values, point);
}

std::uint64_t round_of_all(const std::vector<std::int64_t>& values, const Point& point) {
  const std::uint64_t period = period_of(values);
  return point.goes_on && period > 0 && values.size() % period != 0 ? values.size() : period;
}

std::string place_in(std::uint64_t period, std::uint64_t n, Point& point) {
  if (period >= n && !point.goes_on) return point.k();
  if (period < n) return point.remainder(static_cast<std::int64_t>(period));
  return fmt::format("{} % {}", point.k(), period);
}

}  // namespace reprise::generate
