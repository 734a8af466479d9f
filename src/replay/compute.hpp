// How long the program computed before a call, which a replay spends without communicating.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "replay/options.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::replay {

class ComputeModel {
 public:
  // Before the first call of a stream there is no other.
  static constexpr std::uint32_t kNoCall = ~std::uint32_t{0};

  virtual ~ComputeModel() = default;

  // What was computed before this call [ns]. `previous` is the call before it on the same stream,
  // an index into Trace::calls. Asked once for each event, in order.
  virtual std::int64_t before(const trace::Event& event, std::uint32_t previous) = 0;
};

// Fails if a place of --compute-scale PLACE=X is that of no call. `file`: the name of the trace.
Status check_places(const trace::Trace& trace, const Options& options, const std::string& file);

// The model for one stream; null if the trace has no times or none are wanted.
std::unique_ptr<ComputeModel> compute_model(const trace::Trace& trace, std::uint64_t stream,
                                            const Options& options);

}  // namespace reprise::replay
