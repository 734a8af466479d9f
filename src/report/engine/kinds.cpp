#include "report/engine/kinds.hpp"

namespace reprise::report {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::compute: return "computation";
    case Kind::point_to_point: return "point-to-point";
    case Kind::wait: return "wait and test";
    case Kind::collective: return "collective";
    case Kind::one_sided: return "one-sided";
    case Kind::file: return "file";
    case Kind::other: break;
  }
  return "other MPI";
}

Kind kind_of(const trace::Function& f) {
  using namespace trace::traits;
  const auto has = [&](std::uint32_t traits) { return (f.traits & traits) != 0; };
  if (has(kIo)) return Kind::file;
  if (has(kRma | kRmaSync)) return Kind::one_sided;
  if (has(kComplete | kProbe)) return Kind::wait;
  if (has(kSend | kRecv | kStart)) return Kind::point_to_point;
  // What makes or frees a communicator is collective too, but is no part of an algorithm.
  if (has(kCollective) && !has(kCreate | kFree | kInit | kFinalize | kState))
    return Kind::collective;
  return Kind::other;
}

CallKinds::CallKinds(const trace::Trace& trace) : selected(trace.calls.size(), false) {
  for (const trace::Call& call : trace.calls)
    kinds.push_back(kind_of(trace::function(call.function)));
}

}  // namespace reprise::report
