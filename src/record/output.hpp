// The output of a job: writes its trace, and keeps the parts of its ranks where that fails.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compress/process.hpp"
#include "record/claim.hpp"
#include "record/options.hpp"
#include "record/part_file.hpp"

namespace reprise::record {

class Output {
 public:
  // Claims a name for the trace and creates the part of this rank. `channel` has all ranks of the
  // job; both arguments by reference outlive this. Collective over it.
  Output(const Options& options, PartFile& part, MPI_Comm channel);

  const std::string& path() const { return claim_.output; }  // of the trace of all ranks
  std::string part() const { return part_path(path(), static_cast<std::uint64_t>(rank_)); }

  // Writes what the ranks recorded as one trace or, if the options say so, a trace for each rank.
  // `process` is empty on a rank that ran out of memory. False on all ranks if any trace could not
  // be written. Throws where the ranks' streams could not be merged. Collective.
  bool write(std::optional<compress::Process> process);

  // After a failure of write(): keeps the part of this rank and reports once for all ranks how to
  // merge the parts that remain. `process` is the encoded part; `is_written`: it is in its file.
  // Collective.
  void keep_part(bool is_written, std::span<const std::uint8_t> process);

 private:
  bool write_merged(std::optional<compress::Process> process);
  bool write_own(compress::Process process);
  Result<bool> write_unclaimed(const trace::Trace& trace, std::string& path) const;
  std::string move_part(bool is_lost, std::span<const std::uint8_t> process);
  void report_unwritten(const std::string& moved) const;

  const Options& options_;
  PartFile& part_;
  MPI_Comm channel_;
  int rank_ = 0, size_ = 1;
  Claim claim_;
  std::string error_;  // why there is no trace, on the rank that reports it
};

}  // namespace reprise::record
