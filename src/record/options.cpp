#include "record/options.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <string>

namespace reprise::record {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

namespace {

// Variables are set by hand in batch scripts: a slip of the pen is said once.
void refuse(const char* name, const std::string& value, const std::string& takes) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  std::fprintf(stderr, "reprise: %s=%s is ignored (it takes %s)\n", name, value.c_str(),
               takes.c_str());
}

// One of some words; the first where the variable is not set, or is none of them.
std::string choice(const char* name, std::initializer_list<const char*> words) {
  const std::string value = environment(name);
  std::string takes;
  for (const char* word : words) {
    if (value == word) return value;
    takes += (takes.empty() ? "" : ", ") + std::string(word);
  }
  if (!value.empty()) refuse(name, value, takes);
  return *words.begin();
}

constexpr double kMost = 1e6;
constexpr double kLatest = 9e18;  // a time [ns since 1970], as far as the type goes

// A number of at least `least`; `usual` where the variable is not set, or is none.
double number(const char* name, double usual, double least, double most = kMost) {
  const std::string value = environment(name);
  if (value.empty()) return usual;
  char* end = nullptr;
  const double found = std::strtod(value.c_str(), &end);
  if (*end == '\0' && found >= least && found <= most) return found;
  refuse(name, value, "a number of " + std::to_string(static_cast<int>(least)) + " or more");
  return usual;
}

compress::TimeOptions time_options_from_environment() {
  compress::TimeOptions o;
  const std::string mode = choice("REPRISE_TIME", {"paths", "histogram", "stats", "none"});
  o.mode = mode == "none"        ? trace::TimeMode::none
           : mode == "stats"     ? trace::TimeMode::stats
           : mode == "histogram" ? trace::TimeMode::histogram
                                 : trace::TimeMode::paths;
  o.bins = static_cast<std::size_t>(number("REPRISE_BINS", static_cast<double>(o.bins), 1));
  o.smoothing = number("REPRISE_SMOOTHING", o.smoothing, 0);
  o.precision = number("REPRISE_TIME_PRECISION", 1, 0);
  return o;
}

// 0 and 1, or the time at which the environment was printed.
void read_force(Options& o) {
  const auto force = static_cast<std::int64_t>(number("REPRISE_FORCE", 0, 0, kLatest));
  o.replace = force > 0;
  o.replaced_until = force == 1 ? std::numeric_limits<std::int64_t>::max() : force;
}

}  // namespace

Options options_from_environment() {
  Options o;
  o.output = environment("REPRISE_OUTPUT");
  const std::string callpaths = choice("REPRISE_CALLPATHS", {"full", "site", "none"});
  o.callpaths = callpaths == "none"   ? compress::CallpathMode::none
                : callpaths == "site" ? compress::CallpathMode::site
                                      : compress::CallpathMode::full;
  read_force(o);
  o.merge = environment("REPRISE_MERGE") != "none";
  o.average_sizes = environment("REPRISE_AVERAGE_SIZES") == "1";
  o.times = time_options_from_environment();
  o.times_kept = o.times.mode == trace::TimeMode::stats ? compress::TimesPerStream::nothing
                 : environment("REPRISE_RANK_SUMS") == "0"
                     ? compress::TimesPerStream::classes
                     : compress::TimesPerStream::classes_and_sums;
  o.clock = environment("REPRISE_CLOCK");
#ifndef SMPI_H  // there all ranks end at once, and whoever ends them can save them all
  o.checkpoints = environment("REPRISE_CHECKPOINTS") != "none";
#else
  o.checkpoints = false;
#endif
  return o;
}

}  // namespace reprise::record
