#include "extrapolate/inputs/site_names.hpp"

#include <algorithm>
#include <map>

#include "base/hash.hpp"

namespace reprise::extrapolate {
namespace {

// What is known by its line needs no address, nor has one.
std::uint64_t hash_frame(const trace::Trace& trace, const trace::Frame& frame) {
  if (frame.line != 0) {
    return combine(
        combine(hash_text(trace.texts[frame.function]), hash_text(trace.texts[frame.file])),
        frame.line);
  }
  const trace::Module& module = trace.modules[frame.module];
  return combine(hash_text(module.build_id.empty() ? module.path : module.build_id), frame.offset);
}

std::vector<std::uint64_t> hash_callpaths(const trace::Trace& trace) {
  std::vector<std::uint64_t> out;
  for (const auto& path : trace.callpaths) {
    std::uint64_t hash = path.size();
    for (const std::uint32_t f : path) hash = combine(hash, hash_frame(trace, trace.frames[f]));
    out.push_back(hash);
  }
  return out;
}

using Counts = std::map<std::uint64_t, std::size_t>;

// Call paths in the order of the program, each once.
std::vector<std::uint32_t> in_program_order(const trace::Trace& trace) {
  std::vector<std::uint32_t> out;
  std::vector<bool> seen(trace.callpaths.size(), false);
  for (const trace::Call& c : trace.calls) {
    if (!seen[c.callpath]) out.push_back(c.callpath);
    seen[c.callpath] = true;
  }
  return out;
}

// Adds to each hash how many paths with the same one come before it.
void tell_apart(std::span<const trace::Trace> traces,
                std::vector<std::vector<std::uint64_t>>& hashes) {
  std::vector<Counts> counts(traces.size());
  for (std::size_t t = 0; t < traces.size(); ++t) {
    for (const std::uint32_t path : in_program_order(traces[t])) ++counts[t][hashes[t][path]];
  }
  for (std::size_t t = 0; t < traces.size(); ++t) {
    Counts before;
    for (const std::uint32_t path : in_program_order(traces[t])) {
      std::uint64_t& hash = hashes[t][path];
      const std::size_t number = before[hash]++;
      const bool same = std::ranges::all_of(counts, [&](const Counts& c) {
        const auto found = c.find(hash);
        return found != c.end() && found->second == counts.front().at(hash);
      });
      if (same) hash = combine(hash, number);
    }
  }
}

}  // namespace

std::vector<std::vector<std::uint64_t>> name_callpaths(std::span<const trace::Trace> traces,
                                                       Lookalikes lookalikes) {
  std::vector<std::vector<std::uint64_t>> out;
  for (const trace::Trace& t : traces) out.push_back(hash_callpaths(t));
  if (lookalikes == Lookalikes::apart) tell_apart(traces, out);
  return out;
}

}  // namespace reprise::extrapolate
