// A trace as a report of mpiP 3.5, of the text form that `-e` selects: times in MPI by rank, call
// sites, and what each took and sent, on each rank.
//
// The totals come from the folded trace: no call is walked but those whose sizes vary by more than
// one count.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.hpp"
#include "trace/program.hpp"

namespace reprise::convert::mpip {

struct ReportOptions {
  std::size_t depth = 1;  // frames that tell call sites apart: mpiP's -k
  std::string writer;     // who writes it, for the header
};

// REQUIRES: the trace has times. Cost: O(calls x streams), and what totals cost.
Status export_report(const trace::Trace& trace, const std::string& path,
                     const ReportOptions& options);

}  // namespace reprise::convert::mpip
