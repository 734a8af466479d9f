// The runtime part of a generated program: the Python files of src/write/python/runtime, of which a
// program has those that it uses.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace reprise::write::python {

// In the order in which they stand in a program.
enum class RuntimePart : std::uint8_t {
  core,  // options, computation, the end of the program
  open,  // of any number of ranks: which they may be, sizes of the problem, grids
  arithmetic,
  tables,
  times,
  grid,
  ranks,  // of communicators
  buffers,
  addresses,
  requests,
  messages,
  files,
  others,
};

using Parts = std::set<RuntimePart>;

std::string_view source_of(RuntimePart part);

}  // namespace reprise::write::python
