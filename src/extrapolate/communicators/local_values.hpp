// The values, at one number of ranks, of laws over the rank in a communicator (local_laws.hpp), and
// the communicators that are made there.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "extrapolate/communicators/local_number.hpp"
#include "extrapolate/communicators/places.hpp"
#include "extrapolate/scalable.hpp"
#include "extrapolate/values/evaluate.hpp"

namespace reprise::extrapolate {

class LocalValues {
 public:
  // The walk of a rank over the executions of a slot; nothing if it never comes by.
  using Walks = std::function<std::optional<SlotWalk>(const Parameter& p, std::int64_t rank)>;
  // The values of another column of the same call, which has no local law.
  using Columns = std::function<Result<trace::Value>(const Parameter& p)>;

  // REQUIRES: the program outlives this.
  LocalValues(const Scalable& program, std::int64_t ranks, Walks walks)
      : program_(&program),
        grids_{program.grids.rules, program.grids.seen, {}},
        ranks_(ranks),
        walks_(std::move(walks)),
        places_(ranks) {}

  // Whether the laws of a program need this.
  static bool are_needed(const Scalable& program);
  // Whether a call's members are placed by their colors and keys: where nothing else says their
  // places, or where it splits what it has made.
  bool is_split(std::span<const Parameter> site) const;

  // The values of a local law. Cost: all executions of all ranks.
  Result<trace::Value> column(const Parameter& p, std::span<const Parameter> site,
                              const Columns& others);
  // All columns of an MPI_Comm_split: parents are split before their children, so that a recursion
  // may split what it has made. Cost: as above, and sorting by key.
  Result<std::vector<trace::Value>> split(std::span<const Parameter> site, const Columns& others);
  // The number of splits of each rank, by the laws of the splitting call. [ranks] Cost: as many
  // splits, each with sorting by key.
  Result<std::vector<std::int64_t>> depths(const Descent& descent, std::span<const Parameter> site,
                                           Budget& budget);
  // Values, the ranks from which on they are others, and whether they are more than 0 there.
  struct Counted {
    trace::Value values;
    std::vector<std::int64_t> borders;
    std::vector<bool> takes;
  };
  // Those of a law whose numbers count from the depth of ranks. `depths`: [ranks]
  Result<Counted> counted_from(const Parameter& p, std::span<const std::int64_t> depths,
                               LawValues& rest);
  // Stores the ranks of the members of the communicators that a call creates. `values`: of its
  // columns.
  void note(std::span<const Parameter> site, std::span<const trace::Value> values);

 private:
  struct Row;
  struct Member;
  // Color and key where only the rank in the parent determines them.
  struct Told {
    enum class Loops : std::uint8_t { around, none };  // whose indices laws may know

    std::array<std::optional<LocalNumber>, 2> numbers;
    std::uint64_t nodes = 0;  // of the laws

    std::optional<Error> evaluate(const Place& parent, Row& row);
  };

  Result<Told> told(std::span<const Parameter> site, Told::Loops loops);
  bool has_room(std::int64_t comm) const;
  std::optional<Error> gather(std::span<const Parameter> site, const Columns& others,
                              std::vector<Row>& rows) const;
  std::optional<Error> place(std::span<const Parameter> site, std::vector<Row>& rows);
  void number(std::vector<Member>& members, std::vector<Row>& rows, std::vector<Place>& places);

  const Scalable* program_;
  Grids grids_;
  std::int64_t ranks_;
  Walks walks_;
  Places places_;
};

}  // namespace reprise::extrapolate
