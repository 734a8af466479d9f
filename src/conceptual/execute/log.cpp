#include "conceptual/execute/log.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace reprise::conceptual {
namespace {

double mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const std::size_t half = v.size() / 2;
  return v.size() % 2 ? v[half] : (v[half - 1] + v[half]) / 2;
}

// Of a sample: with n - 1. A single value has none.
double variance(const std::vector<double>& v) {
  if (v.size() < 2) return 0;
  const double m = mean(v);
  double sum = 0;
  for (const double x : v) sum += (x - m) * (x - m);
  return sum / static_cast<double>(v.size() - 1);
}

double harmonic_mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += 1 / x;
  return static_cast<double>(v.size()) / sum;
}

double geometric_mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += std::log(x);
  return std::exp(sum / static_cast<double>(v.size()));
}

std::vector<std::vector<double>> histogram(const std::vector<double>& v) {
  std::map<double, double> tallies;
  for (const double x : v) ++tallies[x];
  std::vector<std::vector<double>> out(2);
  for (const auto& [value, tally] : tallies) {
    out[0].push_back(value);
    out[1].push_back(tally);
  }
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

// A comment of as many lines as the text has.
std::string comment(const std::string& text) {
  std::string out = "# ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "# ";
  }
  return out + '\n';
}

}  // namespace

std::vector<std::vector<double>> aggregate_of(Aggregate aggregate, std::vector<double> v) {
  switch (aggregate) {
    case Aggregate::all_data: return {std::move(v)};
    case Aggregate::only_value: return {{v.front()}};
    case Aggregate::mean: return {{mean(v)}};
    case Aggregate::harmonic_mean: return {{harmonic_mean(v)}};
    case Aggregate::geometric_mean: return {{geometric_mean(v)}};
    case Aggregate::median: return {{median(std::move(v))}};
    case Aggregate::standard_deviation: return {{std::sqrt(variance(v))}};
    case Aggregate::variance: return {{variance(v)}};
    case Aggregate::sum: return {{std::accumulate(v.begin(), v.end(), 0.0)}};
    case Aggregate::minimum: return {{*std::min_element(v.begin(), v.end())}};
    case Aggregate::maximum: return {{*std::max_element(v.begin(), v.end())}};
    case Aggregate::final_value: return {{v.back()}};
    case Aggregate::histogram: return histogram(v);
  }
  return {};
}

std::string_view title_of(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::all_data: return "(all data)";
    case Aggregate::only_value: return "(only value)";
    case Aggregate::mean: return "(mean)";
    case Aggregate::harmonic_mean: return "(harmonic mean)";
    case Aggregate::geometric_mean: return "(geometric mean)";
    case Aggregate::median: return "(median)";
    case Aggregate::standard_deviation: return "(std. dev.)";
    case Aggregate::variance: return "(variance)";
    case Aggregate::sum: return "(sum)";
    case Aggregate::minimum: return "(minimum)";
    case Aggregate::maximum: return "(maximum)";
    case Aggregate::final_value: return "(final)";
    case Aggregate::histogram: return "(hist. values)";
  }
  return "";
}

std::string number_text(double x) {
  char out[64];
  const bool whole = std::abs(x) < 0x1p53 && x == std::trunc(x);
  std::snprintf(out, sizeof out, whole ? "%.0f" : "%.10g", x == 0 ? 0.0 : x);
  return out;
}

void LogTable::add(const Column& column, const std::string& title, double value) {
  Kept& kept = columns_[column.id];
  if (kept.lists.empty()) {
    kept.aggregate = column.aggregate;
    kept.title = title;
    kept.lists.resize(column.aggregate == Aggregate::histogram ? 2 : 1);
  }
  if (column.aggregate == Aggregate::all_data) {
    kept.lists[0].push_back(value);
    return;
  }
  if (column.aggregate == Aggregate::only_value && !kept.values.empty()) {
    if (kept.values[0] == value) return;
    throw Problem{column.expr.at, "THE value is " + number_text(kept.values[0]) + " and then " +
                                      number_text(value) +
                                      " (it has to stay the same until aggregates are computed); "
                                      "say EACH, or an aggregate such as THE MEAN OF"};
  }
  kept.values.push_back(value);
}

void LogTable::compute_aggregates() {
  for (auto& [id, kept] : columns_) {
    if (kept.values.empty()) continue;
    const auto lists = aggregate_of(kept.aggregate, std::move(kept.values));
    for (std::size_t i = 0; i < lists.size(); ++i)
      kept.lists[i].insert(kept.lists[i].end(), lists[i].begin(), lists[i].end());
    kept.values.clear();
  }
}

std::string LogTable::text() const {
  if (columns_.empty()) return {};
  std::string titles, kinds;
  std::vector<const std::vector<double>*> lists;
  for (const auto& [id, kept] : columns_) {
    for (std::size_t i = 0; i < kept.lists.size(); ++i) {
      titles += (lists.empty() ? "" : ",") + quoted(kept.title);
      kinds += (lists.empty() ? "" : ",") +
               quoted(std::string(i == 0 ? title_of(kept.aggregate) : "(hist. tallies)"));
      lists.push_back(&kept.lists[i]);
    }
  }
  std::string out = titles + '\n' + kinds + '\n';
  std::size_t rows = 0;
  for (const auto* list : lists) rows = std::max(rows, list->size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (i > 0) out += ',';
      if (row < lists[i]->size()) out += number_text((*lists[i])[row]);
    }
    out += '\n';
  }
  return out;
}

std::string log_prologue(const Facts& facts, const std::vector<std::string>& comments,
                         const std::string& source) {
  std::string out = kRule;
  out += "# ===================\n# coNCePTuaL log file\n# ===================\n";
  for (const auto& [name, value] : facts) out += comment(name + ": " + value);
  for (const std::string& text : comments) out += comment("User comment: " + text);
  out += "#\n# coNCePTuaL source code\n# ----------------------\n#     ";
  for (const char c : source) {
    out += c;
    if (c == '\n') out += "#     ";
  }
  return out + "\n#\n" + kRule;
}

}  // namespace reprise::conceptual
