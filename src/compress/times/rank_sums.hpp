// What each rank spent at each call site and path, to the precision of a trace.
//
// A sum is kept in steps of the precision times what ranks spend in all, as the difference to what
// the rank's class takes. Rounding errors of a rank are carried from delta to delta; the largest
// deltas of each rank stay exact and take the remainder, so that what a rank spent in all is exact.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/program.hpp"

namespace reprise::compress {

class RankSums {
 public:
  // Takes the sums of the deltas as they are now; both must outlive this. `precision`: a share of
  // the time, 0.01 for 1 %.
  RankSums(const trace::Trace& trace, std::vector<trace::DeltaTimes*> deltas, double precision);

  double total() const { return total_; }       // of all deltas and ranks [ns]
  std::uint64_t step() const { return step_; }  // of sums [ns], at least 1

  // Replaces the sums of the deltas by rounded ones, against their present classes. Nothing if the
  // trace keeps no sums. Cost: O(deltas x streams).
  void round() const;

 private:
  // What a stream spent at a delta, in steps.
  struct Share {
    double estimate = 0;  // as its class takes
    double beyond = 0;    // what it spent more than that
    double kept = 0;      // of those, a whole number
    // Where a rank spends less than a step, a step would change the picture.
    bool may_keep() const;
  };

  std::vector<std::vector<double>> exact_sums() const;
  std::vector<std::size_t> largest_first() const;
  std::vector<std::size_t> choose_exact(const std::vector<std::size_t>& order,
                                        std::vector<std::size_t>& exact_of) const;
  std::vector<Share> shares_of(std::size_t which, std::vector<double>& carried) const;
  static void carry(std::vector<Share>& shares, std::vector<double>& carried);
  void keep_steps(trace::DeltaTimes& d, const std::vector<Share>& shares) const;

  const trace::Trace& trace_;
  const std::vector<trace::DeltaTimes*> deltas_;
  double total_ = 0;
  std::uint64_t step_ = 1;
  std::vector<std::vector<double>> spent_;  // by delta and stream [ns]; empty: no sums are kept
};

}  // namespace reprise::compress
