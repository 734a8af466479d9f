// The numbers that name things in a trace, a type each.
#pragma once

#include <cstdint>

namespace reprise::mpi {

// A process of a communicator.
enum class Rank : std::int64_t {};
// A call site: an index into Trace::calls.
enum class SiteId : std::uint32_t {};
// A communicator and a datatype, as trace/calls/predefined.hpp numbers them.
enum class CommId : std::int64_t {};
enum class TypeId : std::int64_t {};

constexpr std::int64_t number_of(Rank rank) { return static_cast<std::int64_t>(rank); }
constexpr std::uint32_t number_of(SiteId site) { return static_cast<std::uint32_t>(site); }
constexpr std::int64_t number_of(CommId comm) { return static_cast<std::int64_t>(comm); }
constexpr std::int64_t number_of(TypeId type) { return static_cast<std::int64_t>(type); }

}  // namespace reprise::mpi
