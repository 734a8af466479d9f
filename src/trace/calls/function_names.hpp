// Names of C++ functions as demanglers write them, taken apart.
#pragma once

#include <string>

namespace reprise::trace {

// "void ns::f<int>" -> "ns::f<int>"; other names as they are.
std::string without_return_type(const std::string& name);

// The name without what tells variants of one function apart: template arguments, parameters of the
// functions around a local one, numbers of lambdas, anonymous namespaces. "ns::f<int>" -> "ns::f",
// "run(int)::{lambda(int)#2}::operator()" -> "run::{lambda}".
std::string short_name(const std::string& name);

}  // namespace reprise::trace
