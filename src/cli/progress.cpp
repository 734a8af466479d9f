#include "cli/progress.hpp"

#include <fmt/core.h>

#include <condition_variable>
#include <utility>

#include "analyze/totals/executions.hpp"
#include "cli/say.hpp"
#include "cli/text.hpp"

namespace reprise::cli {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSilence{1000}, kEvery{200};

}  // namespace

Progress::Progress(std::string what, std::uint64_t total)
    : is_terminal_(is_watched()),
      what_(std::move(what)),
      total_(total),
      next_(steady_clock::now() + kSilence) {}

void Progress::begin(std::string what, std::uint64_t total) {
  what_ = std::move(what);
  total_ = total;
}

void Progress::tell(std::uint64_t done) {
  if (!is_terminal_) return;
  const std::scoped_lock lock(mutex_);
  const Time now = steady_clock::now();
  if (now < next_) return;
  next_ = now + kEvery;
  is_there_ = true;
  if (total_ == 0) {
    fmt::print(stderr, "\r{}: {} \033[K", what_, count_text(done));
  } else {
    const double share = static_cast<double>(done) / static_cast<double>(total_);
    fmt::print(stderr, "\r{}: {:.0f} % of {} \033[K", what_, 100 * share, count_text(total_));
  }
}

void Progress::end() {
  if (std::exchange(is_there_, false)) fmt::print(stderr, "\r\033[K");
}

Elapsed::Elapsed(std::string what) {
  if (!is_watched()) return;
  clock_ = std::jthread([what = std::move(what)](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    int seconds = 0;
    while (!woken.wait_for(lock, stop, kSilence, [&stop] { return stop.stop_requested(); }))
      fmt::print(stderr, "\r{}: {} s \033[K", what, ++seconds);
    if (seconds > 0) fmt::print(stderr, "\r\033[K");
  });
}

void Elapsed::end() {
  if (!clock_.joinable()) return;
  clock_.request_stop();
  clock_.join();
}

std::uint64_t calls_of(const trace::Trace& trace) {
  std::uint64_t all = 0;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    for (const std::uint64_t n : analyze::executions(trace, s)) all += n;
  }
  return all;
}

}  // namespace reprise::cli
