// The trace as a program: calls, loops and values (design: "the trace is a program").
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/calls/code.hpp"
#include "trace/calls/functions.hpp"
#include "trace/times/times.hpp"
#include "trace/values/value.hpp"

namespace reprise::trace {

// One MPI call at one call path.
struct Call {
  FunctionId function{};
  std::uint32_t callpath = 0;  // index into Trace::callpaths
  std::vector<Value> columns;  // Function::columns() of them
};

// A call or a body, passed `trips` times in each pass of the body around it. Zero trips: a branch
// not taken. A loop is an item with a body; an `if` is one that takes zero trips or one.
struct Item {
  static constexpr std::uint32_t kBody = ~std::uint32_t{0};

  Value trips = Value::constant(1);  // over the passes of the enclosing body
  std::uint32_t call = kBody;        // index into Trace::calls
  std::vector<Item> body;            // if call is kBody

  bool is_call() const { return call != kBody; }
};

// A place in a program: a return address, and what it stands for once symbolized.
struct Frame {
  std::uint32_t module = 0;    // index into Trace::modules
  std::uint64_t offset = 0;    // of the return address within the module [bytes]
  std::uint32_t function = 0;  // index into Trace::texts; 0: unknown
  std::uint32_t file = 0;      // index into Trace::texts; 0: unknown
  std::uint32_t line = 0;      // 0: unknown

  bool operator==(const Frame&) const = default;
};

// A function by which the program reaches MPI: it does nothing but pass a call on.
struct Wrapper {
  std::uint32_t function = 0;  // index into Trace::texts
  std::uint32_t file = 0;      // index into Trace::texts; 0: unknown

  auto operator<=>(const Wrapper&) const = default;
};

// A program or library that frames lie in.
struct Module {
  std::string path;
  std::string build_id;  // hexadecimal; empty if it has none

  bool operator==(const Module&) const = default;
};

// What was not recorded, by name.
struct Loss {
  std::string what;
  std::uint64_t count = 0;
};

// What a file holds beside a program, by name. Only its owner knows the bytes of the content; a
// reader that does not know the name must not take the file for a trace.
struct Section {
  std::string name;
  std::uint64_t version = 0;
  std::vector<std::uint8_t> content;
};
// The laws of a scalable trace (src/scalable): the values of its program are in them alone.
inline constexpr std::string_view kLawsSection = "laws";

struct Trace {
  std::string program;    // the command line
  std::string mpi;        // "Open MPI 4.1.4"
  std::string options;    // what trades precision for size, empty by default
  std::int64_t date = 0;  // start of the run [s since 1970-01-01 UTC]
  std::uint64_t duration =
      0;  // from MPI_Init's end to MPI_Finalize's begin, largest over ranks [us]
  std::uint64_t ranks = 0;
  std::uint64_t threads = 1;  // streams of a rank
  bool symbolized = false;
  std::vector<Loss> losses;

  std::vector<std::string> texts;  // texts[0] is empty
  std::vector<Module> modules;
  std::vector<Frame> frames;
  std::vector<std::vector<std::uint32_t>> callpaths;  // frames, the innermost first
  Code code;                                          // paths by call path, or none
  std::vector<Wrapper> wrappers;
  std::vector<Call> calls;
  Timing timing;
  std::vector<CallTimes> times;  // by call; none if times were not kept
  Item root;
  std::vector<Section> sections;  // of a trace: none

  std::uint64_t streams() const { return ranks * threads; }
};

}  // namespace reprise::trace
