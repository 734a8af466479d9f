// Whether groups of executions (modes) are the program's, or noise of the machine that it ran on.
// They are the program's if they come in turns, are those of the same executions on several
// streams, or last for several executions each, as where load moves from rank to rank.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "trace/values/value.hpp"

namespace reprise::compress {

// The modes of a path on all streams.
struct PathModes {
  const trace::Value& of_executions;
  std::uint64_t executions;  // that a stream has at most
};

// The runs of equal modes in series of modes, beside those that chance makes of as many executions
// of each mode. Source: Wald & Wolfowitz 1940; for any number of modes Barton & David 1957.
class RunsTest {
 public:
  // Cost: O(terms x passes of the repeats with a step around them).
  void add(const PathModes& modes);

  double runs() const { return runs_; }
  // Whether there are fewer runs than expected by chance, by more than five standard deviations.
  bool are_few() const;

 private:
  // Of one series.
  struct Count {
    double runs = 0;
    std::map<std::int64_t, double> executions_of;  // by mode

    // Terms that are passed so often, with so many executions each time.
    struct Passes {
      double number, executions;
    };
    void add(const std::vector<trace::Term>& terms, std::int64_t shift, const Passes& passes);
    // `times`: in each of `passes`.
    void add_once(const trace::Term& term, std::int64_t shift, double passes, double times);
  };

  double runs_ = 0, expected_ = 0, variance_ = 0;
};

// The tests of all paths. A path has a part of the executions only where a loop sometimes makes a
// call more: paths to one call are tested together, and those from one call.
class PathRuns {
 public:
  // Numbers of call sites; as RunsTest::add.
  void add(std::uint32_t from, std::uint32_t to, const PathModes& modes) {
    to_[to].add(modes);
    from_[from].add(modes);
  }

  // REQUIRES: the path was added.
  bool are_few(std::uint32_t from, std::uint32_t to) const {
    return to_.at(to).are_few() || from_.at(from).are_few();
  }

 private:
  std::map<std::uint32_t, RunsTest> to_, from_;
};

// Whether the modes of a path come in turns, or several of `streams` have the same.
bool is_pattern(const PathModes& modes, std::uint64_t streams);

}  // namespace reprise::compress
