// What a recording is to be like: what `reprise record` passes on in the environment.
#pragma once

#include <cstdint>
#include <string>

#include "compress/process.hpp"

namespace reprise::record {

struct Options {
  std::string output;  // where the trace goes; empty: nothing is recorded
  compress::CallpathMode callpaths = compress::CallpathMode::full;
  // What stands at the output is replaced; where no command tells whose it is, only what is older
  // than this [ns since 1970].
  bool replace = false;
  std::int64_t replaced_until = 0;
  bool merge = true;  // else a trace for each rank
  bool average_sizes = false;
  compress::TimeOptions times;
  compress::TimesPerStream times_kept = compress::TimesPerStream::classes_and_sums;
  std::string clock = "auto";
  bool checkpoints = true;  // so that a rank that is killed leaves something
};

// A variable's value; empty if it is not set.
std::string environment(const char* name);

// From the variables REPRISE_*. One that says what it cannot is named on rank 0 and ignored.
// REQUIRES: MPI is initialised.
Options options_from_environment();

}  // namespace reprise::record
