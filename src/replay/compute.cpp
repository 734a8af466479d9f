#include "replay/compute.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "trace/calls/places.hpp"
#include "trace/draw/delta_draw.hpp"

namespace reprise::replay {
namespace {

using trace::Call;
using trace::Path;
using trace::Trace;

// Whether a word of the user names this call: its MPI function, the function that contains it, or
// the place, such as "stencil.c:57". Wrappers of MPI count as well as their callers.
bool is_meant(const std::string& word, const Trace& trace, const trace::Places& places,
              const Call& call) {
  if (word == trace::function(call.function).name) return true;
  const std::vector<std::uint32_t>& path = trace.callpaths[call.callpath];
  for (std::size_t i = 0; i < path.size() && i <= places.index(call.callpath); ++i) {
    const trace::Frame& frame = trace.frames[path[i]];
    if (word == trace.texts[frame.function] || word == places.function(path[i]) ||
        word == trace.texts[frame.file] + ":" + std::to_string(frame.line)) {
      return true;
    }
  }
  return false;
}

// Draws from what the trace keeps of each path of each call.
class DrawnCompute : public ComputeModel {
 public:
  DrawnCompute(const Trace& trace, std::uint64_t stream, const Options& options) : trace_(trace) {
    const trace::Places places(trace);
    for (std::size_t c = 0; c < trace.calls.size(); ++c) {
      Site& site = sites_.emplace_back();
      site.scale = options.compute_scale;
      for (const auto& [word, scale] : options.compute_scale_at) {
        if (is_meant(word, trace, places, trace.calls[c])) site.scale = scale;
      }
      for (std::size_t p = 0; p < trace.times[c].paths.size(); ++p) {
        // Ranks that come to one place by different paths, such as those at a border, share its
        // key.
        site.paths.emplace_back(trace.times[c].paths[p], stream, trace::DrawSeed{options.seed, c});
      }
    }
  }

  std::int64_t before(const trace::Event& event, std::uint32_t previous) override {
    static_assert(kNoCall == Path::kStart);
    const trace::CallTimes& times = trace_.times[event.call];
    const Path* path = times.path_from(previous);
    if (!path) return 0;
    Site& site = sites_[event.call];
    const double ns =
        site.scale * site.paths[static_cast<std::size_t>(path - times.paths.data())].next();
    // The rounding error is carried to the next call.
    rest_ += ns;
    const double whole = std::floor(rest_);
    rest_ -= whole;
    return static_cast<std::int64_t>(whole);
  }

 private:
  struct Site {
    double scale = 1;
    std::vector<trace::PathDraw> paths;
  };

  const Trace& trace_;
  std::vector<Site> sites_;  // by call
  double rest_ = 0;          // [ns]
};

}  // namespace

Status check_places(const Trace& trace, const Options& options, const std::string& file) {
  const trace::Places places(trace);
  for (const auto& [word, scale] : options.compute_scale_at) {
    const bool is_known = std::ranges::any_of(
        trace.calls, [&](const Call& call) { return is_meant(word, trace, places, call); });
    if (is_known) continue;
    return Error{"--compute-scale has an unknown place " + word + " (no call of " + file +
                     " is of this function, in it, or at this line); `reprise show " + file +
                     "` lists functions and lines",
                 Error::Kind::usage};
  }
  return {};
}

std::unique_ptr<ComputeModel> compute_model(const Trace& trace, std::uint64_t stream,
                                            const Options& options) {
  if (trace.times.empty()) return nullptr;
  return std::make_unique<DrawnCompute>(trace, stream, options);
}

}  // namespace reprise::replay
