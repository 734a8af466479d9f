// How Python calls each MPI function with mpi4py: the table that spec/generate.py makes of
// spec/mpi4py.spec.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "trace/calls/functions.hpp"

namespace reprise::write::python {

// What is written for an argument.
enum class Form : std::uint8_t {
  scalar,      // a number or a handle, as its column says
  list,        // several of them
  text,        // of characters
  ranges,      // triplets of ranks
  weights,     // numbers, or one of MPI's words for none
  places,      // bytes, or addresses
  message,     // [memory, count, datatype] and the like
  target,      // (displacement, count, datatype)
  half,        // the message of the first half of a split collective
  other_half,  // and of its second half
  memory,      // that MPI may use from now on
  callback,
  info,
};

using trace::Blocks;
using trace::Part;

struct Word {
  std::string_view keyword;  // empty: the argument is told by its place
  Form form;
  int column;  // of the call: among its scalars or, as the form says, its lists; -1: none
  // Of a message or target; of memory: the count is its size; of places: of the blocks there.
  int count, displacements, datatype;  // columns; -1: none
  Blocks blocks;
  Part part;
  bool typed_each;  // the datatypes are a list
  bool is_sent;
};

struct MethodCall {
  std::string_view reason;  // why there is none; empty: there is
  // A class or an object of the runtime part; of a column: the class of which a copy is made.
  std::string_view receiver;
  std::string_view method;
  int receiver_column;  // a scalar, or -1
  bool until;           // it is repeated until it has success
  bool makes_request;
  std::span<const Word> words;
  std::span<const int> results;  // columns of what it makes, -1: what has none
};

const MethodCall& method_call(trace::FunctionId function);

}  // namespace reprise::write::python
