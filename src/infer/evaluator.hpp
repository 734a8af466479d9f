// The values of a law, rank by rank.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "expr/program.hpp"
#include "infer/samples.hpp"

namespace reprise::infer {

// A law compiled for worlds with so many dimensions (zero: without a grid) and these parameters.
class Evaluator {
 public:
  // Fails for a variable that such worlds do not have.
  static Result<Evaluator> make(const expr::Expr& law, std::size_t dimensions,
                                std::span<const std::string> parameters = {});

  // The value, which may be trace::kProcNull; nothing where the law has none. Allocates nothing
  // after the first call. REQUIRES: the world has as many extents as dimensions; a number for each
  // parameter.
  std::optional<std::int64_t> at(std::int64_t rank, const World& world,
                                 std::span<const std::int64_t> parameters = {});

 private:
  Evaluator(expr::Program program, std::size_t slots) : program_(std::move(program)) {
    slots_.reserve(slots);
  }

  expr::Program program_;
  std::vector<std::int64_t> slots_;
};

}  // namespace reprise::infer
