// The law of a slot: the trips of an item or a column of a call site, over all ranks, executions
// and numbers of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "extrapolate/laws/number_law.hpp"
#include "fit/curves.hpp"
#include "trace/values/value.hpp"

namespace reprise::extrapolate {

// A term of a folded series whose numbers are laws (trace/series/series.hpp).
struct TermLaw {
  NumberLaw value, step, count;
  std::vector<TermLaw> body;
};

// Calls `visit` with each number of the terms.
template <class Visit>
void for_each_number(const std::vector<TermLaw>& terms, const Visit& visit) {
  for (const TermLaw& t : terms) {
    visit(t.value);
    visit(t.step);
    visit(t.count);
    for_each_number(t.body, visit);
  }
}

// A number that follows from a recursion of splits (communicators/split_recursions.hpp).
struct Depth {
  std::uint32_t descent = 0;  // index into Scalable::descents
  bool of_rank_0 = false;     // else of the rank itself
};

struct Law {
  enum class Form : std::uint8_t {
    series,        // the same everywhere
    terms,         // a series of one shape, whose numbers are laws
    indexed,       // an expression over the indices of the loops around, and of the list
    distribution,  // of trips that depend on the data: approximate (times/trip_distribution.hpp)
    none,          // not carried over: what timing alone decides; `series` stands for it
    placed         // the rank in what an MPI_Comm_split makes, or its size: of color and key
  };
  Form form = Form::none;
  trace::Encoding encoding = trace::Encoding::absolute;  // of the numbers
  trace::Series series = {};
  std::vector<TermLaw> terms = {};
  NumberLaw number = {};
  bool given = false;  // by the user, in a pattern
  bool local =
      false;  // rank and ranks are those in the call's communicator (communicators/local_laws.hpp)
  std::optional<Depth> depth = {};         // is added to each number that is not special
  std::vector<fit::Curve> quantiles = {};  // of a distribution: its mean, then evenly from 0 to 1
};

// The law with variables replaced.
Law substitute(const Law& law, std::span<const expr::Binding> bindings);

// The one number that a law has on each rank in each execution; nothing where it is a list of them,
// or of a communicator.
std::optional<NumberLaw> single_number(const Law& law);

// Whether ranks differ in it, apart from the trips of the loops around.
bool is_of_rank(const Law& law);

// "depth0", or "first0" of rank 0.
std::string name_of(const Depth& depth);

// "depth0 + 1": what is left of a law without its depth, and that.
std::string print(const Depth& depth, const std::string& rest);

// "16", "ranks - 1", "value ranks - 1, step -1", "depth0 + 1"
// and the like.
std::string print(const Law& law);

// Whether any of its numbers is of a place in a grid.
bool is_on_grid(const Law& law);
// The first grid that one of its numbers is on; none: on none.
std::optional<std::size_t> grid_of(const Law& law);

// Encoded length of its numbers [bits].
std::uint32_t cost_of(const Law& law);

// The weakest standing among its numbers.
solve::Standing standing_of(const Law& law);

}  // namespace reprise::extrapolate
