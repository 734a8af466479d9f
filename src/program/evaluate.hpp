// Executes an explained program for one stream. Tests compare the result with the trace; the output
// of every writer must behave in the same way.
#pragma once

#include <functional>
#include <vector>

#include "expr/program.hpp"
#include "program/program.hpp"
#include "trace/cursors/call_cursor.hpp"

namespace reprise::program {

// What an execution needs and what it makes.
struct Execution {
  // What the stream is in the communicator or window of the call that comes next.
  std::function<trace::Membership(std::uint32_t call)> membership;
  // Each call with its values; false: stop.
  std::function<bool(const trace::Event& event)> call;
  // Where the number of ranks is open: how many there are, and the sizes of the problem.
  std::int64_t ranks = 0;
  std::vector<expr::Value> sizes = {};
  // What the stream is in that which the call makes. REQUIRES: the number of ranks is open.
  std::function<trace::Membership(std::uint32_t call)> made = {};
};

// Throws std::invalid_argument if an expression has no value.
void execute(const Program& program, std::uint64_t stream, const Execution& execution);

}  // namespace reprise::program
