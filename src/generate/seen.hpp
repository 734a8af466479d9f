// What streams see of a value, whatever way it is stored: the distinct series, and who has which.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "trace/value.hpp"

namespace reprise::generate {

using Streams = std::vector<std::uint64_t>;  // in order
using TimesOf = std::function<std::uint64_t(std::uint64_t stream)>;

struct Seen {
  std::vector<trace::Series> distinct;  // each as it is stored, or unending if it is one number
  std::vector<std::uint64_t> length;    // of each: the most values that a stream sees
  std::vector<std::size_t> which;       // by position among the streams

  // Every stream sees one number for ever, though not each the same.
  bool is_constant_each() const;
};

// Where nothing was recorded, since it did not count, what was recorded elsewhere does as well.
Seen without_none(const Seen& seen);

// The number that the first n values are all, if they are.
std::optional<std::int64_t> only_value(const trace::Series& series, std::uint64_t n);

// What the streams see in as many executions as `times` says of each.
// Cost: O(streams + classes x values looked at).
Seen seen_by(const trace::Value& value, const Streams& streams, const TimesOf& times);

}  // namespace reprise::generate
