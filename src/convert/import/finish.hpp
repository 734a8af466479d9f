// The trace of imported ranks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "convert/import/rank.hpp"
#include "trace/program.hpp"

namespace reprise::convert {

// How far an import is: `done` of `total`, in what is counted ("events read").
using ImportProgress =
    std::function<void(const char* what, std::uint64_t done, std::uint64_t total)>;

struct ImportSettings {
  compress::TimeOptions times;
  ImportProgress progress = nullptr;
  std::string scratch = {};  // a file there can be, for what does not fit into memory
};

// What the header of the trace says of the source.
struct SourceNote {
  std::string program;           // the command line, or what stands for it
  std::string origin;            // in place of the MPI library: "OTF2 archive by Score-P 8.4"
  std::string lacks;             // of all calls: what the format does not have
  std::string clock = "import";  // that took the times
  std::int64_t date = 0;         // start of the run [s since 1970-01-01 UTC]
};

// REQUIRES: at least one process, all ranks of one source.
trace::Trace finish_import(std::vector<compress::Process> processes,
                           std::span<const SourceRegion> regions, const SourceNote& note);

}  // namespace reprise::convert
