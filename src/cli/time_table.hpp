// The times of a trace as a ranked list: what `reprise stats --times` prints.
#pragma once

#include <string>

#include "trace/program.hpp"

namespace reprise::cli {

struct TimeTableOptions {
  std::size_t top = 0;  // rows; 0: all
  bool json = false;
};

void print_times(const trace::Trace& trace, const std::string& file, const TimeTableOptions& o);

}  // namespace reprise::cli
