#include "analyze/streams_text.hpp"

#include <fmt/format.h>

#include <map>

#include "trace/rank_set.hpp"

namespace reprise::analyze {
namespace {

constexpr std::size_t kFewRanks = 4;  // are listed, whatever their pattern

std::string ranks_text(const std::vector<std::uint64_t>& ranks) {
  if (ranks.size() > kFewRanks || ranks.back() - ranks.front() + 1 == ranks.size())
    return trace::describe_ranks(ranks);
  return fmt::format("{}", fmt::join(ranks, " "));
}

}  // namespace

std::string streams_text(const trace::Trace& trace, const std::vector<std::uint64_t>& streams) {
  if (trace.threads == 1) return ranks_text(streams);
  std::map<std::uint64_t, std::vector<std::uint64_t>> ranks_of_thread;
  for (const std::uint64_t s : streams)
    ranks_of_thread[s % trace.threads].push_back(s / trace.threads);
  std::string out;
  for (const auto& [thread, ranks] : ranks_of_thread) {
    out += fmt::format("{}{} thread {}", out.empty() ? "" : ", ", ranks_text(ranks), thread);
  }
  return out;
}

}  // namespace reprise::analyze
