// The output of a job: writes its trace, and keeps the parts of its ranks where that fails.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compress/process.hpp"
#include "record/lifetime/part_file.hpp"
#include "record/merge/claim.hpp"
#include "record/options.hpp"

namespace reprise::record {

class Output {
 public:
  // `channel` has all ranks of the job; both arguments by reference outlive this.
  Output(const Options& options, PartFile& part, MPI_Comm channel);

  // Claims a name for the trace and creates the part of this rank. The result is that of this rank.
  // Collective.
  Status claim() noexcept;

  const std::string& path() const { return claim_.output; }  // of the trace of all ranks

  // Writes what the ranks recorded as one trace or, if the options say so, a trace for each rank. A
  // rank that ran out of memory takes part without a process. False on all ranks if any trace could
  // not be written. Collective.
  bool write(Result<compress::Process> process) noexcept;

  // After a failure of write(): keeps the part of this rank and reports once for all ranks how to
  // merge the parts that remain. `process` is the encoded part, empty if there is no memory for it;
  // `is_written`: it is in its file. Collective.
  void keep_part(bool is_written, std::span<const std::uint8_t> process) noexcept;

  // After a failure to begin: takes part and claim back. For each rank alone.
  void withdraw() noexcept;

 private:
  Status write_merged(Result<compress::Process> process) noexcept;
  Status write_own(Result<compress::Process> process) const noexcept;
  Status put_merged(const trace::Trace& trace) const;
  Status put_own(compress::Process process) const;
  Result<bool> write_unclaimed(const trace::Trace& trace, std::string& path) const;
  void report_unwritten(bool are_moved) const;

  const Options& options_;
  PartFile& part_;
  MPI_Comm channel_;
  int rank_ = 0, size_ = 1;
  Claim claim_;
  std::string error_;  // why there is no trace, on the rank that reports it
};

}  // namespace reprise::record
