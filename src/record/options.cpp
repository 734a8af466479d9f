#include "record/options.hpp"

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

namespace reprise::record {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

namespace {

constexpr double kLatest = 9e18;  // a time [ns since 1970], as far as the type goes

// Values of variables. Those that are not set, or are invalid, have their default.
class Variables {
 public:
  // One of some words, of which the first is the default.
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

  double number(const char* name, double usual, double least, double most) {
    const std::string value = environment(name);
    if (value.empty()) return usual;
    char* end = nullptr;
    const double found = std::strtod(value.c_str(), &end);
    if (*end == '\0' && found >= least && found <= most) return found;
    char takes[80];
    std::snprintf(takes, sizeof takes, "a number from %g to %g", least, most);
    refuse(name, value, takes);
    return usual;
  }

  std::vector<std::string> take_refused() { return std::move(refused_); }

 private:
  void refuse(const char* name, const std::string& value, const std::string& takes) {
    refused_.push_back(std::string(name) + "=" + value + " is ignored (it takes " + takes +
                       "); correct or unset it");
  }

  std::vector<std::string> refused_;
};

compress::TimeOptions time_options(Variables& variables) {
  compress::TimeOptions o;
  const std::string mode =
      variables.choice("REPRISE_TIME", {"paths", "histogram", "stats", "none"});
  o.mode = mode == "none"        ? trace::TimeMode::none
           : mode == "stats"     ? trace::TimeMode::stats
           : mode == "histogram" ? trace::TimeMode::histogram
                                 : trace::TimeMode::paths;
  constexpr auto kMostBins = static_cast<double>(trace::Histogram::kMaxBins);
  o.bins = static_cast<std::size_t>(
      variables.number("REPRISE_BINS", static_cast<double>(o.bins), 1, kMostBins));
  o.smoothing = variables.number("REPRISE_SMOOTHING", o.smoothing, 0, 1);
  o.precision = variables.number("REPRISE_TIME_PRECISION", 1, 0, 50);
  return o;
}

// 0 and 1, or the time at which the environment was printed.
void read_force(Variables& variables, Options& o) {
  const auto force = static_cast<std::int64_t>(variables.number("REPRISE_FORCE", 0, 0, kLatest));
  o.replace = force > 0;
  o.replaced_until = force == 1 ? std::numeric_limits<std::int64_t>::max() : force;
}

}  // namespace

Options options_from_environment() {
  Options o;
  Variables variables;
  o.output = environment("REPRISE_OUTPUT");
  const std::string callpaths = variables.choice("REPRISE_CALLPATHS", {"full", "site", "none"});
  o.callpaths = callpaths == "none"   ? compress::CallpathMode::none
                : callpaths == "site" ? compress::CallpathMode::site
                                      : compress::CallpathMode::full;
  read_force(variables, o);
  o.merge = variables.choice("REPRISE_MERGE", {"all", "none"}) == "all";
  o.average_sizes = variables.choice("REPRISE_AVERAGE_SIZES", {"0", "1"}) == "1";
  o.times = time_options(variables);
  o.times_kept = o.times.mode == trace::TimeMode::stats ? compress::TimesPerStream::nothing
                 : variables.choice("REPRISE_RANK_SUMS", {"1", "0"}) == "0"
                     ? compress::TimesPerStream::classes
                     : compress::TimesPerStream::classes_and_sums;
  o.clock = variables.choice("REPRISE_CLOCK", {"auto", "tsc", "monotonic", "wtime"});
  o.checkpoints = variables.choice("REPRISE_CHECKPOINTS", {"auto", "none"}) == "auto";
  o.refused = variables.take_refused();
  return o;
}

}  // namespace reprise::record
