// Sets of streams as a reader sees them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::analyze {

// "0..3", "0 3 5", "1..31:2", with the thread where there are several. In order.
std::string streams_text(const trace::Trace& trace, const std::vector<std::uint64_t>& streams);

}  // namespace reprise::analyze
