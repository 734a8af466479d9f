// The law of a value of a program, such as the peer of a call: the expression of the rank, the
// number of ranks, the grid and the coordinates that explains every sample of every world.
//
// Tried in this order: a constant; an offset of the rank, modulo the number of ranks where it
// wraps; steps in the grid (`digits.hpp`); moves of the rank's bits (`bits.hpp`); the shortest of
// all small expressions
// (`enumerate.hpp`); two small laws and the condition between them (`cases.hpp`). MPI_PROC_NULL
// becomes a condition around any of them. From three worlds on, the law is found without the
// largest world and must predict it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "expr/expr.hpp"
#include "infer/samples.hpp"

namespace reprise::infer {

enum class Standing : std::uint8_t {
  confirmed,    // found without the largest world, and predicted it
  explains,     // explains all samples; there are fewer than three worlds to hold one out of
  contradicted  // explains all samples, but what was found without the largest world did not
                // predict it
};

struct Law {
  expr::Expr expression;
  Standing standing = Standing::explains;
};

struct Options {
  // The world that the law is wanted for: a law is refused if another, equally short one differs
  // there.
  std::optional<World> target = {};
  unsigned largest = 11;  // nodes of an enumerated expression
};

// The law, or why there is none: nothing explains the samples, or two laws do and differ at the
// target.
Result<Law> infer_value(const Samples& samples, const Options& options = {});

// The condition under which a sample's value is not 0: which ranks take part.
Result<Law> infer_ranks(const Samples& samples, const Options& options = {});

}  // namespace reprise::infer
