// A place on the stack where the return address of a function lies.
#pragma once

#include <cstdint>

namespace reprise::record {

// A function whose slot still holds the same return address, as seen by an unwinder, has not
// returned.
struct StackSlot {
  std::uintptr_t address = 0;  // 0: none
  std::uintptr_t value = 0;
};

}  // namespace reprise::record
