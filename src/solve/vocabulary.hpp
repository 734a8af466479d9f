// The parts of the laws of a program that were found so far: sizes repeat from call to call, and so
// do conditions and whole laws.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "expr/expr.hpp"
#include "solve/division.hpp"

namespace reprise::solve {

enum class Standing : std::uint8_t {
  confirmed,   // the shortest law without the largest run, which it predicts; or a constant
  explains,    // of two runs; or far shorter than the samples, though without the largest run a
               // shorter one is found, or one may have been missed
  approximate  // has the mean of the samples, not their values
};

// A law that the program follows elsewhere: which of them [bits].
inline constexpr std::uint32_t kRepeated = 14;

struct KnownLaw {
  expr::Expr law;  // over leaves by their names
  Standing standing = Standing::confirmed;
  std::uint32_t cost = kRepeated;  // [bits]
};

struct Vocabulary {
  std::set<std::int64_t> numbers = {};
  std::set<std::int64_t> things = {};  // of these numbers, those that are shared out between ranks
  std::vector<KnownLaw> laws = {};
  std::vector<expr::Expr> conditions = {};  // in laws: comparisons
  Divisions divisions = 0;
  BorderSet borders = 0;               // of shares in laws
  std::vector<expr::Expr> moves = {};  // coordinates of the k-th cell, as (x0 + k) % d0
};

}  // namespace reprise::solve
