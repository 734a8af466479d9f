#include "cli/look/holders.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "trace/values/first_values.hpp"

namespace reprise::cli {

using trace::FirstValues;
using trace::Trace;

void Waited::add(const Waited& other) {
  if (other.streams == 0) return;
  least = streams == 0 ? other.least : std::min(least, other.least);
  most = std::max(most, other.most);
  streams += other.streams;
}

Holders holders_of(const Trace& trace, const trace::Unfinished& unfinished,
                   const trace::UnfinishedCall& call) {
  Holders out;
  const std::uint64_t streams = trace.streams();
  FirstValues trips(call.trips), waited(unfinished.waited);
  for (std::uint64_t s = 0; (s = trips.find_nonzero(s, streams)) < streams; ++s) {
    const std::int64_t seconds = waited.at(s);
    out.waited.add({1, seconds, seconds});
    const std::uint64_t rank = s / trace.threads;
    if (out.ranks.empty() || out.ranks.back() != rank) out.ranks.push_back(rank);
  }
  return out;
}

Waited waited_in_all(const Trace& trace, const trace::Unfinished& unfinished) {
  Waited out;
  for (const trace::UnfinishedCall& call : unfinished.calls)
    out.add(holders_of(trace, unfinished, call).waited);
  return out;
}

std::string waited_text(const Waited& waited, std::string_view before) {
  if (waited.most <= 0) return "";
  return waited.least == waited.most
             ? fmt::format("{}for {} s or more", before, waited.most)
             : fmt::format("{}for {} to {} s", before, waited.least, waited.most);
}

}  // namespace reprise::cli
