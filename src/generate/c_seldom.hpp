// Computation that is mostly alike, with a list of what is not: one number for a place, and rows of
// the ranks and executions that take another, in one table of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace reprise::generate {

// What a rank computes before a call.
struct OwnTimes {
  std::uint64_t rank;
  std::uint64_t count;            // executions
  double sum;                     // of all [ns]
  std::vector<double> each = {};  // of each, as far as that is known; else empty [ns]
};

struct Unlike {
  std::uint64_t rank;
  std::int64_t execution;  // negative: all
  double ns;
};

struct Mostly {
  double ns;
  std::vector<Unlike> rows;
};

// A number for all, and the executions that somebody would notice it of: from how much more on
// [ns]. Every rank's sum stays within that.
Mostly mostly(const std::vector<OwnTimes>& all, double noticed);

class Seldom {
 public:
  // Whether the program has these rows, since they take less text than a table of so much
  // [characters].
  bool add(std::size_t site, const std::vector<Unlike>& rows, std::size_t table);

  // The rows, as lines of the file in front of the helper `at`, which reads them.
  std::string text() const;

 private:
  std::vector<std::string> rows_;
};

}  // namespace reprise::generate
