// A program at every number of ranks: its loops and call sites, and the law of each parameter.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "extrapolate/inputs/align.hpp"
#include "extrapolate/inputs/slot.hpp"
#include "extrapolate/laws/law.hpp"
#include "extrapolate/laws/patterns.hpp"
#include "extrapolate/times/scalable_times.hpp"

namespace reprise::extrapolate {

// A parameter, and its law.
struct Parameter {
  Slot slot;
  SlotShape shape;
  Law law;
};

// Names of parameters other than arguments of a call: how often a call is executed in each
// iteration of what is around it, and the innermost body that begins with a call; the bodies around
// that one are "loop 2 trip count" and so on.
inline constexpr const char* kTripCount = "trip count";
inline constexpr const char* kTripCountOfLoop = "loop trip count";

// "exchange stencil2d.c:40" and the function, "MPI_Send", of a slot; of an item with a body those
// of the first call in it.
struct SlotName {
  std::string place, function, parameter;

  // "dest of MPI_Send in exchange stencil2d.c:40", as patterns name it too.
  std::string text() const;
};

// A parameter that has none.
struct Refusal {
  SlotName slot;
  std::string why;
  std::vector<std::string> samples;  // "on 16 ranks: 0: 3 2 1 0, 1: ..."
  std::vector<std::string> laws;     // that explain the samples
};

// A recursion of splits: how deep each rank gets there follows from it
// (communicators/split_recursions.hpp).
struct Descent {
  std::uint32_t site = 0;  // the call that splits what it has made
  NumberLaw first;         // the communicator that it splits first
  NumberLaw goes_on;       // 1 where a rank splits a communicator, by its rank there and the size
};

struct Scalable {
  compress::LoopTree tree;
  std::vector<std::uint32_t> order;  // the sites in program order
  std::vector<bool> repeated;        // by item: some stream has several iterations at a time
  std::vector<Site> sites;
  std::vector<std::int64_t> ranks;  // of the inputs, ascending
  Grids grids;
  std::vector<Descent> descents;
  Problem problem;
  std::vector<Parameter> parameters;  // trip counts by item, then columns by site in program order
  ScalableTimes times;
};

// The treatment of trip counts without a law.
enum class Exactness : std::uint8_t {
  required,    // refused
  approximate  // a distribution, where ranks agree (times/trip_distribution.hpp)
};

struct Request {
  std::int64_t ranks = 0;               // wanted
  std::vector<std::int64_t> grid = {};  // extents, d0 first; empty: as the laws have it
  TimeModel times = TimeModel::curves;
  std::vector<ProblemParameter> parameters = {};  // declared
  Exactness exactness = Exactness::required;
  std::vector<Pattern> patterns = {};  // laws that the user gives
  std::uint64_t steps =
      ~std::uint64_t{0};  // that instantiating may take, for laws not to be trusted
};

struct Inferred {
  Scalable program;
  std::vector<Refusal> refused;  // if there are any, the program is not whole
};

// From traces of one program on different numbers of ranks; `names` are their names in messages.
// Call sites that look alike are united where this makes loops more regular. Cost: all calls of all
// traces, and some ms for each parameter, up to seconds for one that has no law.
Result<Inferred> infer_program(std::span<const trace::Trace> traces,
                               std::span<const std::string> names, const Request& request);

SlotName name_of(const Slot& slot, const compress::LoopTree& tree, std::span<const Site> sites,
                 std::span<const trace::Trace> traces);

}  // namespace reprise::extrapolate
