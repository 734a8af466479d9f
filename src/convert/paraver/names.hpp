// What the values of events stand for: names of MPI functions, and functions and lines of call
// paths, as FILE.pcf has them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "convert/import/rank.hpp"
#include "convert/paraver/numbers.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::convert::paraver {

class Names {
 public:
  // Without a file, values of MPI functions are those of Extrae, and call paths have no names.
  static Names read(const std::string& path);

  // The function of MPI that a value stands for; none: one that traces do not have.
  std::optional<trace::FunctionId> function(std::uint32_t type, std::int64_t value) const;
  SourceRegion caller(std::int64_t function, std::int64_t line) const;

 private:
  using Values = std::map<std::int64_t, std::string>;

  void add(std::uint32_t type, std::int64_t value, const std::string& name);

  std::map<std::uint32_t, Values> calls_;  // by type
  Values functions_, lines_;               // of call paths, whatever their level
};

}  // namespace reprise::convert::paraver
