#include "write/text/layout.hpp"

#include <algorithm>

namespace reprise::write {
namespace {

constexpr std::size_t kLeastWidth = 40;   // of a row that has a place behind it
constexpr std::size_t kMostColumn = 100;  // longer lines do not push all places to the right
constexpr std::size_t kUnlimited = std::size_t{1} << 30;
constexpr std::size_t kContinued = 4;  // further rows of a line are indented by so many

}  // namespace

std::vector<Row> lay_out(const std::vector<Line>& lines, std::size_t width) {
  if (width == 0) width = kUnlimited;
  std::size_t places = 0;
  for (const Line& l : lines) places = std::max(places, l.place.size());
  const std::size_t most = width > places + 2 + kLeastWidth ? width - places - 2 : kLeastWidth;
  std::vector<Row> out;
  std::size_t column = 0;  // in which places begin
  for (const Line& l : lines) {
    const std::size_t indent = std::min(2 * l.depth, width / 2);
    const std::size_t first = l.place.empty() ? width - indent : most - std::min(indent, most / 2);
    bool is_first = true;
    for (Words& words : l.words.lines(first, width - indent - kContinued)) {
      Row row{indent + (is_first ? 0 : kContinued), std::move(words), 0, {}};
      if (is_first) row.place = l.place;
      const std::size_t end = row.indent + row.words.width();
      if (is_first && !l.place.empty() && end <= kMostColumn) column = std::max(column, end);
      is_first = false;
      out.push_back(std::move(row));
    }
  }
  for (Row& row : out) {
    if (row.place.empty()) continue;
    const std::size_t end = row.indent + row.words.width();
    row.padding = std::max(column, end) + 2 - end;
  }
  return out;
}

std::vector<std::string> lay_out_comment(const std::string& text, std::size_t width) {
  if (width == 0) width = kUnlimited;
  constexpr std::string_view kBegin = "# ";
  Words words;
  words.split(text, 0);
  const std::size_t first = std::max(width, kBegin.size() + kContinued + 1) - kBegin.size();
  std::vector<std::string> out;
  for (const Words& row : words.lines(first, first - kContinued)) {
    std::string line(kBegin);
    if (!out.empty()) line += std::string(kContinued - 1, ' ');
    for (const Word& w : row.list()) line += (line.size() > kBegin.size() ? " " : "") + w.text;
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace reprise::write
