// Lines of a listing within a width, with places in a column at the right.
#pragma once

#include "write/text/listing.hpp"

namespace reprise::write {

// Characters of a line, unless a single word is longer.
inline constexpr std::size_t kWidth = 120;

struct Row {
  std::size_t indent = 0;
  Words words;
  std::size_t padding = 0;  // before the place
  std::string place;
};

// Places stand in the first row of a line. Where whole call paths are asked for, places may be
// longer than the width. Width 0: lines are not broken.
std::vector<Row> lay_out(const std::vector<Line>& lines, std::size_t width = kWidth);

// A text in rows that begin with "# ", as those of the header.
std::vector<std::string> lay_out_comment(const std::string& text, std::size_t width = kWidth);

}  // namespace reprise::write
