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

void write_trips(const trace::Item& item, ByteWriter& out) {
  item.trips.encode(out);
  for (const trace::Item& b : item.body) write_trips(b, out);
}

std::size_t size_of_trips(const Trace& trace) {
  ByteWriter out;
  write_trips(trace.root, out);
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

Result<Trace> unite_copies(Trace trace) {
  SiteCalls calls;
  for (std::uint32_t c = 0; c < trace.calls.size(); ++c) calls.push_back(c);
  const SiteCalls first = first_copies(trace);
  Result<Trace> united =
      refold(trace, calls, [&](std::uint64_t) { return std::make_unique<FirstCopy>(first); });
  if (united && size_of_trips(trace) <= size_of_trips(*united)) return trace;
  return united;
}

}  // namespace reprise::transform
