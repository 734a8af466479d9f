// What the threads of one replaying process share.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "replay/calls/objects.hpp"
#include "replay/options.hpp"
#include "replay/recording.hpp"

namespace reprise::replay {

// Memory that the program gave to MPI: windows, the buffer of buffered sends.
using Memory = std::unique_ptr<std::byte[]>;

struct Process {
  Process(const Recording& r, const Options& o)
      : recording(r), trace(r.trace()), options(o), objects(sharing) {
    sharing.threads = trace.threads > 1;
  }

  const Recording& recording;
  const trace::Trace& trace;  // its: of flat logs without calls
  const Options& options;
  Sharing sharing;
  Objects objects;
  MPI_Comm channel = MPI_COMM_WORLD;  // of all ranks, for the replay's own messages
  int open = 0;                       // the world and sessions that are; under the mutex
  int rank = 0, size = 1;
  std::string scratch;                                     // folder for files
  std::unordered_map<std::int64_t, Memory> window_memory;  // by window
  std::unordered_map<void*, Memory> given;                 // by address
  // With several threads: how often each of them will still use a communicator.
  std::vector<std::unordered_map<std::int64_t, std::int64_t>> uses;  // by thread
};

// A rank cannot go on: says so, and ends them all.
[[noreturn]] void give_up(const Process& process, const std::string& message);

}  // namespace reprise::replay
