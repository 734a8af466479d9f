#include "analyze/totals/memberships.hpp"

#include <algorithm>

#include "trace/calls/predefined.hpp"
#include "trace/series/series_folder.hpp"

namespace reprise::analyze {

using trace::Kind;
using trace::Membership;
using trace::Memberships;
using trace::Trace;

namespace {

constexpr std::uint64_t kMaxStreams = 1 << 12;    // whose objects are looked at for a listing
constexpr std::uint64_t kMaxObjects = 1 << 12;    // that one call makes on such a stream
constexpr std::uint64_t kMaxCreations = 1 << 20;  // of a rank that are looked at
constexpr std::uint64_t kMaxVarying = 1 << 16;    // executions in varying communicators

bool makes(const trace::Call& call) {
  return (trace::function(call.function).traits & trace::traits::kCreate) != 0;
}

}  // namespace

Memberships memberships_of(const Trace& trace, std::uint64_t rank) {
  const std::uint64_t first = rank * trace.threads;
  Memberships out(trace::in_world(trace, first));
  std::uint64_t left = kMaxCreations;
  for (std::uint64_t s = first; s < first + trace.threads && left > 0; ++s)
    out.learn_all(trace, s, left);
  return out;
}

bool PeerRanges::is_world(const trace::Call& call) const {
  const trace::Function& f = trace::function(call.function);
  return f.communicator >= 0 && f.scalars[f.communicator].kind == Kind::comm &&
         call.columns[f.communicator] == trace::Value::constant(trace::kWorld);
}

PeerRange PeerRanges::of(std::uint32_t call, std::uint64_t stream) {
  const trace::Call& c = trace_.calls[call];
  const trace::Function& f = trace::function(c.function);
  const Memberships* m = f.communicator < 0 ? nullptr : known(stream);
  const std::uint64_t times = executions_.of(call, stream);
  if (!m || times == 0) return {};
  const Kind kind = f.scalars[f.communicator].kind;
  const auto find = [&](std::int64_t id) {
    return m->is_ambiguous(kind, id) ? Membership{} : m->find(kind, id);
  };
  trace::ValueCursor ids(c.columns[f.communicator], stream);
  if (ids.is_constant()) return {find(ids.next()), {}};
  if (times > kMaxVarying) return {};
  trace::SeriesFolder sizes;
  std::optional<Membership> first;
  bool same = true;
  for (std::uint64_t k = 0; k < times; ++k) {
    const Membership m_k = find(ids.next());
    if (!m_k.is_known()) return {};
    if (!first) first = m_k;
    same &= m_k == *first;
    sizes.append(m_k.size);
  }
  return same ? PeerRange{*first, {}} : PeerRange{{}, sizes.finish()};
}

bool PeerRanges::is_like_world(std::uint32_t call, const std::vector<std::uint64_t>& streams) {
  if (is_world(trace_.calls[call])) return true;
  return std::ranges::all_of(streams, [&](std::uint64_t s) {
    const PeerRange range = of(call, s);
    return range.sizes.empty() && range.membership == trace::in_world(trace_, s);
  });
}

const Memberships* PeerRanges::known(std::uint64_t stream) {
  if (trace_.streams() > kMaxStreams) return nullptr;
  if (known_.empty()) known_.resize(trace_.ranks);
  const std::uint64_t rank = stream / trace_.threads;
  OfRank& of = known_[rank];
  if (!of.is_looked_at) {
    of.is_looked_at = true;
    if (reserve(rank)) of.memberships = memberships_of(trace_, rank);
  }
  return of.memberships ? &*of.memberships : nullptr;
}

bool PeerRanges::reserve(std::uint64_t rank) {
  std::uint64_t all = 0;
  for (std::uint32_t c = 0; c < trace_.calls.size(); ++c) {
    if (!makes(trace_.calls[c])) continue;
    for (std::uint64_t t = 0; t < trace_.threads; ++t) {
      const std::uint64_t times = executions_.of(c, rank * trace_.threads + t);
      if (times > kMaxObjects) return false;
      all += times;
    }
  }
  if (all > left_) return false;
  left_ -= all;
  return true;
}

}  // namespace reprise::analyze
