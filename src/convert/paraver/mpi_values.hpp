// MPI functions by the events that Extrae writes of them.
#pragma once

#include <optional>
#include <string_view>

#include "convert/paraver/numbers.hpp"
#include "trace/calls/functions.hpp"

namespace reprise::convert::paraver {

struct CallValue {
  CallType type = CallType::other;
  std::uint32_t value = 0;

  auto operator<=>(const CallValue&) const = default;
};

// Functions that Extrae does not know have values of our own: only a .pcf file names them.
CallValue value_of(trace::FunctionId function);
// "MPI_Send"; empty if Extrae has no such value, whatever its type.
std::string_view name_of_value(std::uint32_t value);
// What a thread does within a function.
State state_of(const trace::Function& function);

}  // namespace reprise::convert::paraver
