// Why a trace cannot be written as a C program.
#pragma once

#include <string>

namespace reprise::write::c {

// Thrown within this folder; write.cpp makes an error of it.
struct Unwritable {
  std::string reason;
};

}  // namespace reprise::write::c
