// How a trace is built: what a reader wants to know of its size before reading it.
#pragma once

#include "trace/program.hpp"

namespace reprise::analyze {

struct Shape {
  std::uint64_t functions = 0;  // that are called
  std::uint64_t sites = 0;      // pairs of a function and a call path
  std::uint64_t calls = 0;      // call nodes
  std::uint64_t loops = 0;      // nodes that somebody passes more than once at a time
  std::uint64_t branches = 0;   // other nodes that are not always passed
  std::uint64_t nesting = 0;    // loops within each other
};

Shape shape_of(const trace::Trace& trace);

}  // namespace reprise::analyze
