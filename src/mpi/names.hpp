// The numbers that name things in a trace, a type each.
#pragma once

#include <cstdint>

namespace reprise::mpi {

// A datatype, as trace/predefined.hpp numbers them.
enum class TypeId : std::int64_t {};

constexpr std::int64_t number_of(TypeId type) { return static_cast<std::int64_t>(type); }

}  // namespace reprise::mpi
