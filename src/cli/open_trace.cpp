#include "cli/open_trace.hpp"

#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "analyze/times/core_wait.hpp"
#include "cli/command.hpp"
#include "cli/say.hpp"

namespace reprise::cli {
namespace {

// That this process may come to have [bytes].
std::uint64_t memory() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  std::uint64_t out = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    out = std::min<std::uint64_t>(out, limit.rlim_cur);
  return out;
}

void refuse(const std::string& file, const std::string& excess, int status) {
  throw CommandError{fmt::format("{} asks for too much ({}); if the file is not damaged, look at "
                                 "the trace of fewer ranks or of a shorter run",
                                 file, excess),
                     status};
}

}  // namespace

trace::Trace open_trace(const std::string& file, analyze::Use use, trace::Accept accept,
                        int status) {
  std::error_code error;
  if (!std::filesystem::exists(file, error) && std::filesystem::exists(file + ".0", error)) {
    throw CommandError{
        fmt::format("{0} is not there (the traces of its ranks are {0}.RANK); make it "
                    "with `reprise merge -o {0} {0}.*`",
                    file),
        status};
  }
  Result<trace::Trace> trace = trace::read_trace(file, accept);
  if (!trace) throw CommandError{trace.error().message, status};
  const std::string excess = analyze::excess_of(*trace, use, memory());
  if (!excess.empty()) refuse(file, excess, status);
  return std::move(*trace);
}

std::vector<trace::Trace> open_traces(const std::vector<std::string>& files) {
  std::vector<trace::Trace> traces;
  for (const std::string& file : files) traces.push_back(open_trace(file, analyze::Use::states));
  require_bounded(traces);
  return traces;
}

void require_bounded(std::span<const trace::Trace> traces) {
  const std::string excess = analyze::excess_of(traces, memory());
  if (!excess.empty()) refuse("the program of these traces", excess, 1);
}

void require_bounded(const trace::Trace& trace, const std::string& file, analyze::Use use) {
  const std::string excess = analyze::excess_of(trace, use, memory());
  if (!excess.empty()) refuse(file, excess, 1);
}

void require_times(const trace::Trace& trace, const std::string& file) {
  if (!trace.times.empty()) return;
  if (trace.calls.empty()) {
    throw CommandError{file + " has no times (it has no calls); `reprise info " + file +
                       "` shows what is known of its ranks"};
  }
  throw CommandError{file + " has no times (it was recorded with --time none); record it again"};
}

void SharedCores::add(const trace::Trace& trace, const std::string& name) {
  ++traces_;
  const double share = analyze::core_wait_share(trace);
  if (share >= analyze::kMuchCoreWait) waiting_.emplace_back(share, name);
}

void SharedCores::warn() const {
  if (waiting_.empty()) return;
  const auto& [share, name] = *std::ranges::max_element(waiting_);
  const std::string where =
      traces_ == 1
          ? fmt::format("ranks of {} waited for a core {:.0f} % of the run", name, 100 * share)
          : fmt::format(
                "in {} of {} traces ranks waited for a core, up to {:.0f} % of "
                "the run in {}",
                waiting_.size(), traces_, 100 * share, name);
  say(stderr,
      "reprise: warning: {} (other ranks or programs used the cores): {} computation may have "
      "taken longer than on a quiet machine\n",
      where, traces_ == 1 ? "its" : "their");
}

void warn_of_shared_cores(const trace::Trace& trace, const std::string& name) {
  SharedCores cores;
  cores.add(trace, name);
  cores.warn();
}

}  // namespace reprise::cli
