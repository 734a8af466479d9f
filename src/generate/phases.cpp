#include "generate/phases.hpp"

#include <map>

#include "transform/collectives.hpp"
#include "transform/refold.hpp"

namespace reprise::generate {
namespace {

// The sites of a call behind each collective that comes before it.
class Places {
 public:
  explicit Places(const trace::Trace& trace) {
    for (std::uint32_t c = 0; c < trace.calls.size(); ++c) sites_.push_back(c);
  }

  std::uint32_t of(std::uint32_t call, std::uint32_t phase) {
    const auto [entry, is_new] =
        places_.try_emplace({call, phase}, static_cast<std::uint32_t>(sites_.size()));
    if (is_new) sites_.push_back(call);
    return entry->second;
  }

  const transform::SiteCalls& sites() const { return sites_; }

 private:
  transform::SiteCalls sites_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> places_;
};

class Phases : public transform::SiteChoice {
 public:
  explicit Phases(Places& places) : places_(places) {}

  std::uint32_t site_of(const trace::Event& event) override {
    const std::int64_t comm = transform::scalar_named(event, "comm");
    if (transform::is_collective(event) && comm == 0) {
      phase_ = event.call;
      return event.call;
    }
    return places_.of(event.call, phase_);
  }

 private:
  Places& places_;
  std::uint32_t phase_ = 0;  // the last collective of all
};

}  // namespace

Result<trace::Trace> split_phases(const trace::Trace& trace) {
  Places places(trace);
  return transform::refold(trace, places.sites(),
                           [&](std::uint64_t) { return std::make_unique<Phases>(places); });
}

}  // namespace reprise::generate
