// Computation before a call as a C expression [ns]: a number where that is good enough, and as much
// detail as the whole run notices: the call before, the rank, the distribution, groups by a
// pattern.
#pragma once

#include <functional>
#include <string>

#include "generate/c_draws.hpp"
#include "generate/c_seldom.hpp"
#include "generate/c_values.hpp"

namespace reprise::generate {

struct Detail {
  double share;  // of what a stream computes in all, from which on it notices a difference
  bool lists;    // executions that stand out are told in one list of the program
};

class ComputeTimes {
 public:
  // `site` is the number of a call in the program that is written.
  ComputeTimes(const trace::Trace& trace, Values& values, Source& source, const Detail& detail,
               std::function<std::size_t(std::uint32_t call)> site);

  // What a stream computes before it makes the call at the point.
  std::string before(std::uint32_t call, Point& point);

  // The call that most often comes next on a path with computation that matters, and how much [ns].
  struct Next {
    std::uint32_t call;
    std::string time;
  };
  std::optional<Next> after(std::uint32_t call) const;

  // The tables that times are drawn from, when all are written.
  void declare() { draws_.declare(); }
  // The list of what stands out.
  std::string seldom() const { return seldom_.text(); }
  // How many places draw from one.
  std::size_t draws() const { return draws_.size(); }

 private:
  // From how much more on one stream is noticed [ns].
  double noticed() const { return detail_.share * budget_; }
  using Paths = std::vector<const trace::Path*>;
  bool matters(double ns) const { return ns > noticed(); }
  // Those of the paths whose times nobody tells apart, on the way of all of them.
  Paths alike(Paths paths, const Point& point) const;
  std::string path(const trace::Path& path, bool is_only, std::uint32_t call, Point& point);
  // Of several deltas as of one, whose executions come by these paths; none: they are all.
  std::string delta(const std::vector<const trace::DeltaTimes*>& times, const Paths& by,
                    std::uint32_t call, Point& point);
  std::string by_rank(const std::vector<const trace::DeltaTimes*>& times, double mean,
                      std::uint32_t call, Point& point);
  std::optional<std::vector<std::int64_t>> arrivals(const Paths& by, std::uint32_t call,
                                                    std::uint64_t stream) const;
  std::optional<std::string> listed(const std::vector<OwnTimes>& all, const Paths& by,
                                    std::uint32_t call, std::size_t table);
  std::optional<std::string> listed_by_rank(const std::vector<const trace::DeltaTimes*>& times,
                                            const Paths& by, std::uint32_t call,
                                            const Point& point);
  std::optional<std::string> listed_by_value(const trace::DeltaTimes& times,
                                             const std::vector<Drawn>& drawn, const Paths& by,
                                             std::uint32_t call, const Point& point);
  // `means`: of each execution, by stream.
  std::optional<std::string> listed_by_execution(const trace::Path& path, bool is_only,
                                                 const trace::Value& means, std::uint32_t call,
                                                 const Point& point);
  // The modes of a path, by stream of the point.
  struct Groups {
    Streams models;                          // whose modes they are
    std::vector<std::vector<double>> means;  // by mode [ns]
    std::vector<double> sums;                // what a stream takes if all take the mean [ns]
    double left = 0;      // of the variance within modes, beside what the sums of streams tell
    bool differ = false;  // enough to be told
  };
  static Streams models(const trace::Path& path, const Point& point);
  Groups groups(const trace::Path& path, const Point& point) const;
  // The mean of the mode of each execution [ns].
  trace::Value group_means(const trace::Path& path, const Groups& groups, const Point& point) const;
  // The factor that each stream takes beside these means.
  std::string shares(const trace::Path& path, const Groups& groups, std::uint32_t call,
                     Point& point);

  const trace::Trace& trace_;
  Values& values_;
  Source& source_;
  std::function<std::size_t(std::uint32_t)> site_;
  Detail detail_;
  double budget_ = 0;  // what a stream computes in all, at most [ns]
  Draws draws_;
  Seldom seldom_;
  std::size_t counters_ = 0;
};

}  // namespace reprise::generate
