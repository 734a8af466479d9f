// What is known of each MPI function: its name, the columns that a call of it has in the trace, and
// what the call does. Generated from spec/mpi.spec; the order of the table is not part of the
// format, names are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace reprise::trace {

enum class FunctionId : std::uint16_t {};

// The meaning of a column, which decides how it is written, printed and issued again.
enum class Kind : std::uint8_t {
  polls,      // unsuccessful Test* and Iprobe calls since the call before
  buffer,     // 0, kInPlace or kBottom
  count,      // elements of a datatype
  integer,    // a plain number
  boolean,    // 0 or 1
  character,  // of a text
  tag,        // or kAnyTag
  peer,       // rank in the call's communicator or window, kProcNull, kAnySource or kRoot
  matched,    // rank that a wildcard matched, or kNone
  color,      // or kUndefined
  comm,       // see predefined.hpp for how communicators, datatypes and operations are numbered
  group,
  datatype,
  op,
  window,
  file,
  session,
  message,  // pending matched messages of the stream made after the one meant
  request,  // pending requests of the stream made after the one meant, or kNull
  bytes,    // size of a datatype [bytes]
};

struct Column {
  std::string_view name;
  Kind kind = Kind::integer;
  int enumeration = -1;  // index into enumerations() if the numbers are constants of one
};

// Constants of MPI whose values differ between implementations. A trace has their positions here,
// or the bits of those, and other numbers of such a column as spec/README.md says.
struct Enumeration {
  std::span<const std::string_view> constants;
  bool is_flags;  // constants are or-ed
};
std::span<const Enumeration> enumerations();

// Data that a call moves: a buffer of the calling process, with the columns that say how much. The
// rules by which these follow from the arguments are in spec/README.md, "Payloads".
enum class Direction : std::uint8_t { sent, received, written, read };
// How often the count is to be taken.
enum class Blocks : std::uint8_t {
  one,
  members,       // a block for each process of the communicator (of the remote group)
  sources,       // a block for each neighbor that sends to this process
  destinations,  // a block for each neighbor that this process sends to
  partitions,    // a block for each partition of the message
  listed,        // the counts are a list
};
enum class Part : std::uint8_t {
  all,
  own,  // only the block of this process
};
// Where the direction applies to a buffer that is read at the root and written elsewhere.
enum class Where : std::uint8_t { everywhere, root, others };

struct Payload {
  Direction direction;
  Blocks blocks;
  Part part;
  Where where;
  std::int8_t buffer;    // scalar: kNone where the buffer does not count, kInPlace
  std::int8_t count;     // scalar, or list if blocks is `listed`; -1: one element
  std::int8_t datatype;  // scalar, or list if typed_each
  bool typed_each;       // each block has a datatype of its own
  std::int8_t peer;      // scalar, the root if `where` asks: with kProcNull nothing moves; -1: none
  std::int8_t in_place;  // the payload that holds the data if the buffer is kInPlace; -1: this one
  std::int8_t partitions = -1;  // scalar that tells their number if blocks is `partitions`
};

// What a function does; see the words at the top of spec/mpi.spec.
namespace traits {
#include "traits.inc"
}  // namespace traits

struct Function {
  std::string_view name;            // "MPI_Bcast_init_c"
  std::string_view base;            // "MPI_Bcast", of which that is a variant; else its name
  std::span<const Column> scalars;  // one value a call; the first is `polls`
  std::span<const Column> lists;    // any number of values a call
  std::span<const Payload> payloads;
  int communicator;  // scalar that names what peers are ranks of, or -1
  int completed;  // scalar that says which of its requests a call has completed; -1: there is none
  std::uint32_t traits;  // traits::k... or-ed
  bool ends_requests;    // what it completes is not pending any more

  // Columns of a call in the trace: the scalars, then a length and the elements of each list.
  std::size_t columns() const { return scalars.size() + 2 * lists.size(); }
};

// Whether a call of the function opens MPI, and whether it closes it: the world, or a session. MPI
// runs while any of them is open.
bool begins_mpi(const Function& function);
bool ends_mpi(const Function& function);

std::span<const Function> functions();
const Function& function(FunctionId id);
std::optional<FunctionId> find_function(std::string_view name);

}  // namespace reprise::trace
