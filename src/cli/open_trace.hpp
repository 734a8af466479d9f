// Opens a trace for a subcommand, which says what it does with it: a file that would take more time
// or memory than it can be worth is refused before either is spent.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyze/demands.hpp"
#include "trace/file/file.hpp"

namespace reprise::cli {

// Throws CommandError with this status.
trace::Trace open_trace(const std::string& file, analyze::Use use,
                        trace::Accept accept = trace::Accept::traces, int status = 1);

// Several runs of one program, on which they are laid out together.
std::vector<trace::Trace> open_traces(const std::vector<std::string>& files);

// Throws CommandError if laying these out on one program takes more than they can be worth.
void require_bounded(std::span<const trace::Trace> traces);
// The same of one trace and what is done with it next.
void require_bounded(const trace::Trace& trace, const std::string& file, analyze::Use use);

// For what asks for times. Throws CommandError where there are none, with the reason.
void require_times(const trace::Trace& trace, const std::string& file);

// Traces whose ranks waited for cores while they were recorded: computation took longer by that.
class SharedCores {
 public:
  void add(const trace::Trace& trace, const std::string& name);
  // One warning of all, to stderr.
  void warn() const;

 private:
  std::size_t traces_ = 0;
  std::vector<std::pair<double, std::string>> waiting_;  // much: share of the run, name
};
void warn_of_shared_cores(const trace::Trace& trace, const std::string& name);

}  // namespace reprise::cli
