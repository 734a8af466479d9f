// A value over the streams: what each of them has first.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/values/value.hpp"

namespace reprise::trace {

// Walks the first values of streams in the order of streams: amortised O(1) for each, and less
// where many in a row have 0. ValueCursor is for all values of one stream.
// REQUIRES: the value outlives it and does not change.
class FirstValues {
 public:
  explicit FirstValues(const Value& value);

  // That of a stream. REQUIRES: no later stream was asked for.
  std::int64_t at(std::uint64_t stream);
  // The number of its class, an index into Value::classes; without classes, its value.
  // REQUIRES: as above.
  std::int64_t number_at(std::uint64_t stream);

  // The first stream from `stream` on whose value is not 0; `end` if there is none below it.
  // REQUIRES: as above. Cost: O(runs), and O(streams) in runs of classes that move by a step.
  std::uint64_t find_nonzero(std::uint64_t stream, std::uint64_t end);

 private:
  SeriesCursor cursor_;                 // over the numbers of streams, or of their classes
  std::vector<std::int64_t> of_class_;  // none: the numbers are the values
  std::uint64_t stream_ = 0;            // where the cursor stands
};

}  // namespace reprise::trace
