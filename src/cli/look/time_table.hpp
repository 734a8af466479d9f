// The times of a trace as a ranked list: what `reprise stats --times` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "trace/program.hpp"

namespace reprise::cli {

struct TimeTableOptions {
  std::size_t top = 0;  // rows; 0: all
  bool json = false;
};

// The same for programs, with all rows. REQUIRES: the trace has times.
nlohmann::ordered_json time_table_json(const trace::Trace& trace);

void print_times(const trace::Trace& trace, const std::string& file, const TimeTableOptions& o);

}  // namespace reprise::cli
