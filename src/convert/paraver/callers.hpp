// The frames of a trace as Paraver numbers them: functions, and lines in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/program.hpp"

namespace reprise::convert::paraver {

class Callers {
 public:
  // REQUIRES: the trace outlives this.
  explicit Callers(const trace::Trace& trace);

  struct Numbers {
    std::uint32_t function = 0, line = 0;  // from 1 on
  };
  // Of the frame at a level of a call path, from 1 on. REQUIRES: level <= levels().
  Numbers at(std::uint32_t callpath, std::uint32_t level) const {
    return numbers_[trace_.callpaths[callpath][level - 1]];
  }
  // Of a call path, at most kMostLevels.
  std::uint32_t levels(std::uint32_t callpath) const;
  // The most of all call paths.
  std::uint32_t most_levels() const { return most_levels_; }

  // By number, the first for 1.
  const std::vector<std::string>& functions() const { return functions_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  const trace::Trace& trace_;
  std::vector<Numbers> numbers_;  // by frame
  std::vector<std::string> functions_, lines_;
  std::uint32_t most_levels_ = 0;
};

}  // namespace reprise::convert::paraver
