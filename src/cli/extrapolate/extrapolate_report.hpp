// What `reprise extrapolate` says about laws, and about how well they predict.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/extrapolate/site_check.hpp"
#include "extrapolate/scalable.hpp"
#include "extrapolate/verify/verify.hpp"

namespace reprise::cli {

// A line for each grid that was tried, with its extents for so many ranks; 0: without.
std::string grids_text(const extrapolate::Grids& grids, std::int64_t ranks);
// The grids, and the law of each parameter. The text leaves out what is the same number everywhere.
std::string laws_text(const extrapolate::Scalable& program, std::span<const trace::Trace> traces);
nlohmann::ordered_json laws_json(const extrapolate::Scalable& program,
                                 std::span<const trace::Trace> traces);

// The parameters that are not exact, each with the reason: "loop trip count of MPI_Send in
// main app.c:3 (drawn from a distribution)".
std::vector<std::string> approximations(const extrapolate::Scalable& program,
                                        std::span<const trace::Trace> traces);

// Why there is no trace from these inputs: parameters without a law, with samples, and which
// further numbers of ranks would help.
std::string refusals_text(const std::vector<extrapolate::Refusal>& refused,
                          std::span<const trace::Trace> inputs);
// Advises on further numbers of ranks to record. If those of all inputs belong to one class, such
// as powers of two, the advice keeps to it, since the program may admit no others. REQUIRES: at
// least one.
std::string numbers_advice(std::vector<std::uint64_t> ranks);
nlohmann::ordered_json refusals_json(const std::vector<extrapolate::Refusal>& refused);

// What contradicts what in a trace that was not made, and where.
std::string contradictions_text(const std::vector<extrapolate::Contradiction>& contradictions);
nlohmann::ordered_json contradictions_json(
    const std::vector<extrapolate::Contradiction>& contradictions);

// Whether the largest input was predicted, call site by call site.
std::string check_text(const std::vector<SiteCheck>& sites, std::uint64_t ranks, bool same_order);
nlohmann::ordered_json check_json(const std::vector<SiteCheck>& sites, std::uint64_t ranks,
                                  bool same_order);

}  // namespace reprise::cli
