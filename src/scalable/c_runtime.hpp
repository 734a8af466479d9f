// The part of a generated C program that is the same for all scalable traces.
#pragma once

#include <string>
#include <string_view>

#include "program/domain.hpp"

namespace reprise::scalable {

// In front of everything: includes, the rank, messages.
std::string_view c_prelude();
// Buffers, requests, communicators, computation: what is called in the program.
std::string c_support(const std::string& program);
// A C function `admits_NAME` that says whether a number is in a range.
std::string c_range(const std::string& name, const program::Range& range);

}  // namespace reprise::scalable
