#include "generate/c_seldom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "generate/c_source.hpp"
#include "generate/rounded.hpp"

namespace reprise::generate {
namespace {

constexpr std::size_t kMostRows = 64;  // of the table, which each call reads
constexpr double kMostStretched = 4;   // what an execution may differ by from those of its kind

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

// The executions that are told one by one, and what they take in all [ns].
struct Told {
  std::vector<std::size_t> executions;
  double stretch = 1;  // what they take, of what is known of their kind
};

// What is known of an execution is that of its kind, but what the rank takes in all is its own. If
// that is something else altogether, none is told.
Told told(const OwnTimes& own, double usual, double noticed) {
  Told out;
  double sum = 0;
  for (std::size_t k = 0; k < own.each.size(); ++k) {
    if (std::abs(own.each[k] - usual) <= noticed) continue;
    out.executions.push_back(k);
    sum += own.each[k];
  }
  if (out.executions.empty()) return out;
  const auto others = static_cast<double>(own.count - out.executions.size());
  out.stretch = sum > 0 ? (own.sum - others * usual) / sum : 0;
  const bool is_other = out.stretch < 1 / kMostStretched || out.stretch > kMostStretched;
  return is_other ? Told() : out;
}

// What those of a rank take that are not told, and how many they are.
struct Rest {
  double sum, count;
};

Rest rest_of(const OwnTimes& own, double usual, double noticed) {
  Rest out{own.sum, static_cast<double>(own.count)};
  const Told rare = told(own, usual, noticed);
  for (const std::size_t k : rare.executions) {
    out.sum -= rare.stretch * own.each[k];
    --out.count;
  }
  return out;
}

// The mean of all that are as usual.
double mean_of_rest(const std::vector<OwnTimes>& all, double usual, double noticed) {
  double sum = 0, count = 0;
  for (const OwnTimes& own : all) {
    const Rest rest = rest_of(own, usual, noticed);
    if (std::abs(rest.sum - rest.count * usual) > noticed) continue;
    sum += rest.sum;
    count += rest.count;
  }
  return count > 0 ? sum / count : usual;
}

}  // namespace

Mostly mostly(const std::vector<OwnTimes>& all, double noticed) {
  std::vector<double> values;
  for (const OwnTimes& own : all) {
    values.insert(values.end(), own.each.begin(), own.each.end());
    if (own.each.empty() && own.count > 0)
      values.push_back(own.sum / static_cast<double>(own.count));
  }
  if (values.empty()) return {0, {}};
  const double middle = median(std::move(values));
  Mostly out{rounded(mean_of_rest(all, middle, noticed), 4), {}};
  for (const OwnTimes& own : all) {
    const Told rare = told(own, middle, noticed);
    for (const std::size_t k : rare.executions)
      out.rows.push_back(
          {own.rank, static_cast<std::int64_t>(k), rounded(rare.stretch * own.each[k], 4)});
    const auto count = static_cast<double>(own.count);
    if (rare.executions.empty() && std::abs(own.sum - count * out.ns) > noticed)
      out.rows.push_back({own.rank, -1, rounded(own.sum / count, 4)});
  }
  return out;
}

bool Seldom::add(std::size_t site, const std::vector<Unlike>& rows, std::size_t table) {
  std::vector<std::string> texts;
  std::size_t size = 0;
  for (const Unlike& u : rows) {
    texts.push_back(fmt::format("{{{}, {}, {}, {:.0f}}}", site, u.rank, u.execution, u.ns));
    size += texts.back().size() + 2;
  }
  if (size > table || rows_.size() + rows.size() > kMostRows) return false;
  rows_.insert(rows_.end(), texts.begin(), texts.end());
  return true;
}

std::string Seldom::text() const {
  if (rows_.empty()) return {};
  return fmt::format(
      "/* What comes before few executions of a call, by place, rank and execution (-1: all), "
      "instead "
      "of what it says. */\n{}\n",
      wrapped(
          fmt::format("static const struct {{ int site, rank, k; double ns; }} seldom[] = {{{}}};",
                      fmt::join(rows_, ", ")),
          0));
}

}  // namespace reprise::generate
