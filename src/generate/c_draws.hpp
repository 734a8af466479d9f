// Computation that is drawn in a generated program: the tables of its distributions, and the calls
// of the helper `drawn`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "write/c/spread.hpp"
#include "generate/c_values.hpp"

namespace reprise::generate {

using write::c::Spread;

// What a stream draws from, null: it never comes there; and how much of its deviation is the
// stream's own [ns].
struct Drawn {
  const trace::Histogram* from;
  double deviation;
};

class Draws {
 public:
  Draws(Values& values, Source& source) : values_(values), source_(source) {}

  // Whether somebody notices that so many executions do not all take their mean: from how much more
  // on [ns].
  static bool is_noticed(std::uint64_t executions, double deviation, double noticed);

  // What each execution at a place takes of the mean, or nothing if nobody notices. By stream of
  // the point: what it draws from, and how many executions it has. `noticed`: from how much more on
  // one stream on [ns]; `together`: whether all streams draw in one order.
  std::string at(std::size_t site, const std::vector<Drawn>& drawn,
                 const std::vector<std::uint64_t>& counts, double noticed, bool together,
                 Point& point);

  // The tables, when all are asked for.
  void declare();
  // How many places draw.
  std::size_t size() const { return places_; }

 private:
  std::string table_for(Spread spread);
  // How many executions there are, as far as it is noticed.
  std::string number_of(const std::vector<std::uint64_t>& counts, std::size_t site,
                        double deviation, double noticed, Point& point);

  Values& values_;
  Source& source_;
  std::vector<std::pair<Spread, std::string>> spreads_;  // with the names of their tables
  std::size_t places_ = 0;
};

}  // namespace reprise::generate
