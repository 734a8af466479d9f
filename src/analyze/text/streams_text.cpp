#include "analyze/text/streams_text.hpp"

#include <fmt/format.h>

#include <map>

#include "trace/values/rank_set.hpp"

namespace reprise::analyze {

std::string streams_text(const trace::Trace& trace, const std::vector<std::uint64_t>& streams) {
  if (trace.threads == 1) return trace::describe_ranks(streams);
  std::map<std::uint64_t, std::vector<std::uint64_t>> ranks_of_thread;
  for (const std::uint64_t s : streams)
    ranks_of_thread[s % trace.threads].push_back(s / trace.threads);
  std::string out;
  for (const auto& [thread, ranks] : ranks_of_thread) {
    out += fmt::format("{}{} thread {}", out.empty() ? "" : ", ", trace::describe_ranks(ranks),
                       thread);
  }
  return out;
}

}  // namespace reprise::analyze
