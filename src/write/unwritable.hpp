// Why a trace cannot be written as a program.
#pragma once

#include <optional>
#include <string>

namespace reprise::write {

// Thrown within the folder of a language, whose write.cpp makes an error of it.
struct Unwritable {
  std::string reason;
  // What to do; none: take another language; empty: the reason tells it.
  std::optional<std::string> suggestion = {};
};

}  // namespace reprise::write
