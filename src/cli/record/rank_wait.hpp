// Waits for ranks that are still running when their launcher has ended, as when a signal ends it:
// what they record meanwhile belongs to the trace.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace reprise::cli {

// How long ranks may outlive their launcher. They get a signal then, or find that they have lost
// it, and recorders save for no more than 20 s in a handler of signals. A rank that goes on beyond
// that belongs to a command that runs it in the background.
inline constexpr std::chrono::seconds kRankPatience{30};

// Waits until no recorder holds a lock on any of the parts, which are found again when those before
// have been let go: ranks may begin further ones. False if that takes longer than `patience`.
// Cost: O(parts) looks at files, and then one each 10 ms.
bool wait_for_ranks(const std::function<std::vector<std::string>()>& find_parts,
                    std::chrono::milliseconds patience = kRankPatience);

// "ranks 0..3 are still running 30 s after the command has ended". `have_ended`: wait_for_ranks()
// said so, and these have begun since, as in a command that works in the background.
std::string running_text(const std::vector<std::uint64_t>& ranks, bool have_ended);

}  // namespace reprise::cli
