#include "cli/text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/contract.hpp"
#include "base/printable.hpp"
#include "trace/values/rank_set.hpp"

namespace reprise::cli {
namespace {

constexpr std::size_t kMostWidth = 32;  // of ranks in a row [characters]

}  // namespace

std::string program_text(std::string_view command) {
  return command.empty() ? "program not known" : printable(command);
}

std::string count_text(std::uint64_t n) {
  const std::string digits = std::to_string(n);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string counted(std::uint64_t n, std::string_view what) {
  const bool in_es = what.ends_with("ch") || what.ends_with("s");
  return fmt::format("{} {}{}", count_text(n), what, n == 1 ? "" : in_es ? "es" : "s");
}

std::string ranks_text(const std::vector<std::uint64_t>& ranks) {
  return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks", trace::describe_ranks(ranks));
}

namespace {

// Ranges of a few words: no grids, and not too many to read.
bool is_plain(const std::string& ranks) {
  return ranks.size() <= kMostWidth && ranks.find('<') == std::string::npos;
}

}  // namespace

std::string ranks_in_row(const std::vector<std::uint64_t>& ranks) {
  std::string all = trace::describe_ranks(ranks);
  if (is_plain(all)) return all;
  return fmt::format("{} from {} to {}", count_text(ranks.size()), ranks.front(), ranks.back());
}

std::string ranks_in_line(const std::vector<std::uint64_t>& ranks) {
  if (is_plain(trace::describe_ranks(ranks))) return ranks_text(ranks);
  return fmt::format("{} from {} to {}", counted(ranks.size(), "rank"), ranks.front(),
                     ranks.back());
}

std::string executions_text(const std::vector<analyze::TimeGroup>& groups) {
  std::string out;
  for (const analyze::TimeGroup& g : groups)
    out += fmt::format("{}{:.3g} % take {}", out.empty() ? "" : ", ", 100 * g.share,
                       duration_text(g.mean));
  return out;
}

std::string loss_text(std::uint64_t n, std::string what) {
  static constexpr std::pair<std::string_view, std::string_view> kOfOne[] = {
      {"calls ", "call "},         {"call paths ", "call path "}, {"ranks ", "rank "},
      {" that are ", " that is "}, {" traces ", " a trace "},     {" their ", " its "}};
  for (const auto& [many, one] : kOfOne) {
    const std::size_t at = n == 1 ? what.find(many) : std::string::npos;
    if (at != std::string::npos) what.replace(at, many.size(), one);
  }
  return fmt::format("{} {}", count_text(n), what);
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  static constexpr const char* kUnits[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  double n = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; n >= 999.5; ++unit) n /= 1000;
  return fmt::format("{:.{}f} {}", n, n < 9.995 ? 2 : n < 99.95 ? 1 : 0, kUnits[unit]);
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

namespace {

struct Unit {
  const char* name;
  double ns;
};
constexpr Unit kDurations[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};

}  // namespace

std::string duration_text(double ns) {
  if (ns == 0) return "0";
  const Unit* unit = std::ranges::find_if(
      kDurations, [ns](const Unit& u) { return std::abs(ns) >= 0.9995 * u.ns; });
  if (unit == std::end(kDurations)) --unit;
  const double n = ns / unit->ns;
  const int digits = std::abs(n) < 9.995 ? 2 : std::abs(n) < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", n, digits, unit->name);
}

std::optional<double> parse_duration(const std::string& text) {
  char* end = nullptr;
  const double n = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(n)) return std::nullopt;
  while (*end == ' ') ++end;
  const std::string_view unit = end;
  const auto known =
      std::ranges::find_if(kDurations, [unit](const Unit& u) { return u.name == unit; });
  if (known == std::end(kDurations)) return std::nullopt;
  return n * known->ns;
}

bool use_color() {
  const char* no = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) && (!no || !*no);
}

namespace {

constexpr std::string_view kRule = "| ";  // before the text of a head
// Longer texts do not push the columns behind them to the right.
constexpr std::size_t kMaxTextColumn = 100;

}  // namespace

void Table::add(std::vector<std::string> row) {
  REPRISE_REQUIRE(row.size() <= rows_.front().size());
  rows_.push_back(std::move(row));
}

std::string_view Table::separator(std::size_t column) const {
  if (rows_.front()[column].starts_with(kRule)) return "  | ";
  return column == 0 ? "" : "  ";
}

std::string Table::text() const {
  const auto cell = [&](std::size_t row, std::size_t c) {
    const std::string_view text = rows_[row][c];
    return row == 0 && text.starts_with(kRule) ? text.substr(kRule.size()) : text;
  };
  std::vector<std::size_t> width;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    width.resize(std::max(width.size(), rows_[r].size()));
    for (std::size_t c = 0; c < rows_[r].size(); ++c) {
      const std::size_t here = cell(r, c).size();
      if (!is_text(c) || here <= kMaxTextColumn) width[c] = std::max(width[c], here);
    }
  }
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    std::size_t before = 0;  // width of the columns so far
    for (std::size_t c = 0; c < rows_[r].size(); ++c) {
      const std::string_view text = cell(r, c);
      line += separator(c);
      line += is_text(c) ? fmt::format("{:<{}}", text, width[c])
                         : fmt::format("{:>{}}", text, width[c]);
      before += separator(c).size() + width[c];
      if (text.size() > width[c] && c + 1 < rows_[r].size()) {
        out += line + "\n";
        line.assign(before, ' ');
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace reprise::cli
