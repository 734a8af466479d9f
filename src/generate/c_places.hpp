// Where the calls of a generated program come from, and how many there are: the tables behind its
// report and its options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/c_source.hpp"
#include "trace/program.hpp"

namespace reprise::generate {

class Places {
 public:
  explicit Places(const trace::Trace& trace);

  // The file that most calls stand in; empty: no call's is known.
  const std::string& file() const { return file_; }
  // The function and line of a call, and the file if it is another one.
  std::string of(std::uint32_t call) const;

  // The tables of the places of calls, and of functions with what the trace has of each. `calls`
  // are by site, those of a function next to each other.
  std::string tables(const std::vector<std::uint32_t>& calls,
                     const std::vector<trace::FunctionId>& functions, Source& source) const;

 private:
  const trace::Trace& trace_;
  std::string file_;
};

}  // namespace reprise::generate
