// Why a trace cannot be written as a Python program.
#pragma once

#include <string>

namespace reprise::write::python {

// Thrown within this folder; write.cpp makes an error of it.
struct Unwritable {
  std::string reason;
};

}  // namespace reprise::write::python
