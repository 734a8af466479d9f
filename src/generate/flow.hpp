// The program of a trace as statements: loops, branches on ranks and calls, as a person would nest
// them. What all languages start from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/executions.hpp"
#include "generate/place.hpp"
#include "generate/seen.hpp"
#include "trace/program.hpp"

namespace reprise::generate {

struct Statement {
  enum class Kind : std::uint8_t {
    call,
    loop,       // a body, as often as the trips of `item` say
    condition,  // a body, if the trips of `item`, which are never more than one, say 1
    branch,     // a body, on the streams `inside` of all that come by
    otherwise   // a body, on those that the branch before leaves out
  };

  Kind kind = Kind::call;
  const trace::Item* item = nullptr;  // of a call, a loop, a condition
  Streams coming;                     // those that come by
  Streams inside;                     // those that ever enter
  Place place = Place::once();  // how often a stream has come by before; of a call: executed it
  std::size_t depth = 0;        // of a loop: how many loops are around it
  std::vector<Statement> body = {};

  // The index of a loop: i0 is the outermost.
  std::string index() const { return "i" + std::to_string(depth); }
};

// The statements of the whole program. Neighbours under the same condition on ranks stand in one
// branch; the complement of a branch is its `otherwise`. Cost: O(nodes x streams).
std::vector<Statement> statements_of(const trace::Trace& trace, analyze::Executions& executions);

}  // namespace reprise::generate
