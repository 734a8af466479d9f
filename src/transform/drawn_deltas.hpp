// The computation and the MPI time of each call of one stream, drawn from what a trace keeps of
// them (trace/draw/delta_draw.hpp), so that what the stream spent stays the same.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "trace/draw/delta_draw.hpp"
#include "trace/program.hpp"

namespace reprise::transform {

// REQUIRES: the trace outlives it. Asked once for each call, in order.
class DrawnDeltas {
 public:
  DrawnDeltas(const trace::Trace& trace, std::uint64_t stream) : trace_(trace), stream_(stream) {
    sites_.resize(trace.times.size());
  }

  struct Delta {
    std::int64_t compute = 0, communicate = 0;  // [ns]
  };

  Delta next(std::uint32_t call) {
    Delta out;
    if (!sites_.empty()) {
      Site& site = start(call);
      const trace::CallTimes& times = trace_.times[call];
      out.communicate = whole(site.communicate.next(), communicate_rest_);
      if (const trace::Path* path = times.path_from(previous_)) {
        const auto p = static_cast<std::size_t>(path - times.paths.data());
        out.compute = whole(site.paths[p].next(), compute_rest_);
      }
    }
    previous_ = call;
    return out;
  }

 private:
  struct Site {
    bool started = false;
    trace::DeltaDraw communicate;
    std::vector<trace::PathDraw> paths;
  };

  Site& start(std::uint32_t call) {
    Site& site = sites_[call];
    if (site.started) return site;
    site.started = true;
    site.communicate = {trace_.times[call].communicate, stream_, {kSeed, 2 * call + 1}};
    for (const trace::Path& p : trace_.times[call].paths) {
      site.paths.emplace_back(p, stream_, trace::DrawSeed{kSeed, 2 * call});
    }
    return site;
  }

  // What rounding leaves over goes to the next.
  static std::int64_t whole(double ns, double& rest) {
    rest += ns;
    const double floor = std::floor(rest);
    rest -= floor;
    return static_cast<std::int64_t>(floor);
  }

  static constexpr std::uint64_t kSeed = 1;

  const trace::Trace& trace_;
  std::uint64_t stream_;
  std::vector<Site> sites_;  // by call; none without times
  std::uint32_t previous_ = trace::Path::kStart;
  double compute_rest_ = 0, communicate_rest_ = 0;  // [ns]
};

}  // namespace reprise::transform
