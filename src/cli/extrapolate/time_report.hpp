// What `reprise extrapolate` says about the laws of times, and about how well they predict.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "extrapolate/times/time_report.hpp"

namespace reprise::cli {

// The mean of each delta at so many ranks. `why_none`: why there are no times, if that is so.
std::string times_text(const std::vector<extrapolate::TimeReport>& times, std::int64_t ranks,
                       const std::string& why_none);
// Every field of every histogram.
nlohmann::ordered_json times_json(const std::vector<extrapolate::TimeReport>& times,
                                  std::int64_t ranks, const std::string& why_none);

// What one trace says about the times of another, by call site.
struct SiteTimes {
  std::string function, place;
  double predicted = 0, recorded = 0;  // over all ranks, computing before the call and in it [ns]
};
struct TimeCheck {
  std::vector<SiteTimes> sites;                          // the longest first
  double predicted = 0, recorded = 0;                    // over all ranks [ns]
  double predicted_duration = 0, recorded_duration = 0;  // [ns]
};

// REQUIRES: both have times.
TimeCheck check_times(const trace::Trace& predicted, const trace::Trace& recorded);
std::string check_text(const TimeCheck& check);
nlohmann::ordered_json check_json(const TimeCheck& check);

}  // namespace reprise::cli
