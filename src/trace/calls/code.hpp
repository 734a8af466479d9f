// Where the call paths of a trace lie in the machine code of the program: which loops are around
// each of their calls, and which calls may follow each other within one iteration. It is read from
// the binaries (src/code) and kept in the trace, so that streams can be folded again without them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"

namespace reprise::trace {

// A function of the program, as far as calls that lead to MPI stand in it.
struct CodeFunction {
  static constexpr std::uint32_t kNoLoop = ~std::uint32_t{0};

  // Whether its control flow is known. If not it has one point and no loops.
  bool is_known = false;
  // Per loop, the loop around it, which comes before it in this list; kNoLoop: none.
  std::vector<std::uint32_t> loops;
  // Per point, the innermost loop around it. A point is a call instruction; points are in program
  // order: a topological order of the control flow without the edges that close loops.
  std::vector<std::uint32_t> points;
  // Pairs of points, the first before the second in the list, of which the second cannot follow
  // within one iteration of the loops around both: branches that exclude each other. Sorted.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> exclusive;
  // Per loop, its trip count, if that is a constant of the machine code; 0: unknown. Shorter than
  // `loops` if the others are unknown.
  std::vector<std::uint64_t> trips = {};

  bool operator==(const CodeFunction&) const = default;
};

// A frame of a call path: a point in a function.
struct CodePoint {
  std::uint32_t function = 0;  // index into Code::functions
  std::uint32_t point = 0;

  auto operator<=>(const CodePoint&) const = default;
};

// The frames of a call path, the outermost first.
using CodePath = std::vector<CodePoint>;

struct Code {
  std::vector<CodeFunction> functions;
  // By call path, where it lies; more than once if the compiler made several copies of a call and
  // they are one call site. Empty: nothing is known of any call path.
  std::vector<std::vector<CodePath>> paths;

  bool operator==(const Code&) const = default;
};

//   code     := varint functions, function{functions}, varint call paths,
//               (varint copies, path{copies}){call paths}
//   function := varint (loops << 1 | known), loop{loops},
//               varint points, (varint loop + 1, or 0 for none){points},
//               varint pairs, (varint first - first of the pair before, varint second -
//               first){pairs}
//   loop     := varint parent + 1, or 0 for none; or loops + 1 more than that, varint trips
//   path     := varint shared, varint own, (varint function, varint point){own}
// A path shares its outer frames with the one before.
void encode_code(ByteWriter& out, const Code& code);
Code decode_code(ByteReader& in);

}  // namespace reprise::trace
