#include "cli/extrapolate/reach_report.hpp"

#include <fmt/core.h>

#include "cli/say.hpp"
#include "cli/text.hpp"

namespace reprise::cli {

using extrapolate::Scalable;
using extrapolate::Threshold;
using nlohmann::ordered_json;

namespace {

constexpr std::size_t kShown = 4;

}  // namespace

std::string threshold_text(const Threshold& threshold) {
  return fmt::format("the {}: {}", threshold.slot.text(), threshold.what);
}

std::string thresholds_text(const Scalable& laws, std::span<const trace::Trace> traces,
                            std::int64_t ranks) {
  std::string out;
  for (const Threshold& t : extrapolate::find_thresholds(laws, traces, ranks)) {
    out += fmt::format("threshold: {}\n", threshold_text(t));
  }
  return out;
}

std::vector<std::string> reach_warnings(const Scalable& laws, std::span<const trace::Trace> traces,
                                        std::int64_t ranks) {
  std::vector<std::string> out;
  if (extrapolate::is_far(laws.ranks, ranks)) {
    out.push_back(fmt::format(
        "{} are {} those of the largest input ({}), and no trace confirms the laws there "
        "(a program may take another algorithm on more ranks); to confirm more, add traces on more "
        "ranks to the inputs, and try `reprise extrapolate --check` with them",
        counted(static_cast<std::uint64_t>(ranks), "rank"),
        extrapolate::times_the_largest(laws.ranks, ranks), laws.ranks.back()));
  }
  const auto thresholds = extrapolate::find_thresholds(laws, traces, ranks);
  for (std::size_t i = 0; i < thresholds.size() && i < kShown; ++i) {
    out.push_back(fmt::format("there may be a threshold on the way to {}: {}",
                              counted(static_cast<std::uint64_t>(ranks), "rank"),
                              threshold_text(thresholds[i])));
  }
  if (thresholds.size() > kShown) {
    out.push_back(fmt::format("and {} like this; --report has all",
                              counted(thresholds.size() - kShown, "more threshold")));
  }
  return out;
}

void say_reach(const Scalable& laws, std::span<const trace::Trace> traces, std::int64_t ranks) {
  for (const std::string& warning : reach_warnings(laws, traces, ranks))
    say(stderr, "reprise: {}\n", warning);
}

ordered_json thresholds_json(const std::vector<Threshold>& thresholds, std::int64_t ranks) {
  ordered_json out = ordered_json::array();
  for (const Threshold& t : thresholds) {
    out.push_back({{"function", t.slot.function},
                   {"place", t.slot.place},
                   {"parameter", t.slot.parameter},
                   {"ranks", ranks},
                   {"what", t.what}});
  }
  return out;
}

ordered_json reach_json(const Scalable& laws, std::span<const trace::Trace> traces,
                        std::int64_t ranks) {
  return {
      {"ranks", ranks},
      {"largest_input", laws.ranks.back()},
      {"is_far", extrapolate::is_far(laws.ranks, ranks)},
      {"thresholds", thresholds_json(extrapolate::find_thresholds(laws, traces, ranks), ranks)}};
}

}  // namespace reprise::cli
