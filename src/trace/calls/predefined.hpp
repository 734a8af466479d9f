// The datatypes and operations that MPI has from the start, and how the others are numbered.
#pragma once

#include <cstdint>
#include <string>

namespace reprise::trace {

inline constexpr std::int64_t kWorld = 0;  // MPI_COMM_WORLD
inline constexpr std::int64_t kSelf = 1;   // MPI_COMM_SELF
inline constexpr std::int64_t kFirstMadeComm = 2;
inline constexpr std::int64_t kEmptyGroup = 0;  // MPI_GROUP_EMPTY; made groups count from 1
inline constexpr std::int64_t kFirstMadeType = 128;
inline constexpr std::int64_t kFirstMadeOp = 64;

// Size of a predefined datatype [bytes]; -1 for any other.
std::int64_t predefined_type_size(std::int64_t type);

// "MPI_INT", "type3" for the fourth of the datatypes that the program made, and the like.
std::string type_name(std::int64_t type);
std::string op_name(std::int64_t op);

}  // namespace reprise::trace
