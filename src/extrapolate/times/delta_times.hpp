// The times of one delta at one number of ranks, from its law and from the number of executions on
// each rank: classes of ranks, their histograms, and the time of each rank.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "extrapolate/times/time_law.hpp"

namespace reprise::extrapolate {

class DeltaMaker {
 public:
  // `class_of`: of each stream, those that make the same trips. `point`: the variables of the laws.
  DeltaMaker(std::span<const std::uint32_t> class_of, std::span<const double> point,
             bool keeps_rank_sums);

  // The part that each class has in the program.
  void set_parts(std::vector<Part> parts) { parts_ = std::move(parts); }
  // The sizes of the call of each site.
  void set_sizes(std::vector<CallSize> sizes) { sizes_ = std::move(sizes); }

  // `counts`: executions, by class. Counts are kept exactly, and the sum of the histograms is that
  // of the ranks to the nanosecond. Cost: O(streams) where ranks differ.
  trace::DeltaTimes make(const TimeLaw& law, const std::vector<std::uint64_t>& counts);
  // A group of executions of a path that is executed so often; without sums of ranks.
  trace::DeltaTimes make_mode(const TimeLaw& law, std::size_t mode,
                              const std::vector<std::uint64_t>& counts);

  // What all ranks spend on all that was made, but for modes [ns].
  double spent() const { return spent_; }
  // Consecutive streams of one class: the class, and how many.
  const std::vector<std::pair<std::uint32_t, std::uint64_t>>& runs() const { return runs_; }

 private:
  // Consecutive streams that come as often, and take as long for an execution.
  struct Stretch {
    std::uint64_t streams = 0;
    std::uint64_t count = 0;  // executions of each
    double ratio = 1;         // of an execution to the law
    std::int64_t sum = 0;     // of each [ns]
  };

  std::vector<Stretch> stretches_of(const TimeLaw& law, double mean,
                                    const std::vector<std::uint64_t>& counts) const;
  trace::DeltaTimes assemble(const TimeLaw& law, const std::vector<Stretch>& stretches) const;
  std::vector<double> fields_of(const TimeLaw& law) const;

  std::uint64_t ranks_;
  std::vector<double> point_;
  bool keeps_rank_sums_;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> runs_;
  std::vector<Part> parts_;      // by class
  std::vector<CallSize> sizes_;  // by site; empty: no law follows them
  double spent_ = 0;             // [ns]
};

}  // namespace reprise::extrapolate
