#include "cli/rank_wait.hpp"

#include <thread>

#include "base/files.hpp"
#include "cli/progress.hpp"

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

}  // namespace reprise::cli
