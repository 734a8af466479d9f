// Explains the values of a trace: columns of calls, lists and trips, on the streams that read them.
#pragma once

#include "program/conditions/condition.hpp"
#include "program/laws/sequence.hpp"
#include "program/values/alike.hpp"

namespace reprise::program {

class Values {
 public:
  explicit Values(Conditions& conditions) : conditions_(conditions) {}

  // Trips or a column. `peers`: of a column of ranks; null: its numbers are as they are.
  Value scalar(const trace::Value& value, const ValueSite& site, const PeerMeaning* peers,
               Meaning meaning) const;
  // The elements of a list.
  Value elements(const trace::Value& length, const trace::Value& elements, const ValueSite& site,
                 bool is_rank, bool is_name) const;
  // The condition of the streams among those that execute the place.
  Who who(const StreamSet& some, const Streams& all) const;

 private:
  Conditions& conditions_;
};

}  // namespace reprise::program
