// How far a result lies from what confirms it (extrapolate/verify/reach.hpp), in words and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "extrapolate/verify/reach.hpp"

namespace reprise::cli {

// "the sendcount of MPI_Alltoall in main ft.c:40: 64 / ranks is 2 or more on all inputs, and ...".
std::string threshold_text(const extrapolate::Threshold& threshold);

// A line for each threshold up to so many ranks.
std::string thresholds_text(const extrapolate::Scalable& laws, std::span<const trace::Trace> traces,
                            std::int64_t ranks);

// That so many ranks are far beyond the inputs, and which laws come to a bound there: a text each.
std::vector<std::string> reach_warnings(const extrapolate::Scalable& laws,
                                        std::span<const trace::Trace> traces, std::int64_t ranks);
// Prints them to stderr.
void say_reach(const extrapolate::Scalable& laws, std::span<const trace::Trace> traces,
               std::int64_t ranks);

nlohmann::ordered_json thresholds_json(const std::vector<extrapolate::Threshold>& thresholds,
                                       std::int64_t ranks);
nlohmann::ordered_json reach_json(const extrapolate::Scalable& laws,
                                  std::span<const trace::Trace> traces, std::int64_t ranks);

}  // namespace reprise::cli
