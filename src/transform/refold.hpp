// A trace whose calls stand at other sites than before: every stream is walked and folded anew, and
// the loops of what results are found as at the end of a recording (compress/process.hpp).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "trace/cursors/cursor.hpp"

namespace reprise::transform {

// Says, event by event, at which site the calls of one stream stand.
class SiteChoice {
 public:
  virtual ~SiteChoice() = default;
  // REQUIRES: asked once for each event, in order.
  virtual std::uint32_t site_of(const trace::Event& event) = 0;
};

// By site, the call whose call path it gets. Sites below Trace::calls.size() are the calls.
using SiteCalls = std::vector<std::uint32_t>;

// Deltas are drawn from what the trace keeps (trace/draw/delta_draw.hpp), so that what each stream
// spent stays the same. Fails for damage, and beyond `most` calls of all streams together. Cost:
// all calls; memory: that of the folded streams. REQUIRES: no scalable trace.
Result<trace::Trace> refold(
    const trace::Trace& trace, const SiteCalls& sites,
    const std::function<std::unique_ptr<SiteChoice>(std::uint64_t stream)>& choice_of,
    std::uint64_t most = ~std::uint64_t{0});

}  // namespace reprise::transform
