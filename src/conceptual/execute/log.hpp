// The log that a task writes: tables of comma-separated values with two rows of titles, between
// comments that say what ran where, in the manner of coNCePTuaL's own logs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conceptual/ast.hpp"

namespace reprise::conceptual {

// The line between parts of a log.
inline constexpr const char* kRule =
    "###########################################################################\n";

// What an aggregate makes of values; histograms: two lists, values and how often each occurs.
// Empty: there is no such number, as of a geometric mean of negative ones. REQUIRES: there are
// values.
std::vector<std::vector<double>> aggregate_of(Aggregate aggregate, std::vector<double> values);

// As in "(median)"; of a histogram, of its first list.
std::string_view title_of(Aggregate aggregate);

// Ten digits, and whole numbers as such.
std::string number_text(double x);

// One table: of what a statement of the top level logs.
class LogTable {
 public:
  // Another value of a column. Throws Problem if THE value is not one.
  void add(const Column& column, const std::string& title, double value);

  // COMPUTES AGGREGATES: each aggregate of what came since the last time is another row.
  void compute_aggregates();

  // The table as it stands in the file; empty if nothing was logged.
  std::string text() const;
  bool empty() const { return columns_.empty(); }

 private:
  struct Kept {
    Aggregate aggregate = Aggregate::all_data;
    std::string title;
    std::vector<double> values;              // not yet aggregated
    std::vector<std::vector<double>> lists;  // as they are written: one, or two of a histogram
  };

  std::map<std::size_t, Kept> columns_;  // by Column::id, which is their order in the program
};

// The comments in front: names and what they are, the environment, and the program.
using Facts = std::vector<std::pair<std::string, std::string>>;
std::string log_prologue(const Facts& facts, const std::vector<std::string>& comments,
                         const std::string& source);

}  // namespace reprise::conceptual
