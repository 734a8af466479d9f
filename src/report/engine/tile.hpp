// A picture of ranks over time: for each rank a line of pixels, and in each what the rank did.
#pragma once

#include <vector>

#include "report/engine/recorded_run.hpp"

namespace reprise::report {

// Pixels of one length over [from, to) [ps]; the first of them begins at `from`.
struct Columns {
  Picoseconds from = 0, to = 1;
  std::size_t count = 1;

  Picoseconds begin(std::size_t column) const {
    return from +
           static_cast<Picoseconds>(static_cast<double>(to - from) * static_cast<double>(column) /
                                    static_cast<double>(count));
  }
  // The column that `t` lies in. REQUIRES: from <= t < to.
  std::size_t at(Picoseconds t) const;
};

// One line of pixels.
class TileLine : public Visitor {
 public:
  TileLine(Columns columns, const CallKinds& kinds)
      : columns_(columns), kinds_(kinds), sums_(columns.count) {}

  Picoseconds whole_until(Picoseconds from) const override;
  void passes(Picoseconds from, Picoseconds until, const Shares& one, Picoseconds times) override;
  void span(const Span& span) override;

  // By column.
  const std::vector<Shares>& sums() const { return sums_; }

 private:
  void piece(Picoseconds from, Picoseconds to, Kind kind, bool is_selected);

  Columns columns_;
  const CallKinds& kinds_;
  std::vector<Shares> sums_;
};

// All spans in the window, up to some number.
class SpanList : public Visitor {
 public:
  explicit SpanList(std::size_t most) : most_(most) {}

  Picoseconds whole_until(Picoseconds from) const override { return from; }
  void passes(Picoseconds, Picoseconds, const Shares&, Picoseconds) override {}
  void span(const Span& span) override { spans_.push_back(span); }
  bool is_full() const override { return spans_.size() > most_; }

  // More than the most: there are too many.
  const std::vector<Span>& spans() const { return spans_; }

 private:
  std::size_t most_;
  std::vector<Span> spans_;
};

}  // namespace reprise::report
