#include "cli/record/rank_wait.hpp"

#include <fmt/core.h>

#include <thread>

#include "base/files.hpp"
#include "cli/progress.hpp"
#include "cli/text.hpp"

namespace reprise::cli {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPause{10};

}  // namespace

bool wait_for_ranks(const std::function<std::vector<std::string>()>& find_parts,
                    std::chrono::milliseconds patience) {
  const steady_clock::time_point end = steady_clock::now() + patience;
  Progress progress("waiting for ranks to end", 0);
  for (bool has_waited = true; has_waited;) {
    has_waited = false;
    const std::vector<std::string> parts = find_parts();
    progress.begin("waiting for ranks to end", parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      while (is_locked(parts[i])) {
        if (steady_clock::now() >= end) return false;
        has_waited = true;
        progress.tell(i);
        std::this_thread::sleep_for(kPause);
      }
    }
  }
  return true;
}

std::string running_text(const std::vector<std::uint64_t>& ranks, bool have_ended) {
  const char* verb = ranks.size() == 1 ? "is" : "are";
  if (have_ended) {
    return fmt::format("{} {} running, having begun after the command had ended", ranks_text(ranks),
                       verb);
  }
  return fmt::format("{} {} still running {} s after the command has ended", ranks_text(ranks),
                     verb, kRankPatience.count());
}

}  // namespace reprise::cli
