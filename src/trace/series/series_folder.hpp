// The one folding algorithm: builds a Series from its values as they come.
//
// Values become runs; a closed run joins the list of terms; when the last p terms repeat the p
// terms before them (up to a common shift) the two become a repeat, which from then on *predicts*:
// as long as the values are the predicted ones nothing is stored at all. A wrong prediction turns
// the passes so far into a closed term, which may in turn be part of a larger repeat.
//
// Candidates for p come from the last place where the same hash of a context (the last 1, 8 or 64
// terms) stood (closed_terms.hpp); windows are compared by a rolling hash over (shape, distance
// from the term before) and then verified. Cost: amortised O(1) per value, whatever the period;
// memory: the terms. Equal sequences give equal series, however they were split into calls of
// `append`. Sources: Noeth et al. 2009 (PRSD folding); here without a bounded window, and on shapes
// rather than values, so that strides in several dimensions fold by the same rule.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trace/series/closed_terms.hpp"
#include "trace/series/series.hpp"

namespace reprise::trace {

class SeriesFolder {
 public:
  SeriesFolder() = default;
  SeriesFolder(SeriesFolder&&) = default;
  SeriesFolder& operator=(SeriesFolder&&) = default;

  // Appends `count` times the same value.
  void append(std::int64_t value, std::uint64_t count = 1);

  // The series of all values so far. Its last term is unbounded.
  Series finish() const;

  bool empty() const { return size_ == 0; }
  // Number of values so far.
  std::uint64_t size() const { return size_; }
  // Number of terms that the values have been folded into, but for the last.
  std::size_t terms() const { return closed_ ? closed_->size() : 0; }

 private:
  // A copy's prediction points into the original: only `finish` makes one, and drops it.
  SeriesFolder(const SeriesFolder& other);

  void tokenize(std::int64_t value, std::uint64_t& count);
  void close_open_run();
  void end_prediction();
  void replay(const Term& term);
  void push(Term term);
  bool try_period(std::size_t period);
  std::uint64_t begin_earlier(Term& repeat);

  std::unique_ptr<ClosedTerms> closed_;  // null until there is one: most columns are constant
  std::vector<Term> predicted_;          // the repeat that predicts, unbounded; empty if none does
  SeriesCursor prediction_;              // within predicted_
  Term open_{.count = 0};                // the run that grows; count 0: none
  std::uint64_t size_ = 0;
};

// The series of the numbers of a range.
template <class Numbers>
Series fold_numbers(const Numbers& numbers) {
  SeriesFolder folder;
  for (const auto n : numbers) folder.append(static_cast<std::int64_t>(n));
  return folder.finish();
}

}  // namespace reprise::trace
