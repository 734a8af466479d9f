// The file of a rank that has not come to MPI_Finalize, and how the recorder writes files at all.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "compress/process.hpp"

namespace reprise::record {

// While one lives, a write beyond the limit on the size of files fails and does not end the
// program, which may have nothing to do with files.
class NoFileSizeSignal {
 public:
  NoFileSizeSignal();
  ~NoFileSizeSignal();
  NoFileSizeSignal(const NoFileSizeSignal&) = delete;
  NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

 private:
  sigset_t former_;
};

// Writes `<output>.part-<rank>`, which `reprise merge` reads, under another name first: what was
// there stays until the new one is whole.
Status write_part_file(const compress::Process& process, const std::string& output);
void remove_part_file(const std::string& output, std::uint64_t rank);

// The same where nobody can do anything about a failure but say so.
void write_part(const compress::Process& process, const std::string& output) noexcept;

}  // namespace reprise::record
