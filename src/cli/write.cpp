#include "cli/write.hpp"

#include <csignal>

#include "analyze/symbolise.hpp"
#include "cli/command.hpp"
#include "trace/file.hpp"

namespace reprise::cli {

void write_output(trace::Trace trace, const std::string& program, const std::string& path) {
  trace.program = program;
  analyze::symbolise(trace);
  // Beyond a limit on the size of files, fail with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  const Status written = trace::write_trace(trace, path);
  if (!written) throw CommandError{written.error().message};
}

}  // namespace reprise::cli
