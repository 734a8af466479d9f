// What the values of local laws are made of (local_values.hpp).
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "compress/merge/rank_columns.hpp"
#include "compress/merge/stream_values.hpp"
#include "extrapolate/communicators/places.hpp"
#include "extrapolate/scalable.hpp"

namespace reprise::extrapolate {

inline const trace::Function& function_of(const Scalable& program,
                                          std::span<const Parameter> site) {
  return trace::function(program.sites[site.front().slot.site].function);
}

inline trace::Membership member(const Place& p) { return {p.rank, p.size}; }

// The values of ranks, one after the other.
class RankValues {
 public:
  void append(compress::StreamValues rank) {
    if (!values_) {
      values_ = std::move(rank);
    } else {
      values_->append(std::move(rank));
    }
  }
  trace::Value finish() const { return values_ ? values_->finish() : trace::Value::constant(0); }

 private:
  std::optional<compress::StreamValues> values_;
};

inline Error unknown_members() {
  return Error{"the members of its communicator are not known there"};
}

inline Error no_value() {
  return Error{"its law has no value at this number of ranks; choose another"};
}

}  // namespace reprise::extrapolate
