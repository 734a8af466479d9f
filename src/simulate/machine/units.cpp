#include "simulate/machine/units.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

namespace reprise::simulate {
namespace {

using Unit = std::pair<std::string_view, double>;

constexpr Unit kDurations[] = {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}};
constexpr Unit kSizes[] = {
    {"B", 1},     {"kB", 1e3},   {"KB", 1e3},        {"MB", 1e6},           {"GB", 1e9},
    {"TB", 1e12}, {"KiB", 1024}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"b", 0.125},
    {"kb", 125},  {"Kb", 125},   {"Mb", 125e3},      {"Gb", 125e6},         {"Tb", 125e9}};

// The number in a text, times its unit. Nothing: the text has another form. `plain`: what a number
// without a unit counts; 0: only "0" may have none.
std::optional<double> parse(const std::string& text, std::span<const Unit> units, double plain) {
  const char* begin = text.c_str();
  char* end = nullptr;
  const double n = std::strtod(begin, &end);
  if (end == begin || !std::isfinite(n)) return std::nullopt;
  while (*end == ' ') ++end;
  const std::string_view unit(end);
  if (unit.empty() && plain == 0 && n != 0) return std::nullopt;
  if (unit.empty()) return n * plain;
  for (const auto& [name, factor] : units) {
    if (unit == name) return n * factor;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Picoseconds> parse_duration(const std::string& text) {
  const auto ps = parse(text, kDurations, 0);
  constexpr double kMost = 1e18;
  if (!ps || std::abs(*ps) > kMost) return std::nullopt;
  return std::llround(*ps);
}

std::optional<double> parse_bandwidth(const std::string& text) {
  if (text == "unlimited") return 0;
  const bool is_rate = text.ends_with("/s");
  const auto bytes =
      is_rate ? parse(text.substr(0, text.size() - 2), kSizes, 0) : parse(text, {}, 0);  // "0"
  if (!bytes) return std::nullopt;
  if (*bytes <= 0) return std::numeric_limits<double>::infinity();
  return 1e12 / *bytes;
}

std::optional<std::int64_t> parse_size(const std::string& text) {
  const auto bytes = parse(text, kSizes, 1);
  if (!bytes || std::abs(*bytes) > 9e15) return std::nullopt;
  return std::llround(*bytes);
}

std::optional<double> parse_ratio(const std::string& text) {
  const auto v = parse(text, {}, 1);
  if (!v || !(*v > 0)) return std::nullopt;
  return v;
}

}  // namespace reprise::simulate
