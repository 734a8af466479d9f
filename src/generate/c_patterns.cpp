#include "generate/c_patterns.hpp"

#include <fmt/format.h>

#include "generate/plain_condition.hpp"
#include "trace/series_sum.hpp"
#include "trace/special.hpp"

namespace reprise::generate {

using trace::Series;

namespace {

constexpr std::uint64_t kMaxRead = 1 << 14;  // values of a series that an expression is sought for

}  // namespace

std::vector<std::int64_t> first_of(const Series& series, std::uint64_t n) {
  std::vector<std::int64_t> out;
  if (n > kMaxRead) return out;
  trace::SeriesCursor cursor(series);
  for (std::uint64_t k = 0; k < n; ++k) out.push_back(cursor.next());
  return out;
}

std::uint64_t period_of(const std::vector<std::int64_t>& values) {
  const std::size_t n = values.size();
  for (std::size_t p = 1; 2 * p <= n; ++p) {
    bool same = true;
    for (std::size_t k = p; k < n && same; ++k) same = values[k] == values[k - p];
    if (same) return p;
  }
  return n;
}

std::optional<std::string> line(const std::vector<std::int64_t>& values, const std::string& place) {
  if (values.size() < 2) return std::nullopt;
  const std::int64_t first = values[0], step = trace::wrapping_sub(values[1], values[0]);
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
    point.k();
    return *condition;
  }
  if (point.place_text().find("++") == std::string::npos) {
    if (const auto text = line(first_of(series, n), point.place_text())) {
      point.k();
      return *text;
    }
  }
  if (series.terms().size() != 1 || series.terms().front().is_run()) return {};
  const trace::Term& t = series.terms().front();
  const auto period = static_cast<std::int64_t>(t.period);
  const bool one_run = t.body.size() == 1 && t.body[0].is_run() && t.body[0].step != 0;
  if (!point.place.is_known() || !one_run) return {};
  const auto text = line({t.body[0].value, trace::wrapping_add(t.body[0].value, t.body[0].step)},
                         point.place.remainder(period));
  if (t.step == 0) return *text;
  return fmt::format("{} + {}", *text, *line({0, t.step}, point.place.quotient(period)));
}

std::string place_in(std::uint64_t period, std::uint64_t n, Point& point) {
  if (period >= n && !point.goes_on) return point.k();
  if (point.place.is_known() && period < n)
    return point.place.remainder(static_cast<std::int64_t>(period));
  return fmt::format("{} % {}", point.k(), period);
}

}  // namespace reprise::generate
