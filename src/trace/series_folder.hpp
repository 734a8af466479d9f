// The one folding algorithm: builds a Series from its values as they come.
//
// Values become runs; a closed run joins the list of terms; when the last p terms repeat the p
// terms before them (up to a common shift) the two become a repeat, which from then on *predicts*:
// as long as the values are the predicted ones nothing is stored at all. A wrong prediction turns
// the passes so far into a closed term, which may in turn be part of a larger repeat.
//
// Candidates for p come from the last place where the same hash of a context (the last 1, 8 or 64
// terms) stood; windows are compared by a rolling hash over (shape, distance from the term before)
// and then verified. Cost: amortised O(1) per value, whatever the period; memory: the terms.
// Equal sequences give equal series, however they were split into calls of `append`.
// Sources: Noeth et al. 2009 (PRSD folding); here without a bounded window, and on shapes rather
// than values, so that strides in several dimensions fold by the same rule.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/series.hpp"

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

 private:
  // A term in the list, with what finding repeats needs of it.
  struct Entry {
    Term term;
    std::int64_t first;    // its first value
    std::uint64_t shape;   // hash of all but its position
    std::uint64_t linked;  // hash of shape and of the distance of `first` from the entry before
    std::uint64_t prefix;  // polynomial hash of `linked` over all entries up to this one
  };

  // A copy's prediction points into the original: only `finish` makes one, and drops it.
  SeriesFolder(const SeriesFolder&) = default;

  void tokenize(std::int64_t value, std::uint64_t& count);
  void close_open_run();
  void end_prediction();
  void replay(const Term& term);
  void push(Term term);
  void remember(std::size_t index, std::size_t context);
  void fold_tail();
  bool try_period(std::size_t period);
  bool windows_match(std::size_t period, std::size_t passes) const;
  bool hashes_match(std::size_t first, std::size_t second, std::size_t length) const;
  std::uint64_t window_hash(std::size_t end, std::size_t length) const;

  std::vector<Entry> entries_;       // closed terms
  std::vector<std::uint32_t> last_;  // context hash -> index + 1 of the entry it last ended at
  std::vector<Term> predicted_;      // the repeat that predicts, unbounded; empty if none does
  SeriesCursor prediction_;          // within predicted_
  Term open_{.count = 0};            // the run that grows; count 0: none
  std::uint64_t size_ = 0;
};

}  // namespace reprise::trace
