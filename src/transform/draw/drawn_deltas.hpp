// The computation and the MPI time of each call of one stream, drawn from what a trace keeps of
// them (trace/draw/delta_draw.hpp), so that what the stream spent stays the same.
//
// A call that a stretch makes several times handles different neighbors, edges or blocks, and these
// recur whenever the stretch does. Independent draws would make their sum vary from one time to the
// next, so each execution takes the mean, unless ranks agree on which executions are long.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace/draw/delta_draw.hpp"
#include "trace/program.hpp"

namespace reprise::transform {

// REQUIRES: the trace outlives it. Asked once for each call, in order.
class DrawnDeltas {
 public:
  // `times`: by call, how often the stretch that contains it is executed; 0: no stretch contains
  // it. Empty: there are no stretches.
  DrawnDeltas(const trace::Trace& trace, std::uint64_t stream,
              std::vector<std::uint64_t> times = {})
      : trace_(trace), stream_(stream), times_(std::move(times)) {
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
        const double drawn = site.paths[p].next();
        out.compute =
            whole(is_even(*path, call) ? path->compute.sum_of(stream_) /
                                             static_cast<double>(path->compute.count_of(stream_))
                                       : drawn,
                  compute_rest_);
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

  bool is_even(const trace::Path& path, std::uint32_t call) const {
    return !times_.empty() && times_[call] > 0 && path.modes.empty() &&
           !path.compute.is_concordant() && path.compute.count_of(stream_) >= 2 * times_[call];
  }

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
  std::vector<std::uint64_t> times_;
  std::vector<Site> sites_;  // by call; none without times
  std::uint32_t previous_ = trace::Path::kStart;
  double compute_rest_ = 0, communicate_rest_ = 0;  // [ns]
};

}  // namespace reprise::transform
