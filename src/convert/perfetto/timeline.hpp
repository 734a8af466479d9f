// A simulated run as track events of Perfetto, written while it is simulated.
#pragma once

#include <string>

#include "convert/perfetto/track_file.hpp"
#include "simulate/results/result.hpp"

namespace reprise::convert::perfetto {

class Timeline : public simulate::Observer {
 public:
  // REQUIRES: the trace outlives it and does not change.
  Timeline(const trace::Trace& trace, const std::string& path);

  void computes(std::uint64_t stream, simulate::Interval during) override;
  void calls(std::uint64_t stream, mpi::SiteId call, simulate::Interval during) override;
  void message(const simulate::Flight& flight) override;

  // An error: not all of it could be written.
  Status close() { return to_.close(); }

 private:
  void add_slice(std::uint64_t stream, const TrackEvent& begin, simulate::Interval during);

  std::uint64_t threads_;
  TrackFile to_;
  std::uint64_t messages_ = 0;
};

}  // namespace reprise::convert::perfetto
