// What the arguments of each MPI function are, in the order of C: the table by which calls are
// written, generated from spec/mpi.spec. A function is known by the kinds of its arguments alone.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "trace/calls/functions.hpp"

namespace reprise::write::c {

// As spec/mpi.spec has them; `integer`, `boolean` and `constant` are its int, bool and enum.
enum class ArgumentKind : std::uint8_t {
#include "argument_kinds.inc"
};

// How many blocks of its count a buffer has.
enum class Blocks : std::uint8_t {
  one,
  members,
  local_members,
  sources,
  destinations,
  partitions,  // as the function's length says
};

// How a count follows when messages are made larger or smaller.
enum class Scale : std::uint8_t { none, sent, received, all };

struct Argument {
  std::string_view name;
  ArgumentKind kind;
  int column;                          // of the call: a scalar, or a list if `is_list`; -1: none
  bool is_list;                        // for a length: the list that it is the length of
  int enumeration;                     // index into trace::enumerations(), or -1
  int count, displacements, datatype;  // of a buffer: other arguments of the function, or -1
  Blocks blocks;                       // of a buffer
  Scale scale;                         // of a count
  std::string_view type;               // in C
};

// Numbers that are wider in C than int, in a function for large counts.
bool is_wide(const Argument& argument);

std::span<const Argument> arguments(trace::FunctionId function);

// Whether MPI stores an object there that the call makes.
bool makes_object(ArgumentKind kind);

// Why a call of the function cannot be written; empty: it can.
std::string_view why_unwritable(std::string_view function);

}  // namespace reprise::write::c
