// One call of a scalable trace as C, from the table of arguments.
#pragma once

#include <string>
#include <vector>

#include "scalable/c_laws.hpp"
#include "scalable/c_objects.hpp"
#include "write/c/arguments.hpp"

namespace reprise::scalable {

struct CCall {
  std::vector<std::string> lines;  // statements; the call among them
  bool uses_place = false;         // they take the counter calls_SITE
};

// `laws` are those of the columns of the call; `site` its number. Throws Unwritable.
CCall write_call(trace::FunctionId function, const std::vector<const extrapolate::Law*>& laws,
                 std::size_t site, CLaws& in_c, CObjects& objects);

}  // namespace reprise::scalable
