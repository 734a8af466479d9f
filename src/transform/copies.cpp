#include "transform/copies.hpp"

#include <map>
#include <utility>

#include "transform/refold.hpp"

namespace reprise::transform {

using trace::Trace;

namespace {

// By call, the first that is the same function at the same functions and lines.
SiteCalls first_copies(const Trace& trace) {
  std::map<std::pair<trace::FunctionId, std::vector<std::uint32_t>>, std::uint32_t> first;
  SiteCalls out;
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) {
    const trace::Call& call = trace.calls[c];
    out.push_back(
        first.try_emplace({call.function, trace.callpaths[call.callpath]}, c).first->second);
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

// What there is to say about trips that are not the same everywhere and each time [bytes].
std::size_t irregularity(const Trace& trace) {
  ByteWriter out;
  write_irregular(trace.root, out);
  return out.size();
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
  Result<Trace> united = refold(
      with_copies, calls, [&](std::uint64_t) { return std::make_unique<FirstCopy>(first); }, most);
  if (united && irregularity(trace) <= irregularity(*united)) return trace;
  return united;
}

}  // namespace reprise::transform
