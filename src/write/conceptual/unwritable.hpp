// Why a trace cannot be written in coNCePTuaL.
#pragma once

#include <string>

namespace reprise::write::conceptual {

// Thrown within this folder; write.cpp makes an error of it.
struct Unwritable {
  std::string reason;
};

}  // namespace reprise::write::conceptual
