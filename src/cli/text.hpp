// Numbers and tables as people read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/times/time_rows.hpp"

namespace reprise::cli {

// The command line of a trace, or that it is not known.
std::string program_text(std::string_view command);

// "1,234,567".
std::string count_text(std::uint64_t n);

// "1 rank", "1,234 ranks".
std::string counted(std::uint64_t n, std::string_view what);

// "rank 3", "ranks 0..3".
std::string ranks_text(const std::vector<std::uint64_t>& ranks);
// The same within a table, where the word "ranks" is left out, and within a line. Long sets are
// shortened: "47 from 3 to 250", "47 ranks from 3 to 250". REQUIRES: in order, at least one.
std::string ranks_in_row(const std::vector<std::uint64_t>& ranks);
std::string ranks_in_line(const std::vector<std::uint64_t>& ranks);
// "1.67 % take 58.0 us, 98.3 % take 8.21 us".
std::string executions_text(const std::vector<analyze::TimeGroup>& groups);

// What a trace lost: "3 calls that returned an error", "1 rank that left nothing".
std::string loss_text(std::uint64_t n, std::string what);

// "512 B", "1.54 kB", "23.4 MB": decimal units, three digits.
std::string bytes_text(std::uint64_t bytes);

// "12.3 %" of a whole; "-" if that is nothing.
std::string share_text(std::uint64_t part, std::uint64_t whole);

// "70 ns", "12.3 us", "1.50 ms", "2.35 s": three digits.
std::string duration_text(double ns);

// "2.5s", "300ms", "12 us", "70ns" in nanoseconds; none without a unit.
std::optional<double> parse_duration(const std::string& text);

// Words for people: color, unless stdout is no terminal or NO_COLOR is set.
bool use_color();

enum class LastColumn : std::uint8_t { number, text };

// Columns as wide as their widest cell; the first `text_columns` are aligned to the left, and so is
// the last one if it is text. A column whose head begins with "| " has a rule before it. Behind a
// text that is too long for a column the rest of the row stands on a line of its own.
class Table {
 public:
  Table(std::vector<std::string> head, std::size_t text_columns,
        LastColumn last = LastColumn::number)
      : last_text_(last == LastColumn::text ? head.size() - 1 : ~std::size_t{0}),
        rows_{std::move(head)},
        text_columns_(text_columns) {}

  // REQUIRES: no more cells than the head has.
  void add(std::vector<std::string> row);
  std::string text() const;

 private:
  bool is_text(std::size_t column) const { return column < text_columns_ || column == last_text_; }

  // Between the column and the one before it.
  std::string_view separator(std::size_t column) const;

  std::size_t last_text_;
  std::vector<std::vector<std::string>> rows_;  // the first is the head
  std::size_t text_columns_;
};

}  // namespace reprise::cli
