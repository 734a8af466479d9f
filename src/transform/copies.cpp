#include "transform/copies.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <utility>

#include "compress/loops/unrolled_loops.hpp"
#include "trace/series/series_sum.hpp"
#include "transform/refold.hpp"

namespace reprise::transform {

using trace::Trace;

namespace {

constexpr std::uint64_t kMostStreams = 64;  // whose passes are counted

// By call, the first that is the same function at the same frames. Where no frame is known, no two
// calls are known to be the same.
SiteCalls first_copies(const Trace& trace) {
  std::map<std::pair<trace::FunctionId, std::vector<std::uint32_t>>, std::uint32_t> first;
  SiteCalls out;
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    const trace::Call& call = trace.calls[c];
    const auto& path = trace.callpaths[call.callpath];
    out.push_back(path.empty() ? c : first.try_emplace({call.function, path}, c).first->second);
  }
  return out;
}

class FirstCopy : public SiteChoice {
 public:
  explicit FirstCopy(const SiteCalls& first) : first_(first) {}

  std::uint32_t site_of(const trace::Event& event) override { return first_[event.call]; }

 private:
  const SiteCalls& first_;
};

void write_irregular(const trace::Item& item, ByteWriter& out) {
  if (!item.trips.is_constant()) item.trips.encode(out);
  for (const trace::Item& b : item.body) write_irregular(b, out);
}

// Iterations of all bodies within the item, and repetitions of its calls, in `times` executions on
// a stream.
std::uint64_t passes_of(const trace::Item& item, std::uint64_t stream, std::uint64_t times) {
  const auto passes = static_cast<std::uint64_t>(trace::sum_of(item.trips, stream, times));
  if (item.is_call()) return passes - std::min(passes, times);
  std::uint64_t all = passes;
  for (const trace::Item& b : item.body) all += passes_of(b, stream, passes);
  return all;
}

// How hard a program is to read; less is better.
struct Complexity {
  std::size_t irregular = 0;  // encoded size of irregular trip counts [bytes]
  std::uint64_t passes = 0;   // of loops and branches

  auto operator<=>(const Complexity&) const = default;
};

Complexity complexity_of(const Trace& trace) {
  ByteWriter out;
  write_irregular(trace.root, out);
  Complexity complexity{out.size()};
  for (std::uint64_t s = 0; s < std::min(trace.streams(), kMostStreams); ++s)
    complexity.passes += passes_of(trace.root, s, 1);
  return complexity;
}

}  // namespace

bool has_copies(const Trace& trace) {
  const SiteCalls first = first_copies(trace);
  for (std::uint32_t c = 0; c < first.size(); ++c) {
    if (first[c] != c) return true;
  }
  return false;
}

Result<Trace> unite_copies(const Trace& trace, std::uint64_t most) {
  SiteCalls calls;
  const SiteCalls first = first_copies(trace);
  Trace with_copies = trace;
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    calls.push_back(c);
    if (first[c] == c || trace.code.paths.empty()) continue;
    auto& places = with_copies.code.paths[trace.calls[first[c]].callpath];
    const auto& more = trace.code.paths[trace.calls[c].callpath];
    places.insert(places.end(), more.begin(), more.end());
  }
  compress::restore_unrolled_loops(with_copies.code.functions, with_copies.code.paths);
  Result<Trace> united = refold(
      with_copies, calls, [&](std::uint64_t) { return std::make_unique<FirstCopy>(first); }, most);
  if (united && complexity_of(trace) < complexity_of(*united)) return trace;
  return united;
}

}  // namespace reprise::transform
