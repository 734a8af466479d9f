#include "cli/write.hpp"

#include <csignal>
#include <numeric>
#include <utility>
#include <vector>

#include "analyze/executions.hpp"
#include "analyze/symbolise.hpp"
#include "cli/command.hpp"
#include "trace/file.hpp"
#include "transform/copies.hpp"

namespace reprise::cli {
namespace {

// Of all ranks together, beyond which copies of call sites stay apart: what can be walked again in
// some seconds.
constexpr std::uint64_t kMostCalls = 20'000'000;

std::uint64_t calls_of(const trace::Trace& trace) {
  std::uint64_t calls = 0;
  for (std::uint64_t s = 0; s < trace.streams(); ++s) {
    const std::vector<std::uint64_t> of_one = analyze::executions(trace, s);
    calls = std::accumulate(of_one.begin(), of_one.end(), calls);
  }
  return calls;
}

}  // namespace

void write_output(trace::Trace trace, const std::string& program, const std::string& path) {
  trace.program = program;
  analyze::symbolise(trace);
  if (transform::has_copies(trace) && calls_of(trace) <= kMostCalls) {
    trace = take(transform::unite_copies(std::move(trace)));
  }
  // Beyond a limit on the size of files, fail with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  const Status written = trace::write_trace(trace, path);
  if (!written) throw CommandError{written.error().message};
}

}  // namespace reprise::cli
