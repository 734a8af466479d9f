#include "generate/phases.hpp"

#include <map>

#include "mpi/arguments.hpp"
#include "mpi/collectives.hpp"
#include "trace/calls/predefined.hpp"
#include "transform/collectives.hpp"
#include "transform/refold.hpp"

namespace reprise::generate {
namespace {

// The sites of a call, by what tells them apart: the collective that comes before it, or its
// communicator.
class Places {
 public:
  explicit Places(const trace::Trace& trace) {
    for (std::uint32_t c = 0; c < trace.calls.size(); ++c) sites_.push_back(c);
  }

  std::uint32_t of(std::uint32_t call, std::int64_t what) {
    const auto [entry, is_new] =
        places_.try_emplace({call, what}, static_cast<std::uint32_t>(sites_.size()));
    if (is_new) sites_.push_back(call);
    return entry->second;
  }

  const transform::SiteCalls& sites() const { return sites_; }

 private:
  transform::SiteCalls sites_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> places_;
};

class Phases : public transform::SiteChoice {
 public:
  explicit Phases(Places& places) : places_(places) {}

  std::uint32_t site_of(const trace::Event& event) override {
    const std::int64_t comm = mpi::scalar_named(event, "comm");
    if (mpi::is_collective(*event.function) && comm == 0) {
      phase_ = event.call;
      return event.call;
    }
    return places_.of(event.call, phase_);
  }

 private:
  Places& places_;
  std::uint32_t phase_ = 0;  // the last collective of all
};

class Communicators : public transform::SiteChoice {
 public:
  explicit Communicators(Places& places) : places_(places) {}

  std::uint32_t site_of(const trace::Event& event) override {
    if (mpi::is_collective(*event.function)) comm_ = mpi::scalar_named(event, "comm");
    return comm_ == trace::kWorld ? event.call : places_.of(event.call, comm_);
  }

 private:
  Places& places_;
  std::int64_t comm_ = trace::kWorld;  // of the last collective
};

template <class Choice>
Result<trace::Trace> split(const trace::Trace& trace) {
  Places places(trace);
  return transform::refold(trace, places.sites(),
                           [&](std::uint64_t) { return std::make_unique<Choice>(places); });
}

}  // namespace

Result<trace::Trace> split_phases(const trace::Trace& trace) { return split<Phases>(trace); }

Result<trace::Trace> split_communicators(const trace::Trace& trace) {
  return split<Communicators>(trace);
}

}  // namespace reprise::generate
