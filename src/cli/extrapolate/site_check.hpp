// How well one trace predicts another, call site by call site.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::cli {

struct SiteCheck {
  std::string function, place;
  std::uint64_t predicted = 0, recorded = 0;  // calls
  std::uint64_t wrong = 0;                    // of them with another parameter, or missing, or more
  std::vector<std::string> parameters;        // that differ

  bool exact() const { return wrong == 0; }
};

// Each rank's k-th call at a site is held against its k-th there. What timing decides does not
// count: polls, and whom wildcards met. REQUIRES: as many ranks. Cost: all calls; memory: those of
// a rank.
std::vector<SiteCheck> check_sites(const trace::Trace& predicted, const trace::Trace& recorded);

}  // namespace reprise::cli
