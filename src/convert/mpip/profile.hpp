// Calls, times and bytes of each call site on each rank, as mpiP profiles a run.
//
// A call site is a function of MPI and the innermost frames of the call path to it. Calls that
// begin and end MPI are none, and POSIX calls are not MPI's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/totals/totals.hpp"
#include "trace/program.hpp"

namespace reprise::convert::mpip {

struct CallSite {
  // A frame by its function and line. Without these, by the address of the return.
  struct Frame {
    std::string file;  // or the address
    std::uint32_t line = 0;
    std::string function;  // empty: unknown

    auto operator<=>(const Frame&) const = default;
  };

  trace::FunctionId function{};
  std::vector<Frame> frames;         // the innermost first, one at least
  std::vector<std::uint32_t> calls;  // indices into Trace::calls
};

// What executions of a call site took and sent.
struct SiteTotals {
  std::uint64_t calls = 0;
  double time = 0;                   // [ns]
  std::int64_t least = 0, most = 0;  // that a single one took [ns]
  std::uint64_t bytes = 0;           // sent
  analyze::SentRange sent;

  void add(const SiteTotals& other);
};

// REQUIRES: the trace has times, outlives it and does not change.
class Profile {
 public:
  // Call sites differ in `depth` frames. Cost: O(calls x streams), and what totals cost.
  Profile(const trace::Trace& trace, std::size_t depth);

  // The trace is damaged; the profile is empty.
  bool is_damaged() const { return totals_.damaged; }
  // By the names of their functions, then by their frames.
  const std::vector<CallSite>& sites() const { return sites_; }
  // Of one rank, over all of its threads. Cost: O(calls of the site x threads).
  SiteTotals totals(const CallSite& site, std::uint64_t rank) const;
  // Of all ranks.
  SiteTotals totals(const CallSite& site) const;

  // From the end of MPI_Init to the begin of MPI_Finalize, over all threads [ns, by rank].
  const std::vector<double>& app_time() const { return app_time_; }
  // In call sites [ns, by rank].
  const std::vector<double>& mpi_time() const { return mpi_time_; }

  // Calls of which the trace does not tell the bytes.
  std::uint64_t unknown_sizes() const { return unknown_sizes_; }
  // The least and the longest time of a rank are those of several ranks that resemble each other.
  bool has_shared_ranges() const;
  // What ranks spent is estimated, by ranks that resemble each other.
  bool has_estimated_sums() const;

 private:
  void find_sites(std::size_t depth);
  void add_times();

  const trace::Trace& trace_;
  analyze::Totals totals_;
  std::vector<CallSite> sites_;
  std::vector<double> app_time_, mpi_time_;
  std::uint64_t unknown_sizes_ = 0;
};

}  // namespace reprise::convert::mpip
