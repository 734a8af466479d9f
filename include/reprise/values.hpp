// What the numbers in a trace mean: the columns that a call has, and the values that stand for
// themselves.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace reprise {

// What the numbers of a column are. docs/trace_format.md says how each is numbered.
enum class ColumnKind : std::uint8_t {
  polls,      // unsuccessful MPI_Test* and MPI_Iprobe calls since the call before
  buffer,     // 0, or one of special::in_place and special::bottom
  count,      // elements of a datatype
  integer,    // a plain number
  boolean,    // 0 or 1
  character,  // of a text
  tag,        // message tag, or special::any_tag
  peer,       // rank in the call's communicator or window; process_null, any_source, root
  matched,    // rank that a wildcard matched, or special::none
  color,      // of a split, or special::undefined
  comm,       // 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF
  group,
  datatype,  // see describe_value
  op,        // see describe_value
  window,
  file,
  session,
  message,
  request,  // pending requests of the stream that were made after the one meant; below 0: see
            // docs/trace_format.md, one that another thread made
  bytes,    // size of a datatype [bytes]
};

struct Column {
  std::string_view name;  // "count"; those of the MPI standard, as spec/mpi.spec shortens them
  ColumnKind kind;
};

// Values that no rank, size or tag has. They are the same for every MPI implementation.
namespace special {
inline constexpr std::int64_t base = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t none = base;                // nothing was recorded here
inline constexpr std::int64_t process_null = base + 1;    // MPI_PROC_NULL
inline constexpr std::int64_t any_source = base + 2;      // MPI_ANY_SOURCE
inline constexpr std::int64_t any_tag = base + 3;         // MPI_ANY_TAG
inline constexpr std::int64_t root = base + 4;            // MPI_ROOT
inline constexpr std::int64_t undefined = base + 5;       // MPI_UNDEFINED
inline constexpr std::int64_t null = base + 6;            // a null handle
inline constexpr std::int64_t in_place = base + 7;        // MPI_IN_PLACE
inline constexpr std::int64_t bottom = base + 8;          // MPI_BOTTOM
inline constexpr std::int64_t unweighted = base + 9;      // MPI_UNWEIGHTED
inline constexpr std::int64_t empty_weights = base + 10;  // MPI_WEIGHTS_EMPTY
inline constexpr std::int64_t foreign = base + 11;  // an object that the recorder did not see made
inline constexpr std::int64_t cancelled = base + 12;  // in place of whom a request met
}  // namespace special

// Whether a value is one of these, or one that a later version adds to them.
bool is_special(std::int64_t value);

// "MPI_DOUBLE", "MPI_PROC_NULL", "3".
std::string describe_value(ColumnKind kind, std::int64_t value);

// Size of a datatype that MPI has from the start [bytes]. Nothing for one that the program made:
// Cursor::type_size knows those.
std::optional<std::int64_t> predefined_type_size(std::int64_t datatype);

}  // namespace reprise
