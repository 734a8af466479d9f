// Why a trace cannot be written in coNCePTuaL.
#pragma once

#include <optional>
#include <string>

namespace reprise::write::conceptual {

// Thrown within this folder; write.cpp makes an error of it.
struct Unwritable {
  std::string reason;
  // What to do; none: take another language; empty: the reason tells it.
  std::optional<std::string> suggestion = {};
};

}  // namespace reprise::write::conceptual
