// Samples of a law: the values of one number of a program on several runs, over typed leaves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/leaf.hpp"

namespace reprise::solve {

using expr::Leaf;
using expr::LeafKind;

struct Samples {
  std::vector<Leaf> leaves;
  std::vector<std::vector<std::int64_t>> points;   // [samples x leaves]
  std::vector<std::int64_t> values;                // [samples]
  std::vector<std::size_t> runs;                   // [samples] the smallest run is 0
  std::vector<std::vector<std::int64_t>> targets;  // [targets x leaves] where the law is wanted
};

}  // namespace reprise::solve
