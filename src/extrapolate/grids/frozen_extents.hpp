// Laws that the inputs do not determine because their grids have one extent in common: on 4, 6 and
// 8 ranks a grid is two ranks wide. Then no sample distinguishes "two ranks further" from "a row
// further", half of the ranks from one row, or the second row from the last. Where the target's
// grid has another width, such a law is one of several and is refused. A law on a grid whose rule
// is one of several that fit the inputs is refused as well. On 3 ranks the grid is a line, and
// calls that are executed there may distinguish the width from the number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "extrapolate/laws/law.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::extrapolate {

class FrozenExtents {
 public:
  // The grids that ranks may form in two and three dimensions, by every rule, and `grids`, those of
  // the program; `target`: the number of ranks extrapolated to. Cost: the rules.
  FrozenExtents(std::span<const std::int64_t> inputs, std::int64_t target, const Grids& grids);

  // Why the law of a column is one of several; nothing if it is not. A length of a list is one of
  // ranks where `kind` says peer. `absent` is 1 where the call is not executed; without it, inputs
  // whose grids are lines decide nothing.
  std::optional<std::string> doubt(const Law& law, trace::Kind kind,
                                   const std::optional<NumberLaw>& absent = {}) const;

 private:
  // What a number may be instead: a width of all grids of the inputs that are not lines.
  struct Width {
    std::int64_t number = 0;
    std::vector<std::int64_t> lines = {};  // numbers of ranks of the inputs where the width is 1

    bool operator==(const Width&) const = default;
  };
  using Widths = std::vector<Width>;

  // Adds a product of extents, by input and at the target, if it is such a width.
  static void add_width(std::span<const std::int64_t> inputs,
                        const std::vector<std::int64_t>& products, bool lines_say_nothing,
                        Widths& out);
  std::optional<std::string> doubt(const NumberLaw& law, trace::Kind kind, bool is_offset,
                                   const std::optional<NumberLaw>& absent) const;
  // The number of the first width that may stand for it in the law, since no call that is executed
  // on a line distinguishes them. `anywhere`: not only where the number is calculated with the
  // place of a rank.
  std::optional<std::int64_t> rival(const NumberLaw& law, const Widths& widths, bool anywhere,
                                    const std::optional<NumberLaw>& absent) const;
  // Whether the laws differ on a rank of these inputs that executes the call, in its first
  // execution.
  bool is_other_on_lines(const NumberLaw& law, const NumberLaw& other,
                         std::span<const std::int64_t> lines, const NumberLaw& absent) const;

  std::int64_t target_;
  Grids grids_;
  Widths strides_;  // between neighbors, or extents of the slowest dimension
  Widths extents_;  // of grids in two dimensions
  // By grid of the program: what is the same; empty: nothing. Of offsets lines do not count.
  std::vector<std::string> why_, why_of_offsets_;
};

}  // namespace reprise::extrapolate
