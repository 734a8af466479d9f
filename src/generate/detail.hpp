// How exactly a benchmark follows what a program of irregular messages did.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "program/program.hpp"
#include "transform/draw.hpp"

namespace reprise::generate {

enum class Detail : std::uint8_t {
  exact,        // all as recorded
  mean,         // irregular messages: as many each time, of the mean size
  statistical,  // irregular messages: drawn from the recorded distributions
};

// "exact" and so on.
std::optional<Detail> find_detail(std::string_view name);
std::string_view name_of(Detail detail);

// Which calls of the trace have values, or are made under conditions, that tables alone tell; what
// was polled for and what wildcards met do not count. By call.
std::vector<bool> irregular_calls(const program::Program& program);

// A program and the trace that it explains.
struct DetailedProgram {
  transform::Drawn drawn;  // what it points into
  program::Program program;
  std::vector<std::string> remarks;  // what is kept and what is not, in lines
};
// REQUIRES: it is not `exact`. Fails where messages cannot be drawn, and says why.
Result<std::unique_ptr<DetailedProgram>> draw_program(const trace::Trace& trace, Detail detail);

}  // namespace reprise::generate
