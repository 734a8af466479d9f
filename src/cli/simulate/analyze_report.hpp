// What `reprise analyze` prints.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "diagnose/diagnosis.hpp"
#include "diagnose/scaling.hpp"
#include "trace/calls/call_names.hpp"
#include "trace/program.hpp"

namespace reprise::cli {

// Where a finding shows, what brings it about, and what to do about it: a line each.
std::vector<std::string> finding_lines(const trace::CallNames& names,
                                       const diagnose::Finding& finding);

// Findings, efficiencies, wait states, imbalance and messages; `top` rows of each, 0: all.
void print_diagnosis(const trace::Trace& trace, const simulate::Machine& machine,
                     const diagnose::Diagnosis& diagnosis, double least_share, std::size_t top);

void print_scaling(const diagnose::Scaling& scaling);

// What a finding means, its cost, and what to do about it.
void print_explanation(diagnose::FindingKind kind);
// All findings there are, a line for each.
void print_explanations();

}  // namespace reprise::cli
