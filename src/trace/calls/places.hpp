// Where the calls of a trace stand in the source, as a person reads it: the one rule by which all
// views name places.
//
// The place of a call is the innermost frame of its call path that lies above the program's
// wrappers of MPI (Trace::wrappers). Functions have short names, and full ones where two frames
// would read the same.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "trace/program.hpp"

namespace reprise::trace {

class Places {
 public:
  // REQUIRES: the trace outlives this, unchanged. Cost: O(n log n) for n frames.
  explicit Places(const Trace& trace);

  // The place in a call path, as an index into it. 0 if the call path is empty.
  std::size_t index(std::uint32_t callpath) const;
  // The frame there; null if the call path is empty.
  const Frame* frame(std::uint32_t callpath) const;

  // "exchange stencil2d.c:40"; "solve cg.c:12 via sum > my_Allreduce", where the wrappers are named
  // from the outermost to the one that calls MPI; "exchange app+0x1234" if the line is unknown.
  // Empty if the call path is.
  std::string text(std::uint32_t callpath) const;
  // "MPI_Recv in exchange stencil2d.c:40"; the function alone if the call path is empty.
  std::string call_text(const Call& call) const { return call_text(call.function, call.callpath); }
  std::string call_text(FunctionId function, std::uint32_t callpath) const;
  // "main a.c:12 > exchange a.c:40".
  std::string path_text(std::uint32_t callpath) const;
  // "exchange a.c:40" of one frame, and its function alone; "?" if that is unknown.
  std::string frame_text(std::uint32_t frame) const;
  std::string function(std::uint32_t frame) const;
  // "a.c:40", "app+0x1234".
  std::string location(std::uint32_t frame) const;
  // " via sum > my_Allreduce": the wrappers that a call path goes through below its place; empty if
  // there are none.
  std::string wrappers(std::uint32_t callpath) const;
  // Whether the frame lies in a wrapper.
  bool is_wrapper(std::uint32_t frame) const { return is_wrapper_[frame]; }

 private:
  struct Line {
    std::uint32_t file, line, function;
    auto operator<=>(const Line&) const = default;
  };

  const Trace& trace_;
  std::vector<Line> shared_;      // sorted: lines that frames of several functions have
  std::vector<bool> is_wrapper_;  // by frame
};

// Places(trace).text(callpath), for one call path, and .call_text(trace.calls[call]) for one call.
std::string describe_place(const Trace& trace, std::uint32_t callpath);
std::string describe_call(const Trace& trace, std::uint32_t call);
std::string describe_call(const Trace& trace, FunctionId function, std::uint32_t callpath);

// A function's name and the text of a place as Places::call_text() words them.
std::string call_in_place(std::string_view function, std::string_view place);

// Whether a frame lies in a wrapper, and Places::index() for one call path.
bool is_wrapper(const Trace& trace, const Frame& frame);
std::size_t place_index(const Trace& trace, std::uint32_t callpath);

// A call path by its full names, as identity of a call site: the same text in each trace of a
// program.
std::string full_path(const Trace& trace, std::uint32_t callpath);

// The order of two call paths in the source: that of their lines in the outermost function in which
// they part. Unordered where a line is unknown, or they part in different functions.
std::partial_ordering source_order(const Trace& trace, std::uint32_t a, std::uint32_t b);

}  // namespace reprise::trace
