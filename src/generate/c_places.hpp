// Where the calls of a generated program come from, and how many there are: the tables behind its
// report and its options.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "generate/c_source.hpp"
#include "trace/places.hpp"

namespace reprise::generate {

class Places {
 public:
  explicit Places(const trace::Trace& trace);

  // The function and line of a call, and the file if it is not the one that most stand in. Where
  // the line is not known, how far it is in its module [bytes].
  std::string of(std::uint32_t call) const;

  // The tables of the places of calls, and of functions with what the trace has of each. `calls`
  // are by site, those of a function next to each other.
  std::string tables(const std::vector<std::uint32_t>& calls,
                     const std::vector<trace::FunctionId>& functions, Source& source) const;

 private:
  std::string name_of_module() const;

  const trace::Trace& trace_;
  trace::Places places_;
  std::string file_;  // that most calls stand in; empty: no call's is known
  std::uint32_t module_ = std::numeric_limits<std::uint32_t>::max();  // likewise, of the others
};

}  // namespace reprise::generate
