// What a replay did, in words and for programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/options.hpp"
#include "trace/program.hpp"

namespace reprise::replay {

// Of one rank, all of its streams together. Plain numbers, since they are gathered by MPI.
struct Totals {
  double calls = 0;
  double bytes = 0;    // handed to MPI to be sent, written or put
  double mpi = 0;      // in MPI calls [s]
  double compute = 0;  // emulating computation [s]
  double total = 0;    // from MPI_Init to MPI_Finalize, largest over the streams [s]
};

// What ranks spent when they were recorded, all of their streams together; times only. Empty if
// the trace has no times.
std::vector<Totals> recorded_totals(const trace::Trace& trace);

// Why the time of a replay is not comparable to that of the recording: options that change it, no
// times, another MPI implementation. Empty: it is.
std::vector<std::string> differences_of(const trace::Trace& trace, const Options& options,
                                        const std::string& mpi);

struct Report {
  std::string file;
  std::string mpi;
  double recorded = 0;              // duration of the run that was recorded [s]
  std::vector<Totals> ranks;        // by rank
  std::vector<Totals> then;         // what ranks spent when they were recorded; empty: not known
  std::vector<trace::Loss> losses;  // what the recording does not have
  // Why no computation was emulated, as "--compute none"; empty: it was.
  std::string no_compute;
  std::vector<std::string> differences;  // differences_of; there is an accuracy if empty

  std::string text() const;
  std::string json() const;
};

}  // namespace reprise::replay
