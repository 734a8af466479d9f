// Puts fixed sources and tags in place of wildcards. Neither the loops of a trace nor its times
// change by that, only some columns of some calls; these are folded anew, stream by stream.
#pragma once

#include <memory>
#include <vector>

#include "compress/merge/stream_values.hpp"
#include "transform/wildcards.hpp"

namespace reprise::transform {

class Rewriter {
 public:
  // REQUIRES: the trace outlives it and does not change before `finish`.
  explicit Rewriter(const trace::Trace& trace);

  // The next stream. False: the trace is damaged. Cost: its calls.
  bool add(const Resolution& resolution);

  // By index into Trace::calls, the new columns; empty for calls that stay as they are.
  std::vector<std::vector<trace::Value>> finish() const;

 private:
  const trace::Trace& trace_;
  std::vector<bool> affected_;                                // by call
  std::vector<std::vector<compress::StreamValues>> columns_;  // by call
  std::uint64_t streams_ = 0;
};

}  // namespace reprise::transform
