// Steps in the formats of other simulators.
//
//   goal     LogGOPSim and ATLAHS: one file
//   ti       SimGrid's time-independent traces: a list, and a file for each rank beside it
//   dimemas  Dimemas: the trace (.dim), and beside it the machine (.cfg) and what collectives take
//            (.collectives)
#pragma once

#include <string>

#include "convert/steps.hpp"

namespace reprise::convert {

enum class Format : std::uint8_t { goal, ti, dimemas };

struct WriteOptions {
  double flops = 1e9;              // ti: what a host of the platform computes in a second
  std::string name;                // dimemas: the trace's
  simulate::Machine machine = {};  // dimemas: what is written beside the trace
  RanksWritten progress = nullptr;
};

// The files that are written: the first is `path`.
std::vector<std::string> files_of(Format format, const std::string& path, std::size_t ranks);

Status write_steps(const Steps& steps, Format format, const std::string& path,
                   const WriteOptions& options);

}  // namespace reprise::convert
