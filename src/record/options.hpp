// The options of a recording, which `reprise record` passes in environment variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compress/process.hpp"

namespace reprise::record {

struct Options {
  std::string output;  // where the trace goes; empty: nothing is recorded
  compress::CallpathMode callpaths = compress::CallpathMode::full;
  // Existing files at the output are replaced; without REPRISE_CLAIMS only those older than
  // `replaced_until` [ns since 1970].
  bool replace = false;
  std::int64_t replaced_until = 0;
  bool merge = true;  // else a trace for each rank
  bool average_sizes = false;
  compress::TimeOptions times;
  compress::TimesPerStream times_kept = compress::TimesPerStream::classes_and_sums;
  std::string clock = "auto";        // ClockSource (calls/clock.hpp)
  bool checkpoints = true;           // so that a rank that is killed leaves something
  std::vector<std::string> refused;  // invalid values, each with what the variable takes
};

// A variable's value; empty if it is not set.
std::string environment(const char* name);

// Reads the variables REPRISE_*. An invalid one has its default and is in `refused`.
Options options_from_environment();

}  // namespace reprise::record
