// Computation before a call as a C expression [ns]: a number where that is good enough, and as much
// detail as the whole run notices: the call before, the rank, the distribution, groups by a
// pattern.
#pragma once

#include <functional>
#include <string>

#include "generate/c_values.hpp"

namespace reprise::generate {

class ComputeTimes {
 public:
  // `site` is the number of a call in the program that is written.
  ComputeTimes(const trace::Trace& trace, Values& values, Source& source,
               std::function<std::size_t(std::uint32_t call)> site);

  // What a stream computes before it makes the call at the point.
  std::string before(std::uint32_t call, Point& point);

  // The call that most often comes next on a path with computation that matters, and how much [ns].
  struct Next {
    std::uint32_t call;
    std::string time;
  };
  std::optional<Next> after(std::uint32_t call) const;

 private:
  // Whether so much more on one stream would be noticed [ns].
  bool matters(double ns) const { return ns > 0.001 * budget_; }
  std::string path(const trace::Path& path, bool is_only, std::uint32_t call, Point& point);
  std::string delta(const trace::DeltaTimes& times, std::uint32_t call, Point& point);
  std::string by_rank(const trace::DeltaTimes& times, double mean, std::uint32_t call,
                      Point& point);
  std::string shape(const trace::DeltaTimes& times, std::uint32_t call);

  const trace::Trace& trace_;
  Values& values_;
  Source& source_;
  std::function<std::size_t(std::uint32_t)> site_;
  double budget_ = 0;  // what a stream computes in all, at most [ns]
};

}  // namespace reprise::generate
