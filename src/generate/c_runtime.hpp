// The part of a generated C program that is the same for every trace: options, computation, report,
// and the helpers that its calls may need.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace reprise::generate {

// What every program has, in front of its tables.
std::string_view c_core();
// The helpers of which `is_needed` holds, and those that they need in turn, in an order in which C
// can read them.
std::string c_helper_text(const std::function<bool(const std::string&)>& is_needed);
// What starts, ends and reports a program, behind its tables.
std::string_view c_ending();

}  // namespace reprise::generate
