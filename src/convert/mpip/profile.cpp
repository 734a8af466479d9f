#include "convert/mpip/profile.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/printable.hpp"
#include "trace/calls/places.hpp"
#include "trace/calls/posix.hpp"

namespace reprise::convert::mpip {
namespace {

// Readers of reports take a name up to the next space.
std::string word(const std::string& name) {
  std::string out = printable(name);
  std::ranges::replace(out, ' ', '_');
  return out;
}

CallSite::Frame frame_of(const trace::Trace& trace, const trace::Places& places,
                         std::uint32_t number) {
  const trace::Frame& frame = trace.frames[number];
  if (frame.function == 0) return {word(places.location(number)), 0, {}};
  const bool has_file = frame.file > 0;
  const std::string file = has_file ? trace.texts[frame.file] : places.location(number);
  return {word(has_file ? file.substr(file.rfind('/') + 1) : file), frame.line,
          word(places.function(number))};
}

bool is_call_site(const trace::Call& call) {
  const trace::Function& f = trace::function(call.function);
  return !trace::begins_mpi(f) && !trace::ends_mpi(f) && !trace::is_posix(call.function);
}

}  // namespace

void SiteTotals::add(const SiteTotals& other) {
  if (other.calls == 0) return;
  const bool is_first = calls == 0;
  least = is_first ? other.least : std::min(least, other.least);
  most = is_first ? other.most : std::max(most, other.most);
  sent.add(other.sent, is_first);
  calls += other.calls;
  time += other.time;
  bytes += other.bytes;
}

Profile::Profile(const trace::Trace& trace, std::size_t depth)
    : trace_(trace),
      totals_(analyze::totals_of(trace, analyze::Counting::moved, analyze::Ranges::sent)),
      app_time_(trace.ranks),
      mpi_time_(trace.ranks) {
  if (is_damaged()) return;
  find_sites(depth);
  add_times();
}

void Profile::find_sites(std::size_t depth) {
  const trace::Places places(trace_);
  using Key = std::pair<std::string_view, std::vector<CallSite::Frame>>;
  std::map<Key, std::vector<std::uint32_t>> found;
  for (std::uint32_t c = 0; c < trace_.calls.size(); ++c) {
    const trace::Call& call = trace_.calls[c];
    if (!is_call_site(call)) continue;
    const std::vector<std::uint32_t>& path = trace_.callpaths[call.callpath];
    std::vector<CallSite::Frame> frames;
    for (std::size_t f = places.index(call.callpath); f < path.size() && frames.size() < depth; ++f)
      frames.push_back(frame_of(trace_, places, path[f]));
    if (frames.empty()) frames.push_back({"0x0", 0, {}});
    found[{trace::function(call.function).name, std::move(frames)}].push_back(c);
  }
  for (auto& [key, calls] : found)
    sites_.push_back({trace_.calls[calls.front()].function, key.second, std::move(calls)});
}

void Profile::add_times() {
  for (const CallSite& site : sites_) {
    for (std::uint64_t rank = 0; rank < trace_.ranks; ++rank)
      mpi_time_[rank] += totals(site, rank).time;
    for (std::uint64_t stream = 0; stream < trace_.streams(); ++stream) {
      for (const std::uint32_t call : site.calls)
        unknown_sizes_ += totals_.of(stream, call).volume.unknown;
    }
  }
  app_time_ = mpi_time_;
  for (std::uint32_t c = 0; c < trace_.times.size(); ++c) {
    const trace::Function& f = trace::function(trace_.calls[c].function);
    for (std::uint64_t stream = 0; stream < trace_.streams(); ++stream) {
      double& time = app_time_[stream / trace_.threads];
      if (trace::is_posix(trace_.calls[c].function))
        time += trace_.times[c].communicate.sum_of(stream);
      if (f.traits & trace::traits::kInit) continue;
      for (const trace::Path& path : trace_.times[c].paths) {
        const bool is_before_mpi = trace::begins_mpi(f) && path.from == trace::Path::kStart;
        if (!is_before_mpi) time += path.compute.sum_of(stream);
      }
    }
  }
}

SiteTotals Profile::totals(const CallSite& site, std::uint64_t rank) const {
  SiteTotals out;
  for (const std::uint32_t call : site.calls) {
    const trace::DeltaTimes& times = trace_.times[call].communicate;
    for (std::uint64_t s = rank * trace_.threads; s < (rank + 1) * trace_.threads; ++s) {
      const analyze::CallTotals& counted = totals_.of(s, call);
      SiteTotals one{.calls = counted.calls,
                     .time = times.sum_of(s),
                     .bytes = counted.volume[trace::Direction::sent],
                     .sent = counted.sent};
      if (one.calls == 1) {
        one.least = one.most = static_cast<std::int64_t>(one.time);
      } else if (const trace::Histogram* h = times.class_for(s)) {
        const trace::Bin all = h->total();
        one.least = all.min;
        one.most = all.max;
      }
      out.add(one);
    }
  }
  return out;
}

SiteTotals Profile::totals(const CallSite& site) const {
  SiteTotals out;
  for (std::uint64_t rank = 0; rank < trace_.ranks; ++rank) out.add(totals(site, rank));
  return out;
}

bool Profile::has_shared_ranges() const {
  return std::ranges::any_of(sites_, [&](const CallSite& site) {
    return std::ranges::any_of(site.calls, [&](std::uint32_t call) {
      const trace::DeltaTimes& times = trace_.times[call].communicate;
      std::size_t streams = 0;
      for (std::uint64_t s = 0; s < trace_.streams(); ++s) streams += times.count_of(s) > 0;
      return streams > times.classes.size();
    });
  });
}

bool Profile::has_estimated_sums() const {
  return std::ranges::any_of(sites_, [&](const CallSite& site) {
    return std::ranges::any_of(site.calls, [&](std::uint32_t call) {
      const trace::DeltaTimes& times = trace_.times[call].communicate;
      return times.sums.empty() && !times.classes.empty() && trace_.streams() > 1;
    });
  });
}

}  // namespace reprise::convert::mpip
