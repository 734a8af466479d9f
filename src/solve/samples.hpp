// What a law is sought for: the values of one number of a program on several runs, over typed
// leaves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::solve {

enum class LeafKind : std::uint8_t {
  rank,
  ranks,
  coordinate,  // of the rank in a grid
  extent,      // of the grid along one axis
  index,       // of a loop around the call, from 0
  trips,       // of that loop
  element,     // place in a list, from 0
  length,      // of the list
  declared     // a size of the problem
};

struct Leaf {
  std::string name;
  LeafKind kind = LeafKind::declared;
  // A coordinate and the extent of its axis have the same number, as have the index and the trips
  // of a loop.
  std::size_t number = 0;
};

struct Samples {
  std::vector<Leaf> leaves;
  std::vector<std::vector<std::int64_t>> points;   // [samples x leaves]
  std::vector<std::int64_t> values;                // [samples]
  std::vector<std::size_t> runs;                   // [samples] the smallest run is 0
  std::vector<std::vector<std::int64_t>> targets;  // [targets x leaves] where the law is wanted
};

}  // namespace reprise::solve
