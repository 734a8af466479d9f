// Pattern files: laws that a user writes for parameters without an inferred law (docs/patterns.md).
// A pattern is used like an inferred law if it explains every value of every input.
//
//   file    := (pattern | comment)*           a line each; one that begins with a space goes on
//   pattern := parameter " of " function [" in " place] " = " expression
//   comment := `#` to the end of the line
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "extrapolate/laws/find_law.hpp"

namespace reprise::extrapolate {

struct Pattern {
  // As messages and reports have them: "dest", "MPI_Send", "exchange stencil2d.c:40". Participants
  // are the trip count of a call. An empty place is any.
  std::string parameter, function, place;
  expr::Expr law;
  std::string text;    // of the law, as it was written
  std::string origin;  // "app.patterns:3"
};

// `name` is the name of the text in messages. Errors have the line.
Result<std::vector<Pattern>> parse_patterns(std::string_view text, const std::string& name);

// The pattern for the slot with this name in messages; null: none. Of several the last.
struct SlotName;
const Pattern* find_pattern(std::span<const Pattern> patterns, const SlotName& slot);

// The law of a pattern, on the grid of the program that it is true of. Fails with the first value
// that contradicts it, and for names that the slot does not have. `names` are those of the inputs.
Result<Law> law_of(const Pattern& pattern, const SlotView& slot, const LawSearch& search,
                   std::span<const std::string> names);

}  // namespace reprise::extrapolate
